"""Runs a group to its horizon and writes down what a vector expects."""

from bandwidth import Group
from requests_by_hand import ServiceGroup


def counters(stat: dict) -> list[int]:
    return [stat[name] for name in ("periods", "throttled_periods", "throttled_us", "bursts", "burst_us")]


def expectation(given: dict) -> dict:
    group = ServiceGroup(given) if "service" in given else Group(given)
    usage, throttled_wall, usage_at_refill, periods = 0, 0, 0, []
    running, runnable, stalled, changes_seen = [], 0, 0, -1
    sample = [0, 0, 0]
    trace = []
    periods_seen: dict[int, bool] = {}
    while group.now < given["horizon_us"]:
        before = dict(group.stat)
        group.step()
        if group.stat["periods"] > before["periods"]:
            found_throttled = group.stat["throttled_periods"] > before["throttled_periods"]
            periods.append([group.now, usage - usage_at_refill, int(found_throttled)])
            usage_at_refill = usage
        if group.changes != changes_seen:
            changes_seen = group.changes
            running = group.now_running()
            runnable = sum(len(silo.threads) for silo in running)
            stalled = sum(len(silo.threads) for silo in group.silos if silo.throttled)
        if group.has_quota and runnable + stalled:
            period = group.period_of(group.now)
            periods_seen[period] = periods_seen.get(period, False) or stalled > 0
        usage += len(running)
        throttled_wall += stalled > 0
        sample = [sample[0] + len(running), sample[1] + runnable, sample[2] + stalled]
        group.work()
        if group.now % given["sample_interval_us"] == 0 or group.now == given["horizon_us"]:
            trace.append([group.now, *sample, *counters(group.stat)])
            sample = [0, 0, 0]
    if "service" in given:
        return {
            "stat": group.stat,
            "usage_us": usage,
            "throttled_wall_us": throttled_wall,
            "counts": group.count,
            "latencies_us": sorted(group.latencies),
            "periods": periods,
            "trace": trace,
        }
    return {
        "stat": group.stat,
        "active_periods": len(periods_seen),
        "stalled_periods": sum(periods_seen.values()),
        "usage_us": usage,
        "burst_ends_us": [thread.ends for thread in group.threads],
        "pool_us": group.pool,
        "runtime_left_us": [silo.runtime - silo.owed if group.has_quota else 0 for silo in group.silos],
        "throttled_cpus": [number for number, silo in enumerate(group.silos) if silo.throttled],
        "trace": trace,
    }
