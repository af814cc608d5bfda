"""The Kafka broker of this instance: KRaft, one node, loopback only."""

import base64
import socket
import subprocess
import uuid
from pathlib import Path

from quotascope_native import jvm
from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY, Layout
from quotascope_native.ports import HOST, Ports
from quotascope_native.progress import Progress
from quotascope_native.service import Launch, Service

CONFIGURATION = REPOSITORY / "infra" / "kafka"


def service(layout: Layout, ports: Ports) -> Service:
    return Service(
        name="kafka",
        ports=("kafka", "kafka_controller"),
        install=lambda progress: jvm.jars(layout, progress, "kafka"),
        prepare=lambda: prepare(layout, ports),
        ready=lambda: listening(ports["kafka"]),
        ready_within_s=180,
        stop_grace_s=20,
    )


def prepare(layout: Layout, ports: Ports) -> Launch:
    """Write the instance's server.properties and format its log folder once."""
    folder = layout.state / "kafka"
    folder.mkdir(exist_ok=True)
    properties = folder / "server.properties"
    properties.write_text((CONFIGURATION / "server.properties").read_text() + _instance_lines(folder, ports) + _added(folder, ports))
    logging = f"-Dlog4j2.configurationFile={CONFIGURATION / 'log4j2.properties'}"
    java = ["java", "-cp", f"{jvm.jars(layout, Progress(), 'kafka')}/*", logging]
    if not (folder / "log" / "meta.properties").exists():
        _format(java, folder, properties, layout.log("kafka-format"))
    heap = ["-Xms256m", "-Xmx512m", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError"]
    return Launch([*java, *heap, "kafka.Kafka", str(properties)], cwd=folder)


def _instance_lines(folder: Path, ports: Ports) -> str:
    clients, controller = ports.address("kafka"), ports.address("kafka_controller")
    return (
        f"\nlisteners=CLIENTS://{clients},CONTROLLER://{controller}\n"
        f"advertised.listeners=CLIENTS://{clients}\n"
        f"controller.quorum.voters=1@{controller}\n"
        f"log.dirs={folder / 'log'}\n"
    )


def _added(folder: Path, ports: Ports) -> str:
    """Lines that a test puts into added.properties, such as listeners with TLS; a later line overrides an earlier one.

    @CLIENTS@ and @CONTROLLER@ stand for this instance's addresses.
    """
    file = folder / "added.properties"
    if not file.exists():
        return ""
    addresses = {"@CLIENTS@": ports.address("kafka"), "@CONTROLLER@": ports.address("kafka_controller")}
    text = file.read_text()
    for name, address in addresses.items():
        text = text.replace(name, address)
    return text


def _format(java: list[str], folder: Path, properties: Path, log: Path) -> None:
    identifier = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
    argv = [*java, "kafka.tools.StorageTool", "format", "-t", identifier, "-c", str(properties)]
    with log.open("wb") as out:
        result = subprocess.run(argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    if result.returncode != 0:
        raise StackFailure("Kafka's log folder cannot be formatted", f"remove {folder} and run again", log)


def listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0
