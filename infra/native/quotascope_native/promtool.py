"""promtool, which checks rules of Prometheus and runs their tests; unpacked from the distribution's package, never installed."""

import re
import subprocess
from pathlib import Path

from quotascope_native import artefacts
from quotascope_native.failure import StackFailure
from quotascope_native.layout import Layout
from quotascope_native.progress import Progress

PACKAGE = "prometheus"


def promtool(layout: Layout, progress: Progress) -> Path:
    """The program, downloaded once for each release that the distribution publishes."""
    policy = subprocess.run(["apt-cache", "policy", PACKAGE], capture_output=True, text=True).stdout
    found = re.search(r"Candidate: (\S+)", policy)
    if not found or found[1] == "(none)":
        raise StackFailure(f"apt does not know {PACKAGE}", "run apt-get update; its package brings promtool")
    version = found[1]
    key = re.sub(r"[^A-Za-z0-9.]", "-", version)
    folder = artefacts.ensure(layout, progress, "promtool", key, lambda target, log: _unpack(version, target, log))
    return folder / "tree" / "usr" / "bin" / "promtool"


def _unpack(version: str, target: Path, log: Path) -> None:
    artefacts.run_logged(["apt-get", "download", f"{PACKAGE}={version}"], log, "run apt-get update and try again", cwd=target)
    (deb,) = target.glob("*.deb")
    artefacts.run_logged(["dpkg-deb", "--extract", str(deb), str(target / "tree")], log, "is dpkg installed?")
    deb.unlink()
