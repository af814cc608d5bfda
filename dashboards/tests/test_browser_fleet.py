"""The Fleet dashboard in a real browser: it draws without a complaint, and it shows the views' own numbers."""

import pytest
from fleet_fixture import FLEET
from quotascope_dashboards.tree import Tree
from watched_page import WatchedPage

RANKING = "Which services should we look at first?"
RANKING_FILE = "charts/fleet/which_services_should_we_look_at_first.yaml"
THROTTLED = "How often is each service throttled?"
HISTOGRAM = "How many cores does one shard use in 10 ms, when it runs?"
THREADS = "How many runnable threads compete for each reserved core?"


@pytest.fixture(scope="module")
def fleet(running):
    with WatchedPage(running.superset_url, "admin", running.secret("superset_admin")) as page:
        page.open_dashboard("fleet")
        yield page


@pytest.fixture(scope="module")
def chart_ids(running) -> dict[str, int]:
    return {row["slice_name"]: row["id"] for row in running.session().listed("chart", ("id", "slice_name"))}


@pytest.fixture(scope="module")
def table_lines(fleet, chart_ids) -> list:
    """The lines of the ranked table, one element each; other tables stand beside it."""
    return fleet.page.locator(f".dashboard-chart-id-{chart_ids[RANKING]} table tbody tr").all()


@pytest.fixture(scope="module")
def ranked(fleet, chart_ids) -> list[dict]:
    """The rows of the ranked table as the page received them."""
    return fleet.answers_by_chart[chart_ids[RANKING]][0]["data"]


def test_the_ranked_table_shows_the_views_ratio_of_each_service(running, ranked, table_lines):
    lines = [[cell.strip() for cell in line.locator("td").all_inner_texts()] for line in table_lines]
    columns = Tree().files[RANKING_FILE]["params"]["all_columns"]
    shown = {cells[0]: dict(zip(columns, cells, strict=True)) for cells in lines}
    judged = {
        (row["origin"], row["cluster"], row["service"], row["quota_class"], int(row["minute_ms"])): row
        for row in running.views(
            "SELECT *, toUnixTimestamp64Milli(toDateTime64(window_start, 3)) AS minute_ms FROM quotascope_views.tuning_ranks"
            " WHERE window_start > now() - INTERVAL 2 HOUR"
        )
    }
    assert ranked
    for row in ranked:
        cells = shown[str(row["rank_position"])]
        view = judged[row["origin"], row["cluster"], row["service"], row["quota_class"], int(row["window_start"])]
        ratio = view["throttled_period_ratio"]
        assert row["throttled_period_ratio"] == ratio
        assert cells["throttled_period_ratio"] == ("N/A" if ratio is None else f"{100 * ratio:.1f}%")
        assert (cells["service"], cells["verdict"], cells["origin"]) == (view["service"], view["verdict"], view["origin"])


def test_unmeasured_runnable_threads_are_said_to_be_unmeasured(running, ranked, table_lines):
    unmeasured = {
        row["service"]
        for row in running.views("SELECT service FROM quotascope_views.service_ranking WHERE runnable_threads_per_reserved_core_p99 IS NULL")
    }
    assert all(row["runnable_threads_per_reserved_core_shown"].startswith("not measured") for row in ranked if row["service"] in unmeasured)
    lines = [line.inner_text() for line in table_lines]
    assert sum("not measured" in line for line in lines) == sum(row["service"] in unmeasured for row in ranked)


def test_the_histogram_marks_the_bucket_of_the_quota_of_the_first_service(fleet, running, chart_ids, ranked):
    (query,) = fleet.queries_by_chart[chart_ids[HISTOGRAM]]
    (service,) = [each["val"] for each in query["filters"] if each["col"] == "service"]
    assert service == [ranked[0]["service"]]
    (answer,) = fleet.answers_by_chart[chart_ids[HISTOGRAM]]
    names = answer["colnames"]
    marked = [row[names[0]] for row in answer["data"] if row["quota_line_height"] is not None]
    quotas = running.views(
        "SELECT DISTINCT quota_cores FROM quotascope_views.usage_histograms"
        f" WHERE service = '{service[0]}' AND quota_cores IS NOT NULL AND window_start > now() - INTERVAL 1 HOUR"
    )
    bounds = sorted(row[names[0]] for row in answer["data"])
    assert marked == sorted({max(bound for bound in bounds if bound <= row["quota_cores"]) for row in quotas})
    shares = [row["samples_share_above_quota"] or 0 for row in answer["data"]] + [row["samples_share_within_quota"] or 0 for row in answer["data"]]
    assert sum(shares) == pytest.approx(1)


def test_the_throttled_ratio_over_time_is_that_of_the_sums(fleet, running, chart_ids):
    (answer,) = fleet.answers_by_chart[chart_ids[THROTTLED]]
    services = [name for name in answer["colnames"] if name not in ("window_start", "Minute")]
    time_column = next(name for name in answer["colnames"] if name not in services)
    newest = answer["data"][-1]
    for service in services:
        (view,) = running.views(
            "SELECT sum(throttled_periods) / nullIf(sum(periods), 0) AS ratio FROM quotascope_views.throttling_summaries"
            f" WHERE service = '{service}' AND toUnixTimestamp64Milli(toDateTime64(window_start, 3)) = {int(newest[time_column])}"
        )
        assert newest[service] == pytest.approx(view["ratio"]) if view["ratio"] is not None else newest[service] is None


def test_the_origin_of_every_row_is_on_the_page(fleet, ranked, running):
    assert {row["origin"] for row in ranked} <= {"measured", "replayed", "simulated"}
    if running.simulated:
        assert {row["origin"] for row in ranked} == {"simulated"}
        assert {row["service"] for row in ranked} == {service.name for service in FLEET}
