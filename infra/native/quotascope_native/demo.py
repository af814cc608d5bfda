"""The whole pipeline on this machine's own throttling, up to the first ranked report."""

import time
from datetime import UTC, datetime

from quotascope_native import cgroups, jobs, pipeline, processes, steps
from quotascope_native.failure import StackFailure
from quotascope_native.stack import Stack

PHASES = 7
REPORT_WITHIN_S = 420
POLL_S = 3
MEASURED = ("telegraf", "lab")
REPLAYED = ("replay",)
# How rows of either say where they come from.
LABELS = {MEASURED: "measured", REPLAYED: "replayed"}


def run(stack: Stack, force_replay: bool = False) -> None:
    """Check, install, build, start, wait, print. Leaves everything up; on failure leaves nothing half-started."""
    started = time.monotonic()
    progress = stack.progress
    progress.phase("checking tools, disk, ports and cgroups")
    pipeline.check(stack)
    obstacle = "a replay was asked for" if force_replay else cgroups.obstacle()
    if obstacle:
        progress.say(f"real cgroups are not used: {obstacle}")
        progress.say("a recorded trace is replayed instead; its rows carry origin = replayed")
    origin = REPLAYED if obstacle else MEASURED
    progress.phase("installing what is pinned (once; minutes on a fresh machine)")
    pipeline.install(stack, dashboards=True)
    progress.phase("building our programs")
    pipeline.build(stack, ("cgroupreplay",) if obstacle else ("quotascope-telegraf", "cfslab"))
    with stack.undone_on_failure():
        progress.phase("starting the servers and the jobs")
        pipeline.start(stack, dashboards=True)
        progress.phase("starting the load and its collector")
        # Measured and replayed rows would mix in one report.
        stack.stop(*(MEASURED if obstacle else REPLAYED), hurry=True)
        stack.start(*origin)
        progress.phase("importing the dashboards")
        steps.apply_dashboards(stack)
        progress.phase("waiting for the first ranked report")
        await_report(stack, origin)
    print_result(stack, origin, time.monotonic() - started)


def start_of(stack: Stack, name: str) -> datetime:
    """When a service was started, UTC."""
    return datetime.fromtimestamp(processes.pid_file(stack.layout.state, name).stat().st_mtime, UTC)


def await_report(stack: Stack, origin: tuple[str, ...]) -> None:
    """Wait for a judged minute that began after the load did; older rows would show an earlier run."""
    since = start_of(stack, origin[-1])
    log = stack.layout.log("taskmanager")
    deadline = time.monotonic() + REPORT_WITHIN_S
    with stack.progress.step("a minute of load must end, and half a minute more for late records", log, follow=False):
        while not any(window_start(row) >= since for row in steps.ranked_rows(stack, LABELS[origin])):
            for name in (*pipeline.SERVERS, *origin):
                if not stack.running(name):
                    raise StackFailure(f"{name} ended while the report was awaited", "read its log", stack.layout.log(name))
            if time.monotonic() > deadline:
                raise StackFailure(
                    f"no ranked report within {REPORT_WITHIN_S} s, {jobs.last_failure(stack) or 'and no job failed'}",
                    "make demo keeps its installation; run it again, and read the log first",
                    log,
                )
            time.sleep(POLL_S)


def window_start(row: dict) -> datetime:
    """Start of the judged minute; ClickHouse writes UTC without saying so."""
    moment = datetime.fromisoformat(row["window_start"])
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def print_result(stack: Stack, origin: tuple[str, ...], seconds: float) -> None:
    """The ranked table, then where to look and how to log in."""
    password = stack.layout.secrets / "superset_admin"
    print(f"\n{steps.ranked_table(stack, '--origin', LABELS[origin])}")
    print(f"Ready after {seconds:.0f} s. Everything stays up until `make down`.")
    print(f"  dashboards  {stack.endpoints()['superset']}/superset/dashboard/fleet/")
    print(f"  login       admin   {stack.secret('superset_admin')}   (kept in {password})")
    print(f"  Flink       {stack.endpoints()['flink_rest']}")
    print(f"  ClickHouse  {stack.endpoints()['clickhouse_http']}/play (user report, password in {stack.layout.secrets}/clickhouse_report)")
    print(f"  Kafka       {stack.endpoints()['kafka']}")
    print("  more        make status, make logs, make report")
