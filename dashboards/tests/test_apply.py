"""The client against a real Superset: twice is like once, nothing stale stays, nothing of other people's goes."""

import copy
import json

import pytest
from quotascope_dashboards.apply import apply, remove_stale
from quotascope_dashboards.failure import DashboardsFailure
from quotascope_dashboards.tree import Tree

RANKING = "charts/fleet/which_services_should_we_look_at_first.yaml"
OLD_CHART = "charts/fleet/old.yaml"
OLD_UUID = "0d4c3b0e-0000-4000-8000-000000000001"
SILENT = dict(say=lambda line: None)


@pytest.fixture
def tree() -> Tree:
    return Tree()


def titles(session) -> dict[str, int]:
    return {row["slice_name"]: row["id"] for row in session.listed("chart", ("id", "slice_name"))}


def test_applying_again_changes_no_identity(running, tree):
    session = running.session()
    before = {kind: session.ids_by_uuid(kind) for kind in ("database", "dataset", "chart", "dashboard")}
    apply(session, tree, running.address(), **SILENT)
    assert {kind: session.ids_by_uuid(kind) for kind in before} == before
    assert set(before["chart"]) >= tree.uuids("charts")


def test_a_chart_removed_from_the_tree_goes_and_a_persons_own_stays(running, tree):
    session = running.session()
    dataset = session.ids_by_uuid("dataset")[tree.files[RANKING]["dataset_uuid"]]
    own = {"slice_name": "mine", "viz_type": "table", "datasource_id": dataset, "datasource_type": "table", "params": "{}"}
    mine = session.call("POST", "/api/v1/chart/", json=own)["id"]
    try:
        older = Tree()
        older.files[OLD_CHART] = copy.deepcopy(tree.files[RANKING]) | {"uuid": OLD_UUID, "slice_name": "old"}
        older.queries[OLD_CHART] = tree.queries[RANKING]
        apply(session, older, running.address(), **SILENT)
        assert {"old", "mine"} <= set(titles(session))
        assert remove_stale(session, tree) == ["chart “old”"]
        assert "old" not in titles(session)
        assert "mine" in titles(session)
    finally:
        session.call("DELETE", f"/api/v1/chart/{mine}")


def test_an_unsound_asset_is_refused_with_its_file_and_field(running, tree):
    tree.files[RANKING]["slice_name"] = 7
    with pytest.raises(DashboardsFailure, match=r"which_services_should_we_look_at_first.yaml: slice_name: Not a valid string"):
        apply(running.session(), tree, running.address(), **SILENT)


def test_a_column_that_clickhouse_does_not_have_is_found_on_applying(running, tree):
    session = running.session()
    tree.queries[RANKING][0]["columns"] = ["absent"]
    try:
        with pytest.raises(DashboardsFailure, match="absent"):
            apply(session, tree, running.address(), **SILENT)
    finally:
        apply(session, Tree(), running.address(), **SILENT)


def test_the_saved_database_keeps_the_password_masked(running, tree):
    (identity,) = (row["id"] for row in running.session().listed("database", ("id", "uuid")) if row["uuid"] in tree.uuids("databases"))
    shown = json.dumps(running.session().call("GET", f"/api/v1/database/{identity}"))
    assert running.secret("clickhouse_superset") not in shown
