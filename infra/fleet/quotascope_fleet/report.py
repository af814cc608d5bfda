"""The scores as a page: each line says what was asked, what came out and on how many."""

from dataclasses import dataclass

from quotascope_fleet import scoring
from quotascope_fleet.tables import DAY_US, Tables
from quotascope_fleet.truth import Truth


@dataclass(frozen=True)
class Line:
    """One score."""

    question: str
    answer: str
    value: float | None


def share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def ranking(truth: Truth, tables: Tables) -> list[Line]:
    """The injected mis-tunings at the top of the ranking, and of orders that people use instead."""
    right = {(each["cluster"], each["service"]) for each in truth.services if each["mistuned_at_end"]}
    day = tables.end_us - DAY_US
    ten_minutes = sorted(tables.ranking(), key=lambda row: -(row["throttled_period_ratio"] or 0))
    orders = {
        "the ranking": tables.ranking(),
        "the ranking's services by worth": tables.latest(),
        "throttled ratio, last 10 minutes": ten_minutes,
        "throttled ratio, last day": tables.throttled_ratio(day),
    }
    lines = []
    for name, rows in orders.items():
        ordered = [(row["cluster"], row["service"]) for row in rows]
        for n in sorted({10, 20, len(right)}):
            found = scoring.top(ordered, right, n)
            text = f"precision {share(found.precision)}, recall {share(found.recall)} ({found.right} of {found.existing})"
            lines.append(Line(f"mis-tuned in the top {n} of {name}", text, found.precision))
        average = scoring.average_precision(ordered, right)
        lines.append(Line(f"average precision of {name}", share(average), average))
    return lines


def flaws(truth: Truth, tables: Tables) -> list[Line]:
    """What the ranking says of services of each flaw at the end."""
    verdicts: dict[tuple, str] = {}
    for row in tables.ranking():
        verdicts.setdefault((row["cluster"], row["service"]), row["verdict"])
    lines = []
    for flaw in dict.fromkeys(each["flaw"] for each in truth.services):
        mine = [each for each in truth.services if each["flaw"] == flaw and each["mistuned"] == each["mistuned_at_end"]]
        said = [verdicts.get((each["cluster"], each["service"]), "no row") for each in mine]
        counted = ", ".join(f"{said.count(verdict)} {verdict}" for verdict in sorted(set(said)))
        lines.append(Line(f"verdicts on {flaw}", counted, None))
    return lines


def changes(truth: Truth, tables: Tables) -> list[Line]:
    """Whether the intervals of verifications hold what the changes really did."""
    rows = tables.verifications()
    lines = []
    matched = [(change, scoring.match(change, rows)) for change in truth.changes]
    verified = [each for change, row in matched if row for each in scoring.verified(change, row)]
    judged = sum(row is not None for _, row in matched)
    lines.append(Line("injected changes with a verification", f"{judged} of {len(matched)}", judged / max(1, len(matched))))
    for quantity in ("throttled_period_ratio", "used_cores"):
        for name, mine in (
            ("", [each for each in verified if each.quantity == quantity]),
            (" of changes that move something", [each for each in verified if each.quantity == quantity and each.moved]),
        ):
            covered = sum(each.covered for each in mine)
            value = covered / len(mine) if mine else None
            lines.append(Line(f"interval of {quantity}{name} covers the truth", f"{share(value)} ({covered} of {len(mine)})", value))
    placebos = [each for each in verified if not each.moved]
    wrong = sum(each.verdict in ("risen", "fallen") for each in placebos)
    lines.append(Line("deploys that change nothing, told as an effect", f"{wrong} of {len(placebos)} quantities", None))
    seen = [row for row in tables.changes() if row["source"] == "detected" and row["kind"] in ("quota", "period")]
    undeclared = [change for change in truth.changes if not change["declared"]]
    found = sum(
        any(
            (row["cluster"], row["service"], row["kind"]) == (change["cluster"], change["service"], change["kind"])
            and abs(row["changed_at_us"] - change["at_us"]) <= 120_000_000
            for row in seen
        )
        for change in undeclared
    )
    told = {(row["cluster"], row["service"], row["kind"], row["changed_at_us"]) for row in seen}
    text = f"{found} of {len(undeclared)} found, {len(told)} told"
    lines.append(Line("changes of quota and period seen in the stream", text, found / max(1, len(undeclared))))
    return lines


def kernels(truth: Truth, tables: Tables) -> list[Line]:
    """Hosts whose kernel loses quota, found or falsely accused."""
    seen = {(row["cluster"], row["host_id"]) for row in tables.kernel_findings()}
    accused = scoring.accused(tables.kernel_findings())
    faulty = {(each["cluster"], each["host_id"]) for each in truth.hosts if each["faulty_kernel"]}
    found = scoring.top(sorted(accused), faulty, len(accused))
    alerted = {(row["cluster"], row["host_id"]) for row in tables.alerts() if row["kind"] == "kernel_fault"}
    return [
        Line("faulty hosts that a finding blames", f"{found.right} of {found.existing} ({len(faulty & seen)} of them judged)", found.recall),
        Line("sound hosts falsely blamed", f"{len(accused - faulty)} of {len(seen - faulty)}", None),
        Line("alerts kernel_fault", f"{len(alerted & faulty)} right, {len(alerted - faulty)} wrong", None),
    ]


def silences(truth: Truth, tables: Tables) -> list[Line]:
    """Completeness where records were lost, and alerts of hosts that fell silent in the raw hour."""
    rows = {
        (row["cluster"], row["service"], row["quota_class"], row["hour_start_us"]): row["completeness"] for row in tables.hours()
    }
    silent = {
        (hour["cluster"], hour["service"], hour["quota_class"], hour["hour_start_us"])
        for hour in truth.service_hours
        if hour["arrived"] < hour["stated"]
    }
    result = scoring.completeness(truth.service_hours, rows, silent)
    lost = [hour for hour in truth.service_hours if hour["arrived"] < hour["stated"]]
    quiet = [hour for hour in truth.service_hours if hour["mute"] > 0 and hour["arrived"] == hour["stated"]]
    dead = {(each["cluster"], each["host_id"]) for each in truth.silences if each["until_us"] == truth.fleet["end_us"]}
    alerted = {(row["cluster"], row["host_id"]) for row in tables.alerts() if row["kind"] == "silent_host"}
    return [
        Line("hours with lost records: stated against true completeness", f"worst error {result.worst_error:.4f}, mean {result.mean_error:.4f}"
             f" over {result.hours} hours ({len(lost)} with losses), {result.without_row} without a row", result.worst_error),
        Line("hours without a loss whose completeness is below 1", str(result.wrongly_lowered), None),
        Line("hours of services that lack whole hosts: completeness cannot show it", str(len(quiet)), None),
        Line("hosts that died in the raw hour, alert silent_host", f"{len(alerted & dead)} of {len(dead)}, {len(alerted - dead)} wrong", None),
    ]  # fmt: skip


def score(truth: Truth, tables: Tables) -> list[Line]:
    """All of it."""
    return [
        *ranking(truth, tables), *flaws(truth, tables), *changes(truth, tables), *kernels(truth, tables), *silences(truth, tables)
    ]  # fmt: skip


def page(truth: Truth, lines: list[Line], counts: dict[str, int], seconds: dict[str, float]) -> str:
    """The scores as Markdown."""
    fleet = truth.fleet
    days = (fleet["end_us"] - fleet["start_us"]) / DAY_US
    text = [
        f"Simulated fleet: seed {fleet['seed']}, {fleet['services']} services, {fleet['shards']} shards, {days:.0f} days;"
        f" {sum(each['mistuned_at_end'] for each in truth.services)} services mis-tuned at its end.",
        "",
        "| question | answer |",
        "|---|---|",
        *[f"| {line.question} | {line.answer} |" for line in lines],
        "",
        "| rows | count |",
        "|---|---|",
        *[f"| {view} | {count} |" for view, count in counts.items()],
        "",
        "| step | seconds |",
        "|---|---|",
        *[f"| {step} | {took:.0f} |" for step, took in seconds.items()],
    ]
    return "\n".join(text) + "\n"
