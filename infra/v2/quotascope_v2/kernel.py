"""A kernel of the distribution, unpacked from its package; it is never installed on this machine."""

import re
import shutil
import subprocess
from pathlib import Path

from quotascope_native import artefacts
from quotascope_native.failure import StackFailure
from quotascope_native.layout import Layout
from quotascope_native.progress import Progress

# The package that always depends on the distribution's newest kernel.
NEWEST = "linux-image-amd64"


def image(layout: Layout, progress: Progress) -> Path:
    """The kernel's file, downloaded once for each release that the distribution publishes."""
    package = _package()
    folder = artefacts.ensure(layout, progress, "v2-kernel", package, lambda target, log: _unpack(package, target, log))
    return folder / "vmlinuz"


def _package() -> str:
    listed = subprocess.run(["apt-cache", "depends", NEWEST], capture_output=True, text=True).stdout
    found = re.search(r"Depends: (linux-image-\S+)", listed)
    if not found:
        raise StackFailure(f"apt does not know {NEWEST}", "run apt-get update; the guest needs a Debian kernel for amd64")
    return found[1]


def _unpack(package: str, target: Path, log: Path) -> None:
    remedy = "run apt-get update and try again: old kernels leave the archive"
    artefacts.run_logged(["apt-get", "download", package], log, remedy, cwd=target)
    (deb,) = target.glob("*.deb")
    artefacts.run_logged(["dpkg-deb", "--extract", str(deb), str(target / "tree")], log, "is dpkg installed?")
    (vmlinuz,) = (target / "tree" / "boot").glob("vmlinuz-*")
    shutil.copy(vmlinuz, target / "vmlinuz")
    shutil.rmtree(target / "tree")
    deb.unlink()
