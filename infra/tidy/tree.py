"""The files of the repository as git knows them, and findings as `file:line: what is wrong, what to do instead`."""

import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
# A line that says this, with a reason behind it, is excused from the rule that it names.
ALLOWED = "tidy: allow"
# Written by a program or by another project; their own generator is responsible.
NOT_OURS = ("go.sum", "requirements.txt", ".pb.go", "_bpfel.go", "_bpfeb.go", ".lock")


@dataclass(frozen=True)
class Source:
    """One text file; `path` is relative to the repository."""

    path: str
    text: str

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def suffix(self) -> str:
        return Path(self.path).suffix

    def at(self, line: int, what: str) -> str:
        return f"{self.path}:{line}: {what}"


def paths() -> list[str]:
    """Tracked files and new ones that git would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    return sorted(path for path in set(listed.splitlines()) if (REPOSITORY / path).is_file())


@cache
def sources() -> tuple[Source, ...]:
    """Every text file that people write here."""
    found = []
    for path in paths():
        if path.endswith(NOT_OURS):
            continue
        octets = (REPOSITORY / path).read_bytes()
        if b"\0" in octets:
            continue
        try:
            found.append(Source(path, octets.decode()))
        except UnicodeDecodeError:
            continue
    return tuple(found)


def of_kind(*suffixes: str) -> list[Source]:
    return [source for source in sources() if source.suffix in suffixes]
