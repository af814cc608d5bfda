"""Faults of collectors: the agent itself, replaying a recorded trace in real time, with a spool of its own."""

import signal
import time
from dataclasses import dataclass
from pathlib import Path

from quotascope_native import origin
from quotascope_native.service import Launch, Service
from quotascope_reference import dump
from quotascope_reference.intake import WINDOW_US
from quotascope_reference.tables import Reference
from quotascope_reference.wire import HOST_WINDOWS

from quotascope_chaos.disk import Disk
from quotascope_chaos.scene import Scene
from quotascope_chaos.trial import Fault, Proof

WINDOW_S = WINDOW_US / 1_000_000
PAUSE_S = 60
AWAY_S = 45
SENT_WITHIN_S = 60
SMALL_SPOOL = ('max_record_bytes = "4KiB"', 'spool_bytes = "8KiB"')
# One window was sent before the outage and four or more after it; all lie in one segment.
FLIPPED_AT = 0.7
TORN_BYTES = 7


@dataclass
class Collector:
    """One agent of the scene's cluster, run as a service of the stack."""

    scene: Scene
    host_id: str
    options: tuple[str, ...] = ()

    def __post_init__(self):
        stack = self.scene.stand.stack
        self.name = self.host_id
        stack.services[self.name] = Service(
            name=self.name,
            ports=(),
            prepare=self._prepare,
            ready=lambda: origin.says(stack.layout, self.name, "[agent] Config:"),
            stop_grace_s=30,
        )

    @property
    def folder(self) -> Path:
        return self.scene.stand.stack.layout.state / self.name

    @property
    def spool(self) -> Path:
        return self.folder / "spool"

    def start(self) -> None:
        self.scene.stand.stack.start(self.name)

    def stop(self) -> None:
        self.scene.stand.stack.stop(self.name)

    def kill(self, number: int = signal.SIGKILL) -> None:
        self.scene.stand.stack.kill(self.name, number)

    def windows(self) -> list[dict]:
        """The host windows of this agent that the log holds."""
        schemas = self.scene.stand.schemas
        messages = dump.read(self.scene.stand.bootstrap, [HOST_WINDOWS], self.scene.since)
        decoded = [schemas.decode(HOST_WINDOWS, message.value) for message in messages if message.value]
        return [record for record in decoded if record["host_id"] == self.host_id]

    def await_windows(self, count: int) -> float:
        """Seconds until the log holds so many of its windows."""
        began = time.monotonic()
        while len(self.windows()) < count:
            if time.monotonic() - began > SENT_WITHIN_S:
                raise TimeoutError(f"{self.host_id} has not sent {count} windows within {SENT_WITHIN_S} s")
            time.sleep(0.5)
        return time.monotonic() - began

    def segments(self) -> list[Path]:
        return sorted(self.spool.glob("*.qsp"))

    def _prepare(self) -> Launch:
        layout = self.scene.stand.stack.layout
        file = origin.write_configuration(layout, self.scene.stand.stack.ports, self.folder)
        text = file.read_text().replace('cluster = "lab"', f'cluster = "{self.scene.cluster}"\n  host_id = "{self.host_id}"')
        file.write_text(text + "".join(f"  {line}\n" for line in ('jitter = "0s"', *self.options)))
        argv = [str(layout.bin / "cgroupreplay"), "--trace", str(origin.TRACE), "--loop", "--config", str(file)]
        return Launch(argv, cwd=self.folder)


def killed(scene: Scene) -> Proof:
    """What was not yet handed over is gone with the process; what was spooled is not."""
    agent = Collector(scene, f"{scene.cluster}-host")
    agent.start()
    agent.await_windows(2)
    time.sleep(scene.chance.uniform(0, WINDOW_S))
    agent.kill()
    before = len(agent.windows())
    agent.start()
    scene.recovered_s = agent.await_windows(before + 1)
    agent.await_windows(before + 2)
    agent.stop()
    return lambda reference: complaints(reference, agent.host_id, epochs=2, missing=0)


def paused(scene: Scene) -> Proof:
    """A stopped agent measures nothing; it must say so and not make numbers up."""
    agent = Collector(scene, f"{scene.cluster}-host")
    agent.start()
    agent.await_windows(1)
    agent.kill(signal.SIGSTOP)
    time.sleep(PAUSE_S)
    before = len(agent.windows())
    agent.kill(signal.SIGCONT)
    scene.recovered_s = agent.await_windows(before + 1)
    agent.await_windows(before + 2)
    agent.stop()
    return lambda reference: complaints(reference, agent.host_id, epochs=1, missing=0)


def without_kafka(scene: Scene) -> Proof:
    """The agent is started while no broker is there, and keeps what it measures until one is."""
    stack = scene.stand.stack
    agent = Collector(scene, f"{scene.cluster}-host")
    stack.kill("kafka")
    agent.start()
    time.sleep(2 * WINDOW_S + 5)
    started_us = int(time.time() * 1e6)
    stack.start("kafka")
    scene.recovered_s = agent.await_windows(2)
    earlier = [window for window in agent.windows() if window["window_start_us"] + WINDOW_US <= started_us]
    agent.stop()
    lost = [] if earlier else ["no window of the time without a broker came"]
    return lambda reference: lost + complaints(reference, agent.host_id, epochs=1, missing=0)


def spoilt_spools(scene: Scene) -> Proof:
    """One outage, four agents: a torn spool, a flipped bit, a spool that is too small, and a disk without a free byte."""
    torn, flipped, small, full = agents = [
        Collector(scene, f"{scene.cluster}-torn"),
        Collector(scene, f"{scene.cluster}-flipped"),
        Collector(scene, f"{scene.cluster}-small", SMALL_SPOOL),
        Collector(scene, f"{scene.cluster}-full"),
    ]
    disk = Disk(full.spool, 1)
    disk.mount()
    try:
        for agent in agents:
            agent.start()
        for agent in agents:
            agent.await_windows(1)
        scene.stand.stack.kill("kafka")
        disk.fill()
        time.sleep(AWAY_S)
        for agent in (torn, flipped):
            agent.kill()
            spoil(agent)
            agent.start()
        scene.stand.stack.start("kafka")
        before = {agent.host_id: len(agent.windows()) for agent in agents}
        scene.recovered_s = max(agent.await_windows(before[agent.host_id] + 1) for agent in agents)
        time.sleep(2 * WINDOW_S)
        disk.free()
        for agent in agents:
            agent.stop()
    finally:
        disk.unmount()

    def proof(reference: Reference) -> list[str]:
        return [
            # What a torn end held is the last of its run: no later number shows a gap.
            *complaints(reference, torn.host_id, epochs=2, missing=0),
            *complaints(reference, flipped.host_id, epochs=2, missing=None),
            *complaints(reference, small.host_id, epochs=1, missing=None),
            *complaints(reference, full.host_id, epochs=1, missing=0),
        ]

    return proof


def spoil(agent: Collector) -> None:
    """Cut the newest segment of a torn spool short; flip one bit of the other, amid what was never acknowledged."""
    segments = agent.segments()
    if not segments:
        raise TimeoutError(f"{agent.host_id} has no segment although no broker was there")
    if agent.host_id.endswith("-torn"):
        octets = segments[-1].read_bytes()
        segments[-1].write_bytes(octets[:-TORN_BYTES])
        return
    octets = bytearray(segments[-1].read_bytes())
    octets[int(len(octets) * FLIPPED_AT)] ^= 1
    segments[-1].write_bytes(octets)


def complaints(reference: Reference, host_id: str, epochs: int, missing: int | None) -> list[str]:
    """Whether the log shows so many runs of a host, and gaps in its numbers: so many, or some for None."""
    accepted = [each for found in reference.intake.accepted.values() for each in found if each.record.get("host_id") == host_id]
    timed = [each for each in accepted if "agent_epoch" in each.record]
    runs = len({each.record["agent_epoch"] for each in timed})
    gaps = sum(each.missing_before or 0 for each in timed)
    wrong = [] if runs == epochs else [f"{host_id}: {runs} runs in the log, expected {epochs}"]
    if missing is None and not gaps:
        wrong.append(f"{host_id}: no record is missing, the fault did not strike")
    if missing is not None and gaps != missing:
        wrong.append(f"{host_id}: {gaps} records are missing, expected {missing}")
    return wrong


FAULTS = [
    Fault("agent-killed", "SIGKILL of a collector", killed, quiet=True, own_hosts=True),
    Fault("agent-paused", f"SIGSTOP of a collector for {PAUSE_S} s", paused, quiet=True, own_hosts=True),
    Fault("agent-before-kafka", "a collector is started while no broker is there", without_kafka, quiet=True, own_hosts=True),
    Fault("agent-spools", "torn, bit-flipped and too small spools, and one on a full disk", spoilt_spools, quiet=True, own_hosts=True),
]
