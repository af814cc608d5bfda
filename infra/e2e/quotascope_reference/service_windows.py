"""Service windows: sums over the records and host statements of one service, quota class, minute and part."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from quotascope_reference.intake import WINDOW_US, Accepted, Intake, closes_at_ms, minute_of, part_of
from quotascope_reference.packing import (
    RUNNABLE_BUCKETS,
    USAGE_BUCKETS,
    Histogram,
    add_histogram,
    fnv1a_64,
    integer_bucket,
    ratio_bucket,
    unpack_histogram,
    usage_bucket,
    varints,
)
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS

SLOTS = 6
KEPT_SHARDS = 5
# Sums of a table's rows stop here.
LONG_MAX = 2**63 - 1

Key = tuple[str, str, str, str]
SUMS = ("samples", "missed_samples", "usage_us", "sampled_usage_us", "excursion_samples", "excursion_us", "periods")
SUMS += ("throttled_periods", "throttled_us", "bursts", "burst_used_us", "throttled_runs", "throttled_wall_us")


def quota_class(quota_us: int | None, period_us: int | None) -> str:
    """Whole millicores and the period: in ms where it is a whole number of them."""
    if period_us is None:
        return "none"
    if quota_us is None:
        return "unlimited"
    period = f"{period_us // 1000}ms" if period_us % 1000 == 0 else f"{period_us}us"
    return f"{1000 * quota_us // period_us}m/{period}"


@dataclass(frozen=True)
class Statement:
    """One host in one window of 10 s about one service and class."""

    window_start_us: int
    quota_us: int | None
    period_us: int | None
    shard_records: int
    kernel_release: str
    # First records of newborns come with the host's record of the window after theirs, which counts the host by itself.
    first: bool = False


@dataclass
class Members:
    """What fell into one service, class, minute and part."""

    records: list[dict] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)

    def __add__(self, other: "Members") -> "Members":
        return Members(self.records + other.records, self.statements + other.statements)


@dataclass(frozen=True)
class Closed:
    """A part of a minute, complete, in the order of the log's clock."""

    key: Key
    minute: int
    part: int
    members: Members

    @property
    def closes_at_ms(self) -> int:
        return closes_at_ms(self.minute, self.part)


def closed_parts(intake: Intake, clock_ms: int) -> list[Closed]:
    """Every part that the clock has closed, in the order in which they closed; of one instant, the earlier minute first."""
    groups: dict[tuple[Key, int, int], Members] = defaultdict(Members)
    for accepted in intake.accepted[CPU_USAGE_WINDOWS]:
        record = accepted.record
        key = (record["origin"], record["cluster"], record["service"], quota_class(record["quota_us"], record["period_us"]))
        groups[key, accepted.minute, accepted.part].records.append(record)
    for accepted in intake.accepted[HOST_WINDOWS]:
        for key, statement in statements_of(accepted):
            minute = minute_of(statement.window_start_us)
            groups[key, minute, part_of(minute, accepted.append_time_ms)].statements.append(statement)
    parts = [Closed(key, minute, part, members) for (key, minute, part), members in groups.items()]
    closed = [part for part in parts if part.closes_at_ms <= clock_ms]
    return sorted(closed, key=lambda part: (part.closes_at_ms, part.minute, part.key))


def statements_of(accepted: Accepted) -> list[tuple[Key, Statement]]:
    """One statement a service and class: settings that share a label are one, so that the host counts once."""
    host = accepted.record
    start = host["window_start_us"]
    own = stated_together(host, host["service_records"], start, False)
    return own + stated_together(host, host["first_records"], start - WINDOW_US, True)


def stated_together(host: dict, statements: list[dict], window_start_us: int, first: bool) -> list[tuple[Key, Statement]]:
    grouped: dict[Key, list[dict]] = defaultdict(list)
    for stated in statements:
        label = quota_class(stated["quota_us"], stated["period_us"])
        grouped[host["origin"], host["cluster"], stated["service"], label].append(stated)
    return [
        (
            key,
            Statement(
                window_start_us,
                least(stated["quota_us"] for stated in same),
                least(stated["period_us"] for stated in same),
                sum(stated["shard_records"] for stated in same),
                host["kernel_release"],
                first,
            ),
        )
        for key, same in grouped.items()
    ]


def least(values: Iterable[int | None]) -> int | None:
    return min((value for value in values if value is not None), default=None)


def total(records: list[dict], name: str) -> int:
    """Sum of a field over the records that state it."""
    return min(LONG_MAX, sum(record[name] for record in records if record[name] is not None))


def stating(records: list[dict], name: str) -> int:
    return sum(1 for record in records if record[name] is not None)


def greatest(records: list[dict], name: str) -> int:
    return max((record[name] for record in records if record[name] is not None), default=0)


def by_slot(starts: Iterable[int]) -> list[int]:
    counts = [0] * SLOTS
    for start in starts:
        counts[start // WINDOW_US % SLOTS] += 1
    return counts


def summed(members: Members) -> dict:
    """The measured fields of a service window; histograms as {bucket: count}, second-order sums as lists."""
    records, statements = members.records, members.statements
    kernels: dict[str, int] = defaultdict(int)
    hosts = [statement for statement in statements if not statement.first]
    for statement in hosts:
        kernels[statement.kernel_release] += 1
    none = quota_class_is_none(members)
    return {name: total(records, name) for name in SUMS} | {
        "quota_us": None if none else least([r["quota_us"] for r in records] + [s.quota_us for s in statements]),
        "period_us": least([r["period_us"] for r in records] + [s.period_us for s in statements]),
        "slot_records": by_slot(record["window_start_us"] for record in records),
        "slot_hosts": by_slot(statement.window_start_us for statement in hosts),
        "records": len(records),
        "expected_records": sum(statement.shard_records for statement in statements),
        "lateness_us_max": greatest(records, "lateness_us_max"),
        "bandwidth_records": stating(records, "periods"),
        "throttled_run_records": stating(records, "throttled_runs"),
        "throttled_run_periods_max": greatest(records, "throttled_run_periods_max"),
        "throttled_wall_records": stating(records, "throttled_wall_us"),
        "threads_records": stating(records, "threads"),
        "threads_sum": total(records, "threads"),
        "threads_max": greatest(records, "threads"),
        "second_order": second_order(records),
        "between_shards": [len(records), sum(r["usage_us"] for r in records), sum(r["usage_us"] ** 2 for r in records)],
        "worst_shards": worst_shards(records),
        "kernel_host_windows": dict(kernels),
        **histograms(records),
        **exemplars(records),
    }


def quota_class_is_none(members: Members) -> bool:
    """Without a cpu controller a quota means nothing."""
    return all(r["period_us"] is None for r in members.records) and all(s.period_us is None for s in members.statements)


def histograms(records: list[dict]) -> dict[str, Histogram | None]:
    usage: Histogram = {}
    used_cores: Histogram = {}
    throttled_ratio: Histogram = {}
    threads: Histogram = {}
    runnable: Histogram = {}
    for record in records:
        add_histogram(usage, unpack_histogram(record["usage_histogram"], USAGE_BUCKETS))
        add_histogram(used_cores, {usage_bucket(record["usage_us"], WINDOW_US): 1})
        if record["periods"]:
            add_histogram(throttled_ratio, {ratio_bucket(record["throttled_periods"] or 0, record["periods"]): 1})
        if record["threads"] is not None:
            add_histogram(threads, {integer_bucket(record["threads"]): 1})
        if record["runnable_histogram"] is not None:
            add_histogram(runnable, unpack_histogram(record["runnable_histogram"], RUNNABLE_BUCKETS))
    return {
        "usage_histogram": usage,
        "used_cores_histogram": used_cores,
        "throttled_ratio_histogram": throttled_ratio,
        "threads_histogram": threads if stating(records, "threads") else None,
        "runnable_histogram": runnable if stating(records, "runnable_histogram") else None,
    }


def second_order(records: list[dict]) -> list[int]:
    columns = zip(*(varints(record["second_order"]) for record in records), strict=True)
    return [sum(column) for column in columns] or [0] * 19


def badness(record: dict) -> tuple:
    """Sorts the worst record first; the fields behind window_start_us only part two agents that claim one shard."""
    return (
        -(record["throttled_us"] or 0),
        -(record["throttled_periods"] or 0),
        -record["usage_us"],
        record["shard_id"],
        record["window_start_us"],
        record["host_id"],
        record["shard"],
        record["periods"] or 0,
        -1 if record["threads"] is None else record["threads"],
    )


def worst_shards(records: list[dict]) -> list[dict]:
    """At most five shards by their worst window, one entry a shard."""
    worst: dict[int, dict] = {}
    for record in sorted(records, key=badness):
        worst.setdefault(record["shard_id"], record)
    return [
        {name: record[name] for name in ("shard_id", "shard", "host_id", "window_start_us", "usage_us")}
        | {name: record[name] or 0 for name in ("periods", "throttled_periods", "throttled_us")}
        | {"threads": record["threads"]}
        for record in list(worst.values())[:KEPT_SHARDS]
    ]


def exemplars(records: list[dict]) -> dict:
    """The exemplar with the smallest hash, and the one of the worst record."""
    carrying = [record for record in records if record["exemplar"] is not None]
    if not carrying:
        return {"exemplar": None, "exemplar_hash": None, "worst_exemplar": None}
    drawn = min((fnv1a_64(f"{r['shard_id']}:{r['window_start_us']}"), r["exemplar"]) for r in carrying)
    worst = min((badness(r), r["exemplar"]) for r in carrying)
    return {"exemplar": drawn[1], "exemplar_hash": drawn[0], "worst_exemplar": worst[1]}
