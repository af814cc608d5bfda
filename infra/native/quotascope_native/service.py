"""What the stack must know about a service to start it, see that it works, and stop it."""

import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from quotascope_native.progress import Progress


@dataclass(frozen=True)
class Launch:
    """One process to start."""

    argv: list[str]
    cwd: Path
    env: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Service:
    """A named process of the stack. `prepare` writes configuration and returns what to start."""

    name: str
    ports: tuple[str, ...]
    prepare: Callable[[], Launch]
    ready: Callable[[], bool]
    install: Callable[[Progress], object] = lambda progress: None
    ready_within_s: float = 180
    stop_grace_s: float = 20
    # After this long a second SIGTERM says that there is no time for a graceful end.
    hurry_after_s: float | None = None


def answers(url: str, timeout_s: float = 2) -> bool:
    """Whether a GET is answered with 200."""
    try:
        with urllib.request.urlopen(url, timeout=timeout_s) as reply:
            return reply.status == 200
    except (urllib.error.URLError, OSError):
        return False
