"""What the person at the terminal sees while something takes long: the step, how far, and where the log is."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HEARTBEAT_S = 10


class Progress:
    """Numbers the steps of one command. With `total` 0 the steps carry no number."""

    def __init__(self, total: int = 0):
        self.total = total
        self.done = 0

    def say(self, text: str) -> None:
        print(text, flush=True)

    @contextmanager
    def step(self, what: str, log: Path | None = None) -> Iterator[None]:
        """Announce a step, beat every ten seconds while it runs, and print how long it took."""
        self.done += 1
        number = f"[{self.done}/{self.total}] " if self.total else ""
        where = f" (log {log})" if log else ""
        self.say(f"{number}{what}{where}")
        started = time.monotonic()
        finished = threading.Event()
        beat = threading.Thread(target=self._beat, args=(what, log, started, finished), daemon=True)
        beat.start()
        try:
            yield
        finally:
            finished.set()
            beat.join()
        self.say(f"{number}{what}: done in {time.monotonic() - started:.1f} s")

    def _beat(self, what: str, log: Path | None, started: float, finished: threading.Event) -> None:
        while not finished.wait(HEARTBEAT_S):
            self.say(f"      {what}: {time.monotonic() - started:.0f} s{last_line(log)}")


def last_line(log: Path | None) -> str:
    """The newest line of a log, shortened, as the sign that something moves."""
    if log is None or not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 2000))
        lines = file.read().decode(errors="replace").splitlines()
    newest = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f" | {newest[:110]}" if newest else ""


def warn(text: str) -> None:
    print(f"warning: {text}", file=sys.stderr, flush=True)
