"""The tools that must be there before anything starts; what the distribution serves is installed by its package manager."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from quotascope_native import artefacts
from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY
from quotascope_native.progress import Progress


@dataclass(frozen=True)
class Tool:
    """A program with the oldest version that serves, and the Debian package that may bring it."""

    program: str
    arguments: tuple[str, ...]
    oldest: tuple[int, ...]
    package: str | None

    @property
    def wanted(self) -> str:
        return f"{self.program} {'.'.join(map(str, self.oldest))} or newer"


# The race detector of Go's tests links C.
COMPILER = Tool("gcc", ("--version",), (9,), "build-essential")
# It checks the unit without a running systemd; --offline came with release 250.
UNIT_CHECKER = Tool("systemd-analyze", ("--version",), (250,), "systemd")


def required() -> list[Tool]:
    # The Go release is stated once, in go.mod; a distribution's Go is older than that for years.
    go = re.search(r"^go (\d+)\.(\d+)", (REPOSITORY / "collectors" / "go.mod").read_text(), re.MULTILINE)
    return [
        Tool("go", ("version",), (int(go[1]), int(go[2])), None),
        Tool("java", ("-version",), (17,), "openjdk-17-jdk-headless"),
        Tool("javac", ("-version",), (17,), "openjdk-17-jdk-headless"),
        Tool("mvn", ("--version",), (3, 6), "maven"),
        Tool("make", ("--version",), (4,), "make"),
    ]


def ensure(log: Path, progress: Progress, tools: list[Tool]) -> None:
    """Check every tool, install what apt serves, and name the first one that is still missing."""
    for tool in tools:
        if satisfied(tool):
            continue
        if tool.package and can_install():
            install(tool.package, log, progress)
        if not satisfied(tool):
            found = version(tool)
            have = f"found {'.'.join(map(str, found))}" if found else "not found"
            raise StackFailure(f"{tool.wanted} is needed, {have}", remedy(tool))


def remedy(tool: Tool) -> str:
    if tool.program == "go":
        return f"install {tool.wanted} from https://go.dev/dl/ and put it on the PATH"
    return f"as root: apt-get install {tool.package}"


def satisfied(tool: Tool) -> bool:
    found = version(tool)
    return found is not None and found >= tool.oldest


def version(tool: Tool) -> tuple[int, ...] | None:
    """The first number with dots that the program prints, else the first number; None when it is not on the PATH."""
    if not shutil.which(tool.program):
        return None
    result = subprocess.run([tool.program, *tool.arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    text = result.stdout + result.stderr
    # Terminal colours hold numbers too, but none with dots.
    match = re.search(r"(\d+(?:\.\d+)+)", text) or re.search(r"(\d+)", text)
    return tuple(int(part) for part in match[1].split(".")) if match else None


def can_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(package: str, log: Path, progress: Progress) -> None:
    """apt-get, with the package lists refreshed first when they are missing or do not name the package."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with progress.step(f"installing {package} with apt", log):
        known = subprocess.run(["apt-cache", "show", package], capture_output=True).returncode == 0
        if not known:
            artefacts.run_logged(["apt-get", "update"], log, "check the network and the apt sources", env=env)
        artefacts.run_logged(["apt-get", "install", "--yes", package], log, f"install {package} by hand", env=env)


def ensure_browser(log: Path, progress: Progress) -> None:
    """Chromium for the browser tests."""
    chromium = Tool("chromium", ("--version",), (100,), "chromium")
    ensure(log, progress, [chromium])


# Only for making the BPF object again: the committed one is what runs, and what these releases make of its sources.
BPF_COMPILER = [
    Tool("clang-16", ("--version",), (16,), "clang-16"),
    Tool("llvm-strip-16", ("--version",), (16,), "llvm-16"),
]
