"""Names: words that say nothing, and spellings that the glossary has another word for."""

import json
import re

from tree import ALLOWED, Source

BANNED = {"data", "info", "manager", "processor", "helper", "helpers", "util", "utils", "common", "base", "impl", "misc"}
# File names that the Java language itself asks for.
JAVA_OWN = ("package-info.java", "module-info.java")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
DECLARATIONS = {
    ".go": re.compile(r"^(?:package|type|func(?: \([^)]*\))?|var|const)\s+(\w+)"),
    ".java": re.compile(r"\b(?:class|interface|record|enum)\s+([A-Z]\w*)|^package ([\w.]+);"),
    ".py": re.compile(r"^\s*(?:class|def)\s+(\w+)"),
    ".sql": re.compile(r"^CREATE (?:OR REPLACE )?(?:TABLE|VIEW)(?: IF NOT EXISTS)? ([\w.]+)"),
}
# What the glossary never says about a quantity, as a pattern of a column or field, and the word to use.
MISSPELT = {
    r"throttle_(pct|percent|count|ratio)|throttling_(pct|percent|count)": "throttled_period_ratio or throttled_periods",
    r"_(pct|percent|percentage)$": "a ratio of 0..1, named _ratio",
    r"_(ms|millis|sec|secs|seconds|ns|nanos)$": "microseconds, named _us",
    r"(^|_)cpu_(limit|cap)|^(limit|cap)(_|$)": "quota_us or quota_cores",
    r"^usage_(pct|percent)|^load$": "usage_us or used_cores",
    r"(^|_)spikes?(_|$)|(^|_)overage": "excursion",
    r"(^|_)slice(_|$)": "bandwidth_slice_us, or slot for 10 s of a minute",
    r"active_threads": "threads or runnable_threads",
    r"(^|_)(replica|replicas|instance|instances|app|apps)(_|$)": "shard or service",
    r"(^|_)bins?(_|$)": "bucket",
    r"^(waste|slack)(_|$)": "reclaimable_cores",
    r"(^|_)(avg|mean)_ratio|ratio_(avg|mean)": "a ratio of sums",
}
KERNEL_OWN = {"bandwidth_slice_us", "throttled_ratio_histogram"}
COLUMN = re.compile(r"^    ([a-z][a-z0-9_]*)\s+(?:LowCardinality|Nullable|Array|Map|String|U?Int|Float|DateTime|Bool)")


def words(name: str) -> list[str]:
    return [word.lower() for word in WORD.findall(name)]


def banned_in(name: str) -> str | None:
    return next((word for word in words(name) if word in BANNED), None)


def banned_path(path: str) -> str | None:
    for member in path.split("/"):
        if member in JAVA_OWN:
            continue
        if word := banned_in(member.partition(".")[0]):
            return f"{path}:1: the name {member} says {word}; name it for what it does"
    return None


def banned_declarations(source: Source) -> list[str]:
    found = []
    for number, line in enumerate(source.lines, 1):
        match = DECLARATIONS[source.suffix].search(line)
        name = next((group for group in match.groups() if group), "") if match else ""
        word = banned_in(name)
        if word and ALLOWED not in line:
            found.append(source.at(number, f"the name {name} says {word}; name it for what it does"))
    return found


def misspelt(name: str) -> str | None:
    """The glossary's word for a name that it would spell otherwise."""
    if name in KERNEL_OWN:
        return None
    return next((instead for pattern, instead in MISSPELT.items() if re.search(pattern, name)), None)


def quantities(source: Source) -> list[tuple[int, str]]:
    """(line, name) of every Avro field and SQL column of a file."""
    if source.suffix == ".avsc":
        names = _avro_names(json.loads(source.text))
        return [(_line_of(source, name), name) for name in names]
    return [(number, match.group(1)) for number, line in enumerate(source.lines, 1) if (match := COLUMN.match(line))]


def _avro_names(schema: object) -> list[str]:
    if isinstance(schema, list):
        return [name for member in schema for name in _avro_names(member)]
    if not isinstance(schema, dict):
        return []
    own = [field["name"] for field in schema.get("fields", [])]
    inner = [schema.get("items"), schema.get("values"), *(field["type"] for field in schema.get("fields", []))]
    return own + [name for member in inner for name in _avro_names(member)]


def _line_of(source: Source, name: str) -> int:
    return next(number for number, line in enumerate(source.lines, 1) if f'"name": "{name}"' in line)
