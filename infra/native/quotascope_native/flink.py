"""The Flink session cluster of this instance: a JobManager and a TaskManager, each a process of its own."""

import json
import os
import secrets
import shutil
import subprocess
import urllib.request
from pathlib import Path

import yaml

from quotascope_native import jvm
from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY, Layout
from quotascope_native.ports import HOST, Ports
from quotascope_native.progress import Progress
from quotascope_native.service import Launch, Service, answers

CONFIGURATION = REPOSITORY / "infra" / "flink"
RESULT = "BASH_JAVA_UTILS_EXEC_RESULT:"
# The JobManager's heap is small and mostly idle; the TaskManager must not pause long.
COLLECTORS = {"jobmanager": ["-XX:+UseSerialGC"], "taskmanager": ["-XX:+UseG1GC"]}
# Set to 1, both processes serve their metrics to Prometheus (docs/operating/metrics.md).
METRICS = "QUOTASCOPE_METRICS"
ENTRIES = {
    "jobmanager": ("JM", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint"),
    "taskmanager": ("TM", "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"),
}


def jobmanager(layout: Layout, ports: Ports) -> Service:
    return Service(
        name="jobmanager",
        ports=("flink_rest", "flink_rpc", *_metrics_port("jobmanager")),
        install=lambda progress: jvm.jars(layout, progress, "flink"),
        prepare=lambda: prepare(layout, ports, "jobmanager"),
        ready=lambda: answers(f"{ports.url('flink_rest')}/overview"),
        ready_within_s=180,
    )


def taskmanager(layout: Layout, ports: Ports) -> Service:
    return Service(
        name="taskmanager",
        ports=_metrics_port("taskmanager"),
        install=lambda progress: jvm.jars(layout, progress, "flink"),
        prepare=lambda: prepare(layout, ports, "taskmanager"),
        ready=lambda: registered(layout, ports),
        ready_within_s=180,
    )


def prepare(layout: Layout, ports: Ports, role: str) -> Launch:
    folder = layout.state / "flink"
    configuration = folder / role
    configuration.mkdir(parents=True, exist_ok=True)
    # Files of an ended process (blobs, shipped jars) are of no use to the next one.
    shutil.rmtree(folder / "tmp" / role, ignore_errors=True)
    (folder / "tmp" / role).mkdir(parents=True)
    identity = f"taskmanager-{secrets.token_hex(4)}"
    (folder / f"{role}.id").write_text(identity)
    shared = yaml.safe_load((CONFIGURATION / "config.yaml").read_text())
    text = yaml.safe_dump(shared | _of_instance(folder, ports, role, identity) | added(folder))
    (configuration / "config.yaml").write_text(text)
    lib = jvm.jars(layout, Progress(), "flink")
    short, entry = ENTRIES[role]
    jvm_options, dynamic = _resources(lib, configuration, short, layout.log(f"{role}-memory"))
    options = yaml.safe_load(text)["env.java.opts.all"].split()
    logging = f"-Dlog4j.configurationFile={CONFIGURATION / 'log4j2.properties'}"
    argv = ["java", *jvm_options, *COLLECTORS[role], *options, logging, "-cp", f"{lib}/*", entry]
    return Launch([*argv, "--configDir", str(configuration), *dynamic], cwd=folder)


def added(folder: Path) -> dict:
    """Settings that somebody put into added.yaml of this instance, such as more memory for a larger fleet."""
    file = folder / "added.yaml"
    return yaml.safe_load(file.read_text()) or {} if file.exists() else {}


def _metrics_port(role: str) -> tuple[str, ...]:
    return (f"{role}_metrics",) if os.environ.get(METRICS) == "1" else ()


def _of_instance(folder: Path, ports: Ports, role: str, identity: str) -> dict[str, object]:
    own: dict[str, object] = {
        "jobmanager.rpc.address": HOST,
        "jobmanager.rpc.port": ports["flink_rpc"],
        "jobmanager.bind-host": HOST,
        "rest.address": HOST,
        "rest.bind-address": HOST,
        "rest.port": ports["flink_rest"],
        "taskmanager.host": HOST,
        "taskmanager.bind-host": HOST,
        "taskmanager.resource-id": identity,
        "execution.checkpointing.dir": (folder / "checkpoints").as_uri(),
        "execution.checkpointing.savepoint-dir": (folder / "savepoints").as_uri(),
        "io.tmp.dirs": str(folder / "tmp" / role),
        "web.upload.dir": str(folder / "upload"),
    }
    for port in _metrics_port(role):
        own |= {"metrics.reporters": "prom", "metrics.reporter.prom.port": ports[port]}
    return own


def _resources(lib: Path, configuration: Path, short: str, log: Path) -> tuple[list[str], list[str]]:
    """Let Flink itself turn the memory settings into JVM options, as its start scripts do."""
    argv = [
        "java", "-cp", f"{lib}/*", "org.apache.flink.runtime.util.bash.BashJavaUtils",
        f"GET_{short}_RESOURCE_PARAMS", "--configDir", str(configuration),
    ]  # fmt: skip
    result = subprocess.run(argv, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    log.write_text(result.stdout + result.stderr)
    lines = [line.removeprefix(RESULT).split() for line in result.stdout.splitlines() if line.startswith(RESULT)]
    if result.returncode != 0 or len(lines) != 2:
        raise StackFailure("Flink rejects its memory settings", "correct infra/flink/config.yaml", log)
    return lines[0], lines[1]


def registered(layout: Layout, ports: Ports) -> bool:
    """Whether the TaskManager started last is known to the JobManager; a killed one stays listed for a while."""
    try:
        identity = (layout.state / "flink" / "taskmanager.id").read_text()
        with urllib.request.urlopen(f"{ports.url('flink_rest')}/taskmanagers", timeout=2) as reply:
            listed = json.load(reply)["taskmanagers"]
    except (OSError, ValueError):
        return False
    return any(one["id"] == identity for one in listed)
