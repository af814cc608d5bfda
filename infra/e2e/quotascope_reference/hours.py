"""Service hours: the minutes of an hour together, by the parts in which their rows closed."""

from collections import defaultdict
from collections.abc import Iterable

from quotascope_reference.intake import MINUTE_US, ON_TIME_MS
from quotascope_reference.judgements import REVISION, Reservation, divided, thread_ratio, throttling_summary
from quotascope_reference.service_windows import Closed, Key, Members, summed

HOUR_US = 3_600_000_000
# How long a closed row of a minute may be on its way before the hour's row is written, and as long again to be read.
WRITTEN_AFTER_MS = 120_000
ROWS_SHIFT = 12
CATALOG_SHIFT = 32

TAKEN = ("used_cores_per_shard", "used_cores_p50", "used_cores_p90", "used_cores_p99", "used_cores_p999", "excursion_ratio")
TAKEN += ("records", "expected_records", "sample_coverage", "usage_us", "periods", "throttled_periods", "throttled_us")
TAKEN += ("throttled_period_ratio", "throttled_us_per_throttled_period", "throttled_wall_ratio", "worst_shards")
TAKEN += ("reserved_core_utilization", "reserved_core_utilization_p50", "reserved_core_utilization_p99")
TAKEN += ("shard_throttled_ratio_p50", "shard_throttled_ratio_p90", "shard_throttled_ratio_p99")
TAKEN += ("usage_histogram_cores", "usage_histogram_samples")
THREADS = ("threads_per_shard", "threads_per_reserved_core_p99", "runnable_threads_per_reserved_core_p50")
THREADS += ("runnable_threads_per_reserved_core_p90", "runnable_threads_per_reserved_core_p99")
THREADS += ("runnable_threads_per_reserved_core_low", "runnable_threads_per_reserved_core_high")

Place = tuple[Key, int, int]


def hour_of(instant_us: int) -> int:
    return instant_us // HOUR_US * HOUR_US


def hour_closes_at_ms(hour: int, part: int, part_closes_at_ms: int) -> int:
    """Part 0 takes what closes up to 30 s after the hour; a late part closes as its minutes' parts do."""
    return (hour + HOUR_US) // 1000 + ON_TIME_MS if part == 0 else part_closes_at_ms


def hour_part(row: Closed) -> int:
    """0 for whatever closed until 30 s after the hour's end, late parts of its first minutes among them."""
    return 0 if row.closes_at_ms <= hour_closes_at_ms(hour_of(row.minute), 0, 0) else row.part


def hour_rows(closed: Iterable[Closed], reservation_of) -> dict[Place, dict]:
    """A row for every hour and part, each over all parts up to its own."""
    hours: dict[tuple[Key, int], list[Closed]] = defaultdict(list)
    for row in closed:
        hours[row.key, hour_of(row.minute)].append(row)
    rows = {}
    for (key, hour), of_hour in hours.items():
        for part in sorted({hour_part(row) for row in of_hour}):
            known = [row for row in of_hour if hour_part(row) <= part]
            rows[key, hour, part] = service_hour(key, hour, part, known, reservation_of(key))
    return rows


def service_hour(key: Key, hour: int, part: int, rows: list[Closed], reservation: Reservation) -> dict:
    minutes: dict[int, Members] = {}
    for row in rows:
        minutes[row.minute] = minutes.get(row.minute, Members()) + row.members
    by_minute = [summed(minutes[minute]) for minute in sorted(minutes)]
    together = summed(sum((minutes[minute] for minute in sorted(minutes)), Members()))
    throttling = throttling_summary(key, hour, part, together, reservation)
    threads = thread_ratio(key, hour, part, together, reservation)
    ratios = [divided(sums["throttled_periods"], sums["periods"]) for sums in by_minute]
    heading = ("origin", "cluster", "service", "quota_class", "window_start_us", "part", "catalog_version", "team")
    heading += ("completeness", "quota_cores", "reserved_cores")
    return {name: throttling[name] for name in heading + TAKEN} | {name: threads[name] for name in THREADS} | {
        "version": (REVISION << CATALOG_SHIFT) + (reservation.catalog_version << ROWS_SHIFT) + len(rows),
        # The same shards live on from minute to minute.
        "shards": max(max(sums["slot_records"]) for sums in by_minute),
        "window_us": HOUR_US,
        "minutes": len(minutes),
        "minute_rows": len(rows),
        "samples": together["samples"],
        "throttled_runs": together["throttled_runs"],
        "throttled_run_periods_max": together["throttled_run_periods_max"],
        "throttled_period_ratio_max": max((ratio for ratio in ratios if ratio is not None), default=None),
        "used_cores": together["usage_us"] / (len(minutes) * MINUTE_US),
        "used_cores_max": max(sums["usage_us"] / MINUTE_US for sums in by_minute),
        "kernel_host_windows": together["kernel_host_windows"],
    }  # fmt: skip
