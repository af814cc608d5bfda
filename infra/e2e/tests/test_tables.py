"""Tables from small logs, every expected number worked by hand."""

import pytest
from quotascope_reference.packing import pack_histogram, pack_varints
from quotascope_reference.ranking import percent, rounded
from quotascope_reference.service_windows import quota_class
from quotascope_reference.tables import Reference
from records import MINUTE_MS, MINUTE_US, PARTITIONS, SCHEMAS, Log, host, shard

CLOSING_MS = MINUTE_MS + 90_002
NEXT_US = MINUTE_US + 60_000_000


def reference(log: Log) -> Reference:
    return Reference(log.messages, PARTITIONS, SCHEMAS)


def only(log: Log, table: str) -> dict:
    (row,) = reference(log).tables[table].values()
    return row


@pytest.mark.parametrize(
    ("quota_us", "period_us", "label"),
    [
        (200_000, 100_000, "2000m/100ms"),
        (50_000, 100_000, "500m/100ms"),
        (12_345, 10_500, "1175m/10500us"),
        (None, 100_000, "unlimited"),
        (None, None, "none"),
        (5, None, "none"),
    ],
)
def test_quota_class(quota_us, period_us, label):
    assert quota_class(quota_us, period_us) == label


def test_a_minute_appears_when_the_clock_closes_it_and_not_before():
    log = Log()
    log.shard(shard(0))
    log.host(host(0))
    log.tick(MINUTE_MS + 90_000)
    assert reference(log).tables["service_windows"] == {}
    # The clock is the append time less 1 ms: at 90001 it reaches the closing instant.
    log.tick(MINUTE_MS + 90_001)
    assert len(reference(log).tables["service_windows"]) == 1


def test_sums_of_a_service_window():
    log = Log()
    log.shard(shard(0))
    log.shard(shard(1, shard_id=12, shard="checkout-1", throttled_us=90_000, threads=40, usage_us=30_000_000))
    log.shard(shard(2, window_start_us=MINUTE_US + 50_000_000, throttled_us=1, threads=None, periods=None), MINUTE_MS + 61_000)
    log.host(host(0, 2))
    log.host(host(1, 2, window_start_us=MINUTE_US + 50_000_000), MINUTE_MS + 61_000)
    log.tick(CLOSING_MS)
    row = only(log, "service_windows")
    assert (row["origin"], row["cluster"], row["service"], row["quota_class"]) == ("measured", "lab", "checkout", "2000m/100ms")
    assert (row["slot_records"], row["slot_hosts"]) == ([2, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 1])
    assert (row["records"], row["expected_records"], row["samples"]) == (3, 4, 3000)
    assert (row["usage_us"], row["throttled_us"], row["bandwidth_records"], row["periods"]) == (50_000_000, 120_001, 2, 200)
    assert (row["threads_records"], row["threads_sum"], row["threads_max"]) == (2, 56, 40)
    # 1 core is bucket 82 for two records, 3 cores (v = 1536: e = 6, s = 8) is bucket 2 + 96 + 8 = 106.
    assert row["used_cores_histogram"] == pack_histogram({82: 2, 106: 1}).hex().upper()
    # 10 of 100 periods is bucket 1 + 10 = 11; the record without periods is not in it.
    assert row["throttled_ratio_histogram"] == pack_histogram({11: 2}).hex().upper()
    # 16 is exact; 40: e = 1, bucket 16 + 20 = 36.
    assert row["threads_histogram"] == pack_histogram({16: 1, 36: 1}).hex().upper()
    assert row["between_shards"] == pack_varints([3, 50_000_000, 100 * 10**12 * 2 + 900 * 10**12]).hex().upper()
    assert [shown["shard"] for shown in row["worst_shards"]] == ["checkout-1", "checkout-0"]
    assert row["worst_shards"][1]["throttled_us"] == 30_000
    assert row["kernel_host_windows"] == {"6.18": 2}


def test_settings_that_share_a_label_are_one_statement():
    stated = {"service": "checkout", "period_us": 100_000, "shard_records": 1}
    log = Log()
    log.host(host(0, service_records=[stated | {"quota_us": 200_000}, stated | {"quota_us": 200_099}]))
    log.tick(CLOSING_MS)
    row = only(log, "service_windows")
    assert (row["slot_hosts"][0], row["expected_records"], row["records"]) == (1, 2, 0)
    assert (row["quota_us"], row["period_us"], row["threads_histogram"]) == (200_000, 100_000, None)


def test_first_records_of_newborns_count_in_the_minute_before_and_name_no_host():
    stated = {"service": "checkout", "quota_us": 200_000, "period_us": 100_000, "shard_records": 2}
    log = Log()
    log.shard(shard(0))
    log.shard(shard(1, shard_id=12))
    log.host(host(0, 1))
    # The next minute's first window brings what was held back: two first records of the last window of this one.
    log.host(host(1, 0, window_start_us=MINUTE_US + 60_000_000, service_records=[], first_records=[stated]))
    log.tick(CLOSING_MS)
    row = only(log, "service_windows")
    assert (row["records"], row["expected_records"], row["slot_hosts"]) == (2, 3, [1, 0, 0, 0, 0, 0])
    assert row["kernel_host_windows"] == {"6.18": 1}


def test_a_late_record_makes_a_part_of_its_own_and_judgements_merge_it():
    log = Log()
    log.shard(shard(0))
    log.host(host(0, 2))
    late_ms = MINUTE_MS + 100_000
    log.shard(shard(1, shard_id=12, throttled_periods=30), late_ms)
    log.tick(MINUTE_MS + 900_000)
    tables = reference(log).tables
    parts = {key[-1]: row for key, row in tables["service_windows"].items()}
    assert {part: row["throttled_periods"] for part, row in parts.items()} == {0: 10, 4_207_680: 30}
    judged = {key[-1]: row for key, row in tables["throttling_summaries"].items()}
    assert judged[0]["throttled_period_ratio"] == 0.1
    assert judged[0]["completeness"] == 0.5
    # (10 + 30) / 200 over both parts.
    assert judged[4_207_680]["throttled_period_ratio"] == 0.2
    assert judged[4_207_680]["completeness"] == 1.0
    assert judged[4_207_680]["shards"] == 2


def test_thread_ratio_is_per_reserved_core_and_never_invents_runnable_threads():
    log = Log()
    log.shard(shard(0))
    log.tick(CLOSING_MS)
    row = only(log, "thread_ratios")
    assert (row["quota_cores"], row["reserved_cores"], row["threads_per_shard"]) == (2.0, 2.0, 16.0)
    assert row["threads_per_reserved_core_p50"] == 8.0
    assert row["runnable_threads_per_reserved_core_p99"] is None
    # The lower bound is the middle of the one-core bucket over 2 cores; the upper one is all threads.
    assert row["runnable_threads_per_reserved_core_low"] == 1.03125 / 2
    assert row["runnable_threads_per_reserved_core_high"] == 8.0


def test_the_catalog_reserves_and_is_named_in_the_version():
    log = Log()
    log.catalog()
    log.shard(shard(0))
    log.tick(CLOSING_MS)
    row = only(log, "thread_ratios")
    assert (row["version"], row["catalog_version"], row["team"]) == (2**32 + 3, 3, "payments")
    assert (row["quota_cores"], row["reserved_cores"], row["threads_per_reserved_core_p50"]) == (2.0, 4.0, 4.0)
    log.catalog(deleted=True, catalog_version=4)
    assert only(log, "thread_ratios")["reserved_cores"] == 2.0


def minute_of_samples(log: Log, seq: int, windows: int = 3, minute_us: int = MINUTE_US, **fields) -> None:
    for slot in range(windows):
        start = minute_us + slot * 10_000_000
        log.shard(shard(seq + slot, window_start_us=start, **fields), start // 1000 + 11_000)


def test_three_thousand_samples_are_evidence_and_fewer_are_not():
    log = Log()
    minute_of_samples(log, 0, windows=2)
    log.tick(CLOSING_MS)
    row = only(log, "tuning_ranks")
    assert (row["verdict"], row["rank_class"], row["rank_score"]) == ("unknown", 4, 0.0)
    assert row["reasons"] == ["2000 samples in the horizon, at least 3000 are needed"]


def test_a_throttled_service_is_ranked_by_the_cores_at_stake():
    log = Log()
    minute_of_samples(log, 0)
    log.tick(CLOSING_MS)
    row = only(log, "tuning_ranks")
    # 2 reserved cores x 1 shard x 30 / 300, half of which stood idle.
    assert (row["verdict"], row["rank_class"], row["rank_score"]) == ("throttled", 1, 0.1)
    assert row["reasons"] == [
        "10.0 % of periods throttled (30 of 300)",
        "3.0 ms throttled each, over all run queues",
        "8.0 threads per reserved core: the pool outnumbers its cores",
        "10.0 % of 10 ms samples above quota",
        "50.0 % of the reserved cores used",
    ]


def test_an_idle_service_gives_back():
    log = Log()
    idle = {"throttled_periods": 0, "throttled_us": 0, "usage_histogram": pack_histogram({0: 1000}), "usage_us": 0}
    minute_of_samples(log, 0, **idle, excursion_samples=0)
    log.tick(CLOSING_MS)
    row = only(log, "tuning_ranks")
    assert (row["verdict"], row["rank_score"], row["reclaimable_cores_low"]) == ("give_back", 2.0, 2.0)
    assert (
        row["reasons"][0]
        == "2.00 of 2.00 reserved cores can go (2.00 to 2.00 over the minutes): 10 ms peaks then use 80.0 % of the rest"
    )


def test_a_service_without_quota_or_reservation_is_left_alone_with_a_word():
    log = Log()
    minute_of_samples(log, 0, quota_us=None, excursion_samples=None, excursion_us=None)
    log.tick(CLOSING_MS)
    row = only(log, "tuning_ranks")
    assert (row["quota_class"], row["verdict"], row["excursion_ratio"]) == ("unlimited", "healthy", None)
    assert row["reasons"][0] == "no quota: it cannot be throttled; its neighbours can be hurt"


def test_the_horizon_is_ten_minutes_and_knows_only_what_closed_before():
    log = Log()
    for minute in range(12):
        minute_of_samples(log, 10 * minute, minute_us=MINUTE_US + minute * 60_000_000)
    # A late record of minute 0 joins the rank rows only from its own closing on, and no row outside its horizon.
    log.shard(shard(200, throttled_periods=100), MINUTE_MS + 720_000)
    log.tick(MINUTE_MS + 900_000)
    ranks = {((key[-2] - MINUTE_US) // 60_000_000, key[-1]): row for key, row in reference(log).tables["tuning_ranks"].items()}
    assert [ranks[minute, 0]["horizon_windows"] for minute in range(12)] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]
    assert all(ranks[minute, 0]["throttled_period_ratio"] == 0.1 for minute in range(12))
    # Minute 0 with its late part: (30 + 100) / (300 + 100).
    assert ranks[0, 4_207_680]["throttled_period_ratio"] == 0.325
    assert ranks[0, 4_207_680]["horizon_windows"] == 1


def test_order_and_repetition_of_the_log_change_nothing():
    records = [
        shard(seq, window_start_us=MINUTE_US + 10_000_000 * (seq % 6), shard_id=seq % 4, usage_us=1000 * seq) for seq in range(12)
    ]
    one, other = Log(), Log()
    for record in records:
        one.shard(record)
    for record in [records[0], records[0], *records[1:], records[5]]:
        other.shard(record)
    for log in (one, other):
        log.tick(CLOSING_MS)
    assert reference(one).tables["service_windows"] == reference(other).tables["service_windows"]
    assert reference(one).tables["tuning_ranks"] == reference(other).tables["tuning_ranks"]


def test_numbers_in_words_are_rounded_half_to_even_from_the_exact_double():
    assert [rounded(value, 1) for value in (0.25, 0.35, 2.0)] == ["0.2", "0.3", "2.0"]
    assert percent(0.9999) == "100.0 %"


HOUR_MS = 3_600_000


def hour_log() -> Log:
    """Minutes 0 and 59 on time, a record of minute 1 that closes within the hour, and one of minute 2 two hours later."""
    log = Log()
    log.shard(shard(0))
    log.host(host(0))
    second = MINUTE_US + 60_000_000
    log.shard(shard(1, window_start_us=second, usage_us=30_000_000, throttled_periods=40), MINUTE_MS + 300_000)
    last = MINUTE_US + 59 * 60_000_000
    log.shard(shard(2, window_start_us=last, shard_id=12, usage_us=5_000_000), MINUTE_MS + HOUR_MS - 30_000)
    log.shard(shard(3, window_start_us=last, shard_id=11), MINUTE_MS + HOUR_MS - 30_000)
    log.shard(shard(4, window_start_us=MINUTE_US + 120_000_000, threads=80), MINUTE_MS + 3 * HOUR_MS)
    return log


def test_an_hour_adds_its_minutes_and_takes_the_greatest_of_them():
    log = hour_log()
    log.tick(MINUTE_MS + 3 * HOUR_MS + 30)
    row = only(log, "service_hours")
    assert (row["window_start"], row["part"], row["minutes"], row["minute_rows"]) == (MINUTE_US, 0, 3, 3)
    assert (row["records"], row["expected_records"], row["usage_us"]) == (4, 1, 55_000_000)
    # 55 s of CPU in three minutes; 30 s in the busiest; two shards at once in the last minute only.
    assert (row["used_cores"], row["used_cores_max"], row["shards"]) == (55 / 180, 0.5, 2)
    # (10 + 40 + 10 + 10) of 400 periods; 40 of 100 in the worst minute.
    assert (row["throttled_period_ratio"], row["throttled_period_ratio_max"]) == (70 / 400, 0.4)
    assert row["version"] == 2**32 + 3


def test_a_late_part_of_an_hour_holds_all_parts_before_it():
    log = hour_log()
    log.tick(MINUTE_MS + 4 * HOUR_MS)
    parts = {key[-1]: row for key, row in reference(log).tables["service_hours"].items()}
    late = (MINUTE_MS + 3 * HOUR_MS) // 900_000
    assert sorted(parts) == [0, late]
    assert (parts[late]["records"], parts[late]["minutes"], parts[late]["minute_rows"]) == (5, 4, 4)
    assert parts[late]["threads_per_shard"] == (4 * 16 + 80) / 5


def test_a_greater_revision_makes_the_same_rows_of_greater_versions():
    log = hour_log()
    log.catalog()
    log.tick(MINUTE_MS + 3 * HOUR_MS + 30)
    first, again = reference(log), reference(log).at_revision(3)
    for table, step in (("shard_windows", 1), ("service_windows", 1), ("tuning_ranks", 2**32), ("service_hours", 2**32)):
        for key, row in first.tables[table].items():
            assert again.tables[table][key]["version"] == row["version"] + 2 * step, table
    assert {row["revision"] for row in again.tables["service_windows"].values()} == {3}
    assert again.tables["shard_identities"] == first.tables["shard_identities"]
