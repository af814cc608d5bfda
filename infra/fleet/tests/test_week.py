"""Which job reads when: worked on the lists alone."""

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
