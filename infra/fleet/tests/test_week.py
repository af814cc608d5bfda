"""Which job reads when, worked on the lists alone; and what a broker may say meanwhile."""

from datetime import UTC, datetime

import pytest
from confluent_kafka import KafkaError, KafkaException
from quotascope_fleet import command, drain, week
from quotascope_native import jobs


def test_every_job_but_the_rollup_reads_in_exactly_one_phase():
    phases = (drain.WHOLE_TIME, drain.SECOND, drain.LAST_DAYS, drain.RANK)
    named = [job for phase in phases for job in phase]
    assert sorted(named) == sorted(week.job_of(entry) for entry in jobs.ENTRIES if entry not in week.INGEST)


def test_the_last_days_are_all_days_unless_said():
    size = command.size_of(command.parser().parse_args(["--days", "5"]))
    assert (size.days, size.judge_days, size.rank_days) == (5, 5, 5)
    fewer = command.size_of(command.parser().parse_args(["--days", "5", "--judge-days", "9", "--rank-days", "2"]))
    assert (fewer.judge_days, fewer.rank_days) == (5, 2)


@pytest.mark.parametrize(
    "minutes, start",
    [(0, "2026-11-19T20:00:00Z"), (9, "2026-11-19T20:00:00Z"), (10, "2026-11-19T21:00:00Z"), (75, "2026-11-19T22:00:00Z")],
)
def test_the_simulated_time_may_end_after_now_with_a_full_hour(minutes: int, start: str):
    assert week.first_instant(datetime(2026, 11, 22, 20, 50, 7, 5, UTC), 3, minutes) == start


def test_the_broker_takes_what_lies_ahead():
    size = command.size_of(command.parser().parse_args(["--small", "--ends-in-minutes", "75"]))
    assert size.ends_in_minutes == 75
    assert int(week.TOPIC_SETTINGS["message.timestamp.after.max.ms"]) > week.HOUR_MS


@pytest.mark.parametrize(
    "code, passes", [(KafkaError.NOT_COORDINATOR, True), (KafkaError.NOT_LEADER_FOR_PARTITION, True), (KafkaError._AUTHENTICATION, False)]
)
def test_a_broker_that_cannot_say_for_a_moment_is_asked_again(monkeypatch: pytest.MonkeyPatch, code: int, passes: bool) -> None:
    def refused(*_: object) -> int:
        raise KafkaException(KafkaError(code))

    monkeypatch.setattr(drain.Lag, "_of", refused)
    lag = drain.Lag("127.0.0.1:9")
    if passes:
        assert lag.of("risk", drain.ROWS) is None
    else:
        with pytest.raises(KafkaException):
            lag.of("risk", drain.ROWS)


@pytest.mark.parametrize("minutes", ["0", "361", "-1", "two"])
def test_what_the_jobs_would_refuse_is_refused_at_once(minutes: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        command.parser().parse_args([f"--turn-minutes={minutes}"])
    assert "minutes from 1 to 360" in capsys.readouterr().err
    assert command.parser().parse_args(["--turn-minutes=360"]).turn_minutes == 360
