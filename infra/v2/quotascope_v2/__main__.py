"""`python -m quotascope_v2 [KERNEL]`: prints the events of `go test -json` of everything that ran in the guest."""

import json
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

# It takes well under two minutes.
LIMIT_S = 400.0
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
    """Run the guest, and once more if it hung: an emulated CPU that stands still says nothing about what was tested on it.

    A second hang is a failure. The first one's kernel log is kept, since why CPUs stand still is not known.
    """
    lines, failed = _once(machine)
    if failed and machine.hung():
        kept = machine.console.rename(machine.console.with_name("console-hung.log"))
        print(f"warning: the guest hung and is run once more; its kernel's words are in {kept}", file=sys.stderr)
        lines, failed = _once(machine)
        # Counted, so that a hang shows in the total of `make test` and not in a log alone.
        lines.append(json.dumps({"Action": "skip", "Package": "guest", "Test": "TheGuestHungOnce"}))
    print("\n".join(lines), flush=True)
    return 1 if failed else 0


def _once(machine: Machine) -> tuple[list[str], bool]:
    started = time.monotonic()
    lines = list(results.events(machine.run(), [suite.package for suite in suites.SUITES]))
    failed = any('"Action":"fail"' in line.replace(" ", "") for line in lines)
    return [*lines, f"the guest ran for {time.monotonic() - started:.0f} s; its kernel's words are in {machine.console}"], failed


if __name__ == "__main__":
    sys.exit(main())
