"""Services of requests: some worked by hand, more drawn by chance."""

from random import Random

from situations import RULES, quota

SEED = 20_261_122
COUNT = 16
UNLIMITED = {"kind": "unlimited"}
PATIENT = {"timeout_us": 1_000_000, "retries": 0, "backoff_us": 0}


def pool(threads: int, queue_tasks: int = 1_000, drops_expired: bool = False) -> dict:
    return {"threads": threads, "queue_tasks": queue_tasks, "drops_expired": drops_expired}


def request(arrives_us: int, *tasks_us: int, to: int = 0) -> dict:
    return {"arrives_us": arrives_us, "pool": to, "tasks_us": list(tasks_us)}


def loop(threads: int, burn_us: int, sleep_us: int, on_us: int = 0, off_us: int = 0, start_us: int = 0) -> dict:
    names = ("threads", "burn_us", "sleep_us", "on_us", "off_us", "start_us")
    return dict(zip(names, (threads, burn_us, sleep_us, on_us, off_us, start_us), strict=True))


def service(client: dict, pools: list[dict], requests: list[dict], collections: dict | None = None, loops: tuple = ()) -> dict:
    return {"client": client, "pools": pools, "collections": collections, "loops": list(loops), "requests": requests}


def vector(name: str, why: str, by_hand: dict, cpus: int, limit: dict, what: dict, horizon_us: int, **changes) -> dict:
    cost = changes.pop("cost", {"kappa": "0", "reference_cores": "1"})
    setting = {
        "host_cpus": cpus,
        "timeslice_us": changes.pop("timeslice_us", 4_000),
        "limit": limit,
        "rules": {**RULES, **changes},
        "cost": cost,
        "service": what,
        "sample_interval_us": 10_000,
        "horizon_us": horizon_us,
    }
    return {"name": name, "why": why, "by_hand": by_hand, "input": setting}


def worked() -> list[dict]:
    four = [request(0, 5_000, 5_000, 5_000, 5_000)]
    return [
        vector(
            "fan_out_waits_for_the_last_task", "two workers, four tasks of 5 ms: two rounds", {"latencies_us": [10_000]},
            4, UNLIMITED, service(PATIENT, [pool(2)], four), 20_000,
        ),
        vector(
            "a_fan_out_spends_the_quota_at_once",
            "20 ms quota, four tasks of 6 ms on four CPUs: 20 ms of 24 are done by 5 ms, the rest at the refill",
            {"stat.throttled_periods": 1, "latencies_us": [101_000]},
            4, quota(20_000), service(PATIENT, [pool(4)], [request(0, 6_000, 6_000, 6_000, 6_000)]), 150_000,
        ),
        vector(
            "work_costs_more_on_more_cpus", "eight tasks of 1 ms at 1 + 0.5 x (8 - 4) / 4 = 1.5", {"latencies_us": [1_500], "usage_us": 12_000},
            8, UNLIMITED, service(PATIENT, [pool(8)], [request(0, *[1_000] * 8)]), 10_000,
            cost={"kappa": "1/2", "reference_cores": "4"},
        ),
        vector(
            "retries_are_work_for_nobody", "30 ms of work, clients leave after 20 ms and ask once more: done at 30 and 60, given up at 40",
            {"counts.late": 2, "counts.given_up": 1, "latencies_us": [40_000]},
            1, UNLIMITED, service({"timeout_us": 20_000, "retries": 1, "backoff_us": 0}, [pool(1)], [request(0, 30_000)]), 100_000,
        ),
        vector(
            "a_pause_before_asking_again", "given up at 20, asked again at 35, given up at 55", {"latencies_us": [55_000], "counts.attempts": 2},
            1, UNLIMITED, service({"timeout_us": 20_000, "retries": 1, "backoff_us": 15_000}, [pool(1)], [request(0, 90_000)]), 80_000,
        ),
        vector(
            "expired_tasks_are_dropped", "the second is asked at 1 us, its client leaves at 20.001 ms, the worker is free at 30 ms",
            {"counts.dropped": 1, "usage_us": 30_000},
            1, UNLIMITED,
            service({"timeout_us": 20_000, "retries": 0, "backoff_us": 0}, [pool(1, drops_expired=True)], [request(0, 30_000), request(1, 30_000)]),
            60_000,
        ),
        vector(
            "a_full_queue_refuses_whole_requests", "room for three tasks: the second request of two does not fit beside the first of two",
            {"counts.refused": 1, "counts.answered": 1},
            2, UNLIMITED, service(PATIENT, [pool(1, queue_tasks=3)], [request(0, 1_000, 1_000), request(0, 1_000, 1_000)]), 10_000,
        ),
        vector(
            "a_collection_waits_and_holds_back",
            "task 9..14 ms, collection due at 10 runs 14..16, second task 16..17", {"latencies_us": [5_000, 6_000]},
            8, UNLIMITED,
            service(PATIENT, [pool(2)], [request(9_000, 5_000), request(11_000, 1_000)], {"every_us": 10_000, "threads": 3, "burn_us": 2_000}),
            20_000,
        ),
        vector(
            "fast_and_slow_workers_with_expiry", "the fibtest pattern under 10 ms per 100 ms: slow threads strand kept milliseconds every period", {},
            8, quota(10_000), service(PATIENT, [], [], None, [loop(1, 500, 0), loop(7, 100, 10_000)]), 400_000, slices_expire=True,
        ),
        vector(
            "fast_and_slow_workers_without_expiry", "the same on a kernel that lets slices live", {},
            8, quota(10_000), service(PATIENT, [], [], None, [loop(1, 500, 0), loop(7, 100, 10_000)]), 400_000,
        ),
    ]


def drawn(chance: Random, number: int) -> dict:
    cpus = chance.randint(1, 8)
    period = chance.choice([20_000, 100_000])
    limit = quota(chance.randint(period // 10, period * 2), period, chance.choice([0, period // 2]), chance.randrange(period))
    if number % 5 == 4:
        limit = {"kind": chance.choice(["cap", "pinned", "unlimited"]), "cores": chance.randint(1, 4)}
    pools = [
        pool(chance.randint(1, 6), chance.choice([6, 1_000]), chance.random() < 0.3) for _ in range(chance.randint(1, 2))
    ]
    arrivals = sorted(chance.randrange(180_000) for _ in range(chance.randint(5, 40)))
    requests = [
        request(at, *[chance.randint(50, 8_000) for _ in range(chance.randint(1, 5))], to=chance.randrange(len(pools)))
        for at in arrivals
    ]
    collections = {"every_us": chance.randint(20_000, 60_000), "threads": chance.randint(1, 6), "burn_us": chance.randint(200, 3_000)}
    loops = [loop(chance.randint(1, 3), chance.randint(100, 2_000), chance.randint(0, 9_000), *chance.choice([(0, 0), (15_000, 20_000)]))]
    client = {"timeout_us": chance.choice([15_000, 40_000]), "retries": chance.randint(0, 3), "backoff_us": chance.choice([0, 7_000])}
    return vector(
        f"service_{number:02}", f"draw {number} of seed {SEED}; the oracle alone says", {}, cpus, limit,
        service(client, pools, requests, collections if chance.random() < 0.5 else None, loops if chance.random() < 0.4 else ()),
        chance.randint(150_000, 220_000),
        timeslice_us=chance.choice([1_000, 4_000]),
        tick_us=chance.choice([None, None, 1_000, 4_000]),
        slices_expire=chance.random() < 0.2,
        cost=chance.choice([{"kappa": "0", "reference_cores": "1"}, {"kappa": "2/5", "reference_cores": "3/2"}]),
    )


def situations() -> list[dict]:
    chance = Random(SEED)
    return worked() + [drawn(chance, number) for number in range(COUNT)]
