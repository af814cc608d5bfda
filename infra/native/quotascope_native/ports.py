"""Which ports an instance uses, and who holds one that we cannot have."""

import contextlib
import json
import os
import random
import socket
from dataclasses import dataclass
from pathlib import Path

from quotascope_native.failure import StackFailure

HOST = "127.0.0.1"
DEFAULTS = {
    "kafka": 19092,
    "kafka_controller": 19093,
    "flink_rest": 18081,
    "flink_rpc": 18082,
    "jobmanager_metrics": 19249,
    "taskmanager_metrics": 19250,
    "clickhouse_http": 18123,
    "clickhouse_tcp": 19000,
    "superset": 18088,
}
# Below the range from which Linux takes the ports of outgoing connections.
AUTO_RANGE = range(20000, 32000)
LISTEN = "0A"


def variable(name: str) -> str:
    """The environment variable that moves a port."""
    return f"QS_{name.upper()}_PORT"


@dataclass(frozen=True)
class Ports:
    """Port numbers of one instance, all on loopback."""

    numbers: dict[str, int]

    def __getitem__(self, name: str) -> int:
        return self.numbers[name]

    def address(self, name: str) -> str:
        return f"{HOST}:{self.numbers[name]}"

    def url(self, name: str) -> str:
        return f"http://{self.address(name)}"


def resolve(state: Path, auto: bool) -> Ports:
    """An instance keeps the ports it chose once; the environment overrides, `auto` picks free ones."""
    saved = state / "ports.json"
    known = json.loads(saved.read_text()) if saved.exists() else {}
    numbers: dict[str, int] = {}
    for name, default in DEFAULTS.items():
        override = os.environ.get(variable(name))
        if override is not None:
            numbers[name] = _parse(name, override)
        elif name in known:
            numbers[name] = known[name]
        else:
            numbers[name] = _pick(set(numbers.values())) if auto else default
    return Ports(numbers)


def _pick(taken: set[int]) -> int:
    while True:
        port = random.choice(AUTO_RANGE)
        if port not in taken and is_free(port):
            return port


def _parse(name: str, text: str) -> int:
    if text.isdecimal() and 0 < int(text) < 65536:
        return int(text)
    raise StackFailure(f"{variable(name)}={text!r} is not a port", "give a number from 1 to 65535")


def save(state: Path, ports: Ports) -> None:
    (state / "ports.json").write_text(json.dumps(ports.numbers, indent=2) + "\n")


def is_free(port: int) -> bool:
    """Whether we could listen there now; a port in TIME_WAIT counts as free, as the servers see it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def require_free(ports: Ports, names: list[str]) -> None:
    """Fail with the first port that another process holds."""
    for name in names:
        if not is_free(ports[name]):
            holder = holder_of(ports[name])
            raise StackFailure(
                f"port {ports[name]} ({name}) is in use by {holder or 'a process that we may not see'}",
                f"stop it or set {variable(name)} to a free port",
            )


def holder_of(port: int) -> str | None:
    """`pid 42 (java)` of the process that listens on the port, if /proc lets us see it."""
    inodes = _listening_inodes(port)
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        if inodes & _open_files(entry):
            return f"pid {entry.name} ({(entry / 'comm').read_text().strip()})"
    return None


def _open_files(process: Path) -> set[str]:
    """Targets of a process's descriptors; one that closes meanwhile, or that we may not see, is left out."""
    targets = set()
    try:
        for descriptor in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                targets.add(str(descriptor.readlink()))
    except OSError:
        return targets
    return targets


def _listening_inodes(port: int) -> set[str]:
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if not Path(table).exists():
            continue
        for line in Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTEN and int(fields[1].rsplit(":", 1)[1], 16) == port:
                inodes.add(f"socket:[{fields[9]}]")
    return inodes
