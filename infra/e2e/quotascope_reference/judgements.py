"""Thread ratios and throttling summaries: what one minute of a service says, all parts up to one merged.

Doubles are divided in the order in which the schema's sentences state them, so that two languages get the same bits.
"""

from dataclasses import dataclass

from quotascope_reference.intake import MINUTE_US, WINDOW_US
from quotascope_reference.packing import (
    Histogram,
    integer_value,
    quantile_bucket,
    ratio_value,
    runnable_value,
    usage_lower_bound,
    usage_value,
)
from quotascope_reference.service_windows import Key

REVISION = 1


@dataclass(frozen=True)
class Reservation:
    """What the catalog says about a service, or that it says nothing."""

    catalog_version: int = 0
    team: str | None = None
    reserved_millicores: int | None = None

    @staticmethod
    def of(entry: dict | None) -> "Reservation":
        if entry is None or entry["deleted"]:
            return Reservation()
        return Reservation(entry["catalog_version"], entry["team"], entry["reserved_millicores"])

    def reserved_cores(self, quota_cores: float | None) -> float | None:
        """The catalog's word, else the quota, else unknown."""
        return quota_cores if self.reserved_millicores is None else self.reserved_millicores / 1000.0


def divided(numerator: float | None, denominator: float | None) -> float | None:
    """Absent when either is, or when there is nothing to divide by."""
    if numerator is None or not denominator:
        return None
    return numerator / denominator


def completeness(records: int, expected_records: int) -> float | None:
    return min(1.0, records / expected_records) if expected_records > 0 else None


def quota_cores(sums: dict) -> float | None:
    return divided(sums["quota_us"], sums["period_us"])


def excursion_ratio(sums: dict) -> float | None:
    return None if sums["quota_us"] is None else divided(sums["excursion_samples"], sums["samples"])


def used_cores_per_shard(sums: dict) -> float | None:
    return divided(sums["usage_us"], sums["records"] * WINDOW_US)


def quantile(counts: Histogram | None, per_mille: int, value) -> float | None:
    bucket = None if counts is None else quantile_bucket(counts, per_mille)
    return None if bucket is None else value(bucket)


def heading(key: Key, minute: int, part: int, sums: dict, reservation: Reservation) -> dict:
    """The columns that every judgement begins with."""
    quota = quota_cores(sums)
    return dict(zip(("origin", "cluster", "service", "quota_class"), key, strict=True)) | {
        "window_start_us": minute,
        "part": part,
        "version": REVISION * 2**32 + reservation.catalog_version,
        "catalog_version": reservation.catalog_version,
        "team": reservation.team,
        "shards": max(sums["slot_records"]),
        "completeness": completeness(sums["records"], sums["expected_records"]),
        "quota_cores": quota,
        "reserved_cores": reservation.reserved_cores(quota),
    }


def thread_ratio(key: Key, minute: int, part: int, sums: dict, reservation: Reservation) -> dict:
    row = heading(key, minute, part, sums, reservation)
    reserved = row["reserved_cores"]
    for name, per_mille in (("p50", 500), ("p90", 900), ("p99", 990)):
        threads = quantile(sums["threads_histogram"], per_mille, integer_value)
        runnable = quantile(sums["runnable_histogram"], per_mille, runnable_value)
        row[f"threads_per_reserved_core_{name}"] = divided(threads, reserved)
        row[f"runnable_threads_per_reserved_core_{name}"] = divided(runnable, reserved)
    row["threads_per_shard"] = divided(sums["threads_sum"], sums["threads_records"])
    low, high = divided(quantile(sums["usage_histogram"], 990, usage_value), reserved), row["threads_per_reserved_core_p99"]
    row["runnable_threads_per_reserved_core_low"] = low
    # Threads are counted as a window ends; who used so many cores before had at least as many.
    row["runnable_threads_per_reserved_core_high"] = high if low is None or high is None else max(low, high)
    stated = [shard for shard in sums["worst_shards"] if shard["threads"] is not None]
    # The sort is stable: equal counts keep the order of the worst.
    row["worst_shards"] = [shard["shard"] for shard in sorted(stated, key=lambda shard: -shard["threads"])]
    return row


def throttling_summary(key: Key, minute: int, part: int, sums: dict, reservation: Reservation) -> dict:
    row = heading(key, minute, part, sums, reservation)
    reserved = row["reserved_cores"]
    for name in ("records", "expected_records", "usage_us", "periods", "throttled_periods", "throttled_us"):
        row[name] = sums[name]
    row["sample_coverage"] = divided(sums["samples"], sums["samples"] + sums["missed_samples"])
    row["throttled_period_ratio"] = divided(sums["throttled_periods"], sums["periods"])
    row["throttled_us_per_throttled_period"] = divided(sums["throttled_us"], sums["throttled_periods"])
    row["throttled_wall_ratio"] = divided(sums["throttled_wall_us"], sums["throttled_wall_records"] * WINDOW_US)
    row["excursion_ratio"] = excursion_ratio(sums)
    row["used_cores"] = sums["usage_us"] / MINUTE_US
    row["used_cores_per_shard"] = used_cores_per_shard(sums)
    for name, per_mille in (("p50", 500), ("p90", 900), ("p99", 990), ("p999", 999)):
        row[f"used_cores_{name}"] = quantile(sums["usage_histogram"], per_mille, usage_value)
    row["reserved_core_utilization"] = divided(row["used_cores_per_shard"], reserved)
    row["reserved_core_utilization_p50"] = divided(row["used_cores_p50"], reserved)
    row["reserved_core_utilization_p99"] = divided(row["used_cores_p99"], reserved)
    for name, per_mille in (("p50", 500), ("p90", 900), ("p99", 990)):
        row[f"shard_throttled_ratio_{name}"] = quantile(sums["throttled_ratio_histogram"], per_mille, ratio_value)
    buckets = sorted(sums["usage_histogram"])
    row["usage_histogram_cores"] = [usage_lower_bound(bucket) for bucket in buckets]
    row["usage_histogram_samples"] = [sums["usage_histogram"][bucket] for bucket in buckets]
    row["worst_shards"] = [shard["shard"] for shard in sums["worst_shards"]]
    return row
