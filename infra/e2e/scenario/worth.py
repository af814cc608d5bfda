"""The worth columns of the ranking against what the program without Flink makes of the judgements that a row names.

Which savings estimate and which judgement of risk a row rests on follows from nothing in the log: three jobs read and write
side by side, and a row waits for nobody. So two laws are compared. A row's worth must be the domain's, computed from the row as
the log determines it and from the program's own judgements of the windows that the row names. And of two rows of a service the
one that closed later never rests on an older judgement.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from quotascope_reference import compare
from quotascope_reference.intake import closes_at_ms
from quotascope_reference.tables import MINUTE_KEY, VALUE, Reference, Table, stored
from quotascope_reference.wire import TUNING_RANKS, Schemas
from quotascope_sql.server import Server

from scenario import models

# Which judgements a row rests on: the ends of their windows.
NAMES = ("savings_analysed_at_us", "risk_analysed_at_us")
UNKNOWN = dict.fromkeys(VALUE) | {"value_reasons": [], "worth_usd_per_year_per_effort_day": 0.0}
FILE = "tuning_worths.jsonl"

Found = list[compare.Difference]


def named(reference: Reference, rows: Iterable[dict]) -> Table:
    """Stored rows that the log asks for, by key; those that it does not are the other comparison's business."""
    keyed = {tuple(row[name] for name in MINUTE_KEY): row for row in rows}
    return {key: row for key, row in keyed.items() if key in reference.tables[TUNING_RANKS]}


def argument(reference: Reference, rows: Table, folder: Path) -> list[str]:
    """The argument of the program that hands it these rows: everything from the log but the two names."""
    folder.mkdir(exist_ok=True)
    file = folder / "ranks.values"
    models.save_values((handed_over(reference.tables[TUNING_RANKS][key], row, reference.schemas) for key, row in rows.items()), file)
    return ["--ranks", str(file)]


def handed_over(row: dict, names: dict, schemas: Schemas) -> bytes:
    """A row of the reference as a framed record that names what the stored one does."""
    record = row | UNKNOWN | {name: names[name] for name in NAMES}
    return schemas.encode(TUNING_RANKS, record | {"window_start_us": record["window_start"]})


def differences(rows: Table, folder: Path) -> Found:
    """What stored rows say of worth otherwise than the program, and where they rest on what was known no more."""
    made = defaultdict(list)
    for line in (folder / FILE).read_text().splitlines():
        row = stored(json.loads(line))
        made[tuple(row[name] for name in MINUTE_KEY)].append({name: row[name] for name in VALUE})
    found = []
    for key, row in rows.items():
        found += weighed(key, {name: row[name] for name in VALUE}, made[key])
    return found + going_back(rows)


def weighed(key: tuple, row: dict, candidates: list[dict]) -> Found:
    """Differences from the nearest of what the row may say; two judgements of one window may have come in either order."""
    if not candidates:
        return [compare.Difference(TUNING_RANKS, key, f"rests on {[row[name] for name in NAMES]}, which the log does not hold")]
    return min((compare.row_differences(TUNING_RANKS, key, each, row) for each in candidates), key=len)


def going_back(rows: Table) -> Found:
    """Rows that rest on an older judgement than one of the same service that had closed before them."""
    services = defaultdict(list)
    for key in rows:
        services[key[:4]].append((closes_at_ms(*key[4:]), key))
    found = []
    for service in services.values():
        known = dict.fromkeys(NAMES, 0)
        for _, together in groupby(sorted(service), key=itemgetter(0)):
            keys = [key for _, key in together]
            for name in NAMES:
                named_here = {key: rows[key][name] for key in keys if rows[key][name] is not None}
                older = {key: at for key, at in named_here.items() if at < known[name]}
                found += [compare.Difference(TUNING_RANKS, key, f"{name} is {at}, a row before it knew {known[name]}") for key, at in older.items()]
                known[name] = max(known[name], *named_here.values(), 0)
    return found


def latest_differences(server: Server, rows: Table, cluster: str | None) -> Found:
    """service_latest says of the worth of a service what the newest row of the ranking says."""
    newest: dict[tuple, tuple] = {}
    for key in rows:
        newest[key[:4]] = max(newest.get(key[:4], key), key)
    found = []
    for row in compare.stored_rows(server, "service_latest", cluster):
        place = tuple(row[name] for name in MINUTE_KEY)
        known = newest.get(place[:4])
        if known is None or place > known:
            # Of a minute that closed after the log was read.
            continue
        if place < known:
            found.append(compare.Difference("service_latest", place, f"is not the newest, which is {known[4:]}"))
            continue
        wanted = {name: rows[place][name] for name in VALUE}
        found += compare.row_differences("service_latest", place, wanted, {name: row[name] for name in VALUE})
    return found
