"""Views: repetitions count once, parts are added or the highest is taken, ratios come from sums."""

import pytest
from conftest import DAY

MINUTE = f"{DAY} 10:00:00"


def service_window(cluster: str, part: int = 0, **fields) -> dict:
    key = {"origin": "measured", "cluster": cluster, "service": "checkout", "quota_class": "2000m/100ms"}
    return key | {"window_start": MINUTE, "part": part, "window_us": 60_000_000, "version": 1} | fields


def judged(cluster: str, minute: str = MINUTE, part: int = 0, version: int = 2**32, **fields) -> dict:
    key = {"origin": "measured", "cluster": cluster, "service": "checkout", "quota_class": "2000m/100ms"}
    return key | {"window_start": minute, "part": part, "version": version} | fields


def test_a_replayed_row_counts_once(database):
    row = service_window("replayed-row", records=6, slot_records=[1, 1, 1, 1, 1, 1])
    for _ in range(3):
        database.insert("service_windows", row)
    assert [found["records"] for found in database.view("service_windows", "cluster = 'replayed-row'")] == [6]


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_the_higher_version_wins_in_any_order(database, order):
    cluster = f"version-{order[0]}"
    for version in order:
        database.insert("service_windows", service_window(cluster, records=100 * version) | {"version": version})
    assert [found["records"] for found in database.view("service_windows", f"cluster = '{cluster}'")] == [200]


def test_the_version_of_a_measurement_is_its_revision_unless_said(database):
    row = service_window("revision", records=1, revision=3)
    del row["version"]
    database.insert("service_windows", row)
    found = database.as_user("admin").rows("SELECT version FROM quotascope.service_windows WHERE cluster = 'revision'")
    assert found == [{"version": 3}]


def test_parts_of_a_minute_are_added_and_ratios_recomputed(database):
    database.insert(
        "service_windows",
        service_window(
            "parts", records=10, expected_records=12, samples=9_000, missed_samples=0, usage_us=30_000_000, periods=90,
            throttled_periods=9, throttled_us=900, quota_us=200_000, period_us=100_000, excursion_samples=900,
            slot_records=[2, 2, 2, 2, 2, 0], threads_max=7, kernel_host_windows={"6.1": 5},
        ),
    )  # fmt: skip
    database.insert(
        "service_windows",
        service_window(
            "parts", 1_900_000, records=2, expected_records=0, samples=900, missed_samples=100, usage_us=6_000_000, periods=10,
            throttled_periods=1, throttled_us=300, quota_us=200_000, period_us=100_000, excursion_samples=90,
            slot_records=[0, 0, 0, 0, 0, 2], threads_max=9, kernel_host_windows={"6.1": 1},
        ),
    )  # fmt: skip
    (row,) = database.view("service_windows", "cluster = 'parts'")
    assert (row["parts"], row["records"], row["expected_records"], row["completeness"]) == (2, 12, 12, 1)
    assert (row["slot_records"], row["shards"], row["threads_max"]) == ([2] * 6, 2, 9)
    # (9 + 1) / (90 + 10), not the mean of the two ratios; 9900 / 10000 samples; 990 / 9900 above quota.
    assert (row["throttled_period_ratio"], row["sample_coverage"], row["excursion_ratio"]) == (0.1, 0.99, 0.1)
    # 1200 us over 10 throttled periods; 36 s of CPU in 60 s.
    assert (row["throttled_us_per_throttled_period"], row["used_cores"], row["quota_cores"]) == (120, 0.6, 2)
    assert row["kernel_host_windows"] == {"6.1": 6}


def test_ratios_without_a_denominator_are_null_and_completeness_never_passes_one(database):
    database.insert("service_windows", service_window("empty", slot_records=[0] * 6))
    database.insert("service_windows", service_window("surplus", records=7, expected_records=6, slot_records=[2, 1, 1, 1, 1, 1]))
    (empty,) = database.view("service_windows", "cluster = 'empty'")
    names = (
        "completeness",
        "sample_coverage",
        "throttled_period_ratio",
        "throttled_us_per_throttled_period",
        "excursion_ratio",
        "quota_cores",
    )
    assert [empty[name] for name in names] == [None] * 6
    (surplus,) = database.view("service_windows", "cluster = 'surplus'")
    assert surplus["completeness"] == 1


@pytest.mark.parametrize("table", ["thread_ratios", "throttling_summaries", "tuning_ranks", "service_hours", "collapse_risks"])
def test_judgements_come_from_the_highest_part_of_a_minute(database, table):
    later = f"{DAY} 10:01:00"
    database.insert(table, judged("highest", shards=1), judged("highest", later, shards=5))
    database.insert(table, judged("highest", part=1_900_001, shards=3))
    database.insert(table, judged("highest", part=1_900_000, shards=2))
    found = database.view(table, "cluster = 'highest'")
    assert [(row["window_start"][11:16], row["part"], row["shards"]) for row in found] == [
        ("10:00", 1_900_001, 3),
        ("10:01", 0, 5),
    ]


@pytest.mark.parametrize(("table", "key"), [("what_if_outcomes", "scenario"), ("savings_estimates", "fix_set")])
def test_each_alternative_comes_from_its_highest_part(database, table, key):
    for part, shards in ((1_900_001, 3), (0, 1), (1_900_000, 2)):
        rows = [judged("alternatives", part=part, shards=shards) | {key: name, "analysed_at_us": 1_800_000_060_000_000} for name in "ab"]
        database.insert(table, *rows)
    found = database.view(table, "cluster = 'alternatives'")
    assert [(row[key], row["part"], row["shards"]) for row in found] == [("a", 1_900_001, 3), ("b", 1_900_001, 3)]
    assert {row["analysed_at"] for row in found} == {"2027-01-15 08:01:00.000000"}


def test_a_minute_before_the_first_analysis_has_no_instant_of_it(database):
    database.insert("collapse_risks", judged("unanalysed", analysed_at_us=None, risk_band="unknown"))
    (found,) = database.view("collapse_risks", "cluster = 'unanalysed'")
    assert (found["analysed_at"], found["death_spiral_risk"], found["risk_band"]) == (None, None, "unknown")


def test_a_newer_catalog_version_replaces_a_judgement(database):
    database.insert("tuning_ranks", judged("catalog", version=2**32 + 7, team="new"))
    database.insert("tuning_ranks", judged("catalog", version=2**32, team=None))
    assert [row["team"] for row in database.view("tuning_ranks", "cluster = 'catalog'")] == ["new"]


def test_the_ranking_is_the_newest_state_of_every_service_by_worth_then_verdict(database):
    later = f"{DAY} 10:01:00"
    for minute, version, score in ((later, 11, 2.0), (MINUTE, 10, 1.0)):
        database.insert("service_latest", judged("latest", minute, version=version, rank_class=1, rank_score=score, reasons=["a", "b"]))
    others = (
        ("idle", {"rank_class": 2, "rank_score": 9.0}),
        ("cheap", {"rank_class": 1, "worth_usd_per_year_per_effort_day": 10, "savings_usd_per_year_per_effort_day": 9}),
        ("risky", {"rank_class": 1, "worth_usd_per_year_per_effort_day": 10.2, "savings_usd_per_year_per_effort_day": 8}),
        ("dear", {"rank_class": 4, "worth_usd_per_year_per_effort_day": 10.5}),
    )
    database.insert("service_latest", *(judged("latest") | {"service": name} | state for name, state in others))
    found = sorted(database.view("service_ranking", "cluster = 'latest'"), key=lambda row: row["rank_position"])
    assert [row["service"] for row in found] == ["dear", "risky", "cheap", "checkout", "idle"]
    assert (found[3]["rank_score"], found[3]["reasons"], found[3]["window_start"]) == (2.0, ["a", "b"], f"{later}.000000")


def test_the_order_by_risk_is_who_collapses_first_and_what_is_not_known_is_not_safe(database):
    states = {
        "stable": {"risk_band": "stable", "collapse_load_multiple": 2.5},
        "stable and throttled": {"risk_band": "stable", "collapse_load_multiple": 2.5, "throttled_period_ratio_hour": 0.01},
        "unknown": {"risk_band": "unknown"},
        "unknown and throttled": {"risk_band": "unknown", "verdict": "throttled", "throttled_period_ratio_hour": 1},
        "near": {"risk_band": "vulnerable", "collapse_load_multiple": 1.1, "worth_usd_per_year_per_effort_day": 1},
        "less near": {"risk_band": "vulnerable", "collapse_load_multiple": 1.2, "worth_usd_per_year_per_effort_day": 10},
        "over": {"risk_band": "collapsed", "collapse_load_multiple": 1.3},
    }
    absent = {"collapse_load_multiple": None, "throttled_period_ratio_hour": None, "verdict": "healthy"}
    database.insert("service_latest", *(judged("risks") | {"service": name} | absent | state for name, state in states.items()))
    found = sorted(database.view("service_ranking", "cluster = 'risks'"), key=lambda row: row["risk_position"])
    assert [row["service"] for row in found] == ["over", "near", "less near", "unknown and throttled", "stable and throttled", "stable", "unknown"]


def test_a_histogram_becomes_one_row_a_bucket_beside_its_quota(database):
    cores, samples = [0.0, 0.5, 2.25], [10, 20, 3]
    row = judged("buckets", usage_histogram_cores=cores, usage_histogram_samples=samples, quota_cores=2.0)
    database.insert("throttling_summaries", row)
    found = database.view("usage_histograms", "cluster = 'buckets'")
    counted = [(bucket["bucket_cores"], bucket["samples"], bucket["quota_cores"]) for bucket in found if bucket["samples"]]
    assert counted == [(0.0, 10, 2.0), (0.5, 20, 2.0), (2.25, 3, 2.0)]


def test_a_histogram_shows_its_empty_buckets_and_where_the_quota_lies(database):
    row = judged("gaps", usage_histogram_cores=[0.0, 0.5], usage_histogram_samples=[10, 20], quota_cores=0.49)
    database.insert("throttling_summaries", row, row | {"service": "free", "quota_cores": None})
    found = database.view("usage_histograms", "cluster = 'gaps' AND service = 'checkout'")
    # No use, then 16 buckets to each octave of 1/32, 1/16, 1/8 and 1/4, and the used one at 1/2.
    bounds = [0.0] + [(16 + step) * 2**octave / 512 for octave in range(4) for step in range(16)] + [0.5]
    assert [bucket["bucket_cores"] for bucket in found] == bounds
    assert [bucket["bucket_cores"] for bucket in found if bucket["holds_quota"]] == [31 * 2**3 / 512]
    assert [bucket["bucket_cores"] for bucket in found if bucket["above_quota"]] == [0.5]
    assert not any(bucket["holds_reservation"] for bucket in found), "without an entry the quota is what is reserved"
    database.insert("throttling_summaries", row | {"service": "wide", "reserved_cores": 1.0}, row | {"service": "same", "reserved_cores": 0.49})
    wide = database.view("usage_histograms", "cluster = 'gaps' AND service = 'wide'")
    assert [bucket["bucket_cores"] for bucket in wide if bucket["holds_reservation"]] == [1.0]
    assert wide[-1]["bucket_cores"] == 1.0, "the axis goes on to what is reserved"
    same = database.view("usage_histograms", "cluster = 'gaps' AND service = 'same'")
    assert not any(bucket["holds_reservation"] for bucket in same), "one mark stands for both"
    free = database.view("usage_histograms", "cluster = 'gaps' AND service = 'free'")
    assert {(bucket["holds_quota"], bucket["above_quota"]) for bucket in free} == {(0, 0)}


def test_the_ranking_says_an_interval_where_runnable_threads_are_not_measured(database):
    bounds = {"runnable_threads_per_reserved_core_low": 0.4321, "runnable_threads_per_reserved_core_high": 12}
    for service, threads in (
        ("measured", bounds | {"runnable_threads_per_reserved_core_p99": 1.834}),
        ("bounded", bounds),
        ("blind", {}),
    ):
        database.insert("service_latest", judged("runnable") | {"service": service, "rank_class": 1, "rank_score": 1.0} | threads)
    found = database.view("service_ranking", "cluster = 'runnable'")
    assert {row["service"]: row["runnable_threads_per_reserved_core_shown"] for row in found} == {
        "measured": "1.83",
        "bounded": "not measured: [0.43, 12]",
        "blind": "not measured",
    }
    assert {row["service"]: row["runnable_threads_per_reserved_core_p99"] for row in found} == {
        "measured": 1.834,
        "bounded": None,
        "blind": None,
    }


def test_the_record_views_count_a_repeated_record_once(database):
    shard = {"origin": "measured", "cluster": "records", "service": "s", "shard": "s-0", "shard_id": -5, "seq": 4}
    shard |= {"window_start": MINUTE, "host_id": "h", "agent_epoch": 1, "usage_us": 11, "throttled_us": None, "version": 1}
    host = {
        "origin": "measured",
        "cluster": "records",
        "host_id": "h",
        "window_start": MINUTE,
        "drops": {"full": 2},
        "version": 1,
    }
    for _ in range(2):
        database.insert("shard_windows", shard)
        database.insert("host_windows", host)
    (found,) = database.view("shard_windows", "cluster = 'records'")
    assert (found["usage_us"], found["throttled_us"], found["shard_id"], found["excursion_us"]) == (11, None, -5, None)
    (found,) = database.view("host_windows", "cluster = 'records'")
    assert found["drops"] == {"full": 2}


def test_the_identity_of_a_shard_is_its_latest_observation(database):
    identity = {"origin": "measured", "cluster": "identity", "host_id": "h", "shard_id": 9}
    database.insert("shard_identities", identity | {"observed_at": f"{DAY} 10:10:00", "cpu_shares": 2048, "labels": {"a": "b"}})
    database.insert("shard_identities", identity | {"observed_at": f"{DAY} 10:00:00", "cpu_shares": 1024})
    (found,) = database.view("shard_identities", "cluster = 'identity'")
    assert (found["cpu_shares"], found["labels"]) == (2048, {"a": "b"})


def test_a_reader_of_one_hour_does_not_read_other_days(database):
    """The time filter of a dashboard must reach the table through FINAL and the choice of the highest part."""
    for day in range(1, 9):
        database.insert("tuning_ranks", judged("pruned", f"2090-06-{day:02} 10:00:00"))
    plan = database.as_user("admin").execute(
        "EXPLAIN indexes = 1 SELECT count() FROM quotascope_views.tuning_ranks"
        " WHERE window_start >= '2090-06-03 10:00:00' AND window_start < '2090-06-03 11:00:00'"
    )
    partition = plan[plan.index("Partition") :]
    parts = next(line for line in partition.splitlines() if "Parts:" in line)
    assert parts.split(":")[1].strip().startswith("1/"), plan


def recorded(table: str, seq: int, missing: int | None, minute: str = MINUTE, **fields) -> dict:
    key = {"origin": "measured", "cluster": "holes", "host_id": "host-a", "agent_epoch": 7, "seq": seq}
    own = {"service": "checkout", "shard": "s", "shard_id": 1} if table == "shard_windows" else {}
    return key | own | {"window_start": minute, "missing_before": missing, "part": 0, "version": 1} | fields


def test_holes_in_the_numbers_of_a_host_are_added_by_minute_and_run(database):
    later = f"{DAY} 10:07:30"
    for seq, missing, minute in ((0, 0, MINUTE), (3, 2, MINUTE), (9, 5, later), (9, 5, later), (10, 0, later)):
        database.insert("shard_windows", recorded("shard_windows", seq, missing, minute))
    database.insert("shard_windows", recorded("shard_windows", 4, None, agent_epoch=8))
    database.insert("host_windows", recorded("host_windows", 3, 1, later))
    found = database.view("host_gaps", "cluster = 'holes'")
    assert sorted((row["window_start"][:16], row["missing_shard_records"], row["missing_host_records"]) for row in found) == [
        (f"{DAY} 10:00", 2, 0),
        (f"{DAY} 10:07", 5, 1),
    ], "a repeated row counts once, and a run that begins before the log is no loss"


def test_the_latest_state_is_the_newest_minute_whatever_comes_in_which_order(database):
    key = {"origin": "measured", "cluster": "newest", "service": "checkout", "quota_class": "2000m/100ms"}
    for minute, version in ((f"{DAY} 10:01:00", 2 << 33), (MINUTE, 1 << 33), (MINUTE, (1 << 33) + (3 << 28))):
        database.insert("service_latest", key | {"window_start": minute, "version": version})
    found = database.view("service_latest", "cluster = 'newest'")
    assert [row["window_start"][11:16] for row in found] == ["10:01"]


def test_the_last_verification_of_a_change_replaces_the_ones_before(database):
    key = {"origin": "measured", "cluster": "changed", "service": "checkout", "changed_at": MINUTE, "change_id": "c-1"}
    effect = {"quantity": "throttled_period_ratio", "verdict": "fallen", "effect": -0.2, "matched_hours": 48}
    database.insert("verifications", key | {"version": 48, "outcome": "verified", "effects": [effect]})
    database.insert("verifications", key | {"version": 24, "outcome": "no_detectable_change"})
    (found,) = database.view("verifications", "cluster = 'changed'")
    assert (found["outcome"], found["effects"][0]["effect"]) == ("verified", -0.2)


def test_scores_of_predictions_keep_their_history(database):
    key = {"origin": "measured", "cluster": "scored", "quantity": "reclaimable_cores"}
    for hour, count in (("10", 1), ("11", 2)):
        database.insert("prediction_scores", key | {"window_start": f"{DAY} {hour}:00:00", "version": count, "predictions": count})
    assert [row["predictions"] for row in database.view("prediction_scores", "cluster = 'scored'")] == [1, 2]


def test_totals_of_one_instant_stand_side_by_side_and_a_revision_replaces(database):
    at = {"origin": "simulated", "window_start": f"{DAY} 10:00:00"}
    fleet = at | {"total_of": "fleet", "total_name": "fleet", "version": 1 << 32, "reclaimable_cores": 7.0}
    team = at | {"total_of": "team", "total_name": "payments", "team": "payments", "version": 1 << 32, "reclaimable_cores": 3.0}
    for row in (fleet, team, fleet | {"version": 2 << 32, "reclaimable_cores": 6.0}):
        database.insert("fleet_totals", row)
    rows = database.view("fleet_totals", f"origin = 'simulated' AND window_start = '{DAY} 10:00:00'")
    assert sorted((row["total_of"], row["reclaimable_cores"], row["team"]) for row in rows) == [("fleet", 6.0, None), ("team", 3.0, "payments")]


def host_window(cluster: str, second: int, **fields) -> dict:
    key = {"origin": "measured", "cluster": cluster, "host_id": "h", "agent_epoch": 1, "seq": second, "version": 1}
    return key | {"window_start": f"{DAY} 10:00:{second:02d}"} | fields


def test_a_collectors_minute_adds_its_windows_and_counts_a_repetition_once(database):
    first = host_window("collector", 0, samples=999, missed_samples=1, agent_cpu_us=90_000, bpf_run_us=10_000, agent_rss_bytes=30, bpf_map_bytes=5)
    protected = {"protection_step": 2, "protection_reason": "cpu", "drops": {"full": 3}}
    second = host_window("collector", 10, samples=900, agent_cpu_us=100_000, agent_rss_bytes=40, **protected)
    for row in (first, first, second):
        database.insert("host_windows", row)
    (minute,) = database.view("collector_minutes", "cluster = 'collector'")
    assert (minute["windows"], minute["samples"], minute["missed_samples"]) == (2, 1899, 1)
    # 200 ms of CPU in two windows of 10 s.
    assert minute["agent_cores"] == pytest.approx(0.01)
    assert minute["agent_memory_bytes"] == 40
    assert (minute["protection_step"], minute["protection_reason"], minute["drops_since_start"]) == (2, "cpu", 3)


def test_freshness_is_the_age_of_the_end_of_the_newest_window(database):
    now = database.as_user("admin").rows("SELECT toString(toStartOfMinute(now()) - INTERVAL 5 MINUTE) AS minute")[0]["minute"]
    database.insert("thread_ratios", judged("fresh", minute=now) | {"origin": "replayed"})
    (row,) = database.view("freshness", "kind = 'thread ratios' AND origin = 'replayed'")
    assert 240 <= row["age_seconds"] < 600
