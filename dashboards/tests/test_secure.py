"""Roles against a real Superset: each reads what is its own, and no path leads an owner to another team's rows."""

import csv
import io

import pytest
from conftest import SCREENSHOTS
from quotascope_dashboards.access import Access, readable
from quotascope_dashboards.failure import DashboardsFailure
from quotascope_dashboards.grant import Person, apply_person, apply_roles
from quotascope_dashboards.session import SupersetSession
from quotascope_dashboards.tree import Tree
from watched_page import WatchedPage

TEAM = "payments"
PASSWORD = "Correct-horse-7-battery"
LOGINS = {"planner": None, "owner": TEAM, "reviewer": None, "operator": None}
SUBQUERY = {"expressionType": "SQL", "label": "x", "sqlExpression": "(SELECT max(service) FROM quotascope_views.tuning_ranks)"}
OUTSIDE = "team != 'payments' OR team IS NULL"


@pytest.fixture(scope="module")
def sessions(running) -> dict[str, SupersetSession]:
    """A login for each role; a second team has an owner too, so that rules cannot mix unnoticed."""
    admin, tree, access = running.session(), Tree(), Access.read()
    for role, team in LOGINS.items():
        apply_person(admin, tree, access, Person(f"some-{role}", role, team, PASSWORD))
    apply_person(admin, tree, access, Person("other-owner", "owner", "search", PASSWORD))
    return {role: SupersetSession(running.superset_url, f"some-{role}", PASSWORD) for role in LOGINS}


@pytest.fixture(scope="module")
def datasets(running, sessions) -> dict[str, int]:
    return {row["table_name"]: row["id"] for row in running.session().listed("dataset", ("id", "table_name"))}


def ask(session: SupersetSession, dataset: int, **parts: object) -> list[dict]:
    """The rows of one query as anybody with a login may post it."""
    query = {"columns": ["service", "team"], "metrics": [], "row_limit": 1000, "filters": [], "extras": {}} | parts
    body = {"datasource": {"id": dataset, "type": "table"}, "queries": [query], "result_format": "json", "result_type": "full"}
    return session.call("POST", "/api/v1/chart/data", json=body)["result"][0]["data"]


def slugs(session: SupersetSession) -> set[str]:
    return {row["slug"] for row in session.listed("dashboard", ("id", "slug"))}


@pytest.mark.parametrize("role", LOGINS)
def test_each_role_opens_its_dashboards_and_no_other(sessions, role):
    assert slugs(sessions[role]) == set(Access.read().role(role).dashboards)


@pytest.mark.parametrize("role", LOGINS)
def test_no_viewer_reaches_sql_lab_databases_users_or_writes(sessions, datasets, role):
    chart = {"slice_name": "x", "viz_type": "table", "datasource_id": datasets["service_ranking"], "datasource_type": "table"}
    for method, path, body in (
        ("POST", "/api/v1/sqllab/execute/", {"database_id": 1, "sql": "SELECT 1"}),
        ("GET", "/api/v1/database/", None),
        ("GET", "/api/v1/security/users/", None),
        ("GET", "/api/v1/rowlevelsecurity/", None),
        ("POST", "/api/v1/chart/", chart),
        ("POST", "/api/v1/dataset/", {"database": 1, "schema": "quotascope", "table_name": "tuning_ranks"}),
        ("PUT", f"/api/v1/dataset/{datasets['service_ranking']}", {"sql": "SELECT 1"}),
        ("POST", "/api/v1/dashboard/", {"dashboard_title": "x"}),
    ):
        with pytest.raises(DashboardsFailure, match="HTTP (401|403|404)"):
            sessions[role].call(method, path, json=body)


def test_a_planner_sees_every_team_and_services_without_one(sessions, datasets):
    teams = {row["team"] for row in ask(sessions["planner"], datasets["service_ranking"])}
    assert {TEAM, "search", "platform", None} <= teams


def test_an_owner_sees_only_the_team_in_every_dataset(running, sessions, datasets):
    owned = {dataset: ask(sessions["owner"], number, columns=["team"]) for dataset, number in datasets.items() if dataset in readable_datasets()}
    assert owned
    for dataset, rows in owned.items():
        assert rows, dataset
        assert {row["team"] for row in rows} == {TEAM}, dataset


def readable_datasets() -> set[str]:
    tree = Tree()
    named = {str(dataset["uuid"]): dataset["table_name"] for dataset in tree.of("datasets").values()}
    return {named[uuid] for uuid in readable(tree, Access.read().role("owner"))}


@pytest.mark.parametrize(
    "parts",
    [
        {"filters": [{"col": "team", "op": "==", "val": "search"}]},
        {"filters": [{"col": "team", "op": "IS NULL", "val": ""}]},
        {"extras": {"where": "team = 'search' OR 1 = 1"}},
        {"extras": {"where": "1 = 1 -- "}},
        {"extras": {"having": "1 = 1 OR team = 'search'"}},
        {"columns": ["service", "team"], "orderby": [["team", False]], "row_offset": 1},
        {"columns": ["service", "team"], "is_timeseries": False, "groupby": ["team"]},
    ],
    ids=str,
)
def test_no_filter_leads_an_owner_to_another_team(sessions, datasets, parts):
    assert all(row["team"] == TEAM for row in ask(sessions["owner"], datasets["throttling_summaries"], **parts))


@pytest.mark.parametrize(
    "parts",
    [
        {"extras": {"where": "1 = 1) OR (1 = 1"}},
        {"extras": {"where": "1 = 0 UNION ALL SELECT service, team FROM quotascope_views.tuning_ranks"}},
        {"extras": {"where": "service IN (SELECT service FROM quotascope_views.tuning_ranks)"}},
        {"columns": [], "metrics": [SUBQUERY]},
        {"columns": [SUBQUERY]},
    ],
    ids=str,
)
def test_sql_in_a_request_is_refused(sessions, datasets, parts):
    with pytest.raises(DashboardsFailure, match="HTTP (400|403|422)"):
        ask(sessions["owner"], datasets["throttling_summaries"], **parts)


def test_an_owner_cannot_read_a_dataset_outside_the_role(sessions, datasets):
    outside = set(datasets) - readable_datasets()
    assert outside
    for dataset in outside:
        with pytest.raises(DashboardsFailure, match="HTTP (400|401|403|404)"):
            ask(sessions["owner"], datasets[dataset], columns=["service"])


def test_a_charts_csv_is_cut_to_the_team(running, sessions):
    ids = {row["slice_name"]: row["id"] for row in running.session().listed("chart", ("id", "slice_name"))}
    for title in ("What state is it in?", "Recommended change", "What would tuning free?"):
        [text] = sessions["owner"].csv_texts("GET", f"/api/v1/chart/{ids[title]}/data/", params={"format": "csv"})
        (header, *rows) = csv.reader(io.StringIO(text))
        services = {row[header.index("Service")] for row in rows}
        foreign = {row["service"] for row in running.views(f"SELECT DISTINCT service FROM quotascope_views.service_ranking WHERE {OUTSIDE}")}
        assert services
        assert foreign
        assert not foreign & services


def test_a_right_added_by_hand_is_gone_after_the_next_apply(running, sessions, datasets):
    admin = running.session()
    roles = {row["name"]: row["id"] for row in admin.listed("security/roles", ("id", "name"))}
    role = roles[f"quotascope owner of {TEAM}"]
    everything = next(
        row["id"]
        for row in admin.listed("security/permissions-resources", ("id", "permission.name", "view_menu.name"))
        if row["permission"]["name"] == "all_datasource_access"
    )
    admin.call("POST", f"/api/v1/security/roles/{role}/permissions", json={"permission_view_menu_ids": [everything]})
    apply_roles(admin, Tree(), Access.read())
    granted = admin.call("GET", f"/api/v1/security/roles/{role}/permissions/")["result"]
    assert everything not in {row["id"] for row in granted}
    assert len(granted) > len(Access.read().permissions)


def test_a_person_needs_the_team_that_fits_the_role(running):
    admin, tree, access = running.session(), Tree(), Access.read()
    for person, words in (
        (Person("x", "owner", None, PASSWORD), "needs --team"),
        (Person("x", "planner", TEAM, PASSWORD), "takes no --team"),
        (Person("x", "chief", None, PASSWORD), "no role chief; there are planner, owner"),
        (Person("admin", "planner", None, PASSWORD), "keeps that role"),
    ):
        with pytest.raises(DashboardsFailure, match=words):
            apply_person(admin, tree, access, person)


def test_an_owners_page_draws_the_team_and_nothing_else(running, sessions):
    with WatchedPage(running.superset_url, "some-owner", PASSWORD) as page:
        page.open_dashboard("service")
        page.picture(SCREENSHOTS / "service-as-owner.png")
        assert page.notices() == []
        assert page.complaints == []
        assert page.answers_by_chart
        foreign = {row["service"] for row in running.views(f"SELECT DISTINCT service FROM quotascope_views.service_ranking WHERE {OUTSIDE}")}
        shown = page.page.locator("body").inner_text()
        assert not [service for service in foreign if service in shown]
