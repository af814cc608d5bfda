"""A simulated fleet through a stack of its own: generate, judge, wait."""

import json
import subprocess
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import yaml
from quotascope_native import builds, jobs, pipeline, steps, topics
from quotascope_native.artefacts import run_logged
from quotascope_native.layout import REPOSITORY
from quotascope_native.stack import Stack

from quotascope_fleet import doors, drain

JAR = REPOSITORY / "streaming" / "fleetsim" / "target" / "quotascope-fleetsim.jar"
# The rollup makes rows of its own of the raw hours, which would come beside those of the fast-forward door.
INGEST = ("io.quotascope.jobs.IngestJob",)
# The simulated time is that of the producers; it may lie further back than topics are kept, or still to come.
TOPIC_SETTINGS = {"message.timestamp.type": "CreateTime", "retention.ms": "-1", "message.timestamp.after.max.ms": str(2**63 - 1)}
AFTER_MS = 1_800_000
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS


@dataclass(frozen=True)
class Size:
    """What is simulated and how the jobs are set up for it."""

    seed: int
    services: int
    shards: int
    days: int
    raw_hours: int
    turn_minutes: int
    taskmanager_memory: str
    within_s: float
    judge_days: int
    rank_days: int
    ends_in_minutes: int = 0


def flink_settings(size: Size) -> dict:
    """Rows of seven hours of every service wait for late parts in each job: more memory than one host's services need."""
    return {
        "taskmanager.memory.process.size": size.taskmanager_memory,
        "parallelism.default": 1,
        # Each writes all of that state.
        "execution.checkpointing.interval": "120 s",
        "execution.checkpointing.min-pause": "30 s",
        "execution.checkpointing.timeout": "10 min",
        # A pause of the collector on a busy machine must not look like a death.
        "heartbeat.timeout": "60 s",
    }


def job_settings(size: Size) -> dict[str, str]:
    """Nobody ticks but the fleet, and moves of the load do not add analyses to the turns: a week's would take hours."""
    every = str(size.turn_minutes)
    return {
        "tick.interval": "0 s",
        "analysis.host-cpus": "32",
        "analysis.turn-minutes": every,
        "risk.moved-minutes": every,
        "whatif.moved-minutes": every,
        "savings.moved-minutes": every,
    }


def start(stack: Stack, size: Size, dashboards: bool) -> None:
    """Servers, tables and topics of an empty instance."""
    pipeline.install(stack, dashboards)
    builds.jobs_jar(stack.layout, stack.progress)
    folder = stack.layout.state / "flink"
    folder.mkdir(exist_ok=True)
    (folder / "added.yaml").write_text(yaml.safe_dump(flink_settings(size)))
    stack.start(*pipeline.SERVERS, *(["superset"] if dashboards else []))
    topics.create(stack.endpoints()["kafka"], TOPIC_SETTINGS)
    steps.migrate(stack)
    if dashboards:
        steps.apply_dashboards(stack)


def first_instant(now: datetime, days: int, ends_in_minutes: int) -> str:
    """The start of so many days that end with the last full hour before so many minutes from now, as fleetsim takes it."""
    end = (now + timedelta(minutes=ends_in_minutes)).replace(minute=0, second=0, microsecond=0)
    return f"{end - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"


def generate(stack: Stack, size: Size, truth: Path) -> float:
    """Fill the topics and write the truth; returns the seconds it took."""
    began = time.monotonic()
    log = stack.layout.log("fleetsim")
    argv = [
        "java", "-Xmx3g", "-jar", str(JAR), "week", "--bootstrap", stack.endpoints()["kafka"], "--truth", str(truth),
        "--seed", str(size.seed), "--services", str(size.services), "--shards", str(size.shards),
        "--days", str(size.days), "--raw-hours", str(size.raw_hours),
        "--start", first_instant(datetime.now(UTC), size.days, size.ends_in_minutes),
    ]  # fmt: skip
    with stack.progress.step(f"simulating {size.services} services, {size.shards} shards, {size.days} days", log):
        run_logged(argv, log, "the log says why")
    return time.monotonic() - began


def clock(stack: Stack, at_ms: int, *names: str) -> None:
    """Move the clocks of topics on."""
    argv = ["java", "-jar", str(JAR), "clock", "--bootstrap", stack.endpoints()["kafka"], "--at-ms", str(at_ms), *names]
    subprocess.run(argv, check=True, stdin=subprocess.DEVNULL)


def judge(stack: Stack, size: Size, end_us: int) -> dict[str, float]:
    """Run the jobs to the end of the topics; returns the seconds after which each was done.

    What verifies changes reads `judge_days`, what analyses and ranks the last `rank_days`.
    """
    began = time.monotonic()
    lag = drain.Lag(stack.endpoints()["kafka"])
    done: dict[str, float] = {}

    def run(named: dict[str, tuple[str, ...]], what: str) -> None:
        offset = time.monotonic() - began
        entries = tuple(entry for entry in jobs.ENTRIES if entry not in INGEST and job_of(entry) in named)
        submit(stack, entries, job_settings(size))
        with stack.progress.step(f"the jobs {what}", stack.layout.log("taskmanager"), follow=False):
            read = drain.await_read(lag, named, stack.progress, size.within_s)
        done.update({job: seconds + offset for job, seconds in read.items()})

    keep_last(stack, size.judge_days, size.days, end_us)
    run(drain.WHOLE_TIME, "read the simulated time")
    # The hours are all there now; nobody else moves the clock of their topic on.
    clock(stack, end_us // 1000 + AFTER_MS, "service-hours.v1")
    run(drain.SECOND, "verify changes")
    keep_last(stack, size.rank_days, size.judge_days, end_us)
    run(drain.LAST_DAYS, "analyse")
    run(drain.RANK, "rank")
    return done


def job_of(entry: str) -> str:
    """The name of a job in its consumer group."""
    return entry.rpartition(".")[2].removesuffix("Job").lower()


def keep_last(stack: Stack, days: int, of: int, end_us: int) -> None:
    """Drop rows older than the last days; what reads later starts there."""
    if days < of:
        drain.drop_before(stack.endpoints()["kafka"], drain.ROWS[0], end_us // 1000 - days * 24 * HOUR_MS)


def submit(stack: Stack, entries: tuple[str, ...], settings: dict[str, str]) -> None:
    """Run jobs with options of their own; those that run already keep theirs."""
    lines = [f"{key}={value}\n" for key, value in settings.items()]
    (stack.layout.state / "added-jobs.properties").write_text("".join(lines))
    jobs.submit(stack, entries=entries)


def roll_up(stack: Stack, size: Size, end_us: int) -> doors.Doors:
    """Intake and rollup of the raw hours, into a topic of their own, and both doors' rows compared."""
    bootstrap = stack.endpoints()["kafka"]
    doors.create_topic(bootstrap, TOPIC_SETTINGS)
    submit(stack, INGEST, job_settings(size) | {"kafka.topic.service-windows": doors.ROLLED})
    with stack.progress.step("intake and rollup read the raw hours", stack.layout.log("taskmanager"), follow=False):
        drain.await_read(drain.Lag(bootstrap), drain.RAW, stack.progress, size.within_s)
    raw_ms = end_us // 1000 - size.raw_hours * HOUR_MS
    # The last row of the hour before has been written by then, the first one of the raw hours not yet.
    fast = doors.rows(bootstrap, "service-windows.v1", raw_ms + MINUTE_MS)
    return doors.compare(fast, doors.rows(bootstrap, doors.ROLLED, raw_ms + MINUTE_MS))


def remember(file: Path, figures: dict) -> None:
    """Write figures as JSON."""
    file.write_text(json.dumps(figures, indent=2, sort_keys=True) + "\n")
