"""The asset tree without a server: it is sound, and every check fails on the mistake it is for."""

import io
import zipfile
from collections.abc import Callable

import pytest
import yaml
from quotascope_dashboards.checks import VIEWS, problems, view_columns
from quotascope_dashboards.session import explain
from quotascope_dashboards.tree import Address, Tree

RANKING = "charts/fleet/which_services_should_we_look_at_first.yaml"
HISTOGRAM = "charts/service/how_many_cores_does_it_use_in_10_ms.yaml"
RANKING_SET = "datasets/quotascope/service_ranking.yaml"
FLEET = "dashboards/fleet.yaml"
SERVICE = "dashboards/service.yaml"
TIMELINE = "charts/service/how_often_is_it_throttled.yaml"
PASSWORD = "not-to-be-found"


@pytest.fixture
def tree() -> Tree:
    return Tree()


def test_the_tree_is_sound(tree):
    assert problems(tree) == []


def put(path: str, *keys: object, value: object) -> Callable[[Tree], None]:
    """A mistake: the value at `keys` of one asset is replaced."""

    def spoil(tree: Tree) -> None:
        part = tree.files[path]
        for key in keys[:-1]:
            part = part[key]
        part[keys[-1]] = value

    return spoil


AD_HOC = {"expressionType": "SQL", "sqlExpression": "sum(x)", "label": "x"}
MISTAKES = {
    "a chart holds no SQL": put(HISTOGRAM, "params", "metrics", value=[AD_HOC]),
    "a chart holds no SQL (sqlExpression)": put(RANKING, "params", "adhoc_filters", 0, "sqlExpression", value="1 = 1"),
    "is not a metric of usage_histograms": put(HISTOGRAM, "params", "metrics", value=["samples_share"]),
    "is not a column of service_ranking": put(RANKING, "params", "groupby", value=["rank_position", "absent"]),
    "needs a TEMPORAL_RANGE filter": put(RANKING, "params", "adhoc_filters", value=[]),
    "are older than the chart": put(RANKING, "params", "groupby", value=["rank_position"]),
    "describe the question": put(RANKING, "description", value=""),
    "params.viz_type differs": put(RANKING, "viz_type", value="pivot_table_v2"),
    "its dataset is not in the tree": put(RANKING, "dataset_uuid", value="00000000-0000-4000-8000-000000000000"),
    "names 2 assets": put(RANKING, "uuid", value="320b84b1-6de8-46ff-8174-54fbc8ed1e5c"),
    "is_managed_externally must be true": put(RANKING_SET, "is_managed_externally", value=False),
    "sql must be null": put(RANKING_SET, "sql", value="SELECT 1"),
    "not the views": put(RANKING_SET, "schema", value="quotascope"),
    "there is no view": put(RANKING_SET, "table_name", value="absent"),
    "the view has no column absent": put(RANKING_SET, "columns", 0, "column_name", value="absent"),
    "has the name of a column": put(RANKING_SET, "metrics", 0, "metric_name", value="verdict"),
    "needs a verbose_name and a description": put(RANKING_SET, "metrics", 0, "description", value=""),
    "sqlalchemy_uri must be": put("databases/quotascope.yaml", "sqlalchemy_uri", value="clickhousedb://superset:secret@here:1/x"),
    "SQL Lab must stay closed": put("databases/quotascope.yaml", "expose_in_sqllab", value=True),
    "places “Other”": put(FLEET, "position", "CHART-1", "meta", "sliceName", value="Other"),
    "is placed and not described": put(FLEET, "position", "ROW-2", "children", value=["CHART-2", "CHART-3", "CHART-absent"]),
    "is described and not placed": put(FLEET, "position", "ROW-2", "children", value=["CHART-2"]),
    "a row has 12": put(FLEET, "position", "CHART-2", "meta", "width", value=9),
    "excludes the chart 99": put(FLEET, "metadata", "native_filter_configuration", 3, "scope", "excluded", value=[99]),
    "absent is not a column of": put(FLEET, "metadata", "native_filter_configuration", 1, "targets", 0, "column", "name", value="absent"),
    "absent is not a metric of": put(SERVICE, "metadata", "native_filter_configuration", 3, "sortMetric", value="absent"),
    "is not certified": put(RANKING_SET, "metrics", 0, "extra", value={}),
    "change_marks_b is not a metric of service_timeline": put(TIMELINE, "params", "metrics_b", value=["change_marks_b"]),
}


@pytest.mark.parametrize("words", MISTAKES)
def test_each_check_finds_its_mistake(tree, words):
    MISTAKES[words](tree)
    assert any(words in problem for problem in problems(tree)), problems(tree)


def test_a_chart_without_saved_queries_is_a_problem(tree):
    del tree.queries[RANKING]
    assert any("has no saved queries" in problem for problem in problems(tree))


def test_the_columns_of_a_view_are_those_of_its_outermost_select():
    ranking = view_columns(VIEWS / "service_ranking.sql")
    assert {"rank_position", "runnable_threads_per_reserved_core_shown", "reasons_shown"} <= ranking
    assert not {"latest", "threads", "NULL"} & ranking
    assert {"bucket_cores", "samples", "holds_quota"} <= view_columns(VIEWS / "usage_histograms.sql")


def test_the_bundle_has_the_address_and_not_the_password(tree):
    packed = tree.bundle(Address("db.example", 8443, PASSWORD))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    database = yaml.safe_load(texts["quotascope/databases/quotascope.yaml"])
    assert database["sqlalchemy_uri"] == "clickhousedb://superset:XXXXXXXXXX@db.example:8443/quotascope_views"
    assert not any(PASSWORD in text for text in texts.values())
    assert set(texts) == {f"quotascope/{name}" for name in tree.files}
    assert all("query_context" in yaml.safe_load(texts[f"quotascope/{name}"]) for name in tree.of("charts"))


def test_an_import_error_is_told_field_by_field():
    answer = '{"errors": [{"message": "Error importing assets", "extra": {"charts/a.yaml": {"uuid": ["Not a valid UUID."]}, "issue_codes": []}}]}'
    assert explain(answer) == ["Error importing assets", "charts/a.yaml: uuid: Not a valid UUID."]
    assert explain("<html>") == ["<html>"]
