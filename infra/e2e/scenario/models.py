"""Rows of models, of hosts and of changes in ClickHouse against those that the program without Flink makes of the same log.

The judgements themselves are the domain's in both. What is compared is everything around them: which minutes are analysed,
over which horizon, with which entry and prices, which records are in which look at an hour, which hours a change is judged
by, after which restarts, and how the rows are stored.
"""

import json
import struct
import time
from collections.abc import Collection, Iterable
from pathlib import Path

from quotascope_native.artefacts import run_logged
from quotascope_native.layout import REPOSITORY
from quotascope_reference import compare, dump
from quotascope_reference.hours import HOUR_US
from quotascope_reference.intake import ON_TIME_MS, Accepted
from quotascope_reference.judgements import REVISION
from quotascope_reference.tables import MINUTE_KEY, Reference, stored
from quotascope_reference.wire import (
    CHANGE_EVENTS,
    CONCURRENCY_COSTS,
    CPU_USAGE_WINDOWS,
    HOST_WINDOWS,
    RECOMMENDATION_LEDGER,
    SERVICE_CATALOG,
    SERVICE_HOURS,
    SERVICE_LOAD,
    SERVICE_WINDOWS,
    Message,
    Schemas,
)
from quotascope_sql.server import Server

ORACLE = REPOSITORY / "streaming" / "oracle" / "run"
PRICE_BOOK = "price-book.v1"
# The argument of the program that takes a topic, and the file that keeps it.
DUMPS = {SERVICE_WINDOWS: "--windows", SERVICE_CATALOG: "--catalog", PRICE_BOOK: "--prices", CONCURRENCY_COSTS: "--costs"}
DUMPS |= {SERVICE_HOURS: "--hours", CHANGE_EVENTS: "--changes", RECOMMENDATION_LEDGER: "--ledger", SERVICE_LOAD: "--loads"}
# The same of topics of which only the accepted records are given.
ACCEPTED = {CPU_USAGE_WINDOWS: "--shards", HOST_WINDOWS: "--hosts"}
# The option of the jobs behind each option of the program.
OPTIONS = {"analysis.turn-minutes": "--turn-minutes", "analysis.host-cpus": "--host-cpus"}
HOST_KEY = ("origin", "cluster", "host_id", "window_start", "part")
KEYS = {
    "collapse_risks": MINUTE_KEY,
    "what_if_outcomes": (*MINUTE_KEY, "scenario"),
    "savings_estimates": (*MINUTE_KEY, "fix_set"),
    "fleet_totals": ("origin", "total_of", "total_name", "window_start"),
    "host_hours": HOST_KEY,
    "kernel_findings": (*HOST_KEY, "kernel_release", "rule"),
    "verifications": ("origin", "cluster", "service", "changed_at", "change_id"),
}
# One analysis writes several rows, and another of the same minute need not name the same things.
OF_ANALYSES = ("what_if_outcomes", "savings_estimates")
# What rests on hours and days.
OF_HOSTS = ("host_hours", "kernel_findings")
OF_HOURS = (*OF_HOSTS, "verifications")
# What waits for the ends of ten minutes, an hour or a day.
OF_LATER = (*OF_HOURS, "fleet_totals")
PAUSE_S = 2

Tables = dict[str, dict[tuple, dict]]


def save(messages: Iterable[Message], file: Path) -> None:
    """The values of messages: for each its length (4 bytes, big-endian) and its bytes. Ticks and tombstones have none."""
    save_values((message.value for message in messages if message.value is not None), file)


def save_values(values: Iterable[bytes], file: Path) -> None:
    """For each value its length (4 bytes, big-endian) and its bytes."""
    file.write_bytes(b"".join(struct.pack(">I", len(value)) + value for value in values))


def save_accepted(records: Iterable[Accepted], topic: str, schemas: Schemas, file: Path) -> None:
    """Accepted records: for each append time and missing numbers before it (8 bytes each, -1 = unknown), length, bytes."""
    with file.open("wb") as out:
        for each in records:
            value = schemas.encode(topic, each.record)
            missing = -1 if each.missing_before is None else each.missing_before
            out.write(struct.pack(">qqI", each.append_time_ms, missing, len(value)) + value)


def command(bootstrap: str, properties: Path, folder: Path, since: dump.Offsets | None = None, tables: Collection[str] = tuple(KEYS)) -> list[str]:
    """The program's command line for the topics as they are now (windows: `since`) and the options that the jobs were given."""
    argv = [str(ORACLE), "--out", str(folder)]
    for topic, argument in DUMPS.items():
        if topic == SERVICE_WINDOWS and set(tables) <= set(OF_HOURS):
            # Analyses are the work of the program, and nobody asks for their rows.
            continue
        file = folder / f"{topic}.values"
        save(dump.read(bootstrap, [topic], since), file)
        argv += [argument, str(file)]
    said = dict(line.split("=", 1) for line in properties.read_text().splitlines())
    for option, argument in OPTIONS.items():
        argv += [argument, said[option]]
    return argv


def expected(
    reference: Reference,
    bootstrap: str,
    properties: Path,
    folder: Path,
    since: dump.Offsets | None = None,
    revision: int = REVISION,
    tables: Collection[str] = tuple(KEYS),
    more: Iterable[str] = (),
) -> Tables:
    """The rows of the tables as the program makes them. StackFailure, with a log in the folder, when it ends in an error."""
    folder.mkdir(exist_ok=True)
    argv = [*command(bootstrap, properties, folder, since, tables), *more, "--revision", str(revision), "--clock-ms", str(reference.clock_ms)]
    for topic, argument in ACCEPTED.items():
        file = folder / f"{topic}.accepted"
        save_accepted(reference.intake.accepted[topic], topic, reference.schemas, file)
        argv += [argument, str(file)]
    run_logged(argv, folder / "oracle.log", "the log names the record or the option")
    rows = {table: rows_of(table, folder / f"{table}.jsonl") for table in tables}
    return {table: {key: row for key, row in found.items() if is_over(table, row, reference.clock_ms)} for table, found in rows.items()}


def is_over(table: str, row: dict, clock_ms: int) -> bool:
    """Whether a row waits for nothing more: an hour of a host is told anew at each mark until it is over."""
    return table not in OF_HOSTS or (row["window_start"] + HOUR_US) // 1000 + ON_TIME_MS <= clock_ms


def rows_of(table: str, file: Path) -> dict[tuple, dict]:
    """Rows by key. ValueError when the program wrote a key twice: it knows nothing of repetitions."""
    rows = [stored(json.loads(line)) for line in file.read_text().splitlines()]
    keyed = {tuple(row[name] for name in KEYS[table]): row for row in rows}
    if len(keyed) != len(rows):
        raise ValueError(f"{file}: {len(rows)} rows of {len(keyed)} keys")
    return keyed


def differences(wanted: Tables, server: Server, cluster: str | None = None, clock_ms: int = 0) -> list[compare.Difference]:
    """Missing rows, surplus rows and unequal values of these tables, all or those of one cluster; of hosts those of hours that are over."""
    found = []
    for table, rows in wanted.items():
        stored_rows = (row for row in compare.stored_rows(server, table, cluster) if is_over(table, row, clock_ms))
        found += compare.keyed_differences(table, KEYS[table], rows, newest_analyses(table, stored_rows))
    return found


def newest_analyses(table: str, rows: Iterable[dict]) -> list[dict]:
    """Without what only an analysis of a smaller version named for the same minute and part: views show an analysis whole, so nobody reads it."""
    rows = list(rows)
    if table not in OF_ANALYSES:
        return rows
    greatest: dict[tuple, int] = {}
    for row in rows:
        place = tuple(row[name] for name in MINUTE_KEY)
        greatest[place] = max(row["version"], greatest.get(place, 0))
    return [row for row in rows if row["version"] == greatest[tuple(row[name] for name in MINUTE_KEY)]]


def differences_after(wanted: Tables, server: Server, wait_s: float, cluster: str | None = None) -> list[compare.Difference]:
    """The differences that remain once the jobs have analysed what the topic holds."""
    deadline = time.monotonic() + wait_s
    while (found := differences(wanted, server, cluster)) and time.monotonic() < deadline:
        time.sleep(PAUSE_S)
    return found
