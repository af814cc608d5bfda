"""What is installed once and shared by every instance: keyed by its lock, built once, resumed after an interruption."""

import fcntl
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from quotascope_native.failure import StackFailure
from quotascope_native.layout import Layout
from quotascope_native.progress import Progress, last_line

COMPLETE = "complete"


def ensure(
    layout: Layout, progress: Progress, name: str, key: str, build: Callable[[Path, Path], None]
) -> Path:
    """The folder of an artefact. `build(folder, log)` fills it if no complete one of this key is cached.

    Two installations at once wait for one another. The marker is written last, so a build that was
    interrupted starts over, on top of what the package managers keep in caches of their own.
    """
    folder = layout.cache / f"{name}-{key}"
    if (folder / COMPLETE).exists():
        return folder
    log = layout.cache / f"{name}.log"
    layout.cache.mkdir(parents=True, exist_ok=True)
    with (layout.cache / f"{name}.lock").open("w") as lock:
        _wait_for(lock, progress, name, log)
        if (folder / COMPLETE).exists():
            return folder
        require_space(layout.cache, 2.0)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        log.write_text("")
        with progress.step(f"installing {name}", log):
            build(folder, log)
            (folder / COMPLETE).touch()
    return folder


def _wait_for(lock, progress: Progress, name: str, log: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        progress.say(f"waiting for another installation of {name} (log {log})")
        fcntl.flock(lock, fcntl.LOCK_EX)


def require_space(folder: Path, gigabytes: float) -> None:
    """Fail before a download that cannot fit."""
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(existing).free / 1e9
    if free < gigabytes:
        raise StackFailure(
            f"{existing} has {free:.1f} GB free, {gigabytes:.1f} GB are needed",
            "free some, or set QUOTASCOPE_CACHE and QUOTASCOPE_STATE to a larger disk",
        )


def run_logged(argv: list[str], log: Path, remedy: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    """Run a tool with its output in the log; a failure becomes one line with the remedy."""
    with log.open("ab") as out:
        out.write(f"{time.strftime('%H:%M:%S')} $ {' '.join(argv)}\n".encode())
        out.flush()
        try:
            result = subprocess.run(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        except FileNotFoundError as error:
            raise StackFailure(f"{argv[0]} is not installed", "install it and run the command again", log) from error
    if result.returncode != 0:
        program = argv[2] if argv[1] == "-m" else Path(argv[0]).name
        raise StackFailure(f"{program} failed with exit code {result.returncode}{last_line(log)}", remedy, log)
