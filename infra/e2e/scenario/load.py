"""The load of the run as services of the stack: the lab under a folder of its own and the collector that sees only it."""

from pathlib import Path

from quotascope_native import origin
from quotascope_native.layout import Layout
from quotascope_native.ports import Ports
from quotascope_native.service import Launch, Service

# Beside the folder of a demonstration that may be running: quotascope/lab.
ROOT = "e2e"
CLUSTER = "lab"
SEED = 2
LOAD_S = 120
# Two windows of the collector and a second, as the lab itself would wait.
LINGER_S = 21
TRUTH = "truth.json"


def lab(layout: Layout) -> Service:
    """The lab's real services in cgroups quotascope/e2e; it ends by itself and writes the truth."""
    folder = layout.state / "lab"

    def prepare() -> Launch:
        folder.mkdir(exist_ok=True)
        argv = [str(layout.bin / "cfslab"), "run", "--root", ROOT, "--seed", str(SEED), "--truth", str(folder / TRUTH)]
        return Launch([*argv, "--duration", f"{LOAD_S}s", "--linger", f"{LINGER_S}s"], cwd=folder)

    return Service(name="lab", ports=(), prepare=prepare, ready=lambda: True, stop_grace_s=60)


def telegraf(layout: Layout, ports: Ports) -> Service:
    """The collector that we ship, with one path rule: a demonstration beside this run is none of its business."""
    folder = layout.state / "telegraf"

    def prepare() -> Launch:
        folder.mkdir(exist_ok=True)
        file = folder / "telegraf.conf"
        file.write_text(configuration(ports.address("kafka"), folder / "spool"))
        return Launch([str(layout.bin / "quotascope-telegraf"), "--config", str(file)], cwd=folder)

    ready = lambda: origin.says(layout, "telegraf", *origin.SAMPLING)  # noqa: E731
    return Service(name="telegraf", ports=(), prepare=prepare, ready=ready, ready_within_s=60, stop_grace_s=30)


def configuration(broker: str, spool: Path) -> str:
    return f"""
[agent]
  interval = "10s"
  flush_interval = "1s"
  metric_batch_size = 1000
  metric_buffer_limit = 100000
  omit_hostname = true

[[inputs.cgroup_cpu]]
  cluster = "{CLUSTER}"
  exclusive = false
  builtin_rules = []
  [[inputs.cgroup_cpu.path_rule]]
    pattern = "/quotascope/{ROOT}/{{service}}/{{shard}}"
    runtime = "lab"

[[outputs.kafka_avro]]
  brokers = ["{broker}"]
  spool_directory = "{spool}"
"""


def truth_file(layout: Layout) -> Path:
    return layout.state / "lab" / TRUTH
