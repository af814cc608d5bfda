"""Every dashboard in a real browser, as the administrator: it draws without a complaint, every chart from rows of its own."""

import csv
import io
import json

import pytest
from conftest import SCREENSHOTS
from quotascope_dashboards.tree import Tree
from watched_page import WatchedPage

# What a dashboard adds to a chart's own query: its filters, and which of them it used.
ADDED_BY_DASHBOARDS = ("filters", "extras", "applied_time_extras", "time_range", "url_params", "custom_form_data")
SLUGS = [dashboard["slug"] for dashboard in Tree().of("dashboards").values()]


def charts_of(slug: str) -> dict[str, dict]:
    """The charts that a dashboard places, by file."""
    dashboard = next(each for each in Tree().of("dashboards").values() if each["slug"] == slug)
    placed = {part["meta"]["uuid"] for part in dashboard["position"].values() if isinstance(part, dict) and part["type"] == "CHART"}
    return {name: chart for name, chart in Tree().of("charts").items() if chart["uuid"] in placed}


@pytest.fixture(scope="module")
def chart_ids(running) -> dict[str, int]:
    return {row["slice_name"]: row["id"] for row in running.session().listed("chart", ("id", "slice_name"))}


@pytest.fixture(scope="module", params=SLUGS)
def opened(running, request):
    """The open page of one dashboard and its slug."""
    with WatchedPage(running.superset_url, "admin", running.secret("superset_admin")) as page:
        page.open_dashboard(request.param)
        page.picture(SCREENSHOTS / f"{request.param}.png")
        yield page, request.param


def test_the_page_shows_no_error(opened):
    page, _ = opened
    assert page.notices() == []
    assert page.complaints == []


def test_every_chart_is_drawn_from_rows(opened, chart_ids):
    page, slug = opened
    charts = charts_of(slug).values()
    rows = {chart["slice_name"]: sum(each["rowcount"] for each in page.answers_by_chart.get(chart_ids[chart["slice_name"]], [])) for chart in charts}
    assert rows
    assert all(rows.values()), rows
    # A canvas for each graph; tables are text.
    graphs = sum(chart["viz_type"] != "table" for chart in charts)
    assert page.page.locator("[data-test=dashboard-component-chart-holder] canvas").count() >= graphs
    assert page.page.get_by_text("No results were returned").count() == 0


def test_the_saved_queries_are_those_the_page_sends(opened, chart_ids):
    page, slug = opened
    for name, chart in charts_of(slug).items():
        sent = [own(query) for query in page.queries_by_chart[chart_ids[chart["slice_name"]]]]
        assert sent == [own(query) for query in Tree().queries[name]], name


def own(query: dict) -> dict:
    return {name: part for name, part in query.items() if name not in ADDED_BY_DASHBOARDS}


def test_every_origin_shown_is_explained_on_the_page(opened):
    page, _ = opened
    reading = page.page.locator(".dashboard-markdown, [data-test=dashboard-markdown-editor]").first.inner_text()
    assert all(origin in reading for origin in ("measured", "replayed", "simulated"))


def test_every_chart_gives_its_csv(running, chart_ids):
    session, tree = running.session(), Tree()
    for name, chart in tree.of("charts").items():
        texts = session.csv_texts("GET", f"/api/v1/chart/{chart_ids[chart['slice_name']]}/data/", params={"format": "csv"})
        assert len(texts) == len(tree.queries[name]), name
        for text in texts:
            header, *rows = csv.reader(io.StringIO(text))
            assert rows, name
            assert {len(row) for row in rows} == {len(header)}, name


@pytest.mark.parametrize("service", ["batch-overreserved", "noisy-neighbour"])
@pytest.mark.parametrize("slug", ["service", "what-if"])
def test_no_chart_fails_for_a_service_that_was_never_throttled_or_has_no_quota(running, chart_ids, slug, service):
    # Superset cannot pivot a column that is absent in every row: it answers with an error instead of an empty chart.
    if not running.simulated:
        pytest.skip("the service is one of the simulated fleet")
    session = running.session()
    for name, chart in charts_of(slug).items():
        kept = json.loads(session.call("GET", f"/api/v1/chart/{chart_ids[chart['slice_name']]}")["result"]["query_context"])
        of_service = [query | {"filters": [*query["filters"], {"col": "service", "op": "IN", "val": [service]}]} for query in Tree().queries[name]]
        asked = {"datasource": kept["datasource"], "queries": of_service, "result_format": "json", "result_type": "full"}
        answers = session.call("POST", "/api/v1/chart/data", json=asked)["result"]
        assert all(answer["error"] is None for answer in answers), name
