"""Brings the pipeline up in the order in which its parts need one another."""

from quotascope_native import artefacts, builds, cgroups, jobs, steps, toolcheck, topics
from quotascope_native.failure import StackFailure
from quotascope_native.stack import Stack

SERVERS = ("kafka", "clickhouse", "jobmanager", "taskmanager")
STATE_GIGABYTES = 3.0


def check(stack: Stack) -> None:
    """Everything that can be known to fail before anything is started: tools, disk, ports."""
    toolcheck.ensure(stack.layout.log("apt"), stack.progress, toolcheck.required())
    artefacts.require_space(stack.layout.state, STATE_GIGABYTES)
    stack.require_ports(tuple(stack.services))


def install(stack: Stack, dashboards: bool = False) -> None:
    """Install what is pinned, once for all instances."""
    for name in ("kafka", "jobmanager", *(["superset"] if dashboards else [])):
        stack.services[name].install(stack.progress)


def build(stack: Stack, programs: tuple[str, ...]) -> None:
    """Build what is ours; nothing runs yet."""
    builds.go_programs(stack.layout, stack.progress, programs)
    builds.jobs_jar(stack.layout, stack.progress)


def start(stack: Stack, dashboards: bool = False) -> None:
    """Servers, tables, topics and the jobs: from here on a record becomes a row. `dashboards` adds Superset."""
    stack.start(*SERVERS, *(["superset"] if dashboards else []))
    with stack.progress.step("creating topics"):
        topics.create(stack.endpoints()["kafka"])
    steps.migrate(stack)
    steps.load_inputs(stack)
    with stack.progress.step("submitting the jobs", stack.layout.log("jobmanager")):
        jobs.submit(stack)


def stop(stack: Stack) -> None:
    """End every process of this instance and remove the cgroups it made; say what is left, if anything."""
    stack.stop(hurry=True)
    if (stack.layout.state / "lab").is_dir() and (left := cgroups.remove()):
        raise StackFailure(
            f"cgroup {left[-1]} cannot be removed, a process is still in it",
            f"see {left[-1]}/cgroup.procs, end that process and run make down again",
        )
