"""One fault from its first record to its verdict."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from quotascope_reference.tables import Reference

from quotascope_chaos.scene import RECOVERED_WITHIN_S, Scene
from quotascope_chaos.stand import Stand

# Said by a fault after it has ended: what must be seen in the log's account if it really struck.
Proof = Callable[[Reference], list[str]]
BEFORE_MINUTES = 3
AFTER_MINUTES = 2
SHOWN = 8


@dataclass(frozen=True)
class Fault:
    """A named fault: `strike` does it and undoes it, while traffic flows or (`quiet`) without."""

    name: str
    what: str
    strike: Callable[[Scene], Proof | None]
    quiet: bool = False
    # Why no time to recover is stated: nothing was away.
    harmless: bool = False
    # Its records come from hosts of its own; the scene's would only move the log's clock.
    own_hosts: bool = False


@dataclass
class Outcome:
    """What became of one fault."""

    fault: Fault
    seed: int
    lasted_s: float = 0.0
    recovery_s: float | None = None
    whole_s: float = 0.0
    account: str = ""
    # Rows of all tables that were compared, and how busy the machine was meanwhile.
    rows: int = 0
    load: float = 0.0
    complaints: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    # It ended in the middle, with servers and jobs in any state.
    broken: bool = False

    @property
    def passed(self) -> bool:
        return not self.complaints


def run(stand: Stand, fault: Fault, seed: int) -> Outcome:
    """Strike, measure the recovery, close the log, compare row for row."""
    began = time.monotonic()
    outcome = Outcome(fault, seed)
    scene = Scene(stand, fault.name, seed)
    if not fault.own_hosts:
        scene.minutes(BEFORE_MINUTES)
    proof = _struck_quietly(scene, fault, outcome) if fault.quiet else _struck(scene, fault, outcome)
    if not fault.own_hosts:
        scene.minutes(AFTER_MINUTES)
    reference = scene.closed()
    outcome.complaints += verdict(scene, reference) + (proof(reference) if proof else [])
    outcome.account = account(reference)
    outcome.rows, outcome.load = scene.rows_compared, os.getloadavg()[1]
    outcome.notes = scene.notes
    outcome.whole_s = time.monotonic() - began
    return outcome


def _struck(scene: Scene, fault: Fault, outcome: Outcome) -> Proof | None:
    with scene.traffic():
        struck = time.monotonic()
        proof = fault.strike(scene)
        outcome.lasted_s = time.monotonic() - struck
        outcome.recovery_s = scene.recovery_s()
    if outcome.recovery_s > RECOVERED_WITHIN_S:
        # Promises about time are the benches', on a quiet machine; what chaos demands is content.
        scene.notes.append(f"slower than the promised {RECOVERED_WITHIN_S} s, at a load average of {os.getloadavg()[0]:.0f}")
    return proof


def _struck_quietly(scene: Scene, fault: Fault, outcome: Outcome) -> Proof | None:
    struck = time.monotonic()
    proof = fault.strike(scene)
    outcome.lasted_s = time.monotonic() - struck
    outcome.recovery_s = scene.recovered_s
    if not fault.harmless and not fault.own_hosts:
        with scene.traffic():
            outcome.recovery_s = scene.recovery_s()
    return proof


def verdict(scene: Scene, reference: Reference) -> list[str]:
    """What is wrong: messages that went nowhere, emptiness, and every difference between the log and the tables."""
    complaints = []
    if unaccounted := reference.intake.difference(reference.messages):
        complaints.append(f"{unaccounted} messages went nowhere")
    empty = [name for name in ("shard_windows", "service_windows", "throttling_summaries") if not reference.tables[name]]
    if empty:
        complaints.append(f"nothing was compared in {', '.join(empty)}")
    differences = scene.differences(reference)
    complaints += [str(difference) for difference in differences[:SHOWN]]
    if len(differences) > SHOWN:
        complaints.append(f"and {len(differences) - SHOWN} further differences")
    return complaints


def account(reference: Reference) -> str:
    """Where the messages went, in one line."""
    intake = reference.intake
    accepted = sum(len(found) for found in intake.accepted.values())
    unknown = f", {intake.before_first.total()} before a first one" if intake.before_first.total() else ""
    parts = sum(1 for row in reference.tables["service_windows"].values() if row["part"])
    return (
        f"{accepted} accepted, {len(intake.dead_letters)} refused, {intake.duplicates.total()} repeated,"
        f" {intake.gaps.total()} missing{unknown}, {len(reference.tables['service_windows'])} rows of minutes, {parts} of them late"
    )
