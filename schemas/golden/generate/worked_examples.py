"""The worked examples of the articles, each as the articles count and as the kernel counts."""

from situations import given, quota, situation, task

FIFTH = 40_000
TWO_WORKERS = [task(0, (10_000, 31_000), (30_000, 0)), task(30_000, (1_000, 0))]


def tiny_and_hog() -> list[dict]:
    """87 threads of 0.1 ms, one after the other, and one thread that wants 45 ms at 50 ms."""
    return [task(100 * number, (100, 99_900), cycles=2) for number in range(87)] + [task(50_000, (45_000, 0))]


def four_tenths() -> list[dict]:
    return [
        situation(
            "four_tenths_of_a_cpu_article",
            "200 ms at 40 ms each 100 ms, phase 0: 4 x 40 ms and 4 x 60 ms throttled, then 40 ms: 400 + 40 = 440 ms, "
            "5 periods active, 4 stalled, 240 ms; the timer alone counts the idle period 500..600 too: 6",
            {"active_periods": 5, "stalled_periods": 4, "burst_ends_us": [[440_000]], "stat.throttled_us": 240_000}
            | {"stat.periods": 6, "stat.throttled_periods": 4},
            given(1, quota(FIFTH), [task(0, (200_000, 0))], 900_000, departure="ARTICLE"),
        ),
        situation(
            "four_tenths_of_a_cpu_kernel",
            "199.999 ms, phase 0: as the article, ends at 439.999 ms with 1 us left; refills at 100..500 count 5, the "
            "idle one at 600 is counted and stops the timer: 6; throttled at 100..400: 4 x 60 ms",
            {"burst_ends_us": [[439_999]], "stat.periods": 6, "stat.throttled_periods": 4, "stat.throttled_us": 240_000},
            given(1, quota(FIFTH), [task(0, (199_999, 0))], 900_000),
        ),
        situation(
            "four_tenths_of_a_cpu_kernel_edge",
            "200 ms to the microsecond, phase 0: the last task leaves with 0 left and an empty pool, so its empty run "
            "queue is throttled at 440: refill 500 counts throttled too (5), refill 600 marks idle, 700 stops: 7; "
            "nobody waits in it, so throttled time stays 4 x 60 ms",
            {"burst_ends_us": [[440_000]], "stat.periods": 7, "stat.throttled_periods": 5, "stat.throttled_us": 240_000}
            | {"active_periods": 5, "stalled_periods": 4},
            given(1, quota(FIFTH), [task(0, (200_000, 0))], 900_000),
        ),
        situation(
            "four_tenths_of_a_cpu_kernel_phase_75",
            "199.999 ms, refills at 75, 175, ..: 40 ms run, 35 throttled, refill at 75; 3 x (40 run, 60 throttled) to "
            "375; 39.999 ms more: ends at 414.999; throttled 35 + 180 = 215 ms in 4 periods; refills 75..575: 6",
            {"burst_ends_us": [[414_999]], "stat.periods": 6, "stat.throttled_periods": 4, "stat.throttled_us": 215_000},
            given(1, quota(FIFTH, phase_us=75_000), [task(0, (199_999, 0))], 900_000),
        ),
    ]


def two_workers() -> list[dict]:
    return [
        situation(
            "two_workers_before_41_ms_article",
            "20 ms each 100 ms: worker 1 uses 10 ms (2 slices) and keeps nothing; worker 2 draws 5, uses 1, keeps 1, "
            "returns 3: pool 20 - 10 - 5 + 3 = 8 ms",
            {"pool_us": 8_000, "runtime_left_us": [0, 1_000], "throttled_cpus": []},
            given(2, quota(20_000), TWO_WORKERS, 41_000, departure="ARTICLE"),
        ),
        situation(
            "two_workers_at_49_ms_article",
            "from 41 ms worker 1 draws 5, then the last 3: 41 + 8 = 49 ms, pool 0, CPU 1 keeps 1 ms",
            {"pool_us": 0, "runtime_left_us": [0, 1_000], "throttled_cpus": [0], "usage_us": 19_000},
            given(2, quota(20_000), TWO_WORKERS, 49_001, departure="ARTICLE"),
        ),
        situation(
            "two_workers_before_41_ms_kernel",
            "phase 0: worker 1 leaves at 10 ms with 0, draws a third slice and returns 4: pool 20 - 15 + 4 - 5 + 3 = 7, "
            "CPU 0 keeps 1 ms as CPU 1 does",
            {"pool_us": 7_000, "runtime_left_us": [1_000, 1_000], "throttled_cpus": []},
            given(2, quota(20_000), TWO_WORKERS, 41_000),
        ),
        situation(
            "two_workers_at_49_ms_kernel",
            "phase 0: worker 1 uses its 1 ms, then 5 and 2 ms of the pool: 41 + 1 + 7 = 49 ms, CPU 1 keeps 1 ms",
            {"pool_us": 0, "runtime_left_us": [0, 1_000], "throttled_cpus": [0], "usage_us": 19_000},
            given(2, quota(20_000), TWO_WORKERS, 49_001),
        ),
    ]


def stranding() -> list[dict]:
    first = (
        "100 ms each 100 ms on 88 CPUs, phase 0: 87 threads use 0.1 ms each of a 5 ms slice, return 3.9, keep 1: "
        "8.7 used, 87 stranded; the hog gets 100 - 95.7 = 4.3 ms and is throttled at 54.3 ms"
    )
    return [
        situation(
            "stranded_87_ms_first_period",
            first,
            {"usage_us": 13_000, "pool_us": 0, "runtime_left_us": [1_000] * 87 + [0], "throttled_cpus": [87]},
            given(88, quota(100_000), tiny_and_hog(), 99_000),
        ),
        situation(
            "stranded_87_ms_with_expiry",
            first + "; with expiry the kept 87 ms are lost at 100 ms and must be drawn again in the second period, "
            "which the hog meanwhile empties: it cannot finish",
            {"burst_ends_us.87": [], "stat.throttled_periods": 1},
            given(88, quota(100_000), tiny_and_hog(), 199_000, slices_expire=True),
        ),
        situation(
            "stranded_87_ms_without_expiry",
            first + "; without expiry the 87 threads live on what they kept, the pool is the hog's: 100 + 40.7 = 140.7 ms; "
            "usage 13 + 8.7 + 40.7 = 62.4 ms",
            {"burst_ends_us.87": [140_700], "usage_us": 62_400, "stat.throttled_us": 45_700},
            given(88, quota(100_000), tiny_and_hog(), 199_000),
        ),
    ]


def twenty_cores() -> list[dict]:
    burners = [task(0, (1_000_000, 0)) for _ in range(88)]
    return [
        situation(
            "twenty_cores_run_article",
            "100 ms in slices of 5 ms: 100 / 5 = 20 CPUs run, 68 of 88 find the pool empty",
            {"usage_us": 60_000, "pool_us": 0, "throttled_cpus": list(range(20, 88))},
            given(88, quota(100_000), burners, 3_000, departure="ARTICLE"),
        ),
        situation(
            "twenty_cores_run_kernel",
            "phase 0: all 88 are throttled from 5 ms; at 100 ms each gets 1 us, used at once; of 99.912 ms left 19 CPUs "
            "draw 5 and one 4.912; throttled time up to the refill 68 x 100 + 20 x 95 = 8700 ms",
            {"stat.periods": 1, "stat.throttled_periods": 1, "stat.throttled_us": 8_700_000}
            | {"usage_us": 100_000 + 88 + 20 * 2_999},
            given(88, quota(100_000), burners, 103_000),
        ),
    ]


def situations() -> list[dict]:
    return four_tenths() + two_workers() + stranding() + twenty_cores()
