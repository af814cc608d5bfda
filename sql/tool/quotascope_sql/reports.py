"""Reports: one question per file of sql/reports, its places filled with typed parameters by the server."""

import argparse
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from quotascope_sql.server import Server, SqlFailure

PLACE = re.compile(r"\{(\w+):")
DEFAULT_RANGE = re.compile(r"^-- Default range: (\d+[mhd])\.$", re.MULTILINE)
DEFAULT_MINUTES = 60
FORMATS = {"csv": "CSVWithNames", "json": "JSONEachRow"}


def names(folder: Path) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.sql"))


def statement(folder: Path, name: str) -> str:
    if name not in names(folder):
        raise SqlFailure(f"there is no report {name}: there are {', '.join(names(folder))}")
    return (folder / f"{name}.sql").read_text()


def question(text: str) -> str:
    """The first comment line of a report is the question it answers."""
    return text.splitlines()[0].removeprefix("--").strip()


def parameters(text: str, given: dict[str, str | None], minutes: int) -> dict[str, str]:
    """A value for every place: what was given, else any, else the last `minutes` up to now."""
    now = datetime.now(UTC)
    defaults = {"from": instant(now - timedelta(minutes=minutes)), "until": instant(now)}
    return {place: given.get(place) or defaults.get(place, "") for place in dict.fromkeys(PLACE.findall(text))}


def default_minutes(text: str) -> int:
    """How far back a report looks unless told otherwise; a report may say so in its head."""
    stated = DEFAULT_RANGE.search(text)
    return minutes_of(stated.group(1)) if stated else DEFAULT_MINUTES


def minutes_of(text: str) -> int:
    """`90m`, `6h` or `7d` in minutes."""
    found = re.fullmatch(r"(\d+)([mhd])", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is no length of time: 30m, 6h or 7d")
    return int(found.group(1)) * {"m": 1, "h": 60, "d": 1440}[found.group(2)]


def instant(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f")


def raw(server: Server, text: str, values: dict[str, str], form: str) -> str:
    """The answer as CSV with a header line, or as one JSON object a line."""
    return server.execute(text, values, default_format=FORMATS[form], output_format_json_quote_64bit_integers="0")


def rows(server: Server, text: str, values: dict[str, str]) -> list[dict]:
    return server.rows(text, values)
