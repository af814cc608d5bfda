"""From the guest's lines to the events of `go test -json`, so that `make test` counts them like all others."""

import json
import subprocess
from collections.abc import Iterable, Iterator

MODULE = "github.com/quotascope/quotascope/collectors/"


def events(lines: Iterable[str], expected: Iterable[str]) -> Iterator[str]:
    """JSON lines. A package that began and did not end, or never began, is a failure that says so."""
    waiting = list(expected)
    package: str | None = None
    text: list[str] = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "@@begin":
            package, text = rest, []
        elif word == "@@end" and package is not None:
            yield from _converted(package, text, int(rest.split()[-1]))
            if package in waiting:
                waiting.remove(package)
            package = None
        elif word.startswith("@@"):
            yield line
        elif package is not None:
            text.append(line)
    if package is not None:
        yield from _converted(package, text, None)
        waiting.remove(package)
    for missing in waiting:
        yield _event("output", missing, "the machine ended before this package ran\n")
        yield _event("fail", missing)


def _converted(package: str, text: list[str], exit_code: int | None) -> Iterator[str]:
    """The Go tool itself turns a binary's output into events."""
    argv = ["go", "tool", "test2json", "-p", MODULE + package]
    result = subprocess.run(argv, input="\n".join(text) + "\n", capture_output=True, text=True, check=True)
    found = [line for line in result.stdout.splitlines() if line]
    # Without an exit status of its own, the tool calls a binary that died a pass or says nothing.
    last = [json.loads(line) for line in found if '"Test"' not in line]
    whole = [event for event in last if event["Action"] in ("pass", "fail", "skip")]
    if exit_code == 0 and whole:
        yield from found
        return
    yield from (line for line in found if line not in map(json.dumps, whole))
    why = "the machine ended, or its time was up, within this package" if exit_code is None else f"the tests ended with {exit_code}"
    yield _event("output", package, why + "\n")
    yield _event("fail", package)


def _event(action: str, package: str, output: str | None = None) -> str:
    event = {"Action": action, "Package": MODULE + package}
    return json.dumps(event if output is None else {**event, "Output": output})
