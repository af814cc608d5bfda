"""Tuning ranks: which service to look at first, over the ten minutes that end with a row's minute."""

from decimal import ROUND_HALF_EVEN, Decimal

from quotascope_reference.intake import MINUTE_US, WINDOW_US
from quotascope_reference.judgements import (
    Reservation,
    completeness,
    divided,
    excursion_ratio,
    heading,
    quantile,
    used_cores_per_shard,
)
from quotascope_reference.packing import nearest_rank, usage_value
from quotascope_reference.service_windows import Key, Members, summed

HORIZON_MINUTES = 10
SAMPLES_MIN = 3_000
THROTTLED_PERIOD_RATIO_MIN = 0.01
THREADS_PER_RESERVED_CORE_MAX = 2.0
UTILIZATION_MAX = 0.8
GIVE_BACK_SHARE_MIN = 0.1
GIVE_BACK_CORES_MIN = 0.05
COMPLETENESS_MIN = 0.99
# What cannot be proven against kernels: the largest host's slices and ticks, and that all shards were replaced once.
HOST_CPUS_MAX = 128
BANDWIDTH_SLICE_US = 5_000
TICK_US_MAX = 10_000
GENERATIONS = 2
RANK_CLASS = {"throttled": 1, "give_back": 2, "healthy": 3, "unknown": 4}


def tuning_rank(key: Key, minute: int, part: int, minutes: dict[int, Members], reservation: Reservation) -> dict:
    """`minutes` holds what is known of each minute of the horizon, the row's own minute among them."""
    together = summed(sum((minutes[start] for start in sorted(minutes)), Members()))
    by_minute = [summed(minutes[start]) for start in sorted(minutes)]
    row = heading(key, minute, part, together, reservation)
    # The same shards live on from minute to minute, so they are the most of any minute and not of all slots together.
    row["shards"] = max(max(sums["slot_records"]) for sums in by_minute)
    row["completeness"] = completeness(together["records"], together["expected_records"])
    reserved = row["reserved_cores"]
    row |= {
        "horizon_us": HORIZON_MINUTES * MINUTE_US,
        "horizon_windows": len(minutes),
        "throttled_period_ratio": divided(together["throttled_periods"], together["periods"]),
        "throttled_us_per_throttled_period": divided(together["throttled_us"], together["throttled_periods"]),
        "excursion_ratio": excursion_ratio(together),
        "reserved_core_utilization": divided(used_cores_per_shard(together), reserved),
        "used_cores_p99": quantile(together["usage_histogram"], 990, usage_value),
        "threads_per_reserved_core": divided(divided(together["threads_sum"], together["threads_records"]), reserved),
        "worst_shards": [shard["shard"] for shard in together["worst_shards"]],
    }
    reclaimable = reclaimable_cores(by_minute, reserved)
    row["verdict"] = verdict(row, together["samples"], nearest_rank(reclaimable, 500))
    row["rank_class"] = RANK_CLASS[row["verdict"]]
    for name, per_mille in (("_low", 50), ("", 500), ("_high", 950)):
        gives_back = row["verdict"] == "give_back"
        row[f"reclaimable_cores{name}"] = nearest_rank(reclaimable, per_mille) if gives_back else None
    row["stranded_quota_cores"] = stranded_quota_cores(row, together, sorted(minutes))
    row["rank_score"] = score(row)
    row["reasons"] = reasons(row, together)
    return row


def reclaimable_cores(by_minute: list[dict], reserved: float | None) -> list[float]:
    """Of each minute with samples: reserved cores of all shards beyond what the 10 ms peaks need at the ceiling."""
    if reserved is None:
        return []
    return [
        max(0.0, reserved - quantile(sums["usage_histogram"], 990, usage_value) / UTILIZATION_MAX) * max(sums["slot_records"])
        for sums in by_minute
        if sums["usage_histogram"]
    ]


def verdict(row: dict, samples: int, reclaimable: float | None) -> str:
    if samples < SAMPLES_MIN:
        return "unknown"
    reserved = row["reserved_cores"]
    if reserved is None:
        return "healthy"
    if (row["throttled_period_ratio"] or 0) >= THROTTLED_PERIOD_RATIO_MIN:
        return "throttled"
    worthwhile = GIVE_BACK_SHARE_MIN * reserved * row["shards"]
    if reclaimable is not None and reclaimable >= worthwhile and reclaimable > GIVE_BACK_CORES_MIN:
        return "give_back"
    return "healthy"


def stranded_quota_cores(row: dict, together: dict, starts: list[int]) -> float | None:
    """Quota handed out in throttled periods that no use of all shards can account for; absent when use explains them."""
    if together["quota_us"] is None or together["throttled_periods"] == 0:
        return None
    stretches = together["records"]
    if together["expected_records"] > 0:
        lost = max(0, together["expected_records"] - together["records"])
        span = (starts[-1] - starts[0]) // MINUTE_US + 1
        stretches = row["shards"] * (GENERATIONS + span - len(starts)) + lost
    whole = max(0, together["throttled_periods"] - stretches * max(1, WINDOW_US // together["period_us"]))
    allowed_us = together["quota_us"] + HOST_CPUS_MAX * stretches * (BANDWIDTH_SLICE_US + TICK_US_MAX)
    unused_us = whole * together["quota_us"] - together["usage_us"]
    return (unused_us - allowed_us) / (len(starts) * MINUTE_US) if whole > 0 and unused_us > allowed_us else None


def score(row: dict) -> float:
    if row["verdict"] == "throttled":
        if row["stranded_quota_cores"] is not None:
            return 0.0
        idle = max(0.0, 1.0 - (row["reserved_core_utilization"] or 0.0))
        return row["reserved_cores"] * row["shards"] * row["throttled_period_ratio"] * idle
    return row["reclaimable_cores"] if row["verdict"] == "give_back" else 0.0


def rounded(value: float, decimals: int) -> str:
    """The exact value of the double, half to even."""
    return str(Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN))


def percent(ratio: float) -> str:
    return f"{rounded(100 * ratio, 1)} %"


def reasons(row: dict, together: dict) -> list[str]:
    """The sentences that a reader of the ranked table sees, most important first."""
    if row["verdict"] == "unknown":
        said = [f"{together['samples']} samples in the horizon, at least {SAMPLES_MIN} are needed"]
    elif row["verdict"] == "throttled":
        said = reasons_throttled(row, together)
    elif row["verdict"] == "give_back":
        said = reasons_give_back(row)
    else:
        said = reasons_healthy(row)
    if row["completeness"] is not None and row["completeness"] < COMPLETENESS_MIN:
        said.append(f"only {percent(row['completeness'])} of the records that the hosts sent have arrived")
    return said


def reasons_throttled(row: dict, together: dict) -> list[str]:
    counts = f"{together['throttled_periods']} of {together['periods']}"
    said = []
    if row["stranded_quota_cores"] is not None:
        lost = f"{rounded(row['stranded_quota_cores'], 2)} cores of quota were handed out and not used"
        said.append(f"the kernel is at fault: {lost}, so tuning is no cure")
    said.append(f"{percent(row['throttled_period_ratio'])} of periods throttled ({counts})")
    depth_us = row["throttled_us_per_throttled_period"]
    if depth_us is not None:
        said.append(f"{rounded(depth_us / 1000, 1)} ms throttled each, over all run queues")
    threads = row["threads_per_reserved_core"]
    if threads is not None:
        outnumbers = ": the pool outnumbers its cores" if threads > THREADS_PER_RESERVED_CORE_MAX else ""
        said.append(f"{rounded(threads, 1)} threads per reserved core{outnumbers}")
    if row["excursion_ratio"] is not None:
        said.append(f"{percent(row['excursion_ratio'])} of 10 ms samples above quota")
    if row["reserved_core_utilization"] is not None:
        said.append(f"{percent(row['reserved_core_utilization'])} of the reserved cores used")
    return said


def peak(row: dict) -> str:
    reserved = rounded(row["reserved_cores"], 2)
    return f"10 ms peaks (p99) of {rounded(row['used_cores_p99'], 2)} cores a shard, {reserved} reserved"


def not_throttled(row: dict) -> str:
    if row["throttled_period_ratio"] is None:
        return "no enforcement period elapsed in the horizon"
    return f"{percent(row['throttled_period_ratio'])} of periods throttled, below {percent(THROTTLED_PERIOD_RATIO_MIN)}"


def reasons_give_back(row: dict) -> list[str]:
    low, median, high = (rounded(row[f"reclaimable_cores{name}"], 2) for name in ("_low", "", "_high"))
    reserved = rounded(row["reserved_cores"] * row["shards"], 2)
    return [
        f"{median} of {reserved} reserved cores can go ({low} to {high} over the minutes):"
        f" 10 ms peaks then use {percent(UTILIZATION_MAX)} of the rest",
        peak(row),
        not_throttled(row),
    ]


def reasons_healthy(row: dict) -> list[str]:
    if row["reserved_cores"] is None:
        no_controller = row["quota_class"] == "none"
        enforced = "no cpu controller: the kernel enforces nothing here" if no_controller else "no quota: it cannot be throttled"
        return [
            f"{enforced}; its neighbours can be hurt",
            "no catalog entry reserves cores for it, so nothing can be given back",
        ]
    said = [not_throttled(row)]
    if row["used_cores_p99"] is not None:
        said.append(f"{peak(row)}: too little to give back by the {HORIZON_MINUTES} minutes judged")
    return said
