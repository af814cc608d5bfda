"""After the lab: two days of simulated hours in the same pipeline, whose broker's clock is moved, until hours, hosts and changes are rows."""

from dataclasses import dataclass

from quotascope_chaos import days
from quotascope_chaos.clock import LogClock
from quotascope_chaos.scene import Scene
from quotascope_chaos.stand import KEEPS_EVERYTHING, stepped
from quotascope_chaos.traffic import Twins
from quotascope_native.stack import Stack
from quotascope_reference import compare, dump
from quotascope_reference.judgements import REVISION
from quotascope_reference.tables import Reference
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS, Schemas
from quotascope_sql.server import Server

from scenario import models

SEED = 2


@dataclass
class Place:
    """What a scene of faults needs of a pipeline that runs already."""

    stack: Stack
    clock: LogClock
    schemas: Schemas
    twins: Twins
    revision: int = REVISION

    @property
    def bootstrap(self) -> str:
        return self.stack.endpoints()["kafka"]

    @property
    def clickhouse(self) -> Server:
        return Server(self.stack.endpoints()["clickhouse_http"], "admin", self.stack.secret("clickhouse_admin"))


@dataclass
class Days:
    """What came of the two days: rows of every cluster, the lab's among them."""

    cluster: str
    reference: Reference
    judged: models.Tables
    differences: list[compare.Difference]
    complaints: list[str]


def movable(stack: Stack) -> LogClock:
    """The broker on a clock that can be moved; until then it is the machine's."""
    kafka = stack.layout.state / "kafka"
    kafka.mkdir(exist_ok=True)
    (kafka / "added.properties").write_text(KEEPS_EVERYTHING)
    clock = LogClock(stack.layout.state / "log-clock-ahead-ms")
    stack.services["kafka"] = stepped(stack.services["kafka"], kafka, clock.file)
    return clock


def pass_by(stack: Stack, clock: LogClock) -> Days:
    """Let two days pass, then compare what they and the run before them left, all clusters together."""
    schemas = Schemas()
    messages = dump.read(stack.endpoints()["kafka"], [HOST_WINDOWS, CPU_USAGE_WINDOWS])
    twins = Twins.of([message for message in messages if sound(message, schemas)], schemas)
    assert twins, "the run left no record of a shard with a quota"
    scene = Scene(Place(stack, clock, schemas, twins), "days-pass", SEED)
    proof = days.pass_by(scene)
    scene.compared = None
    scene.since = dict.fromkeys(scene.since, 0)
    reference = scene.closed()
    differences = scene.differences(reference)
    return Days(scene.cluster, reference, scene.rows_judged, differences, proof(reference))


def sound(message, schemas: Schemas) -> bool:
    """Neither a tick nor poison."""
    try:
        return message.value is not None and bool(schemas.decode(message.topic, message.value))
    except Exception:  # whatever is wrong with it is the intake's business
        return False
