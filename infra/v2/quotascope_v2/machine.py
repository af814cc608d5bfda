"""One run of the virtual machine, from boot to power-off, never longer than its time limit."""

import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CPUS = 2
# As many as a large host has: what the kernel allocates for every possible CPU shows its real size.
POSSIBLE_CPUS = 88
MEMORY_MIB = 2048
POLL_S = 0.2
# One host thread for all virtual CPUs. With a thread for each, QEMU before 8.1 keeps a translation of code that another CPU has
# written meanwhile: a breakpoint that the kernel patched away is then taken for ever, where programs are attached or detached.
ACCELERATOR = "tcg,thread=single"
# Two hierarchies would fight for the controllers; a panic must end the run, not wait for somebody. The kernel reads clocks from an
# emulated timer, which is slow. It must: on a busy host its own measurement of how fast time stamps count can be wrong twentyfold.
KERNEL_LINE = "console=ttyS0 quiet loglevel=6 cgroup_no_v1=all panic=-1 rdinit=/init random.trust_cpu=on nokaslr"


@dataclass(frozen=True)
class Machine:
    """`folder` takes what both serial lines said: console.log of the kernel, results.log of the tests."""

    kernel: Path
    files: Path
    folder: Path
    limit_s: float
    kernel_line: str = ""

    @property
    def console(self) -> Path:
        return self.folder / "console.log"

    @property
    def results(self) -> Path:
        return self.folder / "results.log"

    def argv(self) -> list[str]:
        # Plain translation: function only, and the same everywhere. Hardware virtualisation is rarely to be had in CI.
        return [
            "qemu-system-x86_64", "-machine", "q35", "-accel", ACCELERATOR, "-cpu", "max", "-smp", f"{CPUS},maxcpus={POSSIBLE_CPUS}",
            "-m", str(MEMORY_MIB),
            "-kernel", str(self.kernel), "-initrd", str(self.files), "-append", f"{KERNEL_LINE} {self.kernel_line}".strip(),
            "-nodefaults", "-display", "none", "-no-reboot", "-nic", "none",
            "-serial", f"file:{self.console}", "-serial", f"file:{self.results}",
        ]  # fmt: skip

    def run(self) -> Iterator[str]:
        """Yield the lines of the tests as they come. Ends with the machine, which is ended at the limit."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.results.write_text("")
        deadline = time.monotonic() + self.limit_s
        with (self.folder / "qemu.log").open("w") as log:
            process = subprocess.Popen(self.argv(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            with self.results.open(errors="replace") as lines:
                yield from _follow(lines, process, deadline)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()


def _follow(lines, process: subprocess.Popen, deadline: float) -> Iterator[str]:
    partial = ""
    while True:
        ended = process.poll() is not None
        late = time.monotonic() > deadline
        # Read after the look at the process: what it wrote last is then in the file.
        while chunk := lines.readline():
            partial += chunk
            if partial.endswith("\n"):
                yield partial.rstrip("\r\n")
                partial = ""
        if ended or late:
            if partial:
                yield partial.rstrip("\r\n")
            return
        time.sleep(POLL_S)
