"""Whether the lab can have cgroups of its own here, and the removal of what it left."""

import contextlib
import os
import time
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
FOLDER = "quotascope"
LAB = "lab"
V1_TREES = ("cpu", "cpuacct", "pids")


def trees(root: Path = ROOT) -> list[Path]:
    """The folders under which ours would be: three trees of v1, else the one tree of v2."""
    v1 = [root / name for name in V1_TREES]
    if all((tree / "cgroup.procs").exists() for tree in v1):
        return v1
    return [root] if (root / "cgroup.controllers").exists() else []


def obstacle(root: Path = ROOT) -> str | None:
    """Why real cgroups cannot be had, as the end of a sentence; None when they can."""
    found = trees(root)
    if not found:
        return f"{root} has neither the cgroup v1 trees cpu, cpuacct and pids nor a v2 tree"
    if found == [root] and "cpu" not in (root / "cgroup.controllers").read_text().split():
        return f"the cpu controller is not available in {root}"
    for tree in found:
        folder = tree / FOLDER
        existed = folder.exists()
        try:
            (folder / "writable").mkdir(parents=True, exist_ok=True)
            (folder / "writable").rmdir()
            if not existed:
                folder.rmdir()
        except OSError as error:
            right = " (root or a delegated subtree is needed)" if os.geteuid() != 0 else ""
            return f"{folder} cannot be created: {error.strerror}{right}"
    return None


def left_over(root: Path = ROOT) -> list[Path]:
    """Every cgroup of the lab that still exists, deepest first. Other folders of ours belong to other instances."""
    found = []
    for tree in trees(root):
        top = tree / FOLDER / LAB
        if top.is_dir():
            found += [Path(path) for path, _, _ in os.walk(top, topdown=False)]
    return found


def remove(root: Path = ROOT, within_s: float = 5) -> list[Path]:
    """Remove our cgroups that have no process; returns what could not be removed."""
    deadline = time.monotonic() + within_s
    while left := left_over(root):
        for folder in left:
            try:
                folder.rmdir()
            except OSError:
                continue
        # The kernel empties a cgroup a moment after its last process ended.
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    for tree in trees(root):
        # Fails while another instance has a folder in it, and then it must stay.
        with contextlib.suppress(OSError):
            (tree / FOLDER).rmdir()
    return left_over(root)
