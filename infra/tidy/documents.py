"""Documents: one title each, links that lead somewhere, no promise without an issue, nothing of one machine."""

import re

from tree import REPOSITORY, Source

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^\s*(```|~~~)")
# Put together here, so that this file does not find itself.
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X")) + r")\b")
MACHINE = re.compile(
    "|".join(("/wo" + "rk/", r"\.\./sha" + "red", "/tmp/" + "qs", "/opt/wh" + "eels", "/root/" + r"\.", "tool lib" + "rary"))
)
RECORD_TEXT = re.compile(r'"type"\s*:\s*"record"|\\"type\\"\s*:\s*\\"record\\"')

CHART_SQL = re.compile(r"sqlExpression|expressionType: SQL")
INDEX = re.compile(r"^(--index-url|--extra-index-url|--find-links|-i |-f )", re.MULTILINE)


def prose(source: Source) -> list[tuple[int, str]]:
    """Numbered lines outside code fences."""
    inside = False
    lines = []
    for number, line in enumerate(source.lines, 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            lines.append((number, line))
    return lines


def titles(source: Source) -> str | None:
    found = [number for number, line in prose(source) if line.startswith("# ")]
    if len(found) == 1:
        return None
    return source.at(found[1] if found else 1, f"{len(found)} titles; a document has exactly one line that begins with one #")


def dead_links(source: Source) -> list[str]:
    found = []
    for number, line in prose(source):
        for match in LINK.finditer(line):
            target = (match.group(1) or match.group(2)).partition("#")[0]
            if not target or re.match(r"[a-z]+:", target):
                continue
            start = REPOSITORY if target.startswith("/") else (REPOSITORY / source.path).parent
            if not (start / target.lstrip("/")).exists():
                found.append(source.at(number, f"the link to {target} leads nowhere"))
    return found


def unfinished(source: Source) -> list[str]:
    return [
        source.at(number, "unfinished work belongs in an issue")
        for number, line in enumerate(source.lines, 1)
        if UNFINISHED.search(line)
    ]


def machine_paths(source: Source) -> list[str]:
    return [
        source.at(number, f"{match.group(0)} exists on one machine only; use a path relative to the repository")
        for number, line in enumerate(source.lines, 1)
        if (match := MACHINE.search(line))
    ]
