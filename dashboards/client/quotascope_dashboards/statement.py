"""The SQL that a chart's saved query means, for those who ask ClickHouse without Superset: plans (EXPLAIN) and benches.

A test compares its answers with Superset's own, chart by chart, so that what is explained and timed is what readers wait for.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from quotascope_dashboards.checks import VIEWS_DATABASE, dataset_of
from quotascope_dashboards.tree import Tree

GRAINS = {"PT1M": "toStartOfMinute", "PT1H": "toStartOfHour"}
RELATIVE = re.compile(r'DATEADD\(DATETIME\("now"\), (-\d+), (\w+)\) : now')
OPERATORS = {"==": "=", ">": ">", "<": "<", ">=": ">=", "<=": "<=", "!=": "!="}


@dataclass(frozen=True)
class Asked:
    """What a page adds to a chart's own query: the instant it is opened at, the range of its time filter, and its chosen values."""

    now: datetime
    span: timedelta | None = None
    chosen: dict[str, str] = field(default_factory=dict)


def statements(tree: Tree, name: str, asked: Asked) -> list[str]:
    """One SELECT for each query of the chart."""
    dataset = dataset_of(tree, tree.files[name])
    return [statement(dataset, query, asked) for query in tree.queries[name]]


def statement(dataset: dict, query: dict, asked: Asked) -> str:
    expressions = {metric["metric_name"]: metric["expression"] for metric in dataset["metrics"]}
    made = {column["column_name"]: column["expression"] for column in dataset["columns"] if column.get("expression")}
    columns = {label(column): selected(column, made) for column in query.get("columns") or []}
    metrics = {metric: expressions[metric] for metric in query.get("metrics") or []}
    parts = ", ".join(f"{expression} AS {quoted(name)}" for name, expression in (columns | metrics).items())
    table = f"{VIEWS_DATABASE}.{dataset['table_name']}"
    where = conditions(dataset, query, asked)
    grouped = query.get("metrics") is not None
    text = f"SELECT {parts} FROM {table}{most(dataset, query, table, where, columns, expressions)} WHERE {where}"
    if grouped and columns:
        text += " GROUP BY " + ", ".join(quoted(name) for name in columns)
    if order := [f"{expressions.get(by, quoted(by))} {'ASC' if ascending else 'DESC'}" for by, ascending in query.get("orderby") or []]:
        text += " ORDER BY " + ", ".join(order)
    return f"{text} LIMIT {query['row_limit']}"


def most(dataset: dict, query: dict, table: str, where: str, columns: dict[str, str], expressions: dict[str, str]) -> str:
    """The join that keeps the series with the greatest (or least) metric, as Superset limits series."""
    if not query.get("series_limit"):
        return ""
    series = query["series_columns"]
    by = query.get("series_limit_metric") or query["metrics"][0]
    way = "DESC" if query.get("order_desc", True) else "ASC"
    inner = ", ".join(f"{columns[name]} AS {name}__" for name in series)
    on = " AND ".join(f"{quoted(name)} = {name}__" for name in series)
    grouped = ", ".join(f"{name}__" for name in series)
    limited = f"SELECT {inner} FROM {table} WHERE {where} GROUP BY {grouped} ORDER BY {expressions[by]} {way} LIMIT {query['series_limit']}"
    return f" INNER JOIN ({limited}) AS series_limit ON {on}"


def label(column: str | dict) -> str:
    return column if isinstance(column, str) else column["label"]


def selected(column: str | dict, made: dict[str, str]) -> str:
    if isinstance(column, str):
        return f"({made[column]})" if column in made else quoted(column)
    grain = GRAINS.get(column.get("timeGrain") or "")
    # A column of a category has a grain too when the chart names one; only times are cut.
    return (
        f"{grain}(toDateTime({quoted(column['sqlExpression'])}))"
        if grain and column["sqlExpression"].endswith("_start")
        else quoted(column["sqlExpression"])
    )


def conditions(dataset: dict, query: dict, asked: Asked) -> str:
    known = {column["column_name"] for column in dataset["columns"]}
    found = []
    for each in query["filters"]:
        if each["op"] == "TEMPORAL_RANGE":
            since = asked.now - (asked.span or length(each["val"]))
            found.append(f"{each['col']} >= toDateTime('{since:%Y-%m-%d %H:%M:%S}') AND {each['col']} < toDateTime('{asked.now:%Y-%m-%d %H:%M:%S}')")
        else:
            found.append(f"{each['col']} {OPERATORS[each['op']]} {literal(each['val'])}")
    found += [f"{column} IN ({literal(value)})" for column, value in asked.chosen.items() if column in known]
    return " AND ".join(f"({each})" for each in found)


def length(words: str) -> timedelta:
    """`DATEADD(DATETIME("now"), -1, day) : now` is a day."""
    number, unit = RELATIVE.fullmatch(words).groups()
    days = {"hour": 1 / 24, "day": 1, "week": 7, "year": 365}[unit]
    return timedelta(days=-int(number) * days)


def quoted(name: str) -> str:
    return f"`{name}`"


def literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return str(value)
