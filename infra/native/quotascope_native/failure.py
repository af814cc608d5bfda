"""What a person reads when a step cannot be done: one line with the remedy, and where to look."""

from pathlib import Path


class StackFailure(Exception):
    """A step failed for a reason that the person at the keyboard can act on."""

    def __init__(self, what: str, remedy: str, log: Path | None = None):
        super().__init__(what)
        self.what = what
        self.remedy = remedy
        self.log = log

    def line(self) -> str:
        """The whole failure on one line."""
        text = f"error: {' '.join(self.what.split())}: {self.remedy}"
        return f"{text} (log {self.log})" if self.log else text
