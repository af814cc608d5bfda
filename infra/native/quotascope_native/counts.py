"""How many tests passed, failed and were skipped, read from what each test runner writes."""

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

GO_COMPLAINT = re.compile(r"\w+\.go:\d+: |^panic: ")
"""What a test says by `t.Log`, `t.Error` or `t.Fatal` begins with its file and line; which of them it was cannot be seen."""

TESTIFY_FIELD = re.compile(r"^\s*\t(Error Trace|Error|Test|Messages):\s*\t(.*)$")
"""testify's assertions say nothing after file and line, but what was wrong in fields on the lines that follow."""


@dataclass(frozen=True)
class Counts:
    """Tests by outcome. Adding counts of two runs gives the counts of both."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    @property
    def total(self) -> int:
        return self.passed + self.failed + self.skipped


def of_go(lines: Iterable[str]) -> Counts:
    """From `go test -json`. A package that fails without a failed test did not build or died: one failure."""
    outcomes = {"pass": 0, "fail": 0, "skip": 0}
    failed_in: set[str] = set()
    failed_packages: set[str] = set()
    for line in lines:
        if not line.startswith("{"):
            continue
        event = json.loads(line)
        action, package = event.get("Action"), event.get("Package", "")
        if action not in outcomes:
            continue
        if event.get("Test"):
            outcomes[action] += 1
            if action == "fail":
                failed_in.add(package)
        elif action == "fail":
            failed_packages.add(package)
    silent = len(failed_packages - failed_in)
    return Counts(outcomes["pass"], outcomes["fail"] + silent, outcomes["skip"])


def of_junit(files: Iterable[Path]) -> Counts:
    """From JUnit XML, as pytest and Maven Surefire write it."""
    total = Counts()
    for file in files:
        for case in ElementTree.parse(file).iter("testcase"):
            # A test that passed on a rerun has rerunFailure elements; only these three decide.
            outcome = {child.tag for child in case}
            if outcome & {"failure", "error"}:
                total += Counts(failed=1)
            elif "skipped" in outcome:
                total += Counts(skipped=1)
            else:
                total += Counts(passed=1)
    return total


@dataclass(frozen=True)
class FailedTest:
    """A failed test's name and the first line that says why, empty if it said nothing."""

    name: str
    cause: str = ""


def failed_junit(files: Iterable[Path]) -> list[FailedTest]:
    """Class and name of every failed test of JUnit XML files."""
    return [
        FailedTest(f"{case.get('classname')}.{case.get('name')}", _first_line(child.get("message") or child.text or ""))
        for file in files
        for case in ElementTree.parse(file).iter("testcase")
        for child in case
        if child.tag in {"failure", "error"}
    ]


def failed_go(lines: Iterable[str]) -> list[FailedTest]:
    """Package and name of every failed Go test, and packages that did not build."""
    failed: list[tuple[str, str]] = []
    printed: dict[tuple[str, str], list[str]] = {}
    for event in (json.loads(line) for line in lines if line.startswith("{")):
        key = (event.get("Package", ""), event.get("Test", ""))
        if event.get("Action") == "fail":
            failed.append(key)
        elif event.get("Action") == "output":
            printed.setdefault(key, []).append(event["Output"])
    with_test = {package for package, test in failed if test}
    return [
        FailedTest(f"{package} {test}".strip(), _go_cause(printed.get((package, test), [])))
        for package, test in failed
        if test or package not in with_test
    ]


def _go_cause(printed: list[str]) -> str:
    """What an assertion found wrong, where one failed, and the last line said before it, which often has the figures."""
    said = [_first_line(line) for line in printed if GO_COMPLAINT.search(line) and not line.rstrip().endswith(":")]
    wrong: list[str] = []
    inside = False
    for line in printed:
        if field := TESTIFY_FIELD.match(line):
            inside = field[1] in {"Error", "Messages"}
            line = field[2]
        elif line.strip() == "Diff:" or line.startswith("--- "):
            inside = False
        if inside and line.strip():
            wrong.append(line.strip())
    return " | ".join([" ".join(wrong), *said[-1:]]) if wrong else " | ".join(said[-2:])


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def go_output(lines: Iterable[str]) -> list[str]:
    """What the failed tests of `go test -json` printed, build errors included."""
    outputs: dict[tuple[str, str], list[str]] = {}
    shown: list[str] = []
    for line in lines:
        if not line.startswith("{"):
            shown.append(line.rstrip())
            continue
        event = json.loads(line)
        key = (event.get("Package", ""), event.get("Test", ""))
        if event["Action"] == "build-output":
            shown.append(event["Output"].rstrip())
        elif event["Action"] == "output":
            outputs.setdefault(key, []).append(event["Output"].rstrip())
        elif event["Action"] == "fail":
            shown += outputs.get(key, [])
    return shown
