"""Which test binaries run in the guest, and how they and the files they read get into its file system."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from quotascope_native.artefacts import run_logged
from quotascope_native.layout import REPOSITORY

from quotascope_v2.archive import Archive

BUSYBOX = Path("/bin/busybox")
INIT = REPOSITORY / "infra" / "v2" / "guest" / "init"


@dataclass(frozen=True)
class Suite:
    """One package of collectors/ and the arguments of its test binary."""

    package: str
    arguments: str = ""

    @property
    def program(self) -> str:
        return self.package.replace("/", "-") + ".test"


# Packages whose tests ask the kernel something. A guest is slow, so what only computes stays outside.
SUITES = (
    Suite("internal/lab/cgroup"),
    Suite("internal/kerneltruth"),
    # What the programs do on another kernel. How soon CPUs are charged, which sums of slices depend on, a starved guest cannot show.
    Suite(
        "internal/sampler/ebpf",
        "-test.run=TestNothingIsLeftAfterSIGKILL|TestTheKernelsBandwidthStructure|TestNobodyIsThrottled|TestAQuotaThatIsTakenAway"
        "|TestThrottledTimeIsLeftOut|TestAPathMadeAgain|TestThreadsAboveTheQuota|TestWhatIsUnavailable|TestAFolderIsNo",
    ),
    # What only v2 has; the rest asks how soon something is found, and runs on the host.
    Suite("internal/sampler/discovery", "-test.run=TestThreadedCgroups|TestThrottlingBelongsToTheAncestor|TestLimitsWithAncestors"),
    Suite("cmd/cfslab", "-test.run=TestARunEndsWithTheKernelsCounters|TestAKilledLabLeavesNothing|TestCleanRemovesLeftovers"),
    # Last: whatever comes of taking a CPU away, nothing else is tested on it.
    Suite("internal/sampler/ebpf", "-test.run=TestSlicesAddUpWhileACPUGoes"),
)

# Each test binary once, however often it runs.
PROGRAMS = tuple({suite.program: suite for suite in SUITES}.values())


def compile_all(folder: Path, log: Path) -> None:
    """Static test binaries: the guest has no C library."""
    for suite in PROGRAMS:
        argv = ["go", "test", "-c", "-ldflags=-s -w", "-o", str(folder / suite.program), f"./{suite.package}"]
        run_logged(argv, log, "correct what the compiler reports", cwd=REPOSITORY / "collectors", env={**os.environ, "CGO_ENABLED": "0"})


def pack(file: Path, programs: Path) -> None:
    """Everything the guest needs: busybox, the tests, and the files that tests find beside themselves."""
    with file.open("wb") as out:
        archive = Archive(out)
        archive.console()
        archive.copy("init", INIT, executable=True)
        archive.copy("bin/busybox", BUSYBOX, executable=True)
        archive.file("etc/passwd", b"root:x:0:0:root:/tmp:/bin/sh\n")
        for suite in PROGRAMS:
            archive.copy(f"tests/{suite.program}", programs / suite.program, executable=True)
        lines = "".join(f"{suite.package} {suite.program} {suite.arguments}\n" for suite in SUITES)
        archive.file("tests/list", lines.encode())
        for path in _read_by_tests():
            archive.copy(f"repository/{path}", REPOSITORY / path)
        archive.close()


def _read_by_tests() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "collectors", "schemas"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.splitlines() if not path.endswith(".go") and (REPOSITORY / path).is_file()]
