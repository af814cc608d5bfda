"""Any report as text for a terminal: aligned columns, intervals beside their medians, long texts wrapped below their row."""

import re
import textwrap

from quotascope_sql.table import INDENT, WIDTH, shortened

LOW, HIGH = "_low", "_high"
NAMES = ("service", "team", "host_id")
# Said once above the table when all rows agree, else a column.
SHARED = ("origin", "cluster")
# Texts stand below their row; null or empty ones not at all.
# A setting is pasted: neither its line breaks nor its indentation may change.
SETTING = "setting_text"
TEXTS = {"recommended_change": "recommended", SETTING: "apply", "trust_reasons": "limited by", "reasons": "because", "worst_shards": "worst shards"}
# Colours of Okabe and Ito's family as a terminal has them; the word is always there too.
COLOURS = {"throttled": 33, "collapsed": 31, "regressed": 31, "vulnerable": 33, "doubtful": 33}
COLOURS |= {"healthy": 32, "stable": 32, "verified": 32, "sound": 32}
HEADINGS = {
    "quota_class": "quota",
    "throttled_period_ratio": "throttled",
    "collapse_load_multiple": "collapse at x load",
    "recommended_shown": "best",
}
# How a number reads follows from its name, because units live in names.
SHARES = re.compile(r"(_ratio|_utilization|_risk|^completeness)(_|$)")
DECIMALS = ((re.compile("_usd_"), "{:,.0f}"), (re.compile(r"(cores|multiple|days|ms_p\d+)"), "{:,.2f}"))


def render(question: str, rows: list[dict], coloured: bool = False) -> str:
    """The whole report. Empty answers say so; what no kernel measured is marked."""
    if not rows:
        return f"{question}\n\nNo row in this range yet."
    shared = {name: rows[0][name] for name in SHARED if name in rows[0] and len({row[name] for row in rows}) == 1}
    hidden = {*shared, *TEXTS, *(name for name in rows[0] if is_end(name, rows[0]))}
    columns = [name for name in rows[0] if name not in hidden]
    cells = [[shortened(interval(name, row)) if name in NAMES else interval(name, row) for name in columns] for row in rows]
    headings = [HEADINGS.get(name, name.replace("_", " ")) for name in columns]
    widths = [max(len(text) for text in (*headings[i].split(), *(line[i] for line in cells))) for i in range(len(columns))]
    right = [all(isinstance(row[name], (int, float, type(None))) and not isinstance(row[name], bool) for row in rows) for name in columns]
    stacked = [textwrap.wrap(heading, width) for heading, width in zip(headings, widths, strict=True)]
    tall = max(len(heading) for heading in stacked)
    lines = [question, *preface(rows, shared), ""]
    # Headings stand on the rule, whatever their height.
    lines += [joined([([""] * (tall - len(heading)) + heading)[i] for heading in stacked], widths, right) for i in range(tall)]
    lines.append(joined(["-" * width for width in widths], widths, right))
    for row, texts in zip(rows, cells, strict=True):
        line = joined(texts, widths, right)
        lines.append(paint(line) if coloured else line)
        lines.extend(below(row))
    if any(f"{name}{LOW}" in rows[0] for name in columns):
        lines += ["", "[low, high] = 5th and 95th percentile; - = not known."]
    return "\n".join(lines)


def is_end(name: str, row: dict) -> bool:
    """Whether a column is an end of another column's interval."""
    return any(name.endswith(end) and name.removesuffix(end) in row for end in (LOW, HIGH))


def cell(name: str, value: object) -> str:
    """One value in words. Null is a dash: absent, not zero."""
    if value is None:
        return "-"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if SHARES.search(name):
        return f"{100 * value:.1f}%"
    form = next((form for part, form in DECIMALS if part.search(name)), "{:,}" if isinstance(value, int) else "{:,.2f}")
    return form.format(value)


def interval(name: str, row: dict) -> str:
    """A value, with its interval when the row states one."""
    value = cell(name, row[name])
    low, high = row.get(name + LOW), row.get(name + HIGH)
    if row[name] is None or low is None or high is None:
        return value
    return f"{value} [{cell(name, low)}, {cell(name, high)}]"


def preface(rows: list[dict], shared: dict[str, str]) -> list[str]:
    """What all rows have in common, and a mark on everything that no kernel measured."""
    lines = [", ".join(f"{name} {value}" for name, value in shared.items())] if shared else []
    strange = sorted({row["origin"] for row in rows if "origin" in row} - {"measured"})
    if strange:
        lines.append(f"NOT MEASURED HERE: origin {' and '.join(strange)}.")
    return lines


def joined(cells: list[str], widths: list[int], right: list[bool]) -> str:
    padded = [text.rjust(width) if end else text.ljust(width) for text, width, end in zip(cells, widths, right, strict=True)]
    return "  ".join(padded).rstrip()


def below(row: dict) -> list[str]:
    """The row's texts, each wrapped under its label; a setting keeps its lines, because they are pasted."""
    lines = []
    for name, label in TEXTS.items():
        lead = " " * INDENT + f"{label}: "
        for text in filter(None, lines_of(name, row.get(name))):
            lines += [lead + text] if name == SETTING else textwrap.wrap(text, WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead))
            lead = " " * len(lead)
    return lines


def lines_of(name: str, value: str | list[str] | None) -> list[str]:
    if isinstance(value, str):
        return value.splitlines()
    return [(", " if name == "worst_shards" else "; ").join(value or [])]


def paint(line: str) -> str:
    """The first telling word of a line in its colour."""
    for word, code in COLOURS.items():
        if f" {word}" in line:
            return line.replace(f" {word}", f" \x1b[{code}m{word}\x1b[0m", 1)
    return line
