"""What becomes of a message: the part rule, the order of checks, de-duplication and the clock, worked by hand."""

import pytest
from quotascope_reference.intake import clock_ms, closes_at_ms, part_of, take_in
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS, Message
from records import MINUTE_MS, MINUTE_US, SCHEMAS, Log, host, shard

SOUND = SCHEMAS.encode(CPU_USAGE_WINDOWS, shard(0))


def test_part_zero_lasts_until_thirty_seconds_after_the_minute():
    end_ms = MINUTE_MS + 60_000
    assert part_of(MINUTE_US, MINUTE_MS) == 0
    assert part_of(MINUTE_US, end_ms + 30_000) == 0
    # 3786912000000 / 900000 = 4207680 exactly, so the first late quarter is number 4207680.
    assert part_of(MINUTE_US, end_ms + 30_001) == 4_207_680
    assert part_of(MINUTE_US, MINUTE_MS + 900_000) == 4_207_681


def test_a_part_closes_with_the_last_instant_it_can_hold():
    assert closes_at_ms(MINUTE_US, 0) == MINUTE_MS + 90_000
    assert closes_at_ms(MINUTE_US, 4_207_680) == MINUTE_MS + 900_000 - 1
    for part in (4_207_680, 4_207_690):
        assert part_of(MINUTE_US, closes_at_ms(MINUTE_US, part)) == part
        assert part_of(MINUTE_US, closes_at_ms(MINUTE_US, part) + 1) == part + 1


def refused_with(value: bytes, append_time_ms: int = MINUTE_MS + 15_000) -> str | None:
    log = Log()
    position = log.put(CPU_USAGE_WINDOWS, value, append_time_ms)
    refused = take_in(log.messages, SCHEMAS).dead_letters.get(position)
    return None if refused is None else refused.reason


def test_poison_has_the_reason_of_the_first_check_that_it_fails():
    assert refused_with(SOUND) is None
    assert refused_with(b"not avro at all") == "bad_framing"
    assert refused_with(SOUND[:9]) == "bad_framing"
    assert refused_with(b"\xc3\x01" + b"\x00" * 8 + SOUND[10:]) == "unknown_schema"
    assert refused_with(SOUND[:-3]) == "undecodable"
    assert refused_with(SOUND + b"\x00") == "trailing_bytes"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"host_id": ""}, "invalid_field:host_id"),
        ({"service": "s" * 513}, "invalid_field:service"),
        ({"agent_epoch": 0}, "invalid_field:agent_epoch"),
        ({"sample_interval_us": 999}, "invalid_field:sample_interval_us"),
        ({"missed_samples": -1}, "invalid_field:missed_samples"),
        ({"usage_us": 10_000_000 * 4096 + 1}, "invalid_field:usage_us"),
        ({"layout_version": 2}, "invalid_field:layout_version"),
        ({"usage_histogram": b"\x05"}, "invalid_field:usage_histogram"),
        ({"samples": 999}, "invalid_field:usage_histogram"),
        ({"second_order": b"\x01"}, "invalid_field:second_order"),
        ({"quota_us": 0}, "invalid_field:quota_us"),
        ({"period_us": 999}, "invalid_field:period_us"),
        ({"throttled_us": 2**53 + 1}, "invalid_field:throttled_us"),
        ({"threads": -1}, "invalid_field:threads"),
        ({"runnable_histogram": b"\x10\x01"}, "invalid_field:runnable_histogram"),
        ({"usage_us": -1, "threads": -1}, "invalid_field:usage_us"),
        ({"window_start_us": MINUTE_US + 1}, "unaligned_window"),
        ({"window_start_us": MINUTE_US + 70_000_000}, "ahead_of_time"),
        ({"window_start_us": MINUTE_US + 60_000_000}, None),
        ({"window_start_us": MINUTE_US - 23_410_000_000}, "too_old"),
        ({"window_start_us": MINUTE_US - 23_400_000_000}, None),
    ],
)
def test_fields_and_times_are_bounded(fields, reason):
    # Appended 10 s after the minute's start: a window of 10 s that starts 60 s later ends 60 s ahead, just allowed.
    assert refused_with(SCHEMAS.encode(CPU_USAGE_WINDOWS, shard(0, **fields)), MINUTE_MS + 10_000) == reason


def test_a_statement_of_a_host_is_bounded_too():
    log = Log()
    stated = {"service": "", "quota_us": None, "period_us": None, "shard_records": 1}
    position = log.host(host(0, service_records=[stated]))
    assert take_in(log.messages, SCHEMAS).dead_letters[position].reason == "invalid_field:service_records.service"


def test_a_sequence_number_counts_once_and_holes_are_counted():
    log = Log()
    for seq in (0, 1, 1, 0, 5, 4):
        log.shard(shard(seq))
    taken = take_in(log.messages, SCHEMAS)
    assert [accepted.record["seq"] for accepted in taken.accepted[CPU_USAGE_WINDOWS]] == [0, 1, 5]
    assert taken.duplicates[CPU_USAGE_WINDOWS] == 3
    assert taken.gaps[CPU_USAGE_WINDOWS] == 3
    assert [accepted.missing_before for accepted in taken.accepted[CPU_USAGE_WINDOWS]] == [0, 0, 3]


def test_nothing_is_known_of_what_came_before_the_log_or_before_a_mark_that_ended():
    log = Log()
    log.shard(shard(7))
    log.shard(shard(9))
    later = MINUTE_MS + 15_000 + 23_460_001
    later_us = (later // 10_000 - 2) * 10_000_000
    log.shard(shard(12, window_start_us=later_us), later)
    log.shard(shard(14, window_start_us=later_us), later)
    taken = take_in(log.messages, SCHEMAS)
    assert [each.missing_before for each in taken.accepted[CPU_USAGE_WINDOWS]] == [None, 1, None, 1]
    assert taken.gaps[CPU_USAGE_WINDOWS] == 2, "what may have come before is no gap"
    assert taken.before_first[CPU_USAGE_WINDOWS] == 7 + 12


def test_topics_and_agents_count_for_themselves_and_refused_records_move_nothing():
    log = Log()
    log.shard(shard(9, layout_version=2))
    log.shard(shard(3))
    log.shard(shard(3, agent_epoch=8))
    log.host(host(3))
    log.tick(MINUTE_MS + 20_000)
    taken = take_in(log.messages, SCHEMAS)
    assert len(taken.accepted[CPU_USAGE_WINDOWS]) == 2
    assert len(taken.accepted[HOST_WINDOWS]) == 1
    assert taken.ticks.total() == 2
    assert taken.difference(len(log.messages)) == 0


def test_the_clock_is_the_slowest_partition_less_one_millisecond():
    counts = {"a": 2, "b": 1}

    def at(topic, partition, ms):
        return Message(topic, partition, 0, ms, None, None)

    assert clock_ms([at("a", 0, 100), at("a", 1, 80), at("b", 0, 90), at("a", 0, 70)], counts) == 79
    assert clock_ms([at("a", 0, 100), at("b", 0, 90)], counts) < 0


def test_golden_files_of_the_collector_are_read_as_they_were_meant():
    """Bytes written by the Go collector, against the JSON that people read."""
    import json

    from quotascope_reference.wire import REPOSITORY

    golden = REPOSITORY / "schemas" / "golden" / "avro"
    files = sorted((golden / "go").glob("cpu_usage_window_*.bin"))
    assert len(files) >= 3
    for file in files:
        decoded = SCHEMAS.decode(CPU_USAGE_WINDOWS, file.read_bytes())
        meant = json.loads((golden / f"{file.stem}.json").read_text())
        shown = {name: value.hex() if isinstance(value, bytes) else value for name, value in decoded.items()}
        assert shown == meant
