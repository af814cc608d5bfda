"""Pieces that situations are put together from."""

RULES = {
    "bandwidth_slice_us": 5_000,
    "kept_us": 1_000,
    "slack_delay_us": 5_000,
    "refresh_guard_us": 2_000,
    "grant_us": 1,
    "tick_us": None,
    "slices_expire": False,
    "departure": "KERNEL",
}


def quota(quota_us: int, period_us: int = 100_000, burst_us: int = 0, phase_us: int = 0) -> dict:
    return {"kind": "quota", "quota_us": quota_us, "period_us": period_us, "burst_us": burst_us, "phase_us": phase_us}


def task(start_us: int, *bursts: tuple[int, int], cycles: int = 1) -> dict:
    return {"start_us": start_us, "bursts": [list(burst) for burst in bursts], "cycles": cycles}


def given(cpus: int, limit: dict, tasks: list[dict], horizon_us: int, timeslice_us: int = 4_000, **rules) -> dict:
    return {
        "host_cpus": cpus,
        "timeslice_us": timeslice_us,
        "limit": limit,
        "rules": {**RULES, **rules},
        "tasks": tasks,
        "sample_interval_us": 10_000,
        "horizon_us": horizon_us,
    }


def situation(name: str, why: str, by_hand: dict, setting: dict) -> dict:
    """`by_hand` holds what the arithmetic of `why` says about the expectation; test_vectors.py compares the two."""
    return {"name": name, "why": why, "by_hand": by_hand, "input": setting}
