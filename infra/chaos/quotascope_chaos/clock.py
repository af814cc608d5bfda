"""The log's clock, which this run moves: hours of the log pass in seconds of the machine."""

import time
from pathlib import Path

# The broker looks at the file every 10 ms.
SEEN_AFTER_S = 0.05
# Records of a leap that the broker has not seen are ahead of time and refused, and their hour is not in the log. Shorter steps are also
# made while the broker is gone or paused.
LEAP_MS = 150_000
LEAP_SEEN_WITHIN_S = 60
HOUR_MS = 3_600_000
# What is in time for an hour comes within half a minute; its rows follow within two.
HOUR_IS_OVER_MS = 160_000


class LogClock:
    """What the broker stamps messages with: the machine's time plus what a file says. It only moves forward."""

    def __init__(self, file: Path, leap_seen_within_s: float = LEAP_SEEN_WITHIN_S):
        self._file = file
        self._leap_seen_within_s = leap_seen_within_s
        self._ahead_ms = int(file.read_text()) if file.exists() else 0

    @property
    def file(self) -> Path:
        return self._file

    def now_ms(self) -> int:
        return int(time.time() * 1000) + self._ahead_ms

    def reach(self, moment_ms: int) -> None:
        """Make it at least this time, at once."""
        lacking = moment_ms - self.now_ms()
        if lacking > 0:
            self.step(lacking)

    def step(self, ahead_ms: int) -> None:
        """Move forward and wait until a living broker should have seen it, or, of a leap, until it says so.

        Raises TimeoutError when a leap is not seen.
        """
        if ahead_ms < 0:
            raise ValueError(f"the log's clock cannot go back by {-ahead_ms} ms")
        self._ahead_ms += ahead_ms
        fresh = self._file.with_suffix(".new")
        fresh.write_text(f"{self._ahead_ms}\n")
        fresh.replace(self._file)
        time.sleep(SEEN_AFTER_S)
        if ahead_ms >= LEAP_MS:
            self._await_seen()

    def _await_seen(self) -> None:
        seen = self._file.with_name(f"{self._file.name}.seen")
        deadline = time.monotonic() + self._leap_seen_within_s
        while not seen.exists() or seen.read_text() != f"{self._ahead_ms}\n":
            if time.monotonic() > deadline:
                raise TimeoutError(f"the broker has not seen within {self._leap_seen_within_s} s that the log's clock leapt")
            time.sleep(0.01)

    def pass_hour(self) -> int:
        """Close the hour with all its parts, and the looks at its hosts and services. Returns the time by which all are closed."""
        over_ms = (self.now_ms() // HOUR_MS + 1) * HOUR_MS + HOUR_IS_OVER_MS
        self.reach(over_ms + 1000)
        return over_ms
