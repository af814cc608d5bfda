"""What a row of the ranking says of worth: equal to what follows from the judgements that it names, or a named difference."""

import json

import pytest
from quotascope_native.artefacts import run_logged
from quotascope_reference import compare
from quotascope_reference.intake import MINUTE_US as MINUTE_LONG_US
from quotascope_reference.tables import MINUTE_KEY, VALUE, Reference
from quotascope_reference.wire import SERVICE_CATALOG
from records import MINUTE_US, PARTITIONS, SCHEMAS
from scenario import models, worth
from test_compare import server, store, topic_of, whole_log

# A genuine server, made once for this file.
__all__ = ["server"]

JUDGED_AT_US = MINUTE_US + MINUTE_LONG_US


@pytest.fixture(scope="module")
def weighed(tmp_path_factory):
    """The reference, the folder of the program's rows, and rows as they must be stored: the first knows nothing, the later part the risk."""
    folder = tmp_path_factory.mktemp("oracle")
    messages = whole_log().messages
    reference = Reference(messages, PARTITIONS, SCHEMAS)
    first, later = sorted(reference.tables["tuning_ranks"])
    known = {first: nothing(), later: nothing() | {"risk_analysed_at_us": JUDGED_AT_US}}
    models.save(topic_of(reference), folder / "windows")
    models.save([message for message in messages if message.topic == SERVICE_CATALOG], folder / "catalog")
    argv = [str(models.ORACLE), "--windows", str(folder / "windows"), "--catalog", str(folder / "catalog"), "--out", str(folder)]
    run_logged([*argv, *worth.argument(reference, known, folder)], folder / "log", "see the log")
    return reference, folder, known


def nothing() -> dict:
    return dict.fromkeys(worth.NAMES)


def stored(weighed, **changed) -> dict:
    """Rows as the table holds them when all is well, with these columns of the late part's row changed."""
    reference, folder, known = weighed
    made = json.loads("[" + ",".join((folder / worth.FILE).read_text().splitlines()) + "]")
    rows = {}
    for key in known:
        row = next(each for each in made if (each["window_start_us"], each["part"]) == key[4:] and named_as(each, known[key]))
        rows[key] = reference.tables["tuning_ranks"][key] | {name: row[name] for name in VALUE}
    rows[max(rows)] |= changed
    return rows


def named_as(row: dict, names: dict) -> bool:
    return {name: row[name] for name in worth.NAMES} == names


def words(weighed, **changed) -> list[str]:
    reference, folder, _ = weighed
    return [each.what for each in worth.differences(worth.named(reference, stored(weighed, **changed).values()), folder)]


def test_what_follows_from_the_named_judgements_is_no_difference(weighed):
    assert words(weighed) == []
    rows = stored(weighed)
    assert all(row["value_reasons"] for row in rows.values())
    assert rows[max(rows)]["risk_analysed_at_us"] == JUDGED_AT_US


@pytest.mark.parametrize(
    ("column", "value"), [("worth_usd_per_year_per_effort_day", 1.5), ("value_reasons", ["because"]), ("effort_days", 2.0), ("fix_set", "pools")]
)
def test_every_column_of_worth_is_compared(weighed, column, value):
    (said,) = words(weighed, **{column: value})
    assert said.startswith(f"{column} is ")


def test_a_judgement_that_nobody_made_is_named(weighed):
    key = max(stored(weighed))
    (said,) = (each.what for each in worth.weighed(key, stored(weighed)[key], []))
    assert said == f"rests on [None, {JUDGED_AT_US}], which the log does not hold"


def test_a_row_never_rests_on_an_older_judgement_than_a_row_before_it(weighed):
    rows = stored(weighed)
    first, later = sorted(rows)
    rows[first] = rows[first] | {"risk_analysed_at_us": JUDGED_AT_US + 1}
    (said,) = (each.what for each in worth.going_back(rows))
    assert said == f"risk_analysed_at_us is {JUDGED_AT_US}, a row before it knew {JUDGED_AT_US + 1}"
    rows[later] = rows[later] | {"risk_analysed_at_us": JUDGED_AT_US + 1}
    assert worth.going_back(rows) == []


def test_rows_that_the_log_does_not_ask_for_are_left_to_the_other_comparison(weighed):
    reference, _, known = weighed
    stranger = stored(weighed)[max(known)] | {"service": "stranger"}
    assert worth.named(reference, [stranger]) == {}


def test_rows_of_a_genuine_table_are_weighed_and_the_latest_state_says_the_same(weighed, server):
    reference, folder, _ = weighed
    for table in ("tuning_ranks", "service_latest"):
        server.execute(f"TRUNCATE TABLE quotascope.{table}")
    rows = stored(weighed)
    for row in rows.values():
        store(server, "tuning_ranks", row)
    found = worth.named(reference, compare.stored_rows(server, "tuning_ranks"))
    assert found.keys() == rows.keys()
    assert worth.differences(found, folder) == []

    def said_of(version: int, key: tuple, **changed) -> list[str]:
        state = {name: rows[key][name] for name in (*MINUTE_KEY, *VALUE)}
        store(server, "service_latest", state | {"version": version} | changed)
        return [each.what for each in worth.latest_differences(server, found, "lab")]

    first, later = sorted(rows)
    assert said_of(1, later) == []
    (said,) = said_of(2, later, effort_days=3.0)
    assert said.startswith("effort_days is 3, the log says")
    (said,) = said_of(3, first)
    assert said.startswith("is not the newest")
