"""Situations for the fluid replay: some worked by hand, the rest drawn by chance from a fixed seed."""

import random
from collections.abc import Iterator


def quota(quota_us: int, period_us: int = 100_000, burst_us: int = 0, phase_us: int = 0) -> dict:
    return {"quota_us": quota_us, "period_us": period_us, "burst_us": burst_us, "phase_us": phase_us}


def situation(
    name: str,
    why: str,
    cores: list,
    limit: dict | None,
    cap: float = 8,
    clients: dict | None = None,
    by_hand: dict | None = None,
) -> dict:
    given = {"cores": cores, "quota": limit, "cap_cores": cap, "clients": clients}
    return {"name": name, "why": why, "input": given, "by_hand": by_hand or {}}


def by_hand() -> Iterator[dict]:
    yield situation(
        "twice the quota in bursts",
        "4 cores x 50 ms = 200 ms of work in the first half of 200 ms, quota 100 ms: spent after 25 ms, stalled 75 ms; "
        "the refill finds 100 ms waiting and 0 in the pool, so period 1 is throttled; at 8 cores the rest takes 12.5 ms "
        "and is done exactly as the pool is: period 2 is not throttled.",
        [4.0] * 5 + [0.0] * 15,
        quota(100_000),
        by_hand={"periods": 2, "throttled_periods": 1, "throttled_wall_us": 75_000, "served_cpu_us": 200_000},
    )
    yield situation(
        "a steady core above the quota",
        "1.5 cores against 1: every period is throttled, backlog grows 50 ms a period.",
        [1.5] * 50,
        quota(100_000),
        by_hand={"throttled_periods": 5, "throttled_run_periods_max": 5, "backlog_cpu_us_max": 250_000},
    )
    yield situation(
        "exactly the quota",
        "1 core against 1: the pool is empty, nothing waits.",
        [1.0] * 40,
        quota(100_000),
        by_hand={"periods": 4, "throttled_periods": 0, "throttled_wall_us": 0},
    )
    yield situation(
        "burst carries over",
        "0.5 core for 100 ms leaves 50 ms; 1.5 cores for 100 ms use 150 ms = quota + burst; the third period has 1.5 "
        "again and is throttled.",
        [0.5] * 10 + [1.5] * 20 + [0.0] * 10,
        quota(100_000, burst_us=50_000),
        by_hand={"periods": 4, "throttled_periods": 1},
    )
    yield situation(
        "no quota, capped at two",
        "3 cores into 2 for 100 ms leave 100 ms; the last work of the tenth slot waits for them: 50 ms.",
        [3.0] * 10 + [0.0] * 30,
        None,
        cap=2,
        by_hand={"periods": 0, "backlog_cpu_us_max": 100_000, "delay_us_p99": 50_000},
    )
    yield situation(
        "idle periods are not counted",
        "work in the first and in the last of 10 periods: each counts with one idle period behind it.",
        [0.5] + [0.0] * 79 + [0.5] + [0.0] * 19,
        quota(100_000),
        by_hand={"periods": 4, "throttled_periods": 0},
    )
    yield situation(
        "refills off the slots' grid",
        "period 25 ms, first refill at 7 ms: slots are cut at refills.",
        [2.0, 0.0, 0.5, 1.5, 3.0, 0.0, 0.0, 0.25, 2.5, 0.0] * 4,
        quota(20_000, period_us=25_000, phase_us=7_000),
    )
    yield situation(
        "one retry",
        "2 cores into 1, timeout 20 ms: of four slots with 20 ms each the first is done in time, half of the second and "
        "nothing of the others: 50 of 80 ms time out and come again; only 30 ms of first attempts were in time.",
        [2.0] * 4 + [0.0] * 20,
        None,
        cap=1,
        clients={"timeout_us": 20_000, "retries": 1},
        by_hand={"timed_out_ratio": 0.625, "retried_cpu_us": 50_000, "wanted_cpu_us": 130_000},
    )


def by_chance() -> Iterator[dict]:
    draw = random.Random(20261122)
    for number in range(40):
        busy, cores = draw.random(), []
        while len(cores) < 120:
            level = draw.choice([0.0, draw.random(), draw.random() * 6])
            cores += [round(level * (0.5 + draw.random()), 3) if draw.random() < busy else 0.0] * draw.randint(1, 12)
        period = draw.choice([100_000, 100_000, 50_000, 20_000, 35_000])
        limit = quota(
            round(period * draw.choice([0.5, 1.0, 2.0]) * (0.6 + draw.random())),
            period,
            draw.choice([0, 0, period // 2]),
            draw.choice([0, 0, draw.randrange(period)]),
        )
        clients = {"timeout_us": draw.randint(1, 200_000), "retries": draw.randint(0, 3)} if number % 2 else None
        cap = draw.choice([1.0, 2.5, 8.0, 64.0])
        yield situation(f"chance {number:02d}", "drawn by chance", cores[:120], limit if number % 8 else None, cap, clients)


def situations() -> Iterator[dict]:
    yield from by_hand()
    yield from by_chance()
