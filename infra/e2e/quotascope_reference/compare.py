"""The reference against what ClickHouse holds, row for row, and against the dead letters."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quotascope_sql.server import Server

from quotascope_reference.tables import KEYS, NOT_COMPARED, Reference, stored
from quotascope_reference.wire import DEAD_LETTERS, REPOSITORY, SERVICE_WINDOWS, Message, Schemas

RELATIVE = 1e-12
SURPLUS = "should not be there"
SCHEMAS = {"service_windows": "service_window"}


@dataclass(frozen=True)
class Difference:
    """One thing that is not as the log says it must be."""

    where: str
    key: tuple
    what: str

    def __str__(self) -> str:
        return f"{self.where} {' '.join(str(member) for member in self.key)}: {self.what}"


def stored_rows(server: Server, table: str, cluster: str | None = None) -> list[dict]:
    """All rows of a table, or of one cluster, as readers see them (FINAL), instants as integers, bytes as hexadecimal digits."""
    columns = server.rows(
        "SELECT name, type FROM system.columns WHERE database = 'quotascope' AND table = {table:String} ORDER BY position",
        {"table": table},
    )
    packed = packed_columns(table)
    chosen = ", ".join(f"{_shown(column['name'], column['type'], packed)} AS `{column['name']}`" for column in columns)
    # An alias hides the column of the same name, which the expression must still see.
    where = "" if cluster is None else " WHERE stored.cluster = {cluster:String}"
    return server.rows(
        f"SELECT {chosen} FROM quotascope.{table} AS stored FINAL{where} SETTINGS prefer_column_name_to_alias = 1",
        {"cluster": cluster or ""},
    )


def packed_columns(table: str) -> set[str]:
    """Columns whose Avro type is bytes: they are compared by their digits."""
    if table not in SCHEMAS:
        return set()
    fields = json.loads((REPOSITORY / "schemas" / f"{SCHEMAS[table]}.avsc").read_text())["fields"]
    return {field["name"] for field in fields if field["type"] in ("bytes", ["null", "bytes"])}


def _shown(name: str, kind: str, packed: set[str]) -> str:
    kind = kind.removeprefix("Nullable(")
    if kind.startswith("DateTime64(6"):
        return f"toUnixTimestamp64Micro(stored.`{name}`)"
    if kind.startswith("DateTime64(3"):
        return f"toUnixTimestamp64Milli(stored.`{name}`)"
    return f"hex(stored.`{name}`)" if name in packed else f"stored.`{name}`"


def same(expected: object, found: object) -> bool:
    """Integers and texts exactly, doubles within 1e-12 of their value, null only as null."""
    if isinstance(expected, float):
        return isinstance(found, (int, float)) and math.isclose(expected, found, rel_tol=RELATIVE)
    if isinstance(expected, list):
        return isinstance(found, list) and len(expected) == len(found) and all(map(same, expected, found))
    if isinstance(expected, dict):
        return isinstance(found, dict) and expected.keys() == found.keys() and all(same(expected[k], found[k]) for k in expected)
    return type(expected) is type(found) and expected == found


def table_differences(reference: Reference, table: str, rows: Iterable[dict]) -> list[Difference]:
    """Missing rows, surplus rows and unequal values among the rows whose part the clock has closed."""
    closed = (row for row in rows if table == "shard_identities" or reference.closed(row, table))
    compared = ({name: value for name, value in row.items() if name not in NOT_COMPARED.get(table, ())} for row in closed)
    return keyed_differences(table, KEYS[table], reference.tables[table], compared)


def keyed_differences(table: str, key_columns: Sequence[str], expected: dict[tuple, dict], rows: Iterable[dict]) -> list[Difference]:
    """Missing rows, surplus rows and unequal values."""
    found: dict[tuple, dict] = {}
    differences = []
    for row in rows:
        key = tuple(row[name] for name in key_columns)
        if key in found:
            differences.append(Difference(table, key, "is there twice"))
        found[key] = row
    for key in sorted(expected.keys() - found.keys(), key=str):
        differences.append(Difference(table, key, "is missing"))
    for key in sorted(found.keys() - expected.keys(), key=str):
        differences.append(Difference(table, key, SURPLUS))
    for key in sorted(expected.keys() & found.keys(), key=str):
        differences.extend(row_differences(table, key, expected[key], found[key]))
    return differences


def row_differences(table: str, key: tuple, expected: dict, found: dict) -> list[Difference]:
    differences = []
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            differences.append(Difference(table, key, f"has no column {name}"))
        elif name not in expected:
            differences.append(Difference(table, key, f"has a column {name} that the reference does not know"))
        elif not same(expected[name], found[name]):
            differences.append(Difference(table, key, f"{name} is {found[name]!r}, the log says {expected[name]!r}"))
    return differences


def dead_letter_differences(reference: Reference, messages: Iterable[Message]) -> list[Difference]:
    """Every refused message is in the dead-letter topic with its reason and its bytes' place; nothing else is."""
    expected = {position: refused.reason for position, refused in reference.intake.dead_letters.items()}
    found: dict[str, str] = {}
    differences = []
    for message in messages:
        headers = {name: (value or b"").decode() for name, value in message.headers}
        position = (message.key or b"").decode()
        stated = "/".join(headers.get(name, "?") for name in ("topic", "partition", "offset"))
        if stated != position:
            differences.append(Difference(DEAD_LETTERS, (position,), f"its headers say it came from {stated}"))
        found[position] = headers.get("reason", "no reason")
    for position in sorted(expected.keys() | found.keys()):
        want, got = expected.get(position, "accepted"), found.get(position, "accepted")
        if want != got:
            differences.append(Difference(DEAD_LETTERS, (position,), f"is {got}, the log says {want}"))
    return differences


def topic_differences(reference: Reference, messages: Iterable[Message], schemas: Schemas) -> list[Difference]:
    """service-windows.v1 holds every closed row; after a restart a row may be there again, but never with other contents."""
    expected = reference.tables["service_windows"]
    found: set[tuple] = set()
    differences = []
    for message in messages:
        if message.value is None:
            continue
        row = stored(schemas.decode(SERVICE_WINDOWS, message.value))
        row["version"] = row["revision"]
        if not reference.closed(row):
            continue
        key = tuple(row[name] for name in KEYS["service_windows"])
        found.add(key)
        if key not in expected:
            differences.append(Difference(SERVICE_WINDOWS, key, SURPLUS))
        else:
            differences.extend(row_differences(SERVICE_WINDOWS, key, expected[key], row))
    missing = sorted(expected.keys() - found, key=str)
    return differences + [Difference(SERVICE_WINDOWS, key, "is missing") for key in missing]


def all_differences(
    reference: Reference, server: Server, messages: Iterable[Message], schemas: Schemas, cluster: str | None = None
) -> list[Difference]:
    """Everything that is not as the log says: tables, all or those rows of one cluster, then the two topics that the jobs write."""
    differences = []
    for table in KEYS:
        differences.extend(table_differences(reference, table, stored_rows(server, table, cluster)))
    messages = list(messages)
    rows = [message for message in messages if message.topic == SERVICE_WINDOWS]
    letters = [message for message in messages if message.topic == DEAD_LETTERS]
    return differences + topic_differences(reference, rows, schemas) + dead_letter_differences(reference, letters)
