"""Runs sections, prints how long each took, and ends with one line over all languages."""

import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from quotascope_native import counts, toolcheck
from quotascope_native.counts import Counts, FailedTest
from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY
from quotascope_native.progress import Progress
from quotascope_native.sections import RESULTS, Section, environment

TAIL_LINES = 60
CAUSE_LENGTH = 400


@dataclass(frozen=True)
class Outcome:
    """A section's counts, time in seconds, and why it failed beyond failed tests, if it did."""

    section: Section
    counts: Counts
    seconds: float
    trouble: str | None
    failed: list[FailedTest] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.trouble is None and self.counts.failed == 0


def run(sections: list[Section]) -> int:
    """Run all of them whatever happens, and return 0 only if every one is fine."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    progress = Progress(len(sections))
    started = time.monotonic()
    outcomes = [run_section(section, progress) for section in sections]
    print_summary(outcomes, time.monotonic() - started)
    return 0 if all(outcome.ok for outcome in outcomes) else 1


def run_section(section: Section, progress: Progress) -> Outcome:
    started = time.monotonic()
    section.log.write_text("")
    trouble = None
    with progress.step(f"section {section.name}", section.log):
        try:
            trouble = _execute(section, progress)
        except StackFailure as failure:
            trouble = failure.line()
    found = read_counts(section)
    if found.total == 0 and trouble is None:
        trouble = "it ran no test"
    if trouble and found.failed == 0:
        # A section that failed to run at all must show in the total.
        found += Counts(failed=1)
    outcome = Outcome(section, found, time.monotonic() - started, trouble, failed_tests(section) if found.failed else [])
    if not outcome.ok:
        print_failure(outcome)
    return outcome


def _execute(section: Section, progress: Progress) -> str | None:
    if not (REPOSITORY / section.folder).exists():
        return f"the path {section.folder} does not exist"
    if section.needs_browser:
        toolcheck.ensure_browser(section.log, progress)
    for pattern in section.reports:
        # Counts of an earlier run must not be taken for this one's.
        for folder in {Path(file).parent for file in _found(pattern)} if section.kind == "surefire" else ():
            shutil.rmtree(folder)
        for file in _found(pattern):
            Path(file).unlink()
    for command in section.commands:
        cwd = REPOSITORY / section.folder if section.kind == "go" else REPOSITORY
        with section.log.open("ab") as out:
            result = subprocess.run(command, cwd=cwd, env=environment(), stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        if result.returncode != 0:
            return f"{Path(command[0]).name} ended with exit code {result.returncode}"
    return None


def _found(pattern: str) -> list[str]:
    """Existing files; a pattern is relative to the repository, an absolute path stands for itself."""
    if Path(pattern).is_absolute():
        return [pattern] if Path(pattern).exists() else []
    return sorted(str(file) for file in REPOSITORY.glob(pattern))


def read_counts(section: Section) -> Counts:
    if section.kind == "go":
        with section.log.open(errors="replace") as lines:
            return counts.of_go(lines)
    return counts.of_junit(_reports(section))


def failed_tests(section: Section) -> list[FailedTest]:
    if section.kind == "go":
        with section.log.open(errors="replace") as lines:
            return counts.failed_go(lines)
    return counts.failed_junit(_reports(section))


def _reports(section: Section) -> list[Path]:
    return [Path(file) for pattern in section.reports for file in _found(pattern)]


def print_failure(outcome: Outcome) -> None:
    """Name what failed, and show the end of the log."""
    section = outcome.section
    text = section.log.read_text(errors="replace").splitlines()
    print(f"--- {section.name} failed: {outcome.trouble or 'failed tests'} (log {section.log})")
    for test in outcome.failed:
        print(f"    failed: {test.name}")
    if section.kind == "go":
        text = counts.go_output(text)
    for line in text[-TAIL_LINES:]:
        print(f"    | {line[:240]}")


def print_summary(outcomes: list[Outcome], seconds: float) -> None:
    """A table of sections, what failed and why, then the line that states the result over all languages.

    Failures are repeated here since whoever keeps only the end of a log keeps this.
    """
    print(f"\n{'section':<18}{'time':>8}{'passed':>9}{'failed':>9}{'skipped':>9}")
    for outcome in outcomes:
        c = outcome.counts
        print(f"{outcome.section.name:<18}{outcome.seconds:>6.0f} s{c.passed:>9}{c.failed:>9}{c.skipped:>9}")
    total = sum((outcome.counts for outcome in outcomes), Counts())
    print(f"{'all':<18}{seconds:>6.0f} s\n")
    for outcome in outcomes:
        if outcome.trouble and not outcome.failed:
            print(f"failed: {outcome.section.name}: {outcome.trouble}")
        for test in outcome.failed:
            print(f"failed: {test.name}: {test.cause[:CAUSE_LENGTH]}")
    print(f"{total.passed} passed, {total.failed} failed, {total.skipped} skipped", flush=True)
