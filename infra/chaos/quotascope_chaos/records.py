"""Faults of records: poison, repetitions, disorder, late hosts, stepped clocks, floods."""

import dataclasses
import time
from collections.abc import Iterable

from quotascope_reference import dump
from quotascope_reference.intake import MINUTE_US, WINDOW_US
from quotascope_reference.tables import Reference
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS, Schemas
from scenario import poison

from quotascope_chaos import traffic
from quotascope_chaos.scene import Scene
from quotascope_chaos.traffic import Record
from quotascope_chaos.trial import Fault, Proof

HOUR_MS = 3_600_000
DAY_US = 24 * 3600 * 1_000_000
FLOOD_SERVICES = 200
BURST_HOSTS = 30
BURST_MINUTES = 10
JUDGED_WITHIN_S = 60


def expects(**counts: int | None) -> Proof:
    """The exact numbers that the log's account must show: `repeated`, `missing`, `refused`; or at least one, for None."""

    def proof(reference: Reference) -> list[str]:
        intake = reference.intake
        missing = intake.gaps.total() + intake.before_first.total()
        seen = {"repeated": intake.duplicates.total(), "missing": missing, "refused": len(intake.dead_letters)}
        return [
            f"{name}: {seen[name]}, expected {count if count is not None else 'some'}"
            for name, count in counts.items()
            if seen[name] != count and (count is not None or not seen[name])
        ]

    return proof


def poisoned(scene: Scene) -> Proof:
    """Every kind of broken message, among them a clock a day ahead in each partition."""
    agent = scene.agents[0]
    sound = agent.shard_fields(agent.shards[0], scene.minute_us)
    agent.seqs[CPU_USAGE_WINDOWS] -= 1
    partitions = dump.partitions(scene.stand.bootstrap, [CPU_USAGE_WINDOWS])[CPU_USAGE_WINDOWS]
    now_us = scene.stand.clock.now_ms() * 1000
    sent = poison.put(scene.stand.bootstrap, poison.of(sound, partitions, scene.stand.schemas, now_us))

    def proof(reference: Reference) -> list[str]:
        found = {position: refused.reason for position, refused in reference.intake.dead_letters.items()}
        wanted = {position: message.reason for position, message in sent.items()}
        return [] if found == wanted else [f"refused were {found}, expected {wanted}"]

    return proof


def repeated(scene: Scene) -> Proof:
    """A producer that was not told of its success sends everything again, twice."""
    records = list(traffic.minutes_of(scene.agents, scene.minute_us, scene.stand.schemas))
    scene.arrive(scene.minute_us)
    for _ in range(3):
        scene.sender.send(records)
    scene.minute_us += MINUTE_US
    return expects(repeated=2 * len(records), missing=0, refused=0)


def two_agents(scene: Scene) -> Proof:
    """A second agent on a host, and then a third one with the epoch of the first: its numbers are taken."""
    first = scene.agents[0]
    second = dataclasses.replace(first.restarted(), epoch=first.epoch + 7)
    third = dataclasses.replace(first, seqs=first.seqs.copy())
    scene.minutes(2, [*scene.agents, second, third])
    of_two_minutes = 2 * (MINUTE_US // WINDOW_US) * (len(first.shards) + 1)
    return expects(repeated=of_two_minutes, missing=0, refused=0)


def reordered(scene: Scene) -> Proof:
    """Hosts interleaved at random, each in its own order; and one host whose records are shuffled, which no spool does."""
    schemas = scene.stand.schemas
    streams = [agent.minute(scene.minute_us, schemas) for agent in scene.agents[1:]]
    scene.arrive(scene.minute_us)
    scene.sender.send(interleaved(scene, streams))
    shuffled = scene.agents[0].minute(scene.minute_us, schemas)
    scene.chance.shuffle(shuffled)
    scene.sender.send(shuffled)
    scene.minute_us += MINUTE_US
    return expects(repeated=None, missing=None, refused=0)


def interleaved(scene: Scene, streams: Iterable[list[Record]]) -> list[Record]:
    waiting = [list(stream) for stream in streams]
    mixed = []
    while waiting:
        stream = scene.chance.choice(waiting)
        mixed.append(stream.pop(0))
        waiting = [one for one in waiting if one]
    return mixed


def six_hours_late(scene: Scene) -> Proof:
    """One host was cut off and returns after six hours with what it kept; another after seven, which is too late."""
    late, too_late, *others = scene.agents
    schemas = scene.stand.schemas
    kept = {agent.host_id: [] for agent in (late, too_late)}
    for _ in range(3):
        for agent in (late, too_late):
            kept[agent.host_id] += agent.minute(scene.minute_us, schemas)
        scene.minutes(1, others)
    for agent in (late, too_late):
        scene.stand.clock.step(6 * HOUR_MS if agent is late else HOUR_MS)
        scene.sender.send(kept[agent.host_id])
    scene.minute_us = (scene.stand.clock.now_ms() * 1000 // MINUTE_US + 1) * MINUTE_US

    def proof(reference: Reference) -> list[str]:
        came = [each for each in reference.intake.accepted[CPU_USAGE_WINDOWS] if each.record["host_id"] == late.host_id and each.part]
        reasons = {refused.reason for refused in reference.intake.dead_letters.values()}
        wrong = [] if came else ["no late record was accepted"]
        return wrong + expects(refused=len(kept[too_late.host_id]))(reference) + ([] if reasons == {"too_old"} else [f"reasons {reasons}"])

    return proof


def late_records(scene: Scene) -> Proof:
    """A host that is minutes behind all others, and stays so."""
    slow, *others = scene.agents
    kept = []
    for _ in range(6):
        kept.append(slow.minute(scene.minute_us, scene.stand.schemas))
        scene.minutes(1, others)
        if len(kept) > 3:
            scene.sender.send(kept.pop(0))
    for minute in kept:
        scene.sender.send(minute)
    return expects(repeated=0, missing=0, refused=0)


def stepped_clocks(scene: Scene) -> Proof:
    """One host's clock jumps a day ahead, another one's two minutes back; the third is right throughout."""
    ahead, back, right = scene.agents
    scene.arrive(scene.minute_us)
    schemas = scene.stand.schemas
    wrong = ahead.minute(scene.minute_us + DAY_US, schemas)
    scene.sender.send([*wrong, *back.minute(scene.minute_us - 2 * MINUTE_US, schemas), *right.minute(scene.minute_us, schemas)])
    scene.minute_us += MINUTE_US
    return expects(repeated=0, refused=len(wrong))


def oversize(scene: Scene) -> Proof:
    """A record that the broker refuses: it is gone alone, as a gap that the next record shows."""
    agent = scene.agents[0]
    shard = agent.shards[0]
    fields = agent.shard_fields(shard, scene.minute_us) | {"shard": "x" * 2_000_000}
    scene.sender.send([Record(CPU_USAGE_WINDOWS, agent.host_id, scene.stand.schemas.encode(CPU_USAGE_WINDOWS, fields))])
    refused = list(scene.sender.refused)
    return lambda reference: expects(missing=1, refused=0)(reference) + ([] if refused else ["the broker took the record"])


@dataclasses.dataclass(frozen=True)
class WrittenWith:
    """Schemas that write one topic as an agent of another release does."""

    schemas: Schemas
    topic: str
    writer: bytes

    def encode(self, topic: str, record: dict) -> bytes:
        return self.schemas.encode(topic, record, self.writer if topic == self.topic else None)


def both_schemas(scene: Scene) -> Proof:
    """Agents of every released schema side by side: N-1 and N, host by host."""
    schemas = scene.stand.schemas
    agents = []
    for topic in (CPU_USAGE_WINDOWS, HOST_WINDOWS):
        for number, writer in enumerate(schemas.writers(topic)):
            older = dataclasses.replace(scene.agents[0], host_id=f"{scene.cluster}-{topic}-{number}", seqs=traffic.Counter())
            agents.append((older, topic, writer))
    for _ in range(2):
        scene.arrive(scene.minute_us)
        for agent, topic, writer in agents:
            scene.sender.send(agent.minute(scene.minute_us, WrittenWith(schemas, topic, writer)))
        scene.minute_us += MINUTE_US
    return expects(repeated=0, missing=0, refused=0)


def flooded(scene: Scene) -> Proof:
    """One host suddenly names hundreds of services; its neighbours' rows must come as always."""
    flood = traffic.fleet(scene.cluster, scene.stand.twins, scene.cluster, scene.agents[0].epoch, hosts=1, services=FLOOD_SERVICES)[0]
    scene.minutes(1, [*scene.agents, dataclasses.replace(flood, host_id=f"{scene.cluster}-flood")])
    return expects(repeated=0, missing=0, refused=0)


def burst(scene: Scene) -> Proof:
    """Ten times the records of the others, ten minutes at once: how fast the backlog is worked off."""
    many = traffic.fleet(scene.cluster, scene.stand.twins, "burst", scene.agents[0].epoch + 1, hosts=BURST_HOSTS)
    first = scene.minute_us
    records = []
    for _ in range(BURST_MINUTES):
        records += traffic.minutes_of(many, scene.minute_us, scene.stand.schemas)
        scene.minute_us += MINUTE_US
    began = time.monotonic()
    for start in range(0, len(records), len(records) // BURST_MINUTES):
        scene.arrive(first + start * MINUTE_US * BURST_MINUTES // len(records))
        scene.sender.send(records[start : start + len(records) // BURST_MINUTES])
    scene.stand.clock.step(40_000)
    await_judged(scene, scene.minute_us - MINUTE_US)
    seconds = time.monotonic() - began
    scene.notes.append(f"{len(records)} records, {BURST_MINUTES} min of the log in {seconds:.0f} s: {60 * BURST_MINUTES / seconds:.0f}x")
    return expects(repeated=0, missing=0, refused=0)


def idle_partitions(scene: Scene) -> Proof:
    """All records are in one partition, and then none come at all: ticks alone must close the minutes."""
    # Hosts of their own: a host's records are always in one partition, which is what its numbers rest on.
    alone = [dataclasses.replace(agent, host_id=f"{agent.host_id}-alone", seqs=traffic.Counter()) for agent in scene.agents]
    records = list(traffic.minutes_of(alone, scene.minute_us, scene.stand.schemas))
    scene.arrive(scene.minute_us)
    scene.sender.send(records, partition=0)
    scene.stand.clock.step(40_000)
    await_judged(scene, scene.minute_us)
    scene.minute_us += 2 * MINUTE_US
    return expects(refused=0)


def await_judged(scene: Scene, minute_us: int) -> None:
    deadline = time.monotonic() + JUDGED_WITHIN_S
    while scene.judged_until() < minute_us:
        if time.monotonic() > deadline:
            raise TimeoutError(f"the minute is no row within {JUDGED_WITHIN_S} s")
        time.sleep(0.2)


FAULTS = [
    Fault("poison", "broken messages of every kind, a clock a day ahead in every partition", poisoned, quiet=True),
    Fault("repeated-records", "everything is sent three times", repeated, quiet=True, harmless=True),
    Fault("two-agents", "three agents on one host, two of them with one epoch", two_agents, quiet=True, harmless=True),
    Fault("reordered-records", "hosts interleaved at random, one host shuffled", reordered, quiet=True, harmless=True),
    Fault("late-records", "a host that is four minutes behind", late_records, quiet=True, harmless=True),
    Fault("stepped-host-clocks", "a day ahead, two minutes back", stepped_clocks, quiet=True, harmless=True),
    Fault("oversize-record", "2 MB on a topic that takes 1 MiB", oversize, quiet=True, harmless=True),
    Fault("schemas-side-by-side", "hosts on every released schema", both_schemas, quiet=True, harmless=True),
    Fault("label-flood", f"{FLOOD_SERVICES} services in one minute", flooded, quiet=True),
    Fault("burst", f"{BURST_HOSTS} hosts instead of three, {BURST_MINUTES} minutes at once", burst, quiet=True),
    Fault("idle-partitions", "one partition with records, then none", idle_partitions, quiet=True),
    Fault("six-hours-late", "a host returns after six hours, another after seven", six_hours_late, quiet=True),
]
