"""`make fleet-week`: a simulated week through the jobs in minutes, and the scores of what they found."""

import argparse
import signal
import sys
import time
from pathlib import Path

from quotascope_native import artefacts, pipeline
from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY
from quotascope_native.progress import Progress
from quotascope_native.stack import Stack
from quotascope_sql.server import Server

from quotascope_fleet import report, week
from quotascope_fleet.tables import Tables
from quotascope_fleet.truth import Truth

OUT = REPOSITORY / "build" / "fleet"
GIGABYTES = 12.0
# As the jobs allow it (option analysis.turn-minutes); those that would refuse start last, after minutes of work.
TURN_MINUTES_MAX = 360


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    # A terminated command undoes what it started, as one interrupted from the keyboard does.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    stack = Stack.open(options.state, auto_ports=True, progress=Progress())
    try:
        return run(stack, options)
    except StackFailure as failure:
        print(failure.line(), file=sys.stderr)
        return 1


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="infra/fleet/run", description=__doc__)
    parser.add_argument("--state", default=str(OUT / "state"), help="folder of the instance; an empty one for every run")
    parser.add_argument("--small", action="store_true", help="20 services, 200 shards, 3 days")
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--services", type=int)
    parser.add_argument("--shards", type=int)
    parser.add_argument("--days", type=int)
    parser.add_argument("--raw-hours", type=int, default=1, help="last hours for which collectors' records are sent too")
    parser.add_argument("--ends-in-minutes", type=int, default=0, help="let the simulated time end that far ahead, with a full hour")
    minutes = f"simulated minutes between two analyses of a service, 1 to {TURN_MINUTES_MAX}"
    parser.add_argument("--turn-minutes", type=turn, default=120, help=minutes)
    parser.add_argument("--judge-days", type=int, help="last days that hours, alerts and verification read; all unless said")
    parser.add_argument("--rank-days", type=int, help="last days that risk, what-if, savings and ranking read; as judge-days unless said")
    parser.add_argument("--within-s", type=float, default=5400, help="longest wait for the jobs")
    parser.add_argument("--dashboards", action="store_true", help="start Superset too and import the dashboards")
    parser.add_argument("--keep", action="store_true", help="leave everything up; end it with infra/native/run down --state DIR")
    parser.add_argument("--score-only", action="store_true", help="score what a kept instance holds")
    return parser


def turn(text: str) -> int:
    """Minutes between two analyses, as the jobs take them."""
    if not text.isdecimal() or not 1 <= int(text) <= TURN_MINUTES_MAX:
        raise argparse.ArgumentTypeError(f"minutes from 1 to {TURN_MINUTES_MAX}, found {text}")
    return int(text)


def size_of(options: argparse.Namespace) -> week.Size:
    services, shards, days, memory = (20, 200, 3, "3500m") if options.small else (200, 5_000, 7, "9g")
    days = options.days or days
    judged = min(days, options.judge_days or days)
    return week.Size(
        options.seed,
        options.services or services,
        options.shards or shards,
        days,
        options.raw_hours,
        options.turn_minutes,
        memory,
        options.within_s,
        judged,
        min(judged, options.rank_days or judged),
        options.ends_in_minutes,
    )


def run(stack: Stack, options: argparse.Namespace) -> int:
    truth_file = stack.layout.state / "truth.jsonl"
    seconds: dict[str, float] = {}
    if not options.score_only:
        if truth_file.exists():
            raise StackFailure(f"{stack.layout.state} holds a run already", "remove the folder, or --score-only")
        try:
            seconds = fill(stack, options, truth_file)
            publish(stack, truth_file, seconds)
        finally:
            if not options.keep:
                pipeline.stop(stack)
        if options.keep:
            print(f"kept up; end it with: infra/native/run down --state {stack.layout.state} --ports auto")
        return 0
    publish(stack, truth_file, seconds)
    return 0


def fill(stack: Stack, options: argparse.Namespace, truth_file: Path) -> dict[str, float]:
    """Start, generate, judge."""
    size = size_of(options)
    artefacts.require_space(stack.layout.state, GIGABYTES)
    began = time.monotonic()
    week.start(stack, size, options.dashboards)
    seconds = {"stack and tables": time.monotonic() - began}
    seconds["simulated time written to the topics"] = week.generate(stack, size, truth_file)
    truth = Truth.read(truth_file)
    began = time.monotonic()
    done = week.judge(stack, size, truth.fleet["end_us"])
    seconds["jobs, from submission to the last row"] = time.monotonic() - began
    if size.raw_hours > 0:
        both = week.roll_up(stack, size, truth.fleet["end_us"])
        print(f"rows of the raw hours: {both.equal} equal by both doors, {both.only_fast} and {both.only_rolled} by one alone")
    return seconds | {f"  {job} after": took for job, took in sorted(done.items(), key=lambda each: each[1])}


def publish(stack: Stack, truth_file: Path, seconds: dict[str, float]) -> None:
    """Score and print; the page and the truth stay in build/fleet."""
    truth = Truth.read(truth_file)
    server = Server(stack.endpoints()["clickhouse_http"], "report", stack.secret("clickhouse_report"))
    tables = Tables(server, truth.fleet["start_us"], truth.fleet["end_us"])
    lines = report.score(truth, tables)
    text = report.page(truth, lines, tables.counts(), seconds)
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "fleet-week.md").write_text(text)
    week.remember(OUT / "fleet-week.json", {line.question: line.value for line in lines})
    print(text)
