"""What the analysing jobs would write about the simulated fleet: cliffs, what-if outcomes, savings, the latest state, verified changes.

The numbers hang together (a scenario's ratio lies in its interval, the best set is one of the sets), and each kind of
label and of absence appears: an unpriced service, a doubtful analysis, a service whose cliff is not known.
"""

from datetime import datetime, timedelta

SCENARIOS = (
    # words, kind, what is left of the throttled ratio
    ("as it is", "as_it_is", 1.0),
    ("quota x 1.25", "quota", 0.55),
    ("quota x 2", "quota", 0.02),
    ("period 20 ms", "period", 0.9),
    ("burst of one quota", "burst", 0.3),
    ("at most 2 cores at once, no quota", "concurrency_cap", 0.025),
    ("at most 2 threads run at once", "pool_threads", 0.02),
    ("2 whole CPUs, no quota", "pinning", 0.0),
    ("bandwidth slice 1 ms", "bandwidth_slice", 1.0),
    ("no quota on hosts 50 % busy", "no_quota", 0.0),
    ("load x1.6", "load", 1.9),
)
RECOMMENDED = "at most 2 threads run at once"
# As SettingPage of the domain lays it out: a line for each platform with its remark, then what to paste.
SETTING = """# kubernetes: a manifest has no field for burst: write cpu.max.burst on the host
spec:
  template:
    spec:
      containers:
        - name: app
          resources:
            requests:
              cpu: "1125m"
            limits:
              cpu: "1125m"
# systemd
[Service]
CPUQuota=113%
# jvm: pools that the program sizes itself are not touched
-XX:ActiveProcessorCount=2 -XX:ParallelGCThreads=2 -Djava.util.concurrent.ForkJoinPool.common.parallelism=2
# netty: event loops that share the shard with other pools: one or two
-Dio.netty.eventLoopThreads=2"""
FIX_SETS = (("as it is", 1.0, 0.0), ("thread pools", 1.35, 3.0), ("thread pools + burst", 1.6, 3.5))
USD_PER_CORE_YEAR = 180.0
LIMITS = ["the cost of concurrency is a prior, not measured", "the peak is that of 2 hours only, not of weeks"]


def trusted(name: str) -> str:
    return "doubtful" if "fast-slow" in name else "sound"


def cliff(ratio: float) -> tuple[float, float, float]:
    """Median and ends: the more it is throttled, the nearer."""
    median = max(0.9, 2.4 - 4 * ratio)
    return median, 0.8 * median, 1.3 * median


def band(multiple: float) -> str:
    return "collapsed" if multiple < 1 else "vulnerable" if multiple < 1.6 else "stable"


def risk_row(judged: dict, ratio: float) -> dict:
    """A row of collapse_risks; without a quota there is no cliff."""
    if judged["quota_cores"] is None:
        return judged | {"risk_band": "unknown", "horizon_us": 86_400_000_000, "alarm": False, "reasons": ["it has no quota"]}
    median, low, high = cliff(ratio)
    return judged | {
        "risk_band": band(median),
        "horizon_us": 86_400_000_000,
        "death_spiral_risk": min(0.95, 2 * ratio),
        "evidence_windows": 60,
        "collapse_load_multiple": median,
        "collapse_load_multiple_low": low,
        "collapse_load_multiple_high": high,
        "collapse_beyond": False,
        "hottest_shard_collapse_load_multiple": 0.9 * median,
        "hottest_shard_collapse_load_multiple_low": 0.9 * low,
        "hottest_shard_collapse_load_multiple_high": 0.9 * high,
        "recovery_load_multiple": 0.8 * median,
        "recovery_load_multiple_low": 0.8 * low,
        "recovery_load_multiple_high": 0.8 * high,
        "timeout_us": 200_000,
        "retries": 2,
        "clients_assumed": True,
        "alarm": median < 1.6,
        "headroom": median,
        "throttled_period_ratio": ratio,
        "reasons": [
            f"collapse is expected at {median:.2f} times this minute's load",
            "timeout and retries are assumed (200 ms, 2); state them in the catalog for a surer estimate",
        ],
    }


def what_if_rows(judged: dict, ratio: float) -> list[dict]:
    rows = []
    for place, (words, kind, left) in enumerate(SCENARIOS):
        after = ratio * left
        rows.append(
            judged
            | {
                "scenario": words,
                "scenario_kind": kind,
                "scenario_order": place,
                "scenario_quota_cores": judged["quota_cores"] * float(words.removeprefix("quota x ")) if kind == "quota" else None,
                "horizon_us": 3_600_000_000,
                "horizon_windows": 60,
                "baseline_throttled_period_ratio": ratio,
                "baseline_throttled_period_ratio_low": 0.93 * ratio,
                "baseline_throttled_period_ratio_high": 1.07 * ratio,
                "throttled_period_ratio": after,
                "throttled_period_ratio_low": 0.8 * after,
                "throttled_period_ratio_high": min(1.0, 1.2 * after + 0.004),
                "stall_us_p99": round(90_000 * left),
                "delay_us_p99": round(60_000 * left),
                "trust": trusted(judged["service"]),
                "setting_text": SETTING if words == RECOMMENDED else None,
                "reasons": ["polled input: slices are blurred by ticks"]
                if trusted(judged["service"]) == "doubtful"
                else ["60 minutes of exact slices"],
            }
        )
    return rows


def savings_rows(judged: dict, ratio: float) -> list[dict]:
    total = judged["quota_cores"] * judged["shards"]
    priced = judged["team"] is not None
    best = FIX_SETS[2][0] if ratio > 0.01 else FIX_SETS[0][0]
    rows = []
    for place, (words, gain, work) in enumerate(FIX_SETS):
        cores = total * (1 - 1 / gain) * (1 if ratio > 0.01 else 0)
        usd = cores * USD_PER_CORE_YEAR if priced else None
        rows.append(
            judged
            | {
                "fix_set": words,
                "fix_set_order": place,
                "best": words == best,
                "gain": gain,
                "gain_low": 1 + (gain - 1) * 0.5,
                "gain_high": 1 + (gain - 1) * 1.4,
                "effort_days": work,
                "success_probability": 0.7,
                "reserved_cores_total": total,
                "reclaimable_cores": cores,
                "reclaimable_cores_low": 0.5 * cores,
                "reclaimable_cores_high": 1.3 * cores,
                "right_sizing_cores": 0.1 * total,
                "right_sizing_cores_low": 0.05 * total,
                "right_sizing_cores_high": 0.15 * total,
                "right_sizing_usd_per_year": 0.1 * total * USD_PER_CORE_YEAR if priced else None,
                "right_sizing_usd_per_year_low": 0.05 * total * USD_PER_CORE_YEAR if priced else None,
                "right_sizing_usd_per_year_high": 0.15 * total * USD_PER_CORE_YEAR if priced else None,
                "savings_usd_per_year": usd,
                "savings_usd_per_year_low": usd and 0.5 * usd,
                "savings_usd_per_year_high": usd and 1.3 * usd,
                "cashable_usd_per_year": usd and 0.4 * usd,
                "price_book_version": 3 if priced else None,
                "recommended_change": f"quota {0.9 * judged['quota_cores'] / gain:.2f} cores a shard, {words}",
                "needs": ["a restart of each shard"] if work else [],
                "decided_by": "gain",
                "target_reached": words == best,
                "throttled_period_ratio_target": 0.01,
                "peak_load_multiple": 1.5,
                "cores_after": 0.9 * total - cores,
                "quota_cores_after": 0.9 * judged["quota_cores"] / gain,
                "throttled_period_ratio_now": ratio,
                "throttled_period_ratio_after": 0.02 * ratio,
                "throttled_period_ratio_after_low": 0.01 * ratio,
                "throttled_period_ratio_after_high": 0.02 * ratio + 0.004,
                "tail_delay_us_now": 90_000,
                "tail_delay_us_after": 1_800,
                "headroom": 1.2,
                "headroom_target": 1.4,
                "headroom_after": 1.7,
                "trust": trusted(judged["service"]),
                "setting_text": SETTING if work else None,
                "reasons": [
                    f"the same reservation carries {gain:.2f} times the load ({1 + (gain - 1) * 0.5:.2f} .. {1 + (gain - 1) * 1.4:.2f})",
                    *LIMITS,
                ],
                "trust_reasons": LIMITS,
                "aim": "savings",
            }
        )
    return rows


def total_rows(origin: str, cluster: str, newest: datetime, best: list[dict]) -> list[dict]:
    """What the best sets free together: of all, of the cluster, of each team. A sum's interval is narrower than the sum of the ends."""
    scopes = [("fleet", "fleet", best), ("cluster", cluster, best)]
    scopes += [("team", team, [row for row in best if row["team"] == team]) for team in sorted({row["team"] for row in best if row["team"]})]
    rows = []
    for of, name, added in scopes:
        cores = sum(row["reclaimable_cores"] for row in added)
        priced = [row["savings_usd_per_year"] for row in added if row["savings_usd_per_year"] is not None]
        free = sum(row["right_sizing_cores"] for row in added)
        rows.append(
            {
                "origin": origin,
                "total_of": of,
                "total_name": name,
                "cluster": name if of == "cluster" else None,
                "team": name if of == "team" else None,
                "window_start": (newest - timedelta(minutes=10)).strftime("%Y-%m-%d %H:%M:%S"),
                "version": 1,
                "services": len({row["service"] for row in added}),
                "unpriced_classes": len(added) - len(priced),
                "reserved_cores_total": sum(row["reserved_cores_total"] for row in added),
                "right_sizing_cores": free,
                "right_sizing_cores_low": 0.5 * free,
                "right_sizing_cores_high": 1.5 * free,
                "reclaimable_cores": cores,
                "reclaimable_cores_low": 0.7 * cores,
                "reclaimable_cores_high": 1.15 * cores,
                "savings_usd_per_year": sum(priced) if priced else None,
                "savings_usd_per_year_low": 0.7 * sum(priced) if priced else None,
                "savings_usd_per_year_high": 1.15 * sum(priced) if priced else None,
                **balance(cores, free, sum(priced) if priced else None),
                "reasons": ["what the errors of services have in common is drawn once for all"],
            }
        )
    return rows


def balance(cores: float, free: float, usd: float | None) -> dict:
    """What is freed, what others need, and net. No service of the fleet needs more than it has, so a tenth of it is said to be needed."""
    freed, needed = cores + free, 0.1 * (cores + free)
    worth = None if usd is None else usd + (free - needed) * USD_PER_CORE_YEAR
    ends = {
        "freed_cores": (freed, 0.7, 1.2),
        "needed_cores": (needed, 0.8, 1.5),
        "net_cores": (freed - needed, 0.6, 1.2),
        "net_usd_per_year": (worth, 0.6, 1.2),
    }
    told = {"short_classes": 1}
    for name, (value, low, high) in ends.items():
        told |= {name: value, f"{name}_low": value and low * value, f"{name}_high": value and high * value}
    return told


def latest_row(judged: dict, verdict: str, found: dict, risk: dict, savings: list[dict]) -> dict:
    """The newest state: what the fleet pages read."""
    best = next((row for row in savings if row["best"] and row["reclaimable_cores"]), None)
    taken = ("risk_band", "collapse_load_multiple", "collapse_load_multiple_low", "collapse_load_multiple_high", "death_spiral_risk")
    ratio = found["throttled_period_ratio"]
    tuned = (
        {}
        if best is None
        else {
            "fix_set": best["fix_set"],
            "tunable_cores": best["reclaimable_cores"],
            "tunable_cores_low": best["reclaimable_cores_low"],
            "tunable_cores_high": best["reclaimable_cores_high"],
            "savings_usd_per_year": best["savings_usd_per_year"],
            "savings_usd_per_year_low": best["savings_usd_per_year_low"],
            "savings_usd_per_year_high": best["savings_usd_per_year_high"],
            "setting_text": best["setting_text"],
            "effort_days": best["effort_days"],
            "success_probability": best["success_probability"],
            "savings_usd_per_year_per_effort_day": best["savings_usd_per_year"]
            and best["savings_usd_per_year"] * best["success_probability"] / best["effort_days"],
            "worth_usd_per_year_per_effort_day": (best["savings_usd_per_year"] or 0) * best["success_probability"] / (best["effort_days"] or 1),
            "risk_removed": 0.5 * (risk.get("death_spiral_risk") or 0),
            "value_reasons": ["the value of the cores, times the probability, over the work"],
        }
    )
    return (
        judged
        | found
        | {name: risk.get(name) for name in taken}
        | tuned
        | {
            "verdict": verdict,
            "throttled_period_ratio_hour": ratio,
            "completeness_hour": judged["completeness"],
            "completeness_day": judged["completeness"],
            "throttled_period_ratio_day": ratio and 0.9 * ratio,
            "throttled_period_ratio_peak": ratio and min(1, 1.2 * ratio),
            "history_hours": 24,
        }
    )


def verification_rows(origin: str, cluster: str, newest: datetime) -> list[dict]:
    """Three changes: one that kept its promise, one of which nothing shows, one that made things worse."""
    told = (
        ("checkout-overpooled", "payments", "accepted_recommendation", "verified", (2.2, 1.4, 2.9), (1.9, 1.3, 2.5)),
        ("feed-tuned", "search", "deploy", "no_detectable_change", None, (0.1, -0.4, 0.6)),
        ("search-spiral", "search", "quota", "regressed", (0.5, 0.2, 0.8), (-0.6, -0.9, -0.2)),
    )
    rows = []
    for days, (service, team, kind, outcome, promised, realised) in enumerate(told, start=3):
        changed = newest - timedelta(days=days)
        promise = dict(zip(("predicted_cores", "predicted_cores_low", "predicted_cores_high"), promised or (None,) * 3, strict=True))
        found = dict(zip(("realised_cores", "realised_cores_low", "realised_cores_high"), realised, strict=True))
        rows.append(
            {
                "origin": origin,
                "cluster": cluster,
                "service": service,
                "changed_at": changed.strftime("%Y-%m-%d %H:%M:%S"),
                "change_id": f"change-{days}",
                "version": 48,
                "window_start": newest.strftime("%Y-%m-%d %H:%M:%S"),
                "kind": kind,
                "team": team,
                "recommendation_id": f"r-{days}" if promised else None,
                "outcome": outcome,
                "settled": True,
                "completeness": 1.0,
                "realised_usd_per_year": realised[0] * USD_PER_CORE_YEAR,
                "priced_by": "acceptance" if promised else "change",
                "price_book_version": 3,
                "reasons": [outcome.replace("_", " ")],
            }
            | promise
            | found
        )
    return rows
