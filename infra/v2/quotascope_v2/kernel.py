"""Kernels of the distribution, unpacked from their packages; none is ever installed on this machine."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from quotascope_native import artefacts
from quotascope_native.failure import StackFailure
from quotascope_native.layout import Layout
from quotascope_native.progress import Progress

ARCHIVE = "http://deb.debian.org/debian"
SECURITY = "http://deb.debian.org/debian-security"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


@dataclass(frozen=True)
class Release:
    """A kernel by what asks for it. `suite` of the archive has it under `newest`, the package that depends on the newest one."""

    name: str
    suite: str
    newest: str
    kernel_line: str = ""


# The oldest kernel that the exact back end works on, this distribution's, a newer one, and that with a CPU without ticks.
RELEASES = {
    release.name: release
    for release in (
        Release("5.10", "bullseye", "linux-image-cloud-amd64"),
        Release("6.1", "bookworm", "linux-image-amd64"),
        Release("6.12", "trixie", "linux-image-cloud-amd64"),
        Release("6.12-tickless", "trixie", "linux-image-cloud-amd64", "nohz_full=1 rcu_nocbs=1"),
    )
}


def release(name: str) -> Release:
    if name not in RELEASES:
        raise StackFailure(f"there is no kernel {name}", f"name one of {', '.join(RELEASES)}")
    return RELEASES[name]


def image(layout: Layout, progress: Progress, wanted: Release) -> Path:
    """The kernel's file, downloaded once for each release that the distribution publishes."""
    apt = _Apt(layout.cache / f"v2-apt-{wanted.suite}", wanted.suite)
    package = apt.newest(wanted.newest, layout.cache / "v2-apt.log")
    folder = artefacts.ensure(layout, progress, "v2-kernel", package, lambda target, log: _unpack(apt, package, target, log))
    return folder / "vmlinuz"


@dataclass(frozen=True)
class _Apt:
    """An apt of its own for one suite: this machine's sources need not have it, and are left alone. Signatures are checked."""

    folder: Path
    suite: str

    def _options(self) -> list[str]:
        lists, cache = self.folder / "lists", self.folder / "cache"
        for folder in (lists / "partial", cache / "archives" / "partial"):
            folder.mkdir(parents=True, exist_ok=True)
        source = self.folder / "sources.list"
        # The newest kernel of a release is often in its security archive alone.
        signed = f"[signed-by={KEYRING} arch=amd64]"
        source.write_text(f"deb {signed} {ARCHIVE} {self.suite} main\ndeb {signed} {SECURITY} {self.suite}-security main\n")
        settings = {
            "Dir::Etc::sourcelist": source,
            "Dir::Etc::sourceparts": "-",
            "Dir::State::lists": lists,
            "Dir::Cache": cache,
            "APT::Architecture": "amd64",
            "APT::Sandbox::User": "root",  # the folder is this user's alone
            "Acquire::Languages": "none",
            # A suite that is no longer maintained keeps its signature and lets its date pass.
            "Acquire::Check-Valid-Until": "false",
        }
        return [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]

    def newest(self, package: str, log: Path) -> str:
        """The kernel that a package depends on. What was learned before is enough when the archive cannot be reached."""
        try:
            artefacts.run_logged(["apt-get", *self._options(), "update"], log, "is the archive reachable?")
        except StackFailure:
            if not self._depends(package):
                raise
        found = self._depends(package)
        if not found:
            raise StackFailure(f"{self.suite} has no {package}", f"look at {log}; the guest needs a Debian kernel for amd64")
        return found

    def _depends(self, package: str) -> str | None:
        argv = ["apt-cache", *self._options(), "depends", package]
        found = re.search(r"Depends: (linux-image-\S+)", subprocess.run(argv, capture_output=True, text=True).stdout)
        return found[1] if found else None

    def download(self, package: str, target: Path, log: Path) -> None:
        artefacts.run_logged(["apt-get", *self._options(), "download", package], log, "try again: old kernels leave the archive", cwd=target)


def _unpack(apt: _Apt, package: str, target: Path, log: Path) -> None:
    apt.download(package, target, log)
    (deb,) = target.glob("*.deb")
    artefacts.run_logged(["dpkg-deb", "--extract", str(deb), str(target / "tree")], log, "is dpkg installed?")
    (vmlinuz,) = (target / "tree" / "boot").glob("vmlinuz-*")
    shutil.copy(vmlinuz, target / "vmlinuz")
    shutil.rmtree(target / "tree")
    deb.unlink()
