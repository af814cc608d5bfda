"""Brings the pipeline up in the order in which its parts need one another."""

from quotascope_native import artefacts, builds, cgroups, jobs, steps, toolcheck, topics
from quotascope_native.failure import StackFailure
from quotascope_native.stack import Stack

STORES = ("kafka", "clickhouse")
CLUSTER = ("jobmanager", "taskmanager")
STATE_GIGABYTES = 3.0


def check(stack: Stack) -> None:
    """Everything that can be known to fail before anything is started: tools, disk, ports."""
    toolcheck.ensure(stack.layout.log("apt"), stack.progress, toolcheck.required())
    artefacts.require_space(stack.layout.state, STATE_GIGABYTES)
    stack.require_ports(tuple(stack.services))


def build(stack: Stack, programs: tuple[str, ...]) -> None:
    """Install what is pinned and build what is ours; nothing runs yet."""
    for name in ("kafka", "jobmanager", "superset"):
        stack.services[name].install(stack.progress)
    builds.go_programs(stack.layout, stack.progress, programs)
    builds.jobs_jar(stack.layout, stack.progress)


def start(stack: Stack) -> None:
    """Stores, tables, topics, the cluster and the jobs on it: from here on a record becomes a row."""
    stack.start(*STORES)
    with stack.progress.step("creating topics"):
        topics.create(stack.endpoints()["kafka"])
    steps.migrate(stack)
    stack.start(*CLUSTER)
    if steps.LAB_CATALOG.exists():
        steps.load_catalog(stack)
    with stack.progress.step("submitting the jobs", stack.layout.log("jobmanager")):
        jobs.submit(stack)


def show(stack: Stack) -> None:
    """Superset with the dashboards."""
    stack.start("superset")
    steps.apply_dashboards(stack)


def stop(stack: Stack) -> None:
    """End every process of this instance and remove the cgroups it made; say what is left, if anything."""
    stack.stop(hurry=True)
    if (stack.layout.state / "lab").is_dir() and (left := cgroups.remove()):
        raise StackFailure(
            f"cgroup {left[-1]} cannot be removed, a process is still in it",
            f"see {left[-1]}/cgroup.procs, end that process and run make down again",
        )
