"""One situation for each rule of bandwidth control."""

from situations import given, quota, situation, task

BURNERS = [task(0, (1_000_000, 0)) for _ in range(4)]


def slack() -> list[dict]:
    starved = [task(0, (30_000, 0)), task(1_000, (1_000, 0)), task(1_000, (1_000, 0)), task(1_000, (1_000, 0))]
    return [
        situation(
            "slack_returned_at_once_is_drawn_by_who_runs",
            "18 ms: A draws 5 at 0; at 1 ms B and C draw 5 each, D the last 3; at 2 ms they keep 1 each and return "
            "3 + 3 + 1: pool 7; A draws 5 at 5 ms and 2 at 10 ms, is throttled at 12 ms: 15 used, 3 kept by the others",
            {"pool_us": 0, "usage_us": 15_000, "runtime_left_us": [0, 1_000, 1_000, 1_000], "throttled_cpus": [0]},
            given(4, quota(18_000), starved, 90_000),
        ),
        situation(
            "slack_below_one_slice_starts_no_timer",
            "15 ms in slices of 15: A draws all at 0; B finds nothing at 1 ms; A leaves at 2 ms, keeps 1 and returns 12, "
            "which is not more than one slice: no timer, B waits for the refill",
            {"burst_ends_us": [[2_000], []], "pool_us": 12_000, "throttled_cpus": [1], "stat.throttled_us": 0},
            given(2, quota(15_000), [task(0, (2_000, 0)), task(1_000, (4_000, 0))], 90_000, bandwidth_slice_us=15_000),
        ),
        situation(
            "slack_of_two_cpus_adds_up",
            "10 ms: A and B draw 5 each, C is throttled at 0.5 ms; A returns 3 at 1 ms (pool 3), B returns 3 at 1 ms: "
            "pool 6 > 5, timer fires at 6 ms, C runs 6..8 ms; its stall was 6 - 0.5 = 5.5 ms",
            {"burst_ends_us": [[1_000], [1_000], [8_000]], "stat.throttled_us": 5_500, "throttled_cpus": []},
            given(3, quota(10_000), [task(0, (1_000, 0)), task(0, (1_000, 0)), task(500, (2_000, 0))], 90_000),
        ),
        situation(
            "slack_is_not_redistributed_near_the_refill",
            "the same begun at 92 ms: at 93 ms the refill is exactly 7 ms away, the timer is set and fires at 98 ms, "
            "where 2 ms are left: C runs 98..100",
            {"burst_ends_us": [[93_000], [93_000], [100_000]], "stat.throttled_us": 5_500, "stat.throttled_periods": 0},
            given(3, quota(10_000), [task(92_000, (1_000, 0)), task(92_000, (1_000, 0)), task(92_500, (2_000, 0))], 150_000),
        ),
        situation(
            "slack_within_7_ms_waits_for_the_refill",
            "the same 1 us later: 6.999 ms before the refill no timer is set; C waits from 92.501 to 100: 7.499 ms",
            {"burst_ends_us": [[93_001], [93_001], [102_000]], "stat.throttled_us": 7_499, "stat.throttled_periods": 1},
            given(3, quota(10_000), [task(92_001, (1_000, 0)), task(92_001, (1_000, 0)), task(92_501, (2_000, 0))], 150_000),
        ),
    ]


def burst_and_ticks() -> list[dict]:
    return [
        situation(
            "burst_keeps_what_was_unused",
            "10 ms and 10 ms of burst: a 2 ms thread draws 5, returns 2, keeps 1: pool 7; the refill at 100 makes it 17 "
            "(20 at most); 25 ms wanted at 104 on the other CPU: runs 17 to 121, throttled 79, the last 8 end at 208",
            {"stat.throttled_us": 79_000, "burst_ends_us": [[2_000], [208_000]], "stat.bursts": 1, "stat.burst_us": 7_000},
            given(2, quota(10_000, burst_us=10_000), [task(0, (2_000, 0)), task(104_000, (25_000, 0))], 250_000),
        ),
        situation(
            "ticks_overrun_and_repay",
            "4 burners, 20 ms, ticks of 4 ms: drawn 5 each; charged at 4 ms (1 left), at 8 ms each owes 3 and the pool "
            "is empty: 32 ms used of 20; the refill at 100 repays 12 and gives 1 us each",
            {"usage_us": 32_000, "runtime_left_us": [-3_000] * 4, "throttled_cpus": [0, 1, 2, 3]},
            given(4, quota(20_000), BURNERS, 99_000, tick_us=4_000),
        ),
        situation(
            "ticks_second_period",
            "as before; the next period has 20 - 12 = 8 ms, and ticks decide again how far it is overrun",
            {"stat.periods": 2, "stat.throttled_periods": 2},
            given(4, quota(20_000), BURNERS, 250_000, tick_us=4_000),
        ),
    ]


def other_limits() -> list[dict]:
    six = [task(0, (10_000, 0)) for _ in range(6)]
    return [
        situation(
            "cap_runs_at_most_its_cores",
            "6 x 10 ms on a cap of 2: 3 on each CPU in turns of 4 ms; 60 ms of work at 2 cores end at 30 ms",
            {"usage_us": 60_000, "stat.throttled_us": 0, "trace.0": [10_000, 20_000, 60_000, 0, 0, 0, 0, 0, 0]},
            given(8, {"kind": "cap", "cores": 2}, six, 40_000),
        ),
        situation(
            "pinned_to_three",
            "6 x 10 ms on 3 CPUs: 60 / 3 = 20 ms",
            {"usage_us": 60_000, "stat.periods": 0},
            given(8, {"kind": "pinned", "cores": 3}, six, 25_000),
        ),
        situation(
            "unlimited_runs_everything",
            "6 x 10 ms on 8 CPUs: all end at 10 ms",
            {"burst_ends_us": [[10_000]] * 6},
            given(8, {"kind": "unlimited"}, six, 25_000),
        ),
        situation(
            "an_idle_cpu_takes_a_waiting_task",
            "3 tasks on 2 CPUs without quota: task 2 waits behind task 0 until task 1 ends at 1 ms, then moves: "
            "ends at 1 + 10 = 11 ms",
            {"burst_ends_us": [[10_000], [1_000], [11_000]]},
            given(2, {"kind": "unlimited"}, [task(0, (10_000, 0)), task(0, (1_000, 0)), task(0, (10_000, 0))], 25_000),
        ),
    ]


def situations() -> list[dict]:
    return slack() + burst_and_ticks() + other_limits()
