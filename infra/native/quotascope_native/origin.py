"""Where the demo's measurements come from: the lab's cgroups through Telegraf, else a recorded trace."""

from pathlib import Path

from quotascope_native.layout import REPOSITORY, Layout
from quotascope_native.ports import Ports
from quotascope_native.service import Launch, Service

TEMPLATE = REPOSITORY / "infra" / "native" / "telegraf.conf"
TRACE = REPOSITORY / "collectors" / "testdata" / "traces"
# What the collector's back ends log when they begin to read; Telegraf itself says nothing once it is up.
SAMPLING = ("[inputs.cgroup_cpu] measuring cgroup", "[inputs.cgroup_cpu] polling cgroup")
LAB_SEED = 1


def telegraf(layout: Layout, ports: Ports) -> Service:
    return Service(
        name="telegraf",
        ports=(),
        prepare=lambda: prepare_telegraf(layout, ports),
        ready=lambda: says(layout, "telegraf", *SAMPLING),
        ready_within_s=90,
        stop_grace_s=30,
    )


def lab(layout: Layout, ports: Ports) -> Service:
    return Service(
        name="lab",
        ports=(),
        prepare=lambda: prepare_lab(layout),
        ready=lambda: says(layout, "lab", "services run in"),
        ready_within_s=90,
        # It keeps its cgroups for two windows after the last task, so that their last window is collected.
        stop_grace_s=45,
        hurry_after_s=1,
    )


def replay(layout: Layout, ports: Ports) -> Service:
    return Service(
        name="replay",
        ports=(),
        prepare=lambda: prepare_replay(layout, ports),
        ready=lambda: says(layout, "replay", "[agent] Config:"),
        stop_grace_s=30,
    )


def prepare_telegraf(layout: Layout, ports: Ports) -> Launch:
    folder = layout.state / "telegraf"
    argv = [str(layout.bin / "quotascope-telegraf"), "--config", str(write_configuration(layout, ports, folder))]
    return Launch(argv, cwd=folder)


def prepare_lab(layout: Layout) -> Launch:
    folder = layout.state / "lab"
    folder.mkdir(exist_ok=True)
    argv = [str(layout.bin / "cfslab"), "run", "--seed", str(LAB_SEED), "--truth", str(folder / "truth.json")]
    return Launch(argv, cwd=folder)


def prepare_replay(layout: Layout, ports: Ports) -> Launch:
    folder = layout.state / "replay"
    configuration = write_configuration(layout, ports, folder)
    argv = [str(layout.bin / "cgroupreplay"), "--trace", str(TRACE), "--loop", "--config", str(configuration)]
    return Launch(argv, cwd=folder)


def write_configuration(layout: Layout, ports: Ports, folder: Path) -> Path:
    """The template with this instance's broker and a spool beside the configuration."""
    folder.mkdir(exist_ok=True)
    text = TEMPLATE.read_text().replace("@BROKER@", ports.address("kafka")).replace("@SPOOL@", str(folder / "spool"))
    file = folder / "telegraf.conf"
    file.write_text(text)
    return file


def says(layout: Layout, name: str, *phrases: str) -> bool:
    """Whether the service's log holds one of some phrases; readiness adds only the process being alive."""
    log = layout.log(name)
    if not log.exists():
        return False
    text = log.read_text(errors="replace")
    return any(phrase in text for phrase in phrases)
