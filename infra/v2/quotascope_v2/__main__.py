"""`python -m quotascope_v2 [KERNEL]`: prints the events of `go test -json` of everything that ran in the guest."""

import sys
import tempfile
import time
from pathlib import Path

from quotascope_native import toolcheck
from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY, Layout
from quotascope_native.progress import Progress

from quotascope_v2 import kernel, results, suites
from quotascope_v2.machine import Machine

# It takes well under two minutes on a machine that does nothing else, and several times that on one that is fully loaded.
LIMIT_S = 900.0
FOLDER = REPOSITORY / "build" / "v2"
TOOLS = [
    toolcheck.Tool("qemu-system-x86_64", ("--version",), (7,), "qemu-system-x86"),
    toolcheck.Tool("busybox", (), (1, 30), "busybox-static"),
]


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    layout, progress, log = Layout.resolve(), Progress(), FOLDER / "build.log"
    log.write_text("")
    try:
        wanted = kernel.release(sys.argv[1] if len(sys.argv) > 1 else "6.1")
        toolcheck.ensure(log, progress, TOOLS)
        image = kernel.image(layout, progress, wanted)
        with tempfile.TemporaryDirectory(dir=FOLDER) as scratch:
            suites.compile_all(Path(scratch), log)
            files = Path(scratch) / "files.cpio"
            suites.pack(files, Path(scratch))
            return _run(Machine(image, files, FOLDER / wanted.name, LIMIT_S, wanted.kernel_line))
    except StackFailure as failure:
        print(failure.line(), file=sys.stderr)
        return 1


def _run(machine: Machine) -> int:
    started = time.monotonic()
    lines = list(results.events(machine.run(), [suite.package for suite in suites.SUITES]))
    print("\n".join(lines))
    print(f"the guest ran for {time.monotonic() - started:.0f} s; its kernel's words are in {machine.console}", flush=True)
    return 1 if any('"Action":"fail"' in line.replace(" ", "") for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
