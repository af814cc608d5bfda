"""Small disks of their own, so that a full one fills nothing else."""

import os
import subprocess
from pathlib import Path

from quotascope_native.failure import StackFailure

MEGABYTE = 1 << 20
BALLAST = "ballast"


class Disk:
    """A tmpfs at a folder, which a fault can fill to the last byte and empty again."""

    def __init__(self, folder: Path, megabytes: int):
        self.folder = folder
        self.megabytes = megabytes

    def mount(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        argv = ["mount", "-t", "tmpfs", "-o", f"size={self.megabytes}m,mode=700", "quotascope-chaos", str(self.folder)]
        said = subprocess.run(argv, capture_output=True, text=True)
        if said.returncode != 0:
            raise StackFailure(f"no small disk for faults: {said.stderr.strip()}", "run as root where mounting is allowed")

    def unmount(self) -> None:
        if os.path.ismount(self.folder):
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)

    def fill(self) -> int:
        """Leave no byte free; returns how many were."""
        written = 0
        with (self.folder / BALLAST).open("wb", buffering=0) as ballast:
            for piece in (MEGABYTE, 4096):
                try:
                    while True:
                        written += ballast.write(bytes(piece))
                except OSError:
                    continue
        return written

    def free(self) -> None:
        (self.folder / BALLAST).unlink(missing_ok=True)
