"""The SQL that plans are explained and benches are timed with answers as Superset does, chart by chart."""

from datetime import UTC, datetime, timedelta

import pytest
from quotascope_dashboards.checks import dataset_of
from quotascope_dashboards.session import SupersetSession
from quotascope_dashboards.statement import Asked, length, literal, statements
from quotascope_dashboards.tree import Tree

# Differ between two questions, because they are measured against the clock.
MOVING = {"age_seconds", "rows_of_last_hour", "newest_minute", "quietest_minute"}


@pytest.fixture(scope="module")
def session(running) -> SupersetSession:
    return running.session()


@pytest.fixture(scope="module")
def datasets(session) -> dict[str, int]:
    return {row["table_name"]: row["id"] for row in session.listed("dataset", ("id", "table_name"))}


@pytest.mark.parametrize("name", Tree().of("charts"))
def test_a_statement_answers_as_superset_does(running, session, datasets, name):
    tree = Tree()
    now = datetime.now(UTC).replace(microsecond=0)
    span = timedelta(days=2)
    times = {column["column_name"] for column in dataset_of(tree, tree.files[name])["columns"] if "DateTime" in column["type"]}
    ours = [running.views(text) for text in statements(tree, name, Asked(now, span))]
    body = {
        "datasource": {"id": datasets[dataset_of(tree, tree.files[name])["table_name"]], "type": "table"},
        "queries": [ranged(query, now - span, now) for query in tree.queries[name]],
        "result_format": "json",
        "result_type": "full",
        "force": True,
    }
    theirs = [answer["data"] for answer in session.call("POST", "/api/v1/chart/data", json=body)["result"]]
    assert len(ours) == len(theirs)
    for mine, its in zip(ours, theirs, strict=True):
        assert comparable(mine, times) == comparable(its, times)


def ranged(query: dict, since: datetime, until: datetime) -> dict:
    """The query over a stated range, and as rows: the front end's turning of rows into series is left out."""
    words = f"{since:%Y-%m-%dT%H:%M:%S} : {until:%Y-%m-%dT%H:%M:%S}"
    filters = [each | {"val": words} if each["op"] == "TEMPORAL_RANGE" else each for each in query["filters"]]
    return query | {"filters": filters, "post_processing": []}


def comparable(rows: list[dict], times: set[str]) -> list[str]:
    """Rows without their instants, which JSON of the two spells differently, in one order."""
    return sorted(
        str(
            [
                (name, round(value, 9) if isinstance(value, float) else value)
                for name, value in sorted(row.items())
                if name not in times | MOVING
            ]
        )
        for row in ([{key: number(value) for key, value in row.items()} for row in rows])
    )


def number(value: object) -> object:
    """Whole numbers are one thing, whether they came as 1 or as 1.0."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def test_a_relative_range_is_a_length():
    assert length('DATEADD(DATETIME("now"), -7, day) : now') == timedelta(days=7)
    assert length('DATEADD(DATETIME("now"), -1, hour) : now') == timedelta(hours=1)


def test_a_value_cannot_end_its_quotes():
    assert literal("a'b\\c") == "'a\\'b\\\\c'"
    assert literal(True) == "true"
