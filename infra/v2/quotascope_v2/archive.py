"""The guest's file system: an archive of the kind that a kernel unpacks at boot (cpio, "newc")."""

import stat
from pathlib import Path
from typing import BinaryIO

MAGIC = b"070701"
ALIGNMENT = 4


class Archive:
    """Writes entries one after another; parents are made when they are first needed."""

    def __init__(self, out: BinaryIO) -> None:
        self.out = out
        self.inode = 0
        self.folders: set[str] = set()

    def file(self, path: str, content: bytes, executable: bool = False) -> None:
        self._parents(path)
        self._entry(path, stat.S_IFREG | (0o755 if executable else 0o644), content)

    def copy(self, path: str, source: Path, executable: bool = False) -> None:
        self.file(path, source.read_bytes(), executable)

    def console(self) -> None:
        """The kernel opens /dev/console for the first process before anything is mounted."""
        self._parents("dev/console")
        self._entry("dev/console", stat.S_IFCHR | 0o600, b"", device=(5, 1))

    def close(self) -> None:
        self._entry("TRAILER!!!", 0, b"")

    def _parents(self, path: str) -> None:
        members = path.split("/")[:-1]
        for depth in range(1, len(members) + 1):
            folder = "/".join(members[:depth])
            if folder not in self.folders:
                self.folders.add(folder)
                self._entry(folder, stat.S_IFDIR | 0o755, b"")

    def _entry(self, path: str, mode: int, content: bytes, device: tuple[int, int] = (0, 0)) -> None:
        self.inode += 1
        name = path.encode() + b"\0"
        links = 2 if stat.S_ISDIR(mode) else 1
        # inode, mode, uid, gid, links, mtime, size, device of the file (2), device it stands for (2), name, checksum
        fields = (self.inode, mode, 0, 0, links, 0, len(content), 0, 0, *device, len(name), 0)
        self._padded(MAGIC + b"".join(b"%08x" % field for field in fields) + name)
        self._padded(content)

    def _padded(self, octets: bytes) -> None:
        self.out.write(octets + b"\0" * (-len(octets) % ALIGNMENT))
