"""The pipeline that faults are done to: genuine servers, a broker whose clock can be moved, cuttable networks, small disks."""

import dataclasses
import socket
import time
from pathlib import Path

from quotascope_native import jobs, pipeline, ports, steps, topics
from quotascope_native.artefacts import run_logged
from quotascope_native.failure import StackFailure
from quotascope_native.service import Launch, Service
from quotascope_native.stack import Stack
from quotascope_reference import dump
from quotascope_reference.judgements import REVISION
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS, REPOSITORY, Schemas
from quotascope_sql.server import Server

from quotascope_chaos.clock import LogClock
from quotascope_chaos.disk import Disk
from quotascope_chaos.proxy import Cable, Proxy
from quotascope_chaos.traffic import Twins

BROKER = REPOSITORY / "infra" / "chaos" / "broker" / "SteppedBroker.java"
GENUINE_WITHIN_S = 120
# Topics that keep a day would lose what they are compared with, for a run's clock passes days.
KEEPS_EVERYTHING = "log.retention.check.interval.ms=86400000\n"
# A busy machine is no fault; how long a start took is in the table.
READY_WITHIN_S = 240
# Checkpoints of these jobs are some hundred kilobytes each; ClickHouse keeps logs of its own beside the rows.
CHECKPOINT_MEGABYTES = 256
STORE_MEGABYTES = 1024


class Stand:
    """A running pipeline with handles on what surrounds it. Made once, used by every fault."""

    def __init__(self, state: Path, jar: Path = jobs.JAR):
        self.jar = jar
        self.stack = Stack.open(str(state), auto_ports=True)
        self.schemas = Schemas()
        self.clock = LogClock(state / "log-clock-ahead-ms")
        self.kafka_cable = Proxy(free_port())
        self.clickhouse_cable = Proxy(self.stack.ports["clickhouse_http"])
        self.checkpoint_disk = Disk(state / "flink" / "checkpoints", CHECKPOINT_MEGABYTES)
        self.store_disk = Disk(state / "clickhouse" / "store", STORE_MEGABYTES)
        self.twins: Twins | None = None
        # Which reprocessing revision the jobs write.
        self.revision = REVISION
        for name in pipeline.SERVERS:
            self.stack.services[name] = dataclasses.replace(self.stack.services[name], ready_within_s=READY_WITHIN_S)
        self._options = {
            "kafka.bootstrap": f"{ports.HOST}:{self.kafka_cable.port}",
            "clickhouse.url": f"http://{ports.HOST}:{self.clickhouse_cable.port}",
            # Minutes of the log pass in a second or two, and ticks are what tells partitions so.
            "tick.interval": "1 s",
            "analysis.turn-minutes": "10",
        }

    def start(self) -> None:
        """Servers, tables, topics, jobs; and a minute of genuine records to make others of."""
        pipeline.install(self.stack)
        pipeline.build(self.stack, ("cgroupreplay",))
        self.checkpoint_disk.mount()
        self.store_disk.mount()
        self._configure()
        self.stack.start(*pipeline.SERVERS)
        topics.create(self.bootstrap)
        self.stack.start("replay")
        steps.migrate(self.stack)
        steps.load_prices_and_changes(self.stack)
        if self.jar == jobs.JAR:
            # Jobs of an earlier release refuse entries in a schema that they do not know.
            steps.load_catalog(self.stack)
        self.submit()
        self.twins = self._genuine()
        self.stack.stop("replay")

    def close(self) -> None:
        """End everything that was started and unmount what was mounted."""
        self.stack.stop(hurry=True)
        for cable in (self.kafka_cable, self.clickhouse_cable):
            cable.close()
        for disk in (self.checkpoint_disk, self.store_disk):
            disk.unmount()

    @property
    def bootstrap(self) -> str:
        """The broker as producers and readers of this run reach it, not through the cable of the jobs."""
        return self.stack.endpoints()["kafka"]

    @property
    def clickhouse(self) -> Server:
        return Server(self.stack.endpoints()["clickhouse_http"], "admin", self.stack.secret("clickhouse_admin"))

    def set_options(self, **changed: str) -> None:
        """Options that jobs submitted from now on are given."""
        self._options |= changed
        self._write_options()

    def repair(self) -> None:
        """Have every server and job run again, after a fault that ended in the middle."""
        for cable in (self.kafka_cable, self.clickhouse_cable):
            cable.cable = Cable.WHOLE
        for disk in (self.checkpoint_disk, self.store_disk):
            disk.free()
        # A job manager may be in any state by now, and it keeps nothing that submitting does not find again.
        self.stack.stop(*jobs.CLUSTER)
        self.stack.start(*pipeline.SERVERS)
        self.submit()

    def submit(self) -> None:
        """Have every job run; one that does not continues from its newest checkpoint."""
        jobs.submit(self.stack, jar=self.jar)

    def _configure(self) -> None:
        self._write_options()
        kafka = self.stack.layout.state / "kafka"
        kafka.mkdir(exist_ok=True)
        (kafka / "added.properties").write_text(
            f"listeners=CLIENTS://@CLIENTS@,JOBS://{ports.HOST}:{self.kafka_cable.target_port},CONTROLLER://@CONTROLLER@\n"
            f"advertised.listeners=CLIENTS://@CLIENTS@,JOBS://{ports.HOST}:{self.kafka_cable.port}\n"
            "listener.security.protocol.map=CLIENTS:PLAINTEXT,JOBS:PLAINTEXT,CONTROLLER:PLAINTEXT\n" + KEEPS_EVERYTHING
        )
        self.stack.services["kafka"] = stepped(self.stack.services["kafka"], kafka, self.clock.file)

    def _write_options(self) -> None:
        lines = "".join(f"{name}={value}\n" for name, value in self._options.items())
        (self.stack.layout.state / "added-jobs.properties").write_text(lines)

    def _genuine(self) -> Twins:
        deadline = time.monotonic() + GENUINE_WITHIN_S
        while time.monotonic() < deadline:
            found = Twins.of(dump.read(self.bootstrap, [HOST_WINDOWS, CPU_USAGE_WINDOWS]), self.schemas)
            if found:
                return found
            time.sleep(1)
        raise StackFailure("the replay sends no records", "read its log", self.stack.layout.log("replay"))


def stepped(kafka: Service, folder: Path, clock: Path) -> Service:
    """The same broker on the clock that a file moves; compiled once, so that starting it again takes no longer than another one."""

    def prepare() -> Launch:
        launch = kafka.prepare()
        jars = launch.argv[launch.argv.index("-cp") + 1]
        if not (folder / f"{BROKER.stem}.class").exists():
            argv = ["javac", "-cp", jars, "-proc:none", "-d", str(folder), str(BROKER)]
            run_logged(argv, folder / "javac.log", "the log names what does not compile")
        argv = [f"{folder}:{jars}" if word == jars else BROKER.stem if word == "kafka.Kafka" else word for word in launch.argv]
        return dataclasses.replace(launch, argv=[*argv, str(clock)])

    return dataclasses.replace(kafka, prepare=prepare)


def free_port() -> int:
    with socket.create_server((ports.HOST, 0)) as probe:
        return probe.getsockname()[1]
