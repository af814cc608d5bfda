"""A small simulated fleet, written into the tables as the jobs would write it.

Every row says `origin = simulated` and `cluster = fixture`: nobody can take it for a measurement.
The numbers are chosen so that each verdict, each null and each kind of label appears on the dashboard.
"""

import json
import random
import urllib.request
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from judged_fixture import latest_row, risk_row, savings_rows, total_rows, verification_rows, what_if_rows
from told_fixture import change_rows, host_judged_rows, hour_rows, price_rows, recommendation_rows, score_rows

ORIGIN, CLUSTER = "simulated", "fixture"
MINUTES = 60
SHARD_RECORDS_PER_MINUTE = 6
SAMPLES_PER_MINUTE = 6000
PERIODS_PER_MINUTE = 600
JUDGED = ("origin", "cluster", "service", "quota_class", "window_start", "part", "version", "catalog_version", "team", "shards",
          "completeness", "quota_cores", "reserved_cores")  # fmt: skip
RANK_CLASS = {"throttled": 1, "give_back": 2, "healthy": 3, "unknown": 4}


@dataclass(frozen=True)
class SimulatedService:
    """What one service does in every minute; `drift` is how much its throttled ratio grows over the hour."""

    name: str
    team: str | None
    quota_cores: float | None
    shards: int
    threads: int
    throttled_ratio: float
    depth_us: int
    modes: tuple[tuple[float, float], ...]  # (used cores, weight) of its 10 ms samples
    verdict: str
    reasons: tuple[str, ...]
    drift: float = 0.0
    records_share: float = 1.0
    runnable_per_core_p99: float | None = None
    reclaimable: tuple[float, float, float] | None = None
    reserved_by_catalog: float | None = None


FLEET = (
    SimulatedService("checkout-overpooled", "payments", 2.0, 3, 48, 0.31, 84_000, ((0.0, 5), (1.9, 2), (3.8, 3), (2.6, 1)),
                     "throttled", ("throttled in 31.2 % of its periods (562 of 1800): it sleeps while it has work",
                                   "a throttled period loses 84.0 ms of CPU time, added over run queues",
                                   "24.0 threads for each reserved core: the pool outnumbers its cores",
                                   "40.2 % of its 10 ms samples ran above the quota")),
    SimulatedService("search-spiral", "search", 1.0, 2, 12, 0.06, 61_000, ((0.0, 3), (0.8, 4), (1.9, 2)),
                     "throttled", ("35 % of periods throttled, 61 ms deep", "rising for ten minutes"), drift=0.30),
    SimulatedService("fast-slow-workers", "platform", 0.5, 1, 5, 0.11, 37_000, ((0.0, 6), (0.4, 3), (1.0, 1)),
                     "throttled", ("11 % of periods throttled, 37 ms deep",)),
    SimulatedService("batch-overreserved", "platform", 4.0, 2, 9, 0.0, 0, ((0.0, 30), (0.12, 2), (0.3, 1)),
                     "give_back", ("its 10 ms peaks use 0.3 of 4 reserved cores",), reclaimable=(7.1, 6.6, 7.3)),
    SimulatedService("feed-tuned", "search", 2.0, 4, 4, 0.002, 6_000, ((0.0, 2), (0.9, 6), (1.5, 2)),
                     "healthy", ("0.2 % of periods throttled",), runnable_per_core_p99=0.82, reserved_by_catalog=1.5),
    SimulatedService("noisy-neighbour", None, None, 1, 2, 0.0, 0, ((1.0, 5), (1.9, 5)),
                     "healthy", ("no quota: it cannot be throttled; its neighbours can be hurt",)),
    SimulatedService("mail-newborn", "platform", 1.0, 1, 3, 0.0, 0, ((0.0, 8), (0.2, 1)),
                     "unknown", ("too few samples",), records_share=0.83),
)  # fmt: skip


def bucket_lower_cores(used_cores: float) -> float:
    """Lower bound of the bucket of layout version 1 that holds `used_cores` (schemas/README.md)."""
    scaled = int(512 * used_cores)
    if scaled < 16:
        return 0.0
    shift = scaled.bit_length() - 5
    return ((scaled >> shift) << shift) / 512


def usage_histogram(service: SimulatedService, samples: int, rng: random.Random) -> dict[float, int]:
    """Lower bound -> samples, drawn around the service's modes; 500 draws, each standing for many samples."""
    counts: dict[float, int] = {}
    draws = 500
    cores, weights = zip(*service.modes, strict=True)
    for mode in rng.choices(cores, weights, k=draws):
        bound = bucket_lower_cores(max(0.0, rng.gauss(mode, 0.12 * mode)))
        counts[bound] = counts.get(bound, 0) + samples // draws
    return dict(sorted(counts.items()))


def minute_rows(service: SimulatedService, start: datetime, progress: float, rng: random.Random) -> dict[str, dict]:
    """The rows of one service in one minute, by table."""
    expected = service.shards * SHARD_RECORDS_PER_MINUTE
    records = round(expected * service.records_share)
    samples = records * SAMPLES_PER_MINUTE // SHARD_RECORDS_PER_MINUTE
    has_quota = service.quota_cores is not None
    periods = records * PERIODS_PER_MINUTE // SHARD_RECORDS_PER_MINUTE if has_quota else 0
    ratio = max(0.0, service.throttled_ratio + service.drift * progress) * rng.uniform(0.9, 1.1)
    throttled_periods = round(periods * ratio)
    throttled_us = throttled_periods * service.depth_us
    histogram = usage_histogram(service, samples, rng)
    counted = sum(histogram.values())
    mean = sum(bound * count for bound, count in histogram.items()) / counted
    p99 = quantile(histogram, 990)
    threads_per_core = service.threads / service.quota_cores if has_quota else None
    quota_class = f"{int(1000 * service.quota_cores)}m/100ms" if has_quota else "unlimited"
    key = {"origin": ORIGIN, "cluster": CLUSTER, "service": service.name, "quota_class": quota_class,
           "window_start": start.strftime("%Y-%m-%d %H:%M:%S"), "part": 0, "version": 1}  # fmt: skip
    judged = key | {"catalog_version": 1 if service.team else 0, "team": service.team, "shards": service.shards,
                    "completeness": min(1, records / expected), "quota_cores": service.quota_cores,
                    "reserved_cores": service.reserved_by_catalog or service.quota_cores}  # fmt: skip
    throttling = {
        "throttled_period_ratio": throttled_periods / periods if periods else None,
        "throttled_us_per_throttled_period": throttled_us / throttled_periods if throttled_periods else None,
        "excursion_ratio": sum(c for b, c in histogram.items() if b > service.quota_cores) / counted if has_quota else None,
        "reserved_core_utilization": mean / service.quota_cores if has_quota else None,
        "used_cores_p99": p99,
    }
    low, median, high = (None, None, None)
    if service.reclaimable:
        median, low, high = service.reclaimable
    counters = {"records": records, "expected_records": expected, "usage_us": int(mean * records * 10_000_000),
                "periods": periods, "throttled_periods": throttled_periods, "throttled_us": throttled_us}  # fmt: skip
    ratio_now = throttling["throttled_period_ratio"] or 0.0
    risk = risk_row(judged, ratio_now)
    return {
        "collapse_risks": risk,
        "service_windows": key | counters | {"window_us": 60_000_000, "samples": samples, "layout_version": 1,
                                             "slot_records": [service.shards] * 6, "slot_hosts": [1] * 6},
        "throttling_summaries": judged | counters | throttling | {
            "used_cores": mean * service.shards, "used_cores_per_shard": mean, "sample_coverage": 1.0,
            "used_cores_p50": quantile(histogram, 500), "used_cores_p90": quantile(histogram, 900),
            "used_cores_p999": quantile(histogram, 999), "shard_throttled_ratio_p50": 0.6 * ratio if has_quota else None,
            "shard_throttled_ratio_p90": min(1, 1.4 * ratio) if has_quota else None,
            "shard_throttled_ratio_p99": min(1, 1.8 * ratio) if has_quota else None, "worst_shards": [f"{service.name}-0"],
            "usage_histogram_cores": list(histogram), "usage_histogram_samples": list(histogram.values())},
        "thread_ratios": judged | {
            "threads_per_shard": service.threads, "threads_per_reserved_core_p50": threads_per_core,
            "threads_per_reserved_core_p90": threads_per_core, "threads_per_reserved_core_p99": threads_per_core,
            "runnable_threads_per_reserved_core_p99": service.runnable_per_core_p99,
            "runnable_threads_per_reserved_core_low": p99 / service.quota_cores if has_quota else None,
            "runnable_threads_per_reserved_core_high": threads_per_core, "worst_shards": [f"{service.name}-0"]},
        "tuning_ranks": judged | throttling | {
            "horizon_us": 600_000_000, "horizon_windows": 10, "verdict": service.verdict,
            "rank_class": RANK_CLASS[service.verdict], "threads_per_reserved_core": threads_per_core,
            "rank_score": service.shards * (service.quota_cores or 0) * ratio if service.verdict == "throttled" else (median or 0),
            "reclaimable_cores": median, "reclaimable_cores_low": low, "reclaimable_cores_high": high,
            "reasons": list(service.reasons), "worst_shards": [f"{service.name}-0"]},
    }  # fmt: skip


def quantile(histogram: dict[float, int], per_mille: int) -> float:
    """Lower bound of the first bucket whose cumulated count reaches the quantile."""
    wanted = max(1, -(-per_mille * sum(histogram.values()) // 1000))
    reached = 0
    for bound, count in histogram.items():
        reached += count
        if reached >= wanted:
            return bound
    raise ValueError("empty histogram")


# What each host's collector does: its cost as a share of one CPU, and the minutes of the hour in which something is amiss.
HOSTS = {"host-a": 0.008, "host-b": 0.011, "host-starved": 0.027}
STARVED_MINUTES = range(20, 30)
WINDOW_US = 10_000_000


def host_rows(host: str, cost: float, start: datetime, minute: int, rng: random.Random) -> list[dict]:
    """The six windows of one host's collector in one minute."""
    starved = host == "host-starved" and minute in STARVED_MINUTES
    rows = []
    for slot in range(SHARD_RECORDS_PER_MINUTE):
        window = start + timedelta(seconds=10 * slot)
        rows.append({
            "host_id": host, "agent_epoch": 1, "seq": minute * SHARD_RECORDS_PER_MINUTE + slot, "cluster": CLUSTER, "origin": ORIGIN,
            "window_start": window.strftime("%Y-%m-%d %H:%M:%S"), "append_time": (window + timedelta(seconds=11)).strftime("%Y-%m-%d %H:%M:%S"),
            "samples": 940 if starved else 999, "missed_samples": 60 if starved else 1, "cpus": 16, "threads": 900, "runnable_threads": 12,
            "kernel_release": "6.1.0-18-amd64", "cgroup_version": "v2", "tick_hz": 250, "method": "ebpf", "shard_records": 5,
            "agent_cpu_us": round(cost * rng.uniform(0.9, 1.1) * WINDOW_US), "bpf_run_us": 9_000,
            "agent_rss_bytes": 38_000_000, "bpf_map_bytes": 6_000_000, "spool_bytes": 400_000 if starved else 0,
            "drops": {"spool_full": 12} if host == "host-starved" and minute >= STARVED_MINUTES.start else {},
            "protection_step": 2 if starved else 0, "protection_reason": "cpu 2.7 % > budget 2 %" if starved else None,
            "late_windows": int(starved), "missing_before": 2 if starved and slot == 0 else 0, "version": 1,
        })  # fmt: skip
    return rows


# Names of threads are measured on the hosts of one service only.
NAMED = {"checkout-overpooled": (("http-worker-#", 310_000), ("GC Thread##", 120_000), ("C# CompilerThre", 15_000))}


def named_rows(service: SimulatedService, newest: datetime) -> list[dict]:
    """Ten windows of the service's first shard: who ran above the quota, where names are measured."""
    if service.quota_cores is None:
        return []
    names = [{"comm": comm, "usage_us": used} for comm, used in NAMED.get(service.name, ())]
    key = {"origin": ORIGIN, "cluster": CLUSTER, "service": service.name, "shard": f"{service.name}-0", "host_id": "host-a", "agent_epoch": 1}
    return [
        key
        | {
            "quota_class": f"{int(1000 * service.quota_cores)}m/100ms",
            "seq": seq,
            "version": 1,
            "window_start": (newest - timedelta(seconds=10 * seq)).strftime("%Y-%m-%d %H:%M:%S"),
            "append_time": (newest - timedelta(seconds=10 * seq - 11)).strftime("%Y-%m-%d %H:%M:%S"),
            "samples": 999,
            "excursion_samples": 300 if service.throttled_ratio > 0.01 else 0,
            "excursion_threads": names,
        }
        for seq in range(10)
    ]


def write_fleet(clickhouse_url: str, user: str, password: str, now: datetime | None = None, seed: int = 7) -> None:
    """Insert the last hour of the simulated fleet; the last full minute ended about two minutes ago."""
    newest = (now or datetime.now(UTC)).replace(second=0, microsecond=0) - timedelta(minutes=3)
    rng = random.Random(seed)
    rows: dict[str, list[str]] = {}
    for minute in range(MINUTES):
        start = newest - timedelta(minutes=MINUTES - 1 - minute)
        for service in FLEET:
            made = minute_rows(service, start, minute / (MINUTES - 1), rng)
            for table, row in made.items():
                rows.setdefault(table, []).append(json.dumps(row))
            if minute == MINUTES - 1:
                add_analysis(rows, service, made)
                hours = hour_rows(ORIGIN, CLUSTER, service.name, made, newest)
                rows.setdefault("service_hours", []).extend(json.dumps(row) for row in hours)
        for host, cost in HOSTS.items():
            rows.setdefault("host_windows", []).extend(json.dumps(row) for row in host_rows(host, cost, start, minute, rng))
    judged = host_judged_rows(ORIGIN, CLUSTER, tuple(HOSTS), newest) | {
        "recommendations": recommendation_rows(ORIGIN, CLUSTER, newest),
        "verifications": verification_rows(ORIGIN, CLUSTER, newest),
        "change_events": change_rows(ORIGIN, CLUSTER, newest),
        "prediction_scores": score_rows(ORIGIN, CLUSTER, newest),
    }
    best = [row for row in map(json.loads, rows["savings_estimates"]) if row["best"]]
    judged |= {
        "fleet_totals": total_rows(ORIGIN, CLUSTER, newest, best),
        "price_books": price_rows(),
        "shard_windows": [row for service in FLEET for row in named_rows(service, newest)],
    }
    rows |= {table: [json.dumps(row) for row in made] for table, made in judged.items()}
    for table, lines in rows.items():
        insert(clickhouse_url, user, password, f"INSERT INTO quotascope.{table} FORMAT JSONEachRow\n" + "\n".join(lines))


def add_analysis(rows: dict[str, list[str]], service: SimulatedService, made: dict[str, dict]) -> None:
    """What the analysis of the newest minute says of a service."""
    ranked = made["tuning_ranks"]
    judged = {name: ranked[name] for name in JUDGED}
    ratio = ranked["throttled_period_ratio"] or 0.0
    savings = savings_rows(judged, ratio) if service.quota_cores is not None else []
    if service.quota_cores is not None:
        rows.setdefault("what_if_outcomes", []).extend(json.dumps(row) for row in what_if_rows(judged, ratio))
        rows.setdefault("savings_estimates", []).extend(json.dumps(row) for row in savings)
    shown = ("throttled_period_ratio", "throttled_us_per_throttled_period", "excursion_ratio", "reserved_core_utilization", "used_cores_p99")
    throttling = {name: ranked[name] for name in shown}
    threads = made["thread_ratios"]
    placed = ("horizon_us", "horizon_windows", "rank_class", "rank_score", "reclaimable_cores", "reclaimable_cores_low", "reclaimable_cores_high")
    ranking = {name: ranked[name] for name in (*placed, "reasons", "worst_shards")}
    ranking |= {name: threads[name] for name in threads if name.startswith(("threads_per_reserved_core_p99", "runnable_threads"))}
    latest = latest_row(judged, service.verdict, throttling | ranking, made["collapse_risks"], savings)
    rows.setdefault("service_latest", []).append(json.dumps(latest))


def insert(clickhouse_url: str, user: str, password: str, statement: str) -> None:
    request = urllib.request.Request(clickhouse_url, data=statement.encode(), method="POST")
    request.add_header("X-ClickHouse-User", user)
    request.add_header("X-ClickHouse-Key", password)
    urllib.request.urlopen(request, timeout=60).read()
