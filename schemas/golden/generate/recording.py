"""Runs a group to its horizon and writes down what a vector expects."""

from bandwidth import Group


def counters(stat: dict) -> list[int]:
    return [stat[name] for name in ("periods", "throttled_periods", "throttled_us", "bursts", "burst_us")]


def expectation(given: dict) -> dict:
    group = Group(given)
    usage = 0
    running, runnable, stalled, changes_seen = [], 0, 0, -1
    sample = [0, 0, 0]
    trace = []
    periods_seen: dict[int, bool] = {}
    while group.now < given["horizon_us"]:
        group.step()
        if group.changes != changes_seen:
            changes_seen = group.changes
            running = group.now_running()
            runnable = sum(len(silo.threads) for silo in running)
            stalled = sum(len(silo.threads) for silo in group.silos if silo.throttled)
        if group.has_quota and runnable + stalled:
            period = group.period_of(group.now)
            periods_seen[period] = periods_seen.get(period, False) or stalled > 0
        usage += len(running)
        sample = [sample[0] + len(running), sample[1] + runnable, sample[2] + stalled]
        group.work()
        if group.now % given["sample_interval_us"] == 0 or group.now == given["horizon_us"]:
            trace.append([group.now, *sample, *counters(group.stat)])
            sample = [0, 0, 0]
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
