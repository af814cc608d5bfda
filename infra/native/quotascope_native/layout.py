"""Where everything lives: the repository, one instance's state, and the cache that instances share."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Layout:
    """Folders of one instance. Two instances differ in `state` only."""

    state: Path
    cache: Path

    @staticmethod
    def resolve(state: str | None = None) -> "Layout":
        """The state folder is the argument, else QUOTASCOPE_STATE, else `.quotascope` in the repository."""
        chosen = state or os.environ.get("QUOTASCOPE_STATE") or REPOSITORY / ".quotascope"
        cache = os.environ.get("QUOTASCOPE_CACHE") or Path.home() / ".cache" / "quotascope"
        return Layout(Path(chosen).resolve(), Path(cache).resolve())

    def create(self) -> None:
        """Make the folders; secrets are readable by their owner only."""
        for folder in (self.logs, self.pids, self.bin, self.cache):
            folder.mkdir(parents=True, exist_ok=True)
        self.secrets.mkdir(mode=0o700, exist_ok=True)

    @property
    def logs(self) -> Path:
        return self.state / "logs"

    @property
    def pids(self) -> Path:
        return self.state / "run"

    @property
    def bin(self) -> Path:
        return self.state / "bin"

    @property
    def secrets(self) -> Path:
        return self.state / "secrets"

    @property
    def endpoints(self) -> Path:
        return self.state / "endpoints.json"

    def log(self, name: str) -> Path:
        """The log of a service or of an installation step."""
        return self.logs / f"{name}.log"


def content_key(*files: Path) -> str:
    """Sixteen hex digits that change when any of the files does."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
