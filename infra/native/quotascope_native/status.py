"""What runs, what should and does not, and where to look."""

from quotascope_native import flink_rest, processes
from quotascope_native.failure import StackFailure
from quotascope_native.stack import Stack


def lines(stack: Stack) -> tuple[list[str], bool]:
    """One line for each service and job, and whether everything that was started still works."""
    text = []
    healthy = True
    for name, service in stack.services.items():
        state = state_of(stack, name)
        healthy &= state in ("ready", "stopped")
        ports = " ".join(str(stack.ports[port]) for port in service.ports)
        text.append(f"{name:<14}{state:<11}{ports:<14}{stack.layout.log(name)}")
    if stack.running("jobmanager"):
        found, well = job_lines(stack)
        text += found
        healthy &= well
    if stack.running("superset"):
        text.append(f"dashboards at {stack.endpoints()['superset']}, login admin, password in {stack.layout.secrets}/superset_admin")
    return text, healthy


def state_of(stack: Stack, name: str) -> str:
    """`ended` is a service that was started and not stopped, and whose process is gone."""
    if stack.running(name):
        return "ready" if stack.services[name].ready() else "not ready"
    return "ended" if processes.pid_file(stack.layout.state, name).exists() else "stopped"


def job_lines(stack: Stack) -> tuple[list[str], bool]:
    url = stack.endpoints()["flink_rest"]
    try:
        jobs = flink_rest.call(f"{url}/jobs/overview")["jobs"]
    except StackFailure as failure:
        return [failure.line()], False
    active = [job for job in jobs if job["state"] not in ("CANCELED", "FINISHED")]
    return (
        [f"job {job['name']:<34}{job['state']}" for job in active],
        all(job["state"] == "RUNNING" for job in active),
    )
