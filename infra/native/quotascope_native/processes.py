"""Starting and ending processes of ours, and never one that only inherited a number of ours."""

import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

# Every process of an instance, and every child of it, carries these two in its environment.
INSTANCE = "QUOTASCOPE_INSTANCE"
SERVICE = "QUOTASCOPE_SERVICE"
_children: dict[int, subprocess.Popen] = {}


@dataclass(frozen=True)
class Identity:
    """A process of this boot: a pid alone is recycled, together with its start time it is not."""

    pid: int
    start_ticks: int
    boot: str

    @staticmethod
    def of(pid: int) -> "Identity | None":
        """None when there is no such process, or only its zombie."""
        child = _children.get(pid)
        if child is not None and child.poll() is not None:
            del _children[pid]
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return None
        # The command in brackets may hold spaces and brackets, so fields are counted from its end.
        fields = stat.rpartition(")")[2].split()
        # The first thread of a killed server may be a zombie while others still hold its ports.
        dead = fields[0] == "X" or (fields[0] == "Z" and int(fields[17]) <= 1)
        return None if dead else Identity(pid, int(fields[19]), _boot())

    def alive(self) -> bool:
        return Identity.of(self.pid) == self


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def spawn(state: Path, service: str, argv: list[str], env: dict[str, str], cwd: Path, log: Path) -> Identity:
    """Start a process in a session of its own, its output appended to the log, and write its pid file."""
    marked = {**os.environ, **env, INSTANCE: str(state), SERVICE: service}
    with log.open("ab") as out:
        child = subprocess.Popen(
            argv, cwd=cwd, env=marked, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )
    _children[child.pid] = child
    identity = Identity.of(child.pid) or Identity(child.pid, -1, _boot())
    pid_file(state, service).write_text(json.dumps(identity.__dict__) + "\n")
    return identity


def pid_file(state: Path, service: str) -> Path:
    return state / "run" / f"{service}.pid"


def recorded(state: Path, service: str) -> Identity | None:
    """The living process of a service; None when there is no file, or its process is gone or another."""
    try:
        identity = Identity(**json.loads(pid_file(state, service).read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return identity if identity.alive() else None


def marked(state: Path, service: str) -> list[Identity]:
    """Every process with this instance's and service's mark, pid file or not: children and orphans."""
    wanted = {f"{INSTANCE}={state}".encode(), f"{SERVICE}={service}".encode()}
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            environment = set((entry / "environ").read_bytes().split(b"\0"))
        except OSError:
            continue
        if wanted <= environment and (identity := Identity.of(int(entry.name))):
            found.append(identity)
    return found


def send(identity: Identity, number: int) -> None:
    """Signal exactly this process; a pid that changed hands since is left alone."""
    try:
        handle = os.pidfd_open(identity.pid)
    except ProcessLookupError:
        return
    try:
        # The descriptor pins the process; only now is its start time worth comparing.
        if identity.alive():
            signal.pidfd_send_signal(handle, number)
    except ProcessLookupError:
        pass
    finally:
        os.close(handle)


def end(state: Path, service: str, grace_s: float, insist_after_s: float | None = None) -> bool:
    """SIGTERM to the service's own process, SIGKILL to whatever of it is left. True if anything ran.

    `insist_after_s` repeats the SIGTERM: to the lab a second one means that nobody waits for its last window.
    """
    leader = recorded(state, service)
    everyone = marked(state, service)
    if leader:
        send(leader, signal.SIGTERM)
        if insist_after_s is not None and not wait_gone([leader], insist_after_s):
            send(leader, signal.SIGTERM)
        wait_gone([leader], grace_s)
    elif everyone:
        for identity in everyone:
            send(identity, signal.SIGTERM)
        wait_gone(everyone, grace_s)
    rest = marked(state, service) + ([leader] if leader and leader.alive() else [])
    for identity in rest:
        send(identity, signal.SIGKILL)
    wait_gone(rest, 5)
    pid_file(state, service).unlink(missing_ok=True)
    return bool(leader or everyone)


def kill(state: Path, service: str, number: int) -> None:
    """One signal to the service's own process, as a fault to survive; the pid file stays."""
    leader = recorded(state, service)
    if leader is None:
        raise ProcessLookupError(f"{service} is not running")
    send(leader, number)
    if number == signal.SIGKILL:
        wait_gone([leader], 5)


def wait_gone(identities: list[Identity], within_s: float) -> bool:
    """Wait until none of them lives; False when the time is up first."""
    deadline = time.monotonic() + within_s
    while any(identity.alive() for identity in identities):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
