"""The Service dashboard in a real browser: one service against its quota, with its changes, by the views' own numbers."""

import re

import pytest
from quotascope_dashboards.tree import Tree
from watched_page import WatchedPage

CHANGE = "Recommended change"
APPLIED = "How is the recommended change applied?"
HISTOGRAM = "How many cores does one shard use in 10 ms, when it runs?"
THROTTLED = "How often is it throttled, and what was changed?"
STATE = "What state is it in?"
SCENARIOS = "What would each change do?"
SOURCE = "Where do the numbers of this service come from?"


@pytest.fixture(scope="module")
def page(running):
    with WatchedPage(running.superset_url, "admin", running.secret("superset_admin")) as watched:
        watched.open_dashboard("service")
        yield watched


@pytest.fixture(scope="module")
def chart_ids(running) -> dict[str, int]:
    return {row["slice_name"]: row["id"] for row in running.session().listed("chart", ("id", "slice_name"))}


@pytest.fixture(scope="module")
def service(page, chart_ids) -> str:
    (query,) = page.queries_by_chart[chart_ids[HISTOGRAM]]
    (chosen,) = [each["val"] for each in query["filters"] if each["col"] == "service"]
    return chosen[0]


def test_the_first_of_the_ranking_is_shown_until_somebody_chooses(running, service):
    (first,) = running.views(
        "SELECT service FROM quotascope_views.service_ranking WHERE window_start > now() - INTERVAL 1 HOUR ORDER BY rank_position LIMIT 1"
    )
    assert service == first["service"]


def test_the_histogram_marks_the_bucket_of_the_quota(page, running, chart_ids, service):
    (answer,) = page.answers_by_chart[chart_ids[HISTOGRAM]]
    names = answer["colnames"]
    marked = [row[names[0]] for row in answer["data"] if row["quota_line_height"] is not None]
    quotas = running.views(
        "SELECT DISTINCT quota_cores FROM quotascope_views.usage_histograms"
        f" WHERE service = '{service}' AND quota_cores IS NOT NULL AND window_start > now() - INTERVAL 1 HOUR"
    )
    bounds = sorted(row[names[0]] for row in answer["data"])
    assert marked == sorted({max(bound for bound in bounds if bound <= row["quota_cores"]) for row in quotas})
    shares = [row["samples_share_above_quota"] or 0 for row in answer["data"]] + [row["samples_share_within_quota"] or 0 for row in answer["data"]]
    idle = running.views(
        "SELECT sumIf(samples, bucket_cores = 0) / sum(samples) AS share FROM quotascope_views.usage_histograms"
        f" WHERE service = '{service}' AND window_start > now() - INTERVAL 1 HOUR"
    )[0]["share"]
    # Idle samples count and are not drawn, so that the bars right of the quota add up to the share that the words name.
    assert sum(shares) == pytest.approx(1 - idle, abs=0.02)


def test_the_reservation_is_marked_where_it_is_not_the_quota(running):
    marked = running.views(
        "SELECT service, max(bucket_cores <= reserved_cores) AS below, max(reserved_cores = quota_cores) AS same"
        " FROM quotascope_views.usage_histograms WHERE holds_reservation AND window_start > now() - INTERVAL 1 HOUR GROUP BY service"
    )
    assert all(row["below"] and not row["same"] for row in marked)
    assert [row["service"] for row in marked] == ["feed-tuned"] or not running.simulated


def test_the_throttled_ratio_over_time_is_that_of_the_sums_of_this_service(page, running, chart_ids, service):
    minutes, _ = page.answers_by_chart[chart_ids[THROTTLED]]
    newest = minutes["data"][-1]
    time_column = next(name for name in minutes["colnames"] if name in ("window_start", "Minute"))
    ratios = {name: value for name, value in newest.items() if name != time_column}
    views = running.views(
        "SELECT quota_class, sum(throttled_periods) / nullIf(sum(periods), 0) AS ratio FROM quotascope_views.throttling_summaries"
        f" WHERE service = '{service}' AND toUnixTimestamp64Milli(toDateTime64(window_start, 3)) = {int(newest[time_column])} GROUP BY quota_class"
    )
    assert sorted(ratios.values()) == pytest.approx(sorted(row["ratio"] for row in views))


def test_the_changes_of_this_service_and_no_other_are_marked_where_they_happened(page, running, chart_ids, service):
    _, changes = page.answers_by_chart[chart_ids[THROTTLED]]
    marked = {name for name in changes["colnames"] if name not in ("window_start", "Minute")}
    told = running.views(
        "SELECT kind, setting_before, setting_after FROM quotascope_views.change_events"
        f" WHERE service = '{service}' AND changed_at > now() - INTERVAL 1 HOUR"
    )
    assert len(marked) == len({tuple(event.values()) for event in told})
    assert all(any(event["kind"] in name for name in marked) for event in told)
    assert told or not running.simulated


def test_the_text_to_apply_is_whole_and_keeps_its_lines(page, running, chart_ids, service):
    rows = page.answers_by_chart[chart_ids[APPLIED]][0]["data"]
    drawn = page.page.locator(f".dashboard-chart-id-{chart_ids[APPLIED]} table tbody td").all_inner_texts()
    assert rows
    assert all(row["platform_text"] in drawn for row in rows if row["platform_text"])
    (whole,) = running.views(f"SELECT setting_text FROM quotascope_views.savings_latest WHERE recommended AND service = '{service}'")
    lines = [line for row in rows for line in row["platform_text"].splitlines()]
    assert lines == [line for line in whole["setting_text"].splitlines() if not line.startswith("# ")]


def test_trust_stands_beside_the_recommended_change(page, running, chart_ids, service):
    (shown,) = page.answers_by_chart[chart_ids[CHANGE]][0]["data"]
    (stored,) = running.views(f"SELECT * FROM quotascope_views.savings_latest WHERE recommended AND service = '{service}'")
    assert [shown[name] for name in ("recommended_change", "cores_freed_shown", "usd_per_year_shown", "trust", "needs_shown")] == [
        stored[name] for name in ("recommended_change", "cores_freed_shown", "usd_per_year_shown", "trust", "needs_shown")
    ]
    assert shown["trust_reasons_shown"] or not running.simulated


def opens() -> str:
    """The expression of the column with the links, as the dataset has it."""
    (column,) = [each for each in Tree().files["datasets/quotascope/service_ranking.yaml"]["columns"] if each["column_name"] == "opens"]
    return column["expression"]


def test_the_chosen_service_goes_along_to_what_if_and_back(page, running, chart_ids):
    """Last, because it leaves the page. Not the first of the ranking, which each page shows by itself."""
    _, second = running.views(
        "SELECT service FROM quotascope_views.service_ranking WHERE window_start > now() - INTERVAL 1 HOUR"
        " AND service IN (SELECT service FROM quotascope_views.what_if_latest) ORDER BY rank_position LIMIT 1 BY service LIMIT 2"
    )
    name = second["service"]
    (link,) = running.views(f"SELECT {opens()} AS opens FROM quotascope_views.service_ranking WHERE service = '{name}' LIMIT 1")
    page.page.goto(running.superset_url + re.search(r'href="([^"]*/service/[^"]*)"', link["opens"])[1])
    page.settle("service")
    for title, chart in (("What-if", SCENARIOS), ("Service", STATE)):
        page.page.locator(f".dashboard-chart-id-{chart_ids[SOURCE]} table tbody tr").first.get_by_text(title, exact=True).click()
        page.page.wait_for_url(f"**/dashboard/{title.lower()}/**")
        page.settle(title)
        assert {row["service"] for row in page.answers_by_chart[chart_ids[chart]][0]["data"]} == {name}
        assert page.page.locator(".ant-select-selection-item").get_by_text(name).count() > 0
    assert page.complaints == []
