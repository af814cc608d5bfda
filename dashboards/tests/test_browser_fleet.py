"""The Fleet dashboard in a real browser: the ranking shows the views' own numbers, and its links and clicks lead where they say."""

import pytest
from fleet_fixture import FLEET
from quotascope_dashboards.tree import Tree
from watched_page import WatchedPage

RANKING = "Which services should we look at first?"
RANKING_FILE = "charts/fleet/which_services_should_we_look_at_first.yaml"
STATE = "What state is it in?"
MORE = "What else is known of each service?"
MISSING = "What is missing?"


@pytest.fixture(scope="module")
def fleet(running):
    with WatchedPage(running.superset_url, "admin", running.secret("superset_admin")) as page:
        page.open_dashboard("fleet")
        yield page


@pytest.fixture(scope="module")
def chart_ids(running) -> dict[str, int]:
    return {row["slice_name"]: row["id"] for row in running.session().listed("chart", ("id", "slice_name"))}


@pytest.fixture(scope="module")
def lines(fleet, chart_ids) -> list[dict[str, str]]:
    """The lines of the ranked table as they are drawn, by column; other tables stand beside it."""
    columns = Tree().files[RANKING_FILE]["params"]["groupby"]
    drawn = fleet.page.locator(f".dashboard-chart-id-{chart_ids[RANKING]} table tbody tr").all()
    return [dict(zip(columns, [cell.strip() for cell in line.locator("td").all_inner_texts()], strict=True)) for line in drawn]


@pytest.fixture(scope="module")
def ranked(fleet, chart_ids) -> list[dict]:
    """The rows of the ranked table as the page received them."""
    return fleet.answers_by_chart[chart_ids[RANKING]][0]["data"]


def test_the_ranked_table_shows_the_newest_state_of_each_service(running, ranked, lines):
    shown = {line["rank_position"]: line for line in lines}
    states = {
        (row["origin"], row["service"], row["quota_class"]): row
        for row in running.views("SELECT * FROM quotascope_views.service_latest WHERE window_start > now() - INTERVAL 2 HOUR")
    }
    assert ranked
    for row in ranked:
        line = shown[str(row["rank_position"])]
        state = states[row["origin"], row["service"], row["quota_class"]]
        ratio = state["throttled_period_ratio_hour"]
        assert row["throttled_period_ratio_hour"] == ratio
        assert line["throttled_period_ratio_hour"] == ("N/A" if ratio is None else f"{100 * ratio:.1f}%")
        assert row["worth_usd_per_year_per_effort_day"] == state["worth_usd_per_year_per_effort_day"]
        assert (line["service"], line["verdict"], line["origin"]) == (state["service"], state["verdict"], state["origin"])


def test_what_a_day_of_work_is_worth_orders_the_table_and_the_verdict_the_rest(running, ranked):
    assert [row["rank_position"] for row in ranked] == sorted(row["rank_position"] for row in ranked)
    states = running.views("SELECT rank_position, worth_usd_per_year_per_effort_day AS worth FROM quotascope_views.service_ranking ORDER BY 1")
    worth = [row["worth"] for row in states]
    assert worth == sorted(worth, reverse=True)
    assert worth[0] > 0 or not running.simulated


def test_unmeasured_runnable_threads_are_said_to_be_unmeasured(fleet, running, chart_ids):
    unmeasured = {
        row["service"]
        for row in running.views("SELECT service FROM quotascope_views.service_ranking WHERE runnable_threads_per_reserved_core_p99 IS NULL")
    }
    rows = fleet.answers_by_chart[chart_ids[MORE]][0]["data"]
    assert all(row["runnable_threads_per_reserved_core_shown"].startswith("not measured") for row in rows if row["service"] in unmeasured)
    drawn = fleet.page.locator(f".dashboard-chart-id-{chart_ids[MORE]} table tbody td").all_inner_texts()
    assert sum(cell.startswith("not measured") for cell in drawn) == sum(row["service"] in unmeasured for row in rows)


def test_trust_and_what_limits_it_stand_beside_the_dollars(running, ranked, lines):
    """A recommended change with money and without a word on how far to believe it misleads whoever acts on it."""
    shown = {line["rank_position"]: line for line in lines}
    worth = [row for row in ranked if row["usd_per_year_shown"] not in ("", "no price")]
    assert worth or not running.simulated
    for row in worth:
        line = shown[str(row["rank_position"])]
        assert line["trust"] == row["trust"] in ("sound", "doubtful", "unusable")
        assert line["trust_reason_shown"].split() == row["trust_reason_shown"].split()


def test_the_origin_of_every_row_is_on_the_page(ranked, running):
    assert {row["origin"] for row in ranked} <= {"measured", "replayed", "simulated"}
    if running.simulated:
        assert {row["origin"] for row in ranked} == {"simulated"}
        assert {row["service"] for row in ranked} == {service.name for service in FLEET}


def test_a_click_on_a_cell_filters_the_other_charts(fleet, running, chart_ids, ranked):
    team = ranked[0]["team"]
    before = fleet.answers_by_chart[chart_ids[MISSING]][0]["data"]
    fleet.page.locator(f".dashboard-chart-id-{chart_ids[RANKING]} table tbody tr").first.get_by_text(team, exact=True).click()
    fleet.settle("fleet")
    after = fleet.answers_by_chart[chart_ids[MISSING]][0]["data"]
    assert {row["team"] for row in after} == {team}
    assert len({row["team"] for row in before}) > 1 or not running.simulated
    assert fleet.complaints == []


def test_a_click_on_its_head_orders_the_table_by_who_collapses_first(fleet, running, chart_ids):
    fleet.open_dashboard("fleet")
    table = fleet.page.locator(f".dashboard-chart-id-{chart_ids[RANKING]} table")
    table.locator("thead th").get_by_text("# by risk", exact=True).first.click()
    drawn = [tuple(line.locator("td").all_inner_texts()[:3]) for line in table.locator("tbody tr").all()]
    shown = [tuple(cell.strip() for cell in line) for line in drawn]
    expected = running.views(
        "SELECT service FROM quotascope_views.service_ranking WHERE window_start > now() - INTERVAL 1 HOUR ORDER BY risk_position"
    )
    assert [name for _, _, name in shown] == [row["service"] for row in expected]
    ranks = [int(rank) for rank, _, _ in shown]
    assert ranks != sorted(ranks) or not running.simulated, "the two orders differ"
    assert fleet.complaints == []


def test_a_link_of_the_ranking_opens_the_page_of_that_service(fleet, chart_ids, ranked):
    """Last, because it leaves the page. The second service: the first is what the page shows by itself."""
    second = ranked[1]["service"]
    fleet.open_dashboard("fleet")
    fleet.page.locator(f".dashboard-chart-id-{chart_ids[RANKING]} table tbody tr").nth(1).get_by_text("Service", exact=True).click()
    fleet.page.wait_for_url("**/dashboard/service/**")
    fleet.settle("service")
    assert {row["service"] for row in fleet.answers_by_chart[chart_ids[STATE]][0]["data"]} == {second}
    assert fleet.page.locator(".ant-select-selection-item").get_by_text(second).count() > 0
    assert fleet.complaints == []


def test_an_empty_panel_says_why_it_is_empty(fleet):
    """The very last: nothing of this page is in view any more."""
    chosen = "(id:NATIVE_FILTER-cluster,extraFormData:(filters:!((col:cluster,op:IN,val:!(nowhere)))),filterState:(value:!(nowhere)),ownState:())"
    fleet.page.goto(f"{fleet.url}/superset/dashboard/fleet/?native_filters=(NATIVE_FILTER-cluster:{chosen})")
    fleet.settle("fleet")
    said = fleet.page.evaluate(
        "() => [...document.querySelectorAll('p.ant-empty-description')].map(p => getComputedStyle(p, '::before').content.slice(1, -1))"
    )
    sentences = {chart["when_empty"] for name, chart in Tree().of("charts").items() if name.startswith("charts/fleet/")}
    # Two charts share a sentence: both wait for the first judged minute.
    assert len(said) >= len(sentences)
    assert all(any(words.startswith(sentence) for sentence in sentences) for words in said)
