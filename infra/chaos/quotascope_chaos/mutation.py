"""`python -m quotascope_chaos.mutation`: take each protection away in a copy and demand that its test fails.

The product has no switch that turns a protection off; what is taken away is a line of its source. A check that fails
without any change, that does not compile, or that passes although its protection is gone fails the command.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import yaml
from quotascope_native.failure import StackFailure
from quotascope_reference.wire import REPOSITORY

DECLARED = REPOSITORY / "infra" / "chaos" / "mutations.yaml"
COPIED = ("schemas", "streaming", "sql", "infra", "collectors")
LEFT_OUT = shutil.ignore_patterns("*.jar", "surefire-reports", "__pycache__", "generated-test-sources")
TAIL = 15
SQL_PATH = ("infra/native", "sql/tool")


@dataclass(frozen=True)
class Mutation:
    """One protection, the line that gives it, and the test that must miss it."""

    name: str
    removes: str
    file: str
    find: str
    put: str
    check: str

    def applied(self, text: str) -> str:
        if text.count(self.find) < 1:
            raise StackFailure(f"{self.name}: {self.file} does not hold {self.find!r}", f"correct {DECLARED}")
        return text.replace(self.find, self.put, 1)


def declared() -> list[Mutation]:
    return [Mutation(**fields) for fields in yaml.safe_load(DECLARED.read_text())["mutations"]]


def checked(check: str, copy: Path) -> tuple[bool, str]:
    """Whether the check passes in the copy, and what it said. StackFailure when it could not even run its tests."""
    kind, place, *test = check.split()
    runner = {"java": java, "sql": sql, "go": go}[kind]
    return runner(copy, place, *test)


def java(copy: Path, module: str, test: str) -> tuple[bool, str]:
    reports = copy / "streaming" / module / "target" / "surefire-reports"
    shutil.rmtree(reports, ignore_errors=True)
    argv = [
        "mvn", "--offline", "--batch-mode", "--quiet", "--file", "streaming/pom.xml", "--projects", module, "--also-make", "test",
        f"-Dtest={test}", "-Dsurefire.failIfNoSpecifiedTests=false", "-Dspotless.check.skip=true",
    ]  # fmt: skip
    said = run(argv, copy)
    files = list(reports.glob(f"TEST-*.{test}.xml"))
    if not files:
        raise StackFailure(f"{test} did not run:\n{said.stdout[-2000:]}", "a mutation must compile")
    suite = ElementTree.parse(files[0]).getroot()
    return int(suite.get("failures", 0)) + int(suite.get("errors", 0)) == 0, said.stdout


def sql(copy: Path, expression: str) -> tuple[bool, str]:
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", expression, "sql/tests/test_views.py"]
    said = run(argv, copy, PYTHONPATH=os.pathsep.join(str(copy / folder) for folder in SQL_PATH))
    if said.returncode not in (0, 1) or " error" in said.stdout.splitlines()[-1]:
        raise StackFailure(f"no test of views ran for {expression!r}:\n{said.stdout[-2000:]}", "a mutation must be valid SQL")
    return said.returncode == 0, said.stdout


def go(copy: Path, package: str, test: str) -> tuple[bool, str]:
    said = run(["go", "test", "-count=1", "-short", "-run", test, package], copy / "collectors")
    if "build failed" in said.stdout:
        raise StackFailure(f"{package} does not compile:\n{said.stdout[-2000:]}", "a mutation must compile")
    return said.returncode == 0, said.stdout


def run(argv: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        argv, cwd=folder, env=os.environ | environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )  # fmt: skip


def survives(mutation: Mutation, copy: Path) -> bool:
    """Whether nobody notices; the copy is as before afterwards."""
    file = copy / mutation.file
    before = file.read_text()
    file.write_text(mutation.applied(before))
    try:
        return checked(mutation.check, copy)[0]
    finally:
        file.write_text(before)


def sound(checks: list[str], copy: Path) -> None:
    """Every check passes while nothing is taken away; otherwise its failing later would prove nothing."""
    for check in checks:
        passed, said = checked(check, copy)
        if not passed:
            raise StackFailure(f"{check} fails without any change:\n{said[-3000:]}", "make it pass first")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("names", nargs="*", metavar="MUTATION", help="these (default: all)")
    arguments.add_argument("--list", action="store_true", help="name every mutation and do none")
    options = arguments.parse_args()
    chosen = [mutation for mutation in declared() if not options.names or mutation.name in options.names]
    if options.list:
        print("\n".join(f"{mutation.name:<40}{mutation.removes} ({mutation.check})" for mutation in chosen))
        return 0
    survivors = []
    with tempfile.TemporaryDirectory(prefix="quotascope-mutation-") as folder:
        copy = Path(folder)
        for name in COPIED:
            shutil.copytree(REPOSITORY / name, copy / name, ignore=LEFT_OUT)
        try:
            sound(sorted({mutation.check for mutation in chosen}), copy)
            for mutation in chosen:
                began = time.monotonic()
                if survives(mutation, copy):
                    survivors.append(mutation.name)
                told = "SURVIVED" if mutation.name in survivors else "found"
                print(f"{mutation.name:<40}{told} by {mutation.check} in {time.monotonic() - began:.0f} s", flush=True)
        except StackFailure as failure:
            print(failure.line(), file=sys.stderr)
            return 1
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} mutations found")
    return 1 if survivors or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
