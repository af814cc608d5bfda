"""What hosts, people and the record of ourselves add to the simulated fleet: hours, alerts, recommendations, changes, scores."""

from datetime import datetime, timedelta

from judged_fixture import SETTING, USD_PER_CORE_YEAR


def alert_rows(origin: str, cluster: str, host: str, newest: datetime) -> list[dict]:
    """Two alerts that fire, about a service and about a host, and one that is over."""
    minute = newest.strftime("%Y-%m-%d %H:%M:%S")
    alert = {"origin": origin, "cluster": cluster, "window_start": minute, "since": minute, "version": 1, "state": "firing", "reasons": ["so"]}
    return [
        alert
        | {
            "alert_id": "a-1",
            "kind": "cliff_near",
            "severity": "critical",
            "service": "checkout-overpooled",
            "quota_class": "2000m/100ms",
            "team": "payments",
            "value": 1.1,
            "threshold": 1.6,
            "remedy": "before its next peak keep load off the service, or apply its recommended change, which is sized for that peak",
        },
        alert
        | {
            "alert_id": "a-2",
            "kind": "kernel_fault",
            "severity": "warning",
            "host_id": host,
            "value": 1.4,
            "threshold": 0.5,
            "remedy": "upgrade the kernel: 4.14.0 strands quota",
        },
        alert
        | {
            "alert_id": "a-3",
            "kind": "cliff_near",
            "severity": "warning",
            "service": "search-spiral",
            "quota_class": "1000m/100ms",
            "team": "search",
            "state": "resolved",
            "value": 2.0,
            "threshold": 1.6,
            "remedy": "none",
        },
    ]


def neighbour_rows(origin: str, cluster: str, host: str, newest: datetime) -> list[dict]:
    """A host that two shards filled twice: once it is over, once it goes on."""
    rows = []
    told = (
        (50, 50, "firing", 0.11, ["the host was saturated in 3 of 6 windows, and shards used 3.52 cores above their quotas in them"]),
        (46, 50, "resolved", 0.0, ["the host was not saturated"]),
        (4, 4, "firing", 0.09, ["the host was saturated in 2 of 6 windows, and shards used 4.31 cores above their quotas in them"]),
        (
            2,
            4,
            "firing",
            0.21,
            [
                "the host was saturated in 5 of 6 windows, and shards used 4.03 cores above their quotas in them",
                "above quota: checkout-overpooled-0 2.61 cores, search-spiral-1 1.42 cores",
                "within quota and waiting for a CPU: feed-tuned-2 1.90 threads",
            ],
        ),
    )
    for back, began, state, share, reasons in told:
        rows.append(
            {
                "origin": origin,
                "cluster": cluster,
                "host_id": host,
                "alert_id": "n-1",
                "kind": "neighbour_interference",
                "severity": "warning",
                "state": state,
                "window_start": (newest - timedelta(minutes=back)).strftime("%Y-%m-%d %H:%M:%S"),
                "since": (newest - timedelta(minutes=began)).strftime("%Y-%m-%d %H:%M:%S"),
                "version": 1,
                "completeness": 1.0,
                "value": share,
                "threshold": 0.05 if state == "firing" else 0.02,
                "reasons": reasons,
                "remedy": "move one of the shards named first to another host, or lower its burst and quota",
            }
        )
    return rows


def price_rows() -> list[dict]:
    """The book that the estimates name: a price that ended a year ago, the one in force, and a class that nobody uses."""
    began = (datetime(2020, 1, 1), datetime(2024, 1, 1), datetime(2020, 1, 1))
    prices = [
        {
            "price_class": name,
            "valid_from_us": int((since - datetime(1970, 1, 1)).total_seconds() * 1_000_000),
            "usd_per_core_year": usd,
            "usd_per_gib_year": 20.0,
            "discount_ratio": 0.1,
            "host_cores": 64.0,
            "packing_ratio": 0.8,
        }
        for name, since, usd in zip(("default", "default", "spot"), began, (240.0, 200.0, 60.0), strict=True)
    ]
    return [{"price_book_version": 3, "currency": "USD", "prices": prices, "note": "simulated contract"}]


def host_judged_rows(origin: str, cluster: str, hosts: tuple[str, ...], newest: datetime) -> dict[str, list[dict]]:
    """The running hour of each host and the two before it, a kernel that strands quota on the first, and one alert about it."""
    found: dict[str, list[dict]] = {"host_hours": [], "kernel_findings": [], "throttling_alerts": []}
    hour = newest.replace(minute=0)
    for back in range(3):
        start = (hour - timedelta(hours=back)).strftime("%Y-%m-%d %H:%M:%S")
        for place, host in enumerate(hosts):
            key = {"origin": origin, "cluster": cluster, "host_id": host, "window_start": start, "window_us": 3_600_000_000, "version": 1, "cpus": 16}
            found["host_hours"].append(
                key
                | {
                    "host_records": 360,
                    "expected_host_records": 360,
                    "completeness": 1.0 if place else 0.97,
                    "missing_shard_records": 0 if place else 54,
                    "cpu_utilization": 0.4 + 0.2 * place,
                    "saturated_ratio": 0.0 if place < 2 else 0.21,
                    "steal_ratio": 0.002,
                    "threads": 900.0 * (place + 1),
                    "threads_max": 1100 * (place + 1),
                    "runnable_threads": 10.0 + 8 * place,
                    "threads_per_cpu": 56.0 * (place + 1),
                    "runnable_threads_per_cpu": 0.6 + 0.5 * place,
                    "agent_cpu_ratio": 0.004 * (place + 1),
                    "agent_rss_bytes_max": 38_000_000,
                    "agent_starts": 1,
                    "kernel_releases": ["4.14.0" if place == 0 else "6.1.0"],
                    "methods": ["ebpf"],
                }
            )
        found["kernel_findings"].append(
            {
                "origin": origin,
                "cluster": cluster,
                "host_id": hosts[0],
                "window_start": start,
                "window_us": 3_600_000_000,
                "version": 1,
                "cpus": 16,
                "kernel_release": "4.14.0",
                "rule": "slice-expiry",
                "evidence": "SC",
                "rule_standing": "applies",
                "verdict": "confirmed",
                "behavioural_signature": True,
                "shards": 5,
                "shards_throttled": 4,
                "shards_stranded": 3,
                "stranded_cores": 1.4,
                "stranded_cores_low": 0.9,
                "stranded_cores_high": 2.6,
                "completeness": 0.97,
                "reasons": ["throttled periods that usage does not explain"],
            }
        )
    found["throttling_alerts"] = alert_rows(origin, cluster, hosts[0], newest) + neighbour_rows(origin, cluster, hosts[-1], newest)
    return found


def recommendation_rows(origin: str, cluster: str, newest: datetime) -> list[dict]:
    """Three recommendations, step by step: accepted and verified, accepted and regressed, rejected."""
    told = (
        ("r-3", "checkout-overpooled", "payments-lead", ("proposed", "accepted", "applied", "verified"), (2.2, 1.4, 2.9), None),
        ("r-5", "search-spiral", "search-lead", ("proposed", "accepted", "applied", "regressed"), (0.5, 0.2, 0.8), None),
        ("r-9", "fast-slow-workers", None, ("proposed", "rejected"), (2.2, 1.4, 2.9), "the fast workers cannot be capped before the release"),
    )
    rows = []
    for identity, service, owner, states, promised, reason in told:
        promise = dict(zip(("reclaimable_cores", "reclaimable_cores_low", "reclaimable_cores_high"), promised, strict=True))
        promise["price_book_version"] = 3
        for step, state in enumerate(states):
            credited = promised[0] if state in ("applied", "verified") else 0.0
            rows.append(
                {
                    "origin": origin,
                    "cluster": cluster,
                    "service": service,
                    "recommendation_id": identity,
                    "version": step + 1,
                    "quota_class": "2000m/100ms",
                    "state": state,
                    "state_at": (newest - timedelta(days=9 - 2 * step)).strftime("%Y-%m-%d %H:%M:%S"),
                    "proposed_at": (newest - timedelta(days=9)).strftime("%Y-%m-%d %H:%M:%S"),
                    "owner": owner,
                    "accepted_at": (newest - timedelta(days=7)).strftime("%Y-%m-%d %H:%M:%S") if "accepted" in states[: step + 1] else None,
                    "reason": reason if state == "rejected" else None,
                    "fix_set": ["thread pools"],
                    "setting_text": SETTING,
                    "credited_cores": credited,
                    "credited_usd_per_year": credited * USD_PER_CORE_YEAR,
                }
                | promise
            )
    return rows


def hour_rows(origin: str, cluster: str, service: str, made: dict, newest: datetime) -> list[dict]:
    """Two days of hours of a service: its newest minute, louder by day than by night."""
    rows = []
    for back in range(1, 49):
        start = newest.replace(minute=0) - timedelta(hours=back)
        loud = 0.4 + 0.6 * (8 <= start.hour < 20)
        summary, ranked = made["throttling_summaries"], made["tuning_ranks"]
        rows.append(
            {
                "origin": origin,
                "cluster": cluster,
                "service": service,
                "quota_class": ranked["quota_class"],
                "version": 1,
                "window_start": start.strftime("%Y-%m-%d %H:%M:%S"),
                "window_us": 3_600_000_000,
                "team": ranked["team"],
                "shards": ranked["shards"],
                "completeness": ranked["completeness"],
                "quota_cores": ranked["quota_cores"],
                "reserved_cores": ranked["reserved_cores"],
                "minutes": 60,
                "records": 60 * summary["records"],
                "expected_records": 60 * summary["expected_records"],
                "usage_us": int(60 * loud * summary["usage_us"]),
                "periods": 60 * summary["periods"],
                "throttled_periods": int(60 * loud * summary["throttled_periods"]),
                "throttled_us": 60 * summary["throttled_us"],
                "used_cores": loud * summary["used_cores"],
                "used_cores_max": summary["used_cores"],
            }
        )
    return rows


def change_rows(origin: str, cluster: str, newest: datetime) -> list[dict]:
    """What was changed within the hour that the pages show: told by people and seen in the stream."""
    told = (
        (40, "checkout-overpooled", "deploy", "declared", None, "release 2.14"),
        (15, "checkout-overpooled", "quota", "detected", "1.50 cores", "2.00 cores"),
        (25, "search-spiral", "deploy", "declared", None, "release 88"),
    )
    return [
        {
            "origin": origin,
            "cluster": cluster,
            "service": service,
            "event_id": f"e-{back}",
            "kind": kind,
            "source": source,
            "version": 1,
            "changed_at": (newest - timedelta(minutes=back)).strftime("%Y-%m-%d %H:%M:%S"),
            "setting_before": before,
            "setting_after": after,
        }
        for back, service, kind, source, before, after in told
    ]


def score_rows(origin: str, cluster: str, newest: datetime) -> list[dict]:
    """The record of predictions after each of two outcomes."""
    return [
        {
            "origin": origin,
            "cluster": cluster,
            "service": service,
            "quantity": "reclaimable_cores",
            "version": predictions,
            "predictions": predictions,
            "window_start": (newest - timedelta(days=days)).strftime("%Y-%m-%d %H:%M:%S"),
            "coverage_ratio": coverage,
            "bias": error,
            "absolute_error_mean": error,
            "interval_score_mean": score,
        }
        for days, service, predictions, coverage, error, score in (
            (3, "checkout-overpooled", 1, 1.0, 0.3, 1.5),
            (2, "search-spiral", 2, 0.5, 0.7, 9.05),
        )
    ]
