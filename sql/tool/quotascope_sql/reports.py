"""Reports: one question per file of sql/reports, its places filled with typed parameters by the server."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from quotascope_sql.server import Server, SqlFailure

PLACE = re.compile(r"\{(\w+):")
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


def instant(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f")


def raw(server: Server, text: str, values: dict[str, str], form: str) -> str:
    """The answer as CSV with a header line, or as one JSON object a line."""
    return server.execute(text, values, default_format=FORMATS[form], output_format_json_quote_64bit_integers="0")


def rows(server: Server, text: str, values: dict[str, str]) -> list[dict]:
    return server.rows(text, values)
