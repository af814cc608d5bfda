"""What can be known about the asset tree without a server. Each check returns one sentence per problem."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from quotascope_dashboards.tree import DASHBOARDS, KINDS, Tree

VIEWS = DASHBOARDS.parent / "sql" / "views"
VIEWS_DATABASE = "quotascope_views"
MASKED_URI = "clickhousedb://superset:XXXXXXXXXX@${CLICKHOUSE_HOST}:${CLICKHOUSE_PORT}/" + VIEWS_DATABASE
FORBIDDEN_IN_CHARTS = ("sqlExpression", "where", "having", "templateParams")


def problems(tree: Tree, views: Path = VIEWS) -> list[str]:
    """Everything wrong with the tree, empty when it is sound."""
    return [
        *uuid_problems(tree),
        *database_problems(tree),
        *dataset_problems(tree, views),
        *(problem for name in tree.of("charts") for problem in chart_problems(tree, name)),
        *(problem for name in tree.of("dashboards") for problem in dashboard_problems(tree, name)),
    ]


def uuid_problems(tree: Tree) -> Iterator[str]:
    used = Counter(str(asset.get("uuid")) for kind in KINDS for asset in tree.of(kind).values())
    yield from (f"uuid {uuid} names {count} assets" for uuid, count in used.items() if count > 1)
    for kind in KINDS:
        for name, asset in tree.of(kind).items():
            if asset.get("is_managed_externally") is not True:
                yield f"{name}: is_managed_externally must be true, or a later apply cannot know it for ours"


def database_problems(tree: Tree) -> Iterator[str]:
    for name, database in tree.of("databases").items():
        if database["sqlalchemy_uri"] != MASKED_URI:
            yield f"{name}: sqlalchemy_uri must be {MASKED_URI}"
        if database.get("expose_in_sqllab") is not False:
            yield f"{name}: SQL Lab must stay closed"


def view_columns(view: Path) -> set[str]:
    """The columns of the outermost SELECT of a view's file: a plain name on a line of its own, or what follows AS at a line's end."""
    outermost = re.split(r"^FROM\b", view.read_text(), maxsplit=1, flags=re.MULTILINE)[0]
    listed = re.split(r"^SELECT\b", outermost, maxsplit=1, flags=re.MULTILINE)[1]
    return {plain or named for plain, named in re.findall(r"^(?:    (\w+)|.*\bAS (\w+)),?$", listed, re.MULTILINE)}


def dataset_problems(tree: Tree, views: Path) -> Iterator[str]:
    for name, dataset in tree.of("datasets").items():
        if dataset.get("sql") is not None:
            yield f"{name}: sql must be null, a dataset is a view"
        if dataset.get("schema") != VIEWS_DATABASE:
            yield f"{name}: reads {dataset.get('schema')}, not the views"
        if dataset["database_uuid"] not in tree.uuids("databases"):
            yield f"{name}: its database is not in the tree"
        view = views / f"{dataset['table_name']}.sql"
        if not view.exists():
            yield f"{name}: there is no view {dataset['table_name']}"
            continue
        existing = view_columns(view)
        columns = {column["column_name"] for column in dataset["columns"]}
        # A column with an expression is how something is shown, such as a link; what it says still comes from the view.
        stored = {column["column_name"] for column in dataset["columns"] if not column.get("expression")}
        yield from (f"{name}: the view has no column {column}" for column in sorted(stored - existing))
        if dataset["main_dttm_col"] not in columns:
            yield f"{name}: main_dttm_col {dataset['main_dttm_col']} is not a column"
        for metric in dataset["metrics"]:
            if metric["metric_name"] in existing:
                yield f"{name}: metric {metric['metric_name']} has the name of a column, which breaks its query in ClickHouse"
            if not metric.get("verbose_name") or not metric.get("description"):
                yield f"{name}: metric {metric['metric_name']} needs a verbose_name and a description"
            if not (metric.get("extra") or {}).get("certification"):
                yield f"{name}: metric {metric['metric_name']} is not certified: a reader cannot know it from one that somebody drew"


def keys_and_values(tree: object) -> Iterator[tuple[str, object]]:
    """Every key with its value at any depth."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield key, value
            yield from keys_and_values(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from keys_and_values(value)


def x_axis(params: dict) -> list[str]:
    return [params["x_axis"]] if "x_axis" in params else []


def dataset_of(tree: Tree, chart: dict) -> dict | None:
    return next((dataset for dataset in tree.of("datasets").values() if dataset["uuid"] == chart["dataset_uuid"]), None)


def chart_problems(tree: Tree, name: str) -> Iterator[str]:
    chart = tree.files[name]
    params = chart["params"]
    dataset = dataset_of(tree, chart)
    if dataset is None:
        yield f"{name}: its dataset is not in the tree"
        return
    for key, value in keys_and_values(params):
        if key in FORBIDDEN_IN_CHARTS or (key == "expressionType" and value == "SQL"):
            yield f"{name}: a chart holds no SQL ({key})"
    if not chart.get("description"):
        yield f"{name}: describe the question it answers"
    if not chart.get("when_empty"):
        yield f"{name}: say in when_empty why it can be empty and when it fills"
    if params.get("viz_type") != chart["viz_type"]:
        yield f"{name}: params.viz_type differs from viz_type"
    metrics = [metric["metric_name"] for metric in dataset["metrics"]]
    columns = [column["column_name"] for column in dataset["columns"]]
    single = [params.get("metric"), params.get("timeseries_limit_metric")]
    for metric in [*params.get("metrics", []), *params.get("metrics_b", []), *filter(None, single)]:
        if metric not in metrics:
            yield f"{name}: {metric} is not a metric of {dataset['table_name']}"
    ordered = [json.loads(order)[0] for order in params.get("order_by_cols", [])]
    named = [*params.get("all_columns", []), *params.get("groupby", []), *params.get("groupby_b", []), *params.get("column_config", {}), *ordered]
    named += [rule["column"] for rule in params.get("conditional_formatting", [])] + x_axis(params)
    yield from (f"{name}: {column} is not a column of {dataset['table_name']}" for column in named if column not in columns + metrics)
    if not any(each.get("operator") == "TEMPORAL_RANGE" and each.get("subject") == dataset["main_dttm_col"] for each in params["adhoc_filters"]):
        yield f"{name}: needs a TEMPORAL_RANGE filter, or the dashboard's time range does not reach it"
    yield from saved_query_problems(tree, name)


def saved_query_problems(tree: Tree, name: str) -> Iterator[str]:
    """The saved queries must be those of this chart, not of an earlier one."""
    params = tree.files[name]["params"]
    if name not in tree.queries:
        yield f"{name}: has no saved queries ({Tree.queries_file(name).name}); run `capture`"
        return
    found = [(saved_columns(query), query.get("metrics") or []) for query in tree.queries[name]]
    if found != wanted_queries(params):
        yield f"{name}: the saved queries are older than the chart; run `capture`"


def saved_columns(query: dict) -> list[str]:
    return [column if isinstance(column, str) else column["sqlExpression"] for column in query.get("columns") or []]


def wanted_queries(params: dict) -> list[tuple[list[str], list[str]]]:
    """Columns and metrics of each query that a chart's settings lead to; a chart of two kinds of series asks twice."""
    first = (params.get("all_columns") or x_axis(params) + params.get("groupby", []), params.get("metrics") or [])
    second = [(x_axis(params) + params.get("groupby_b", []), params["metrics_b"])] if "metrics_b" in params else []
    return [first, *second]


def dashboard_problems(tree: Tree, name: str) -> Iterator[str]:
    dashboard = tree.files[name]
    components = {key: part for key, part in dashboard["position"].items() if isinstance(part, dict)}
    placed = {part["meta"]["uuid"]: part["meta"] for part in components.values() if part["type"] == "CHART"}
    titles = {str(chart["uuid"]): chart["slice_name"] for chart in tree.of("charts").values()}
    for uuid, meta in placed.items():
        if titles.get(uuid) != meta["sliceName"]:
            yield f"{name}: places “{meta['sliceName']}”, the chart {uuid} is “{titles.get(uuid)}”"
    reached = {child for part in components.values() for child in part.get("children", [])}
    yield from (f"{name}: {child} is placed and not described" for child in sorted(reached - set(components)))
    yield from (f"{name}: {part} is described and not placed" for part in sorted(set(components) - reached - {"ROOT_ID", "HEADER_ID"}))
    for key, part in components.items():
        width = sum(components[child]["meta"]["width"] for child in part.get("children", []) if child in components) if part["type"] == "ROW" else 0
        if width > 12:
            yield f"{name}: {key} is {width} columns wide, a row has 12"
    chart_ids = {meta["chartId"] for meta in placed.values()}
    for native in dashboard["metadata"]["native_filter_configuration"]:
        yield from (f"{name}: {native['name']}: {problem}" for problem in filter_problems(tree, native, chart_ids))


def filter_problems(tree: Tree, native: dict, chart_ids: set[int]) -> Iterator[str]:
    datasets = {dataset["uuid"]: dataset for dataset in tree.of("datasets").values()}
    for target in filter(None, native["targets"]):
        dataset = datasets.get(target["datasetUuid"])
        if dataset is None:
            yield "its dataset is not in the tree"
            continue
        if target["column"]["name"] not in {column["column_name"] for column in dataset["columns"]}:
            yield f"{target['column']['name']} is not a column of {dataset['table_name']}"
        if native.get("sortMetric") and native["sortMetric"] not in {metric["metric_name"] for metric in dataset["metrics"]}:
            yield f"{native['sortMetric']} is not a metric of {dataset['table_name']}"
    yield from (f"excludes the chart {chart}, which is not placed" for chart in native["scope"]["excluded"] if chart not in chart_ids)
