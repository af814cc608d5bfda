"""The whole pipeline on this machine's own throttling, up to the first ranked report."""

import time
from datetime import UTC, datetime

from quotascope_native import cgroups, pipeline, processes, steps
from quotascope_native.failure import StackFailure
from quotascope_native.stack import Stack

STEPS = 17
REPORT_WITHIN_S = 420
POLL_S = 3
MEASURED = ("telegraf", "lab")
REPLAYED = ("replay",)


def run(stack: Stack, force_replay: bool = False) -> None:
    """Check, install, build, start, wait, print. Leaves everything up; on failure leaves nothing half-started."""
    started = time.monotonic()
    pipeline.check(stack)
    obstacle = "a replay was asked for" if force_replay else cgroups.obstacle()
    if obstacle:
        stack.progress.say(f"real cgroups cannot be used: {obstacle}")
        stack.progress.say("a recorded trace is replayed instead; its rows carry origin = replayed")
    origin = REPLAYED if obstacle else MEASURED
    programs = ("cgroupreplay",) if obstacle else ("quotascope-telegraf", "cfslab")
    pipeline.build(stack, programs)
    with stack.undone_on_failure():
        pipeline.start(stack)
        stack.start(*origin)
        pipeline.show(stack)
        await_report(stack, start_of(stack, origin[-1]), (*pipeline.STORES, *pipeline.CLUSTER, *origin))
    print_result(stack, time.monotonic() - started)


def start_of(stack: Stack, name: str) -> datetime:
    """When a service was started, UTC."""
    return datetime.fromtimestamp(processes.pid_file(stack.layout.state, name).stat().st_mtime, UTC)


def await_report(stack: Stack, since: datetime, needed: tuple[str, ...]) -> None:
    """Wait for a judged minute that began after the load did; older rows would show an earlier run."""
    log = stack.layout.log("taskmanager")
    deadline = time.monotonic() + REPORT_WITHIN_S
    with stack.progress.step("waiting for the first ranked report, about three minutes", log):
        while not any(window_start(row) >= since for row in steps.ranked_rows(stack)):
            for name in needed:
                if not stack.running(name):
                    raise StackFailure(f"{name} ended while the report was awaited", "read its log", stack.layout.log(name))
            if time.monotonic() > deadline:
                raise StackFailure(
                    f"no ranked report within {REPORT_WITHIN_S} s",
                    "make demo keeps its installation; run it again, and read the log first",
                    log,
                )
            time.sleep(POLL_S)


def window_start(row: dict) -> datetime:
    """Start of the judged minute; ClickHouse writes UTC without saying so."""
    moment = datetime.fromisoformat(row["window_start"])
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def print_result(stack: Stack, seconds: float) -> None:
    """The ranked table, then where to look and how to log in."""
    password = stack.layout.secrets / "superset_admin"
    print(f"\n{steps.ranked_table(stack)}")
    print(f"Ready after {seconds:.0f} s. Everything stays up until `make down`.")
    print(f"  dashboards  {stack.endpoints()['superset']}/superset/dashboard/fleet/")
    print(f"  login       admin   {stack.secret('superset_admin')}   (kept in {password})")
    print(f"  Flink       {stack.endpoints()['flink_rest']}")
    print(f"  ClickHouse  {stack.endpoints()['clickhouse_http']}/play (user report, password in {stack.layout.secrets}/clickhouse_report)")
    print(f"  Kafka       {stack.endpoints()['kafka']}")
    print("  more        make status, make logs, make report")
