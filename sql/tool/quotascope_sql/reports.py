"""Reports: one question per file of sql/reports, its places filled with typed parameters by the server."""

import argparse
import difflib
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
        near = difflib.get_close_matches(name, names(folder), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise SqlFailure(f"there is no report {name}{hint}\nThere are:\n  " + "\n  ".join(names(folder)))
    return (folder / f"{name}.sql").read_text()


def question(text: str) -> str:
    """The first comment line of a report is the question it answers."""
    return text.splitlines()[0].removeprefix("--").strip()


def parameters(text: str, given: dict[str, str | None], minutes: int) -> dict[str, str]:
    """A value for every place: what was given, else any, else the `minutes` that end where the range does."""
    now = datetime.now(UTC)
    until = datetime.fromisoformat(given["until"]) if given.get("until") else now.replace(tzinfo=None)
    defaults = {"from": instant(until - timedelta(minutes=minutes)), "until": instant(now)}
    if (since := given.get("from")) and datetime.fromisoformat(since) >= until:
        raise SqlFailure(f"the range is empty: it begins at {since} and ends at {given.get('until') or 'this moment'}, UTC")
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
    return positive(found.group(1)) * {"m": 1, "h": 60, "d": 1440}[found.group(2)]


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of one or more")
    return int(text)


def moment(text: str) -> str:
    """An instant as a person writes it, in UTC, in the server's spelling."""
    try:
        given = datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no instant: 2026-11-20, or '2026-11-20 10:00:00', UTC") from error
    return instant(given.astimezone(UTC).replace(tzinfo=None) if given.tzinfo else given)


def instant(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f")


def refuse_strangers(server: Server, values: dict[str, str]) -> None:
    """An empty answer about a service or cluster of which nothing was ever judged is most often a slip of the pen.

    Raises:
        SqlFailure: naming it, and the most alike of those that there are.
    """
    for place in ("service", "cluster"):
        given = values.get(place)
        known = [row[place] for row in server.rows(f"SELECT DISTINCT {place} FROM quotascope_views.service_latest")] if given else []
        if given and given not in known:
            near = difflib.get_close_matches(given, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise SqlFailure(f"nothing was ever judged of the {place} {given}{hint}")


def raw(server: Server, text: str, values: dict[str, str], form: str) -> str:
    """The answer as CSV with a header line, or as one JSON object a line."""
    return server.execute(text, values, default_format=FORMATS[form], output_format_json_quote_64bit_integers="0")


def rows(server: Server, text: str, values: dict[str, str]) -> list[dict]:
    return server.rows(text, values)
