"""Situations drawn by chance, the same every time: rules meet in ways that nobody thought of."""

from random import Random

from situations import given, quota, situation, task

SEED = 20_261_120
COUNT = 24


def drawn(chance: Random, number: int) -> dict:
    cpus = chance.randint(1, 6)
    period = chance.choice([20_000, 50_000, 100_000])
    limit = quota(
        chance.randint(period // 20, period * 2),
        period,
        burst_us=chance.choice([0, 0, period // 2]),
        phase_us=chance.randrange(period),
    )
    if number % 8 == 7:
        limit = {"kind": chance.choice(["cap", "pinned", "unlimited"]), "cores": chance.randint(1, 4)}
    tasks = [
        task(
            chance.randint(0, 60_000),
            *[(chance.randint(50, 9_000), chance.randint(0, 15_000)) for _ in range(chance.randint(1, 3))],
            cycles=chance.randint(1, 12),
        )
        for _ in range(chance.randint(1, 9))
    ]
    return given(
        cpus,
        limit,
        tasks,
        chance.randint(120_000, 240_000),
        timeslice_us=chance.choice([1_000, 3_000, 4_000]),
        tick_us=chance.choice([None, None, 1_000, 4_000]),
        slices_expire=chance.random() < 0.3,
        departure="ARTICLE" if chance.random() < 0.3 else "KERNEL",
        kept_us=chance.choice([1_000, 0, 300]),
    )


def situations() -> list[dict]:
    chance = Random(SEED)
    return [
        situation(f"random_{number:02}", f"draw {number} of seed {SEED}; the oracle alone says", {}, drawn(chance, number))
        for number in range(COUNT)
    ]
