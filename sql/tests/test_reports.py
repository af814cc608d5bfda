"""Reports against the real server: fixture in, expected rows out; and what a person sees of them."""

import json

import pytest
from quotascope_sql import cli, grid, reports, table
from quotascope_sql.server import SQL, SqlFailure

TESTS = SQL / "tests"
DAYS = ["--from", "2090-07-01 10:00:00", "--until", "2090-07-02 10:00:00"]
RANGE = ["--cluster", "report", "--from", "2090-07-01 10:00:00", "--until", "2090-07-01 10:05:00"]


@pytest.fixture(scope="module")
def filled(database):
    """The server with the fixtures of all reports in it; each fixture keeps to a cluster of its own."""
    for name in reports.names(SQL / "reports"):
        for statement in filter(str.strip, (TESTS / name / "fixture.sql").read_text().split(";\n")):
            database.as_user("admin").execute(statement)
    return database


@pytest.mark.parametrize("name", reports.names(SQL / "reports"))
def test_report_answers_as_expected(filled, name):
    values = json.loads((TESTS / name / "parameters.json").read_text())
    statement = reports.statement(SQL / "reports", name)
    found = filled.as_user("report").execute(statement, values, default_format="TabSeparatedWithNames")
    assert found == (TESTS / name / "expected.tsv").read_text()


@pytest.mark.parametrize("name", reports.names(SQL / "reports"))
def test_report_says_its_question_and_names_no_table(name):
    text = reports.statement(SQL / "reports", name)
    assert reports.question(text).endswith("?")
    assert "quotascope." not in text
    assert "SELECT *" not in text


def run(database, capsys, *arguments: str) -> str:
    assert cli.main(["--state", str(database.stack.layout.state), "report", *arguments]) == 0
    return capsys.readouterr().out


def test_the_printed_table_fits_and_says_why(filled, capsys):
    said = run(filled, capsys, "which_services_first", *RANGE)
    lines = said.splitlines()
    assert max(len(line) for line in lines) <= table.WIDTH
    assert lines[0] == "Which services should we look at first, and why?"
    assert "window 2090-07-01 09:54:00 to 2090-07-01 10:04:00 UTC with rows for 2 to 10 of its minutes, cluster report" in said
    assert "NOT MEASURED HERE: origin replayed." in said
    ranked = [" ".join(line.split()[:3]) for line in lines if line[:1].strip().isdigit()]
    assert ranked == ["1 4 feed", "2 3 mail", "3 2 checkout", "4 1 search", "5 5 reports-idle", "6 6 search"]
    assert "    worth: burst frees 4.50 [4.00, 5.00] cores, 900 [800, 1,000] USD a year, for 4 days of work" in lines
    assert "    recommended: quota 0.50 cores a shard, thread pools; frees 7.00 [5.50, 8.50] cores, 1,400 [1,100, 1,700] USD a year" in lines
    assert "    trust: doubtful: the peak is that of 1 hour only, not of weeks" in lines
    assert "    cliff: collapse at 1.25 [1.00, 1.50] times the load" in lines
    assert "    because: throttled in 50.0 % of its periods; its pool outnumbers its cores 16 to 1" in lines
    assert "    worst shards: checkout-1, checkout-0" in lines
    assert "    reclaimable: 3.25 to 3.75 of its reserved cores (5th to 95th percentile)" in lines
    assert "12.5 ms" in said
    assert lines.count("    origin: measured") == 5
    assert lines.count("    origin: replayed") == 1


def test_a_change_that_needs_cores_says_so_and_frees_no_negative_ones():
    row = {"recommended_change": "quota 0.34 cores a shard, burst 34 ms", "cores_freed": -0.27, "cores_freed_low": -0.3, "cores_freed_high": -0.15}
    row |= {"usd_per_year": -65, "usd_per_year_low": -70, "usd_per_year_high": -37}
    assert table.recommended(row) == "quota 0.34 cores a shard, burst 34 ms; needs 0.27 [0.15, 0.30] cores more, 65 [37, 70] USD a year"


def test_measured_rows_carry_no_warning(filled, capsys):
    said = run(filled, capsys, "which_services_first", *RANGE, "--origin", "measured", "--service", "checkout")
    assert "NOT MEASURED" not in said
    assert ", origin measured, cluster report" in said
    assert "search" not in said


def test_an_empty_range_says_so(filled, capsys):
    said = run(filled, capsys, "which_services_first", "--from", "1999-01-01", "--until", "1999-01-02")
    assert "No judged minute in this range yet." in said


def test_json_and_csv_are_for_programs(filled, capsys):
    rows = [json.loads(line) for line in run(filled, capsys, "which_services_first", *RANGE, "--json").splitlines()]
    assert [row["rank_position"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[2]["reasons"][0] == "throttled in 50.0 % of its periods"
    lines = run(filled, capsys, "which_services_first", *RANGE, "--csv").splitlines()
    assert lines[0].startswith('"rank_position","risk_position","service","quota_class"')
    assert len(lines) == 7


def test_without_a_name_the_reports_are_listed_with_their_questions(filled, capsys):
    assert "which_services_first: Which services should we look at first, and why?" in run(filled, capsys)


def test_an_unknown_report_is_one_clear_line(filled, capsys):
    assert cli.main(["--state", str(filled.stack.layout.state), "report", "nothing"]) == 1
    assert capsys.readouterr().err.startswith("error: there is no report nothing\nThere are:\n  how_does_it_develop\n")


def test_every_other_report_is_a_grid_that_fits_and_shows_intervals(filled, capsys):
    said = run(filled, capsys, "which_services_collapse_first", "--cluster", "cliff", *DAYS)
    lines = said.splitlines()
    assert max(len(line) for line in lines) <= table.WIDTH
    assert lines[0] == "Which services are nearest to their cliff?"
    assert lines[1] == "origin measured, cluster cliff"
    assert "1.25 [1.00, 1.50]" in said
    assert "    apply: cpu: 2" in lines
    assert "    recommended: quota 0.50 cores a shard, thread pools" in lines
    assert "    limited by: the peak is that of 1 hour only, not of weeks" in lines
    assert "doubtful" in said, "trust stands beside a cliff"
    assert lines[-1] == "[low, high] = 5th and 95th percentile; - = not known."
    assert "\x1b" not in said, "no colour unless a person looks"


def test_a_colour_repeats_a_word_and_never_stands_for_it():
    row = {"service": "near", "risk_band": "vulnerable", "origin": "simulated", "cluster": "c"}
    plain, painted = grid.render("Why?", [row]), grid.render("Why?", [row], coloured=True)
    assert painted.replace("\x1b[33m", "").replace("\x1b[0m", "") == plain
    assert "\x1b[33mvulnerable\x1b[0m" in painted
    assert "NOT MEASURED HERE: origin simulated." in plain


def test_an_empty_grid_says_so(filled, capsys):
    assert "No row in this range yet." in run(filled, capsys, "which_services_give_back", "--from", "1999-01-01", "--until", "1999-01-02")


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_a_name_that_nobody_judged_is_not_answered_as_a_quiet_one(filled, capsys, form):
    known = filled.as_user("report").rows("SELECT service FROM quotascope_views.service_latest ORDER BY length(service) DESC LIMIT 1")[0]["service"]
    place = ["--state", str(filled.stack.layout.state), "report", "which_services_first", *form]
    assert cli.main([*place, "--service", f"{known}x"]) == 1
    assert capsys.readouterr().err == f"error: nothing was ever judged of the service {known}x; did you mean {known}?\n"
    assert cli.main([*place, "--cluster", "qqqq"]) == 1
    assert "nothing was ever judged of the cluster qqqq" in capsys.readouterr().err


def test_a_server_that_gives_up_is_not_said_to_refuse(database):
    with pytest.raises(SqlFailure, match="gave up, it is too busy or the range too long: Code: 159"):
        database.as_user("admin").execute("SELECT sleepEachRow(1) FROM numbers(20) SETTINGS max_block_size = 1, max_execution_time = 1")


def test_a_length_of_time_is_minutes_hours_or_days(filled, capsys):
    assert [reports.minutes_of(text) for text in ("30m", "6h", "7d")] == [30, 360, 10080]
    assert reports.default_minutes(reports.statement(SQL / "reports", "how_does_it_develop")) == 14 * 1440
    assert reports.default_minutes(reports.statement(SQL / "reports", "which_services_first")) == 60
    with pytest.raises(SystemExit):
        cli.main(["report", "which_services_first", "--since", "yesterday"])
    assert "'yesterday' is no length of time: 30m, 6h or 7d" in capsys.readouterr().err


def test_a_setting_keeps_its_lines_and_its_indentation():
    long = "args: " + "x " * 100
    text = grid.render("How?", [{"service": "s", "setting_text": f"a: 1\n  b: 2\n{long}"}])
    lines = text.splitlines()
    assert "    apply: a: 1" in lines
    assert " " * len("    apply: ") + "  b: 2" in lines
    assert " " * len("    apply: ") + long in lines


def test_long_reasons_are_wrapped_under_their_label():
    window = {"horizon_start": "2090-07-01 09:54:00", "horizon_end": "2090-07-01 10:04:00", "horizon_windows": 10}
    text = table.render("Why?", [window | {"origin": "measured", "cluster": "c", "service": "s", "reasons": ["many words " * 40]}])
    lines = [line for line in text.splitlines() if "many" in line]
    assert len(lines) > 3
    assert all(len(line) <= table.WIDTH for line in lines)
    assert all(line.startswith(" " * len("    because: ")) for line in lines[1:])


def test_a_long_name_keeps_its_ends():
    assert table.shortened("payments-authorisation-gateway-v2") == "payments-…ateway-v2"
    assert table.shortened("checkout") == "checkout"


def test_a_name_that_is_nearly_right_is_guessed(capsys):
    assert cli.main(["report", "which_service_first"]) == 1
    assert "did you mean which_services_first?" in capsys.readouterr().err


def test_list_names_every_question_as_no_name_does(capsys):
    assert cli.main(["report", "list"]) == cli.main(["report"]) == 0
    said = capsys.readouterr().out
    assert said[: len(said) // 2] == said[len(said) // 2 :]
    assert all(f"{name}: " in said for name in reports.names(SQL / "reports"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--from", "yesterday"], "'yesterday' is no instant: 2026-11-20, or '2026-11-20 10:00:00', UTC"),
        (["--minutes", "0"], "'0' is no number of one or more"),
        (["--since", "0d"], "'0' is no number of one or more"),
    ],
)
def test_a_flag_that_means_nothing_is_refused_with_what_would(capsys, given, words):
    with pytest.raises(SystemExit):
        cli.main(["report", "which_services_first", *given])
    assert words in capsys.readouterr().err


def test_a_range_that_holds_nothing_and_a_password_that_is_nowhere_are_said(capsys):
    assert cli.main(["report", "which_services_first", "--from", "2030-01-02", "--until", "2030-01-01"]) == 1
    assert "the range is empty: it begins at 2030-01-02 00:00:00" in capsys.readouterr().err
    assert cli.main(["--url", "http://127.0.0.1:1", "--password-file", "/nowhere/at/all", "report", "which_services_first"]) == 1
    assert capsys.readouterr().err == "error: the password file /nowhere/at/all cannot be read: No such file or directory\n"


def test_a_range_without_a_start_ends_where_it_was_asked_to():
    text = reports.statement(SQL / "reports", "which_services_first")
    values = reports.parameters(text, {"until": reports.moment("2090-07-01T12:00:00+02:00")}, 60)
    assert (values["from"], values["until"]) == ("2090-07-01 09:00:00.000000", "2090-07-01 10:00:00.000000")
