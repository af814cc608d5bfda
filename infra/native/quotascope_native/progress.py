"""What the person at the terminal sees while something takes long: the step, how far, and where the log is."""

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HEARTBEAT_S = 10
COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class Progress:
    """Phases of a command, numbered against their total, and the timed steps inside them."""

    def __init__(self, phases: int = 0):
        self.phases = phases
        self.reached = 0

    def say(self, text: str) -> None:
        print(text, flush=True)

    def phase(self, what: str) -> None:
        """Announce the next phase of a command that knows how many it has."""
        self.reached += 1
        self.say(f"[{self.reached}/{self.phases}] {what}")

    @contextmanager
    def step(self, what: str, log: Path | None = None, follow: bool = True) -> Iterator[None]:
        """Announce a step, beat every ten seconds while it runs, and print how long it took.

        follow: show the newest line of the log with each beat, where that is a sign of progress.
        """
        where = f" (log {log})" if log else ""
        self.say(f"{what}{where}")
        started = time.monotonic()
        finished = threading.Event()
        beat = threading.Thread(target=self._beat, args=(what, log if follow else None, started, finished), daemon=True)
        beat.start()
        try:
            yield
        finally:
            finished.set()
            beat.join()
        self.say(f"{what}: done in {time.monotonic() - started:.1f} s")

    def _beat(self, what: str, log: Path | None, started: float, finished: threading.Event) -> None:
        while not finished.wait(HEARTBEAT_S):
            self.say(f"      {what}: {time.monotonic() - started:.0f} s{last_line(log)}")


def last_line(log: Path | None) -> str:
    """The newest line of a log, shortened, as the sign that something moves."""
    if log is None or not log.is_file():
        return ""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 2000))
        lines = file.read().decode(errors="replace").splitlines()
    # Maven, pytest and Superset colour their output even when nobody looks.
    plain = (COLOUR.sub("", line).strip() for line in reversed(lines))
    newest = next((line for line in plain if line), "")
    return f" | {_readable(newest)[:110]}" if newest else ""


def _readable(line: str) -> str:
    """An event of `go test -json` in the order in which people read it."""
    try:
        event = json.loads(line)
        return f"{event['Action']} {event['Package']} {event.get('Test', '')}"
    except (ValueError, KeyError, TypeError):
        return line
