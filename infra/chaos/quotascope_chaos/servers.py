"""Faults of servers: killed, stopped for a minute, refusing, full, and cut off from one another."""

import signal
import time
from collections.abc import Callable

from quotascope_native import flink_rest

from quotascope_chaos.disk import Disk
from quotascope_chaos.proxy import Cable, Proxy
from quotascope_chaos.scene import Scene
from quotascope_chaos.stand import Stand
from quotascope_chaos.trial import Fault, Proof

PAUSE_S = 60
AWAY_S = 60
CUT_S = 40
REFUSING_S = 25
UNANSWERED_S = 30
# A checkpoint every ten seconds; two of them must have failed.
CHECKPOINTS_S = 35
TABLES = ("shard_windows", "service_windows", "throttling_summaries")


def killed(*names: str, away_s: float = 0) -> Callable[[Scene], None]:
    """SIGKILL in this order, at a moment that the seed chooses within a checkpoint's interval; then started again."""

    def strike(scene: Scene) -> None:
        stack = scene.stand.stack
        time.sleep(scene.chance.uniform(0, 10))
        for name in names:
            stack.kill(name)
        time.sleep(away_s)
        stack.start(*names)
        if "jobmanager" in names:
            # Without a standby the jobs are submitted again, each from its newest checkpoint.
            scene.stand.submit()

    return strike


def paused(name: str) -> Callable[[Scene], None]:
    """SIGSTOP: connections stay open and nothing answers, which is worse than being away."""

    def strike(scene: Scene) -> None:
        scene.stand.stack.kill(name, signal.SIGSTOP)
        try:
            time.sleep(PAUSE_S)
        finally:
            scene.stand.stack.kill(name, signal.SIGCONT)

    return strike


def cut(cable_of: Callable[[Stand], Proxy], kind: Cable) -> Callable[[Scene], None]:
    def strike(scene: Scene) -> None:
        cable = cable_of(scene.stand)
        cable.cable = kind
        try:
            time.sleep(CUT_S)
        finally:
            # Connections that hung so long are broken, as by a firewall that lost its table.
            cable.cable = Cable.CUT
            time.sleep(0.5)
            cable.cable = Cable.WHOLE

    return strike


def killed_before_its_answer(scene: Scene) -> Proof:
    """Inserts arrive and their acknowledgements do not; then the server dies."""
    cable = scene.stand.clickhouse_cable
    lost_before = cable.answers_lost
    cable.cable = Cable.NO_ANSWER
    try:
        time.sleep(UNANSWERED_S)
        scene.stand.stack.kill("clickhouse")
    finally:
        cable.cable = Cable.WHOLE
    scene.stand.stack.start("clickhouse")
    lost = cable.answers_lost - lost_before
    return lambda _: [] if lost else ["no answer was lost: the fault did not strike"]


def refusing(setting: str, code: int) -> Callable[[Scene], Proof]:
    """Tables that take no rows for a while, with the error of the real trouble."""

    def strike(scene: Scene) -> Proof:
        server = scene.stand.clickhouse
        errors = lambda: int(server.rows(f"SELECT sum(value) AS n FROM system.errors WHERE code = {code}")[0]["n"])  # noqa: E731
        before = errors()
        for table in TABLES:
            server.execute(f"ALTER TABLE quotascope.{table} MODIFY SETTING {setting} = 1")
        time.sleep(REFUSING_S)
        seen = errors() - before
        for table in TABLES:
            server.execute(f"ALTER TABLE quotascope.{table} RESET SETTING {setting}")
        return lambda _: [] if seen else [f"no insert was refused with error {code}: the fault did not strike"]

    return strike


def full(disk_of: Callable[[Stand], Disk], seconds: float) -> Callable[[Scene], None]:
    def strike(scene: Scene) -> None:
        disk = disk_of(scene.stand)
        disk.fill()
        try:
            time.sleep(seconds)
        finally:
            disk.free()

    return strike


def full_checkpoints(scene: Scene) -> Proof:
    """Checkpoints fail and jobs go on; what was missed is repeated from an older one if need be."""
    before = failed_checkpoints(scene.stand)
    full(lambda stand: stand.checkpoint_disk, CHECKPOINTS_S)(scene)
    failed = failed_checkpoints(scene.stand) - before
    return lambda _: [] if failed > 0 else ["no checkpoint failed: the fault did not strike"]


def failed_checkpoints(stand: Stand) -> int:
    url = stand.stack.endpoints()["flink_rest"]
    return sum(
        flink_rest.call(f"{url}/jobs/{job}/checkpoints")["counts"]["failed"]
        for job, state in flink_rest.job_states(url).items()
        if state in ("RUNNING", "RESTARTING")
    )


def nothing(scene: Scene) -> None:
    """The control: what the pace of the traffic alone costs."""
    time.sleep(2)


EVERYTHING = ("kafka", "clickhouse", "jobmanager", "taskmanager")

FAULTS = [
    Fault("nothing", "no fault: what `recovery` is when there is nothing to recover from", nothing),
    Fault("taskmanager-killed", "SIGKILL of the TaskManager", killed("taskmanager")),
    Fault("jobmanager-killed", "SIGKILL of the JobManager; jobs continue from retained checkpoints", killed("jobmanager")),
    Fault("kafka-killed", "SIGKILL of the broker", killed("kafka")),
    Fault("clickhouse-killed", "SIGKILL of ClickHouse", killed("clickhouse")),
    Fault("clickhouse-killed-before-answer", "inserts arrive, answers do not, then SIGKILL", killed_before_its_answer),
    Fault("everything-killed", "SIGKILL of all four servers, one after the other", killed(*EVERYTHING)),
    Fault("kafka-away", f"the broker is gone for {AWAY_S} s", killed("kafka", away_s=AWAY_S)),
    Fault("clickhouse-away", f"ClickHouse is gone for {AWAY_S} s", killed("clickhouse", away_s=AWAY_S)),
    Fault("taskmanager-paused", f"SIGSTOP of the TaskManager for {PAUSE_S} s", paused("taskmanager")),
    Fault("jobmanager-paused", f"SIGSTOP of the JobManager for {PAUSE_S} s", paused("jobmanager")),
    Fault("kafka-paused", f"SIGSTOP of the broker for {PAUSE_S} s", paused("kafka")),
    Fault("clickhouse-paused", f"SIGSTOP of ClickHouse for {PAUSE_S} s", paused("clickhouse")),
    Fault("kafka-cut", f"jobs cannot connect to Kafka for {CUT_S} s", cut(lambda stand: stand.kafka_cable, Cable.CUT)),
    Fault("kafka-silent", f"the network to Kafka swallows bytes for {CUT_S} s", cut(lambda stand: stand.kafka_cable, Cable.SILENT)),
    Fault("clickhouse-cut", f"jobs cannot connect to ClickHouse for {CUT_S} s", cut(lambda stand: stand.clickhouse_cable, Cable.CUT)),
    Fault("clickhouse-silent", f"the network to ClickHouse swallows bytes for {CUT_S} s", cut(lambda stand: stand.clickhouse_cable, Cable.SILENT)),
    Fault("clickhouse-too-many-parts", f"inserts refused with TOO_MANY_PARTS for {REFUSING_S} s", refusing("max_parts_in_total", 252)),
    Fault("clickhouse-read-only", f"tables are read-only for {REFUSING_S} s", refusing("table_readonly", 774)),
    Fault("clickhouse-disk-full", f"no byte is free for ClickHouse for {REFUSING_S} s", full(lambda stand: stand.store_disk, REFUSING_S)),
    Fault("checkpoint-disk-full", f"no byte is free for checkpoints for {CHECKPOINTS_S} s", full_checkpoints),
]  # fmt: skip
