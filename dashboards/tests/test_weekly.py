"""The weekly report: which time it asks about, what it prints, and that it holds to its reader's rights."""

from datetime import UTC, datetime

import pytest
from quotascope_dashboards.__main__ import main
from quotascope_dashboards.access import Access
from quotascope_dashboards.failure import DashboardsFailure
from quotascope_dashboards.grant import Person, apply_person
from quotascope_dashboards.session import SupersetSession
from quotascope_dashboards.tree import Tree
from quotascope_dashboards.weekly import Answer, Span, attempted, charts_of, document, grid, section, spanned, tall, without, write_report

SPAN = Span.last(7, datetime(2026, 11, 22, 4, 14, 33, tzinfo=UTC))
PASSWORD = "Correct-horse-7-battery"


def test_a_span_ends_with_the_last_whole_minute():
    assert SPAN.words == "2026-11-15 04:14 to 2026-11-22 04:14 UTC"
    assert SPAN.superset == "2026-11-15T04:14:00 : 2026-11-22T04:14:00"


def test_a_query_is_asked_over_the_span_unless_the_chart_looks_back_a_year():
    hour = {"op": "TEMPORAL_RANGE", "col": "window_start", "val": 'DATEADD(DATETIME("now"), -1, hour) : now'}
    year = hour | {"val": 'DATEADD(DATETIME("now"), -1, year) : now'}
    other = {"op": ">", "col": "periods", "val": 0}
    assert spanned({"filters": [hour, other], "metrics": ["x"]}, SPAN) == {"filters": [hour | {"val": SPAN.superset}, other], "metrics": ["x"]}
    assert spanned({"filters": [year]}, SPAN) == {"filters": [year]}


def test_charts_come_in_the_order_of_the_page():
    tree = Tree()
    first, second, *_ = charts_of(tree, tree.files["dashboards/fleet.yaml"])
    assert first == "charts/fleet/where_do_these_numbers_come_from.yaml"
    assert second == "charts/fleet/which_services_should_we_look_at_first.yaml"


def test_a_link_is_left_out_of_the_query_and_a_time_axis_is_kept():
    axis = {"sqlExpression": "window_start", "label": "window_start"}
    assert without({"columns": [axis, "service", "opens"]}, {"opens"}) == {"columns": [axis, "service"]}


def test_a_long_table_says_how_much_is_left_out_and_a_text_cannot_become_markup():
    rows = [["a"], *([["<b>"]] * 45)]
    text = grid(rows)
    assert text.count("<tr>") == 41
    assert "5 rows more" in text
    assert "&lt;b&gt;" in text
    assert "No row." in grid([["a"]])
    assert "<x>" not in document("<x>", SPAN, [])


def test_each_query_of_a_chart_has_a_file():
    assert Answer("How often?", False, ["a\n1\n", "b\n2\n"]).files() == {"how_often.csv": "a\n1\n", "how_often_2.csv": "b\n2\n"}


def test_a_chart_that_cannot_be_read_is_named_and_loses_no_other():
    class Slow:
        def call(self, *_):
            raise DashboardsFailure("POST /api/v1/chart/data: HTTP 400 <Timeout> exceeded")

    tree = Tree()
    name = "charts/fleet/which_services_should_we_look_at_first.yaml"
    answer = attempted(Slow(), tree, name, {tree.files[name]["uuid"]: 7}, SPAN)
    assert answer.title == "Which services should we look at first?"
    assert answer.files() == {}
    good = Answer("Good", True, ["a\n1\n"])
    said = section({"dashboard_title": "Fleet"}, b"", [answer, good])
    assert "Could not be read: POST /api/v1/chart/data: HTTP 400 &lt;Timeout&gt; exceeded" in said
    assert "<td>1</td>" in said


def test_the_window_is_taller_than_every_row_of_the_page_together():
    tree = Tree()
    for dashboard in tree.of("dashboards").values():
        parts = [part for part in dashboard["position"].values() if isinstance(part, dict) and part["type"] == "CHART"]
        assert tall(dashboard) > max(part["meta"]["height"] for part in parts) * 8
    assert tall(tree.files["dashboards/fleet.yaml"]) > 3_500, "its rows need so much"


@pytest.mark.parametrize(("given", "words"), [("0", "'0' is no number of days"), ("a week", "'a week' is no number of days")])
def test_days_that_are_none_are_refused(capsys, given, words):
    with pytest.raises(SystemExit):
        main(
            ["weekly", "--superset-url", "http://127.0.0.1:1", "--user", "x", "--password-file", "/dev/null", "--folder", "/nowhere", "--days", given]
        )
    assert words in capsys.readouterr().err


def test_a_server_that_does_not_answer_and_a_folder_that_cannot_be_are_said(capsys, tmp_path):
    (tmp_path / "password").write_text("x")
    asked = [
        "weekly",
        "--superset-url",
        "http://127.0.0.1:1",
        "--user",
        "x",
        "--password-file",
        str(tmp_path / "password"),
        "--folder",
        str(tmp_path),
    ]
    assert main(asked) == 1
    assert "Superset cannot be reached" in capsys.readouterr().err


def test_an_owners_report_has_the_teams_rows_and_no_others(running, tmp_path):
    apply_person(running.session(), Tree(), Access.read(), Person("weekly-owner", "owner", "payments", PASSWORD))
    reader = SupersetSession(running.superset_url, "weekly-owner", PASSWORD)
    pdf = write_report(reader, PASSWORD, Tree(), Span.last(7, datetime.now(UTC)), tmp_path, say=lambda line: None)
    assert pdf.read_bytes().startswith(b"%PDF")
    texts = {file.relative_to(tmp_path).as_posix(): file.read_text() for file in tmp_path.rglob("*.csv")}
    assert "service/how_often_is_it_throttled_and_what_was_changed_2.csv" in texts
    assert not [name for name, text in texts.items() if text.startswith("PK")]
    assert {name.split("/")[0] for name in texts} == set(Access.read().role("owner").dashboards)
    foreign = running.views("SELECT DISTINCT service FROM quotascope_views.service_ranking WHERE team != 'payments' OR team IS NULL")
    assert foreign
    assert not [row["service"] for row in foreign if any(row["service"] in text for text in texts.values())]
    assert "checkout-overpooled" in texts["what-if/what_would_each_change_do.csv"] or not running.simulated
