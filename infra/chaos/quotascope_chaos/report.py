"""What a run found, for a terminal and as a table to keep."""

import json
import os
import platform
import subprocess
from pathlib import Path

from quotascope_reference.wire import REPOSITORY

from quotascope_chaos import matrix
from quotascope_chaos.trial import Outcome


def line(outcome: Outcome) -> str:
    """One fault's result on one line, and what was wrong below it."""
    times = f"lasted {outcome.lasted_s:.0f} s, recovered in {seconds(outcome.recovery_s)}, whole case {outcome.whole_s:.0f} s"
    head = f"{outcome.fault.name}: {'equal to the reference' if outcome.passed else 'FAILED'}; {times}; {outcome.account}"
    repeat = [f"    repeat with make chaos FAULT={outcome.fault.name} SEED={outcome.seed}"] if not outcome.passed else []
    return "\n".join([head, *(f"    note: {note}" for note in outcome.notes), *(f"    {said}" for said in outcome.complaints), *repeat])


def seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} s"


def table(outcomes: list[Outcome]) -> str:
    rows = [
        f"| {outcome.fault.name} | {outcome.lasted_s:.0f} s | {seconds(outcome.recovery_s)} |"
        f" {'equal' if outcome.passed else 'FAILED'} | {outcome.rows} | {outcome.load:.0f} | {'; '.join([outcome.account, *outcome.notes])} |"
        for outcome in outcomes
    ]
    return "\n".join(["| fault | lasted | recovery | tables | rows compared | load | what the log holds |", "|---|---|---|---|---|---|---|", *rows])


def written(outcomes: list[Outcome], seed: int, folder: Path) -> str:
    """The table, kept in chaos.md and chaos.json of the folder; returns it with its last line."""
    passed = sum(outcome.passed for outcome in outcomes)
    machine = f"{platform.machine()}, Linux {platform.release()}, {os.cpu_count()} CPUs"
    told = f"{table(outcomes)}\n\nseed {seed}; commit {commit()}; {machine}; {passed} of {len(outcomes)} equal\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "chaos.md").write_text(told)
    figures = ("recovery_s", "lasted_s", "rows", "load", "account", "complaints", "notes")
    kept = [{"fault": one.fault.name} | {name: getattr(one, name) for name in figures} for one in outcomes]
    (folder / "chaos.json").write_text(json.dumps({"seed": seed, "commit": commit(), "outcomes": kept}, indent=2) + "\n")
    return told


def commit() -> str:
    """What was built and run; `+` for a tree that holds more than its commit, a dash where there is no history."""
    said = subprocess.run(["git", "-C", str(REPOSITORY), "describe", "--always", "--dirty=+"], capture_output=True, text=True)
    return said.stdout.strip() or "-"


def listing() -> str:
    """Every fault with what it does, and the lines of the matrix that other tests hold."""
    faults = [*matrix.FAULTS, *matrix.UPGRADES]
    width = max(len(fault.name) for fault in faults)
    lines = [f"{fault.name:<{width}}  {fault.what}" for fault in faults]
    elsewhere = [f"  {what}: {where}" for what, where in matrix.ELSEWHERE.items()]
    return "\n".join([*lines, "", "tested elsewhere:", *elsewhere])
