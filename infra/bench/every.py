"""Runs every bench in turn and gathers one table: figure, goal, met or missed, and the machine it was measured on.

A bench that fails is said so and the next one runs. Writes build/bench/every.md; ends with 1 when a goal was missed or a
bench failed. Nothing is measured here: figures are those of the benches' own reports.
"""

import json
import os
import platform
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
OUT = TOP / "build" / "bench"
# What the analysis of one container may cost, as docs/model states it.
MODEL_GOALS_US = {"full analysis": 5_000.0}
MODEL_LINE = re.compile(r"^(?P<what>\S.*?)\s+(?P<us>\d+\.\d) us$", re.MULTILINE)
SIMULATOR_LINE = re.compile(r"^\| (?P<charged>[^|]+) \| (?P<kappa>[^|]+) \| (?P<load>[^|]+) \| (?P<ms>[\d.]+) \|", re.MULTILINE)


@dataclass(frozen=True)
class Figure:
    """One measured figure; a goal of None means that none is stated."""

    bench: str
    what: str
    measured: float | None
    goal: float | None
    met: bool | None

    def row(self) -> str:
        said = {True: "met", False: "**missed**", None: "-"}[self.met]
        cells = [self.bench, self.what, _number(self.measured), _number(self.goal), said]
        return f"| {' | '.join(cells)} |"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def of_verdicts(bench: str, report: dict) -> list[Figure]:
    """The verdicts of a report; one that only lists what was missed gives those, and says so when nothing was."""
    if "verdicts" in report:
        return [Figure(bench, one["what"], one["measured"], one["goal"], one["met"]) for one in report["verdicts"]]
    if "goals_missed" not in report:
        return []
    missed = [Figure(bench, line, None, None, False) for line in report["goals_missed"]]
    return missed or [Figure(bench, "every goal", None, None, True)]


def of_model(text: str) -> list[Figure]:
    """The lines of the model's bench, microseconds of CPU time."""
    figures = []
    for line in MODEL_LINE.finditer(text):
        goal = next((us for words, us in MODEL_GOALS_US.items() if words in line["what"]), None)
        measured = float(line["us"])
        figures.append(Figure("model", f"{line['what']}, us", measured, goal, None if goal is None else measured <= goal))
    return figures


def of_simulator(text: str) -> list[Figure]:
    """The lines of the simulator's bench, milliseconds of CPU time."""
    return [
        Figure("simulator", f"charged {line['charged']}, kappa {line['kappa']}, load {line['load']}, ms", float(line["ms"]), None, None)
        for line in SIMULATOR_LINE.finditer(text)
    ]


def run(bench: str) -> list[Figure]:
    """One bench as its make target runs it."""
    began = time.time()
    result = subprocess.run(["make", f"bench-{bench}"], cwd=TOP, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    sys.stdout.write(result.stdout)
    report = OUT / f"{bench}.json"
    if report.exists() and report.stat().st_mtime >= began:
        return of_verdicts(bench, json.loads(report.read_text()))
    figures = {"model": of_model, "simulator": of_simulator}.get(bench, lambda text: [])(result.stdout)
    if result.returncode != 0 or not figures:
        figures.append(Figure(bench, f"no figure: the bench ended with {result.returncode}", None, None, False))
    return figures


def machine() -> str:
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    quick = ", QUICK" if os.environ.get("QUICK") else ""
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    return f"{os.cpu_count()} CPUs {model[1] if model else platform.machine()}, Linux {platform.release()}, {when}, load {load}{quick}"


def table(before: str, after: str, figures: list[Figure]) -> str:
    head = f"Before: {before}.\nAfter: {after}.\n\n| bench | figure | measured | goal | |\n|---|---|---|---|---|\n"
    return head + "".join(figure.row() + "\n" for figure in figures)


def main(benches: list[str]) -> int:
    before = machine()
    figures = [figure for bench in benches for figure in run(bench)]
    OUT.mkdir(parents=True, exist_ok=True)
    text = table(before, machine(), figures)
    (OUT / "every.md").write_text(text)
    print("\n" + text)
    return 1 if any(figure.met is False for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["fidelity", "overhead", "simulator", "model", "alarm-delay"]))
