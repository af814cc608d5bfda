"""A report as text for a terminal: aligned columns, long texts wrapped below their row."""

import textwrap

WIDTH = 120
INDENT = 4

# Short headings, so that a row fits. Whatever is not named here is headed by its column name.
HEADINGS = {
    "rank_position": "#",
    "risk_position": "risk",
    "service": "service",
    "quota_class": "quota",
    "verdict": "verdict",
    "shards": "shards",
    "throttled_period_ratio": "throttled",
    "throttled_period_ratio_hour": "hour",
    "throttled_us_per_throttled_period": "depth",
    "excursion_ratio": "above",
    "threads_per_reserved_core_p99": "t/core",
    "reserved_core_utilization": "used",
    "reclaimable_cores": "reclaim",
    "completeness": "arrived",
}
# Said once above the table when all rows agree, else below each row.
SHARED = ("origin", "cluster")
LEGEND = (
    "# = place by what a day of work is worth; risk = place by who collapses first;",
    "throttled = throttled periods / periods of the newest minute, hour = of the last full hour and the running one;",
    "depth = throttled time per throttled period; above = share of samples above quota; t/core = threads / reserved core;",
    "used = used / reserved cores; reclaim = reserved cores that could go; [low, high] = 5th and 95th percentile;",
    "arrived = records received / sent; - = not known.",
)
# Part of a sentence, never a column of the printed table.
HIDDEN = (
    "window_start",
    "horizon_start",
    "horizon_end",
    "horizon_windows",
    "reclaimable_cores_low",
    "reclaimable_cores_high",
    "reserved_cores",
    "team",
    "collapse_load_multiple",
    "collapse_load_multiple_low",
    "collapse_load_multiple_high",
    "fix_set",
    "tunable_cores",
    "tunable_cores_low",
    "tunable_cores_high",
    "savings_usd_per_year",
    "savings_usd_per_year_low",
    "savings_usd_per_year_high",
    "savings_usd_per_year_per_effort_day",
    "effort_days",
    "risk_band",
    "recommended_change",
    "cores_freed",
    "cores_freed_low",
    "cores_freed_high",
    "usd_per_year",
    "usd_per_year_low",
    "usd_per_year_high",
    "trust",
    "trust_reasons",
)
TEXTS = {"reasons": "because", "worst_shards": "worst shards"}
NAME_WIDTH = 20
RATIOS = ("completeness", "reserved_core_utilization", "sample_coverage")


def cell(column: str, value: object) -> str:
    """One value in words. Null is a dash: absent, not zero."""
    if value is None:
        return "-"
    if column.endswith(("_ratio", "_ratio_hour")) or column in RATIOS:
        return f"{100 * value:.1f}%"
    if column.startswith("throttled_us"):
        return f"{value / 1000:.1f} ms"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def shortened(text: str) -> str:
    """A long name keeps its beginning and its end; the CSV and JSON forms have it whole."""
    half = (NAME_WIDTH - 1) // 2
    return text if len(text) <= NAME_WIDTH else f"{text[:half]}…{text[-half:]}"


def render(question: str, rows: list[dict]) -> str:
    """The whole report; says so when there is no row, and when a row was not measured."""
    if not rows:
        return f"{question}\n\nNo judged minute in this range yet."
    shared = {column: rows[0][column] for column in SHARED if len({row[column] for row in rows}) == 1}
    columns = [column for column in rows[0] if column not in (*HIDDEN, *TEXTS, *SHARED)]
    cells = [[shortened(cell(column, row[column])) for column in columns] for row in rows]
    headings = [HEADINGS.get(column, column) for column in columns]
    widths = [max(len(line[i]) for line in [headings, *cells]) for i in range(len(columns))]
    number = [all(isinstance(row[column], (int, float, type(None))) for row in rows) for column in columns]
    lines = [
        question,
        *preface(rows, shared),
        "",
        _line(headings, widths, number),
        _line(["-" * w for w in widths], widths, number),
    ]
    for row, line in zip(rows, cells, strict=True):
        lines.append(_line(line, widths, number))
        lines.extend(_texts(row, shared))
    return "\n".join([*lines, "", *LEGEND])


def preface(rows: list[dict], shared: dict[str, str]) -> list[str]:
    """The window that the rows speak about, and a mark on everything that no kernel measured."""
    start, end = min(row["horizon_start"] for row in rows), max(row["horizon_end"] for row in rows)
    minutes = [row["horizon_windows"] for row in rows]
    held = f"{min(minutes)} to {max(minutes)}" if min(minutes) < max(minutes) else f"{minutes[0]}"
    window = f"window {start[:19]} to {end[:19]} UTC with rows for {held} of its minutes"
    lines = [window + "".join(f", {column} {value}" for column, value in shared.items())]
    strange = sorted({row["origin"] for row in rows} - {"measured"})
    if strange:
        lines.append(f"NOT MEASURED HERE: origin {' and '.join(strange)}.")
    return lines


def _line(cells: list[str], widths: list[int], number: list[bool]) -> str:
    padded = [text.rjust(width) if right else text.ljust(width) for text, width, right in zip(cells, widths, number, strict=True)]
    return "  ".join(padded).rstrip()


def _texts(row: dict, shared: dict[str, str]) -> list[str]:
    lines = [" " * INDENT + f"{column}: {row[column]}" for column in SHARED if column not in shared]
    if row.get("reclaimable_cores_low") is not None:
        low, high = row["reclaimable_cores_low"], row["reclaimable_cores_high"]
        lines.append(" " * INDENT + f"reclaimable: {low:.2f} to {high:.2f} of its reserved cores (5th to 95th percentile)")
    lines.extend(" " * INDENT + f"{label}: {words}" for label, words in (("worth", worth(row)), ("cliff", cliff(row))) if words)
    for label, words in (("recommended", recommended(row)), ("trust", trust(row))):
        lead = " " * INDENT + f"{label}: "
        lines.extend(textwrap.wrap(words, WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead)))
    for column, label in TEXTS.items():
        values = row.get(column) or []
        if column == "worst_shards" and not (row.get("verdict") == "throttled" and row.get("shards", 0) > 1):
            continue  # Who is worst among one, or among the unthrottled, tells nobody anything.
        text = "; ".join(values) if column == "reasons" else ", ".join(values)
        if text:
            lead = " " * INDENT + f"{label}: "
            lines.extend(textwrap.wrap(text, WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead)))
    return lines


def recommended(row: dict) -> str:
    """The recommended change with what it frees, as every page shows it; nothing before the first analysis."""
    if not row.get("recommended_change"):
        return ""
    words = row["recommended_change"]
    if row.get("cores_freed") is not None:
        needs = row["cores_freed"] < 0
        shown = needed(row) if needs else row
        words += f"; {'needs' if needs else 'frees'} {ends(shown, 'cores_freed', '{:.2f}')} cores{' more' if needs else ''}"
        words += f", {ends(shown, 'usd_per_year', '{:,.0f}')} USD a year" if row.get("usd_per_year") is not None else ", no price"
    return words


def needed(row: dict) -> dict:
    """The same figures as what is needed instead of freed: nobody reads a negative gain as a price."""
    turned = {}
    for column in ("cores_freed", "usd_per_year"):
        for end, other in (("", ""), ("_low", "_high"), ("_high", "_low")):
            if row.get(column + end) is not None:
                turned[column + other] = -row[column + end]
    return turned


def trust(row: dict) -> str:
    """How far the change, its cores and dollars can be believed, and what limits it; nothing where nothing is estimated."""
    if not row.get("trust"):
        return ""
    return row["trust"] + (f": {row['trust_reasons']}" if row.get("trust_reasons") else "")


def worth(row: dict) -> str:
    """What the rank rests on, in words; nothing where that is not known, or where the recommended change of the latest analysis says it."""
    if row.get("recommended_change") or row.get("tunable_cores") is None:
        return ""
    words = f"{row['fix_set']} frees {ends(row, 'tunable_cores', '{:.2f}')} cores"
    priced = row.get("savings_usd_per_year") is not None
    words += f", {ends(row, 'savings_usd_per_year', '{:,.0f}')} USD a year" if priced else ", no price"
    return words + (f", for {row['effort_days']:g} days of work" if row.get("effort_days") else "")


def cliff(row: dict) -> str:
    """How far the load may grow, in words; nothing where no cliff is known."""
    if row.get("collapse_load_multiple") is None:
        return ""
    band = f", {row['risk_band']}" if row.get("risk_band") else ""
    return f"collapse at {ends(row, 'collapse_load_multiple', '{:.2f}')} times the load{band}"


def ends(row: dict, column: str, form: str) -> str:
    """A median with its interval, which may be unknown."""
    low, high = row.get(f"{column}_low"), row.get(f"{column}_high")
    interval = f" [{form.format(low)}, {form.format(high)}]" if low is not None and high is not None else ""
    return form.format(row[column]) + interval
