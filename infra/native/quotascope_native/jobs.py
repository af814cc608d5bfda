"""Submits the streaming jobs, each from its own newest checkpoint, and sees them run."""

import hashlib
import json
import os
import time
import uuid
from pathlib import Path

from quotascope_native import flink_rest
from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY, Layout
from quotascope_native.stack import Stack

JAR = REPOSITORY / "streaming" / "jobs" / "target" / "quotascope-jobs.jar"
ENTRIES = (
    "io.quotascope.jobs.IngestJob",
    "io.quotascope.jobs.inputs.InputsJob",
    "io.quotascope.jobs.threads.ThreadsJob",
    "io.quotascope.jobs.throttling.ThrottlingJob",
    "io.quotascope.jobs.hours.HoursJob",
    "io.quotascope.jobs.rank.RankJob",
    "io.quotascope.jobs.HostsJob",
    "io.quotascope.jobs.AlertsJob",
    "io.quotascope.jobs.risk.RiskJob",
    "io.quotascope.jobs.whatif.WhatIfJob",
    "io.quotascope.jobs.savings.SavingsJob",
    "io.quotascope.jobs.verification.VerificationJob",
)
CLUSTER = ("jobmanager", "taskmanager")
RUNNING_WITHIN_S = 120
CANCELLED_WITHIN_S = 60
STOPPED_WITHIN_S = 120


def submit(stack: Stack, parallelism: int | None = None, jar: Path = JAR, entries: tuple[str, ...] = ENTRIES) -> dict[str, str]:
    """Run the jobs of this jar, all by default; one that runs already is kept. Returns the job id of each entry class.

    A job that was stopped continues from its savepoint, any other one from its newest checkpoint; `parallelism` instead of the cluster's.
    """
    try:
        return _submit(stack, parallelism, jar, entries)
    except StackFailure as failure:
        failure.log = failure.log or stack.layout.log("jobmanager")
        raise


def stop(stack: Stack) -> dict[str, str]:
    """End every running job with a savepoint, from which `submit` continues. Returns the savepoint of each entry class.

    The cluster starts anew: it keeps the classes of each submission, and the JobManager runs out of room for them at the third.
    """
    url = stack.endpoints()["flink_rest"]
    record = ledger(stack.layout)
    submitted = json.loads(record.read_text()) if record.exists() else {}
    states = flink_rest.job_states(url)
    folder = stack.layout.state / "flink" / "savepoints"
    asked = {
        entry: flink_rest.stop_with_savepoint(url, one["job"], folder)
        for entry, one in submitted.items()
        if states.get(one["job"]) == "RUNNING"
    }
    deadline = time.monotonic() + STOPPED_WITHIN_S
    for entry, request in asked.items():
        while (place := flink_rest.savepoint(url, submitted[entry]["job"], request)) is None:
            if time.monotonic() > deadline:
                raise StackFailure(f"{entry} does not stop", "read the log", stack.layout.log("jobmanager"))
            time.sleep(0.2)
        submitted[entry]["savepoint"] = place
        record.write_text(json.dumps(submitted, indent=2) + "\n")
    stack.stop(*CLUSTER)
    stack.start(*CLUSTER)
    return {entry: submitted[entry]["savepoint"] for entry in asked}


def forget(stack: Stack) -> None:
    """End every job and forget its state: the next submission starts from the oldest messages that the topics hold."""
    url = stack.endpoints()["flink_rest"]
    for job, state in flink_rest.job_states(url).items():
        if state in ("RUNNING", "RESTARTING", "CREATED"):
            _cancel(url, job)
    ledger(stack.layout).unlink(missing_ok=True)


def _submit(stack: Stack, parallelism: int | None, jar: Path, entries: tuple[str, ...]) -> dict[str, str]:
    url = stack.endpoints()["flink_rest"]
    record = ledger(stack.layout)
    submitted = json.loads(record.read_text()) if record.exists() else {}
    jar_key = hashlib.sha256(jar.read_bytes()).hexdigest()[:16]
    arguments = ["--config", str(write_config(stack))]
    states = flink_rest.job_states(url)
    jar_id = None
    # Flink's REST interface takes 1 where none is named, whatever the cluster's own setting says.
    width = parallelism or flink_rest.default_parallelism(url)
    for entry in entries:
        previous = submitted.get(entry, {})
        active = states.get(previous.get("job")) in ("RUNNING", "RESTARTING", "CREATED")
        if active and previous["jar"] == jar_key:
            continue
        if active:
            _cancel(url, previous["job"])
        jar_id = jar_id or flink_rest.upload(url, jar)
        checkpoint, built = source_of(stack.layout, previous)
        # The number is ours and written down first: a busy Flink may give up its answer and run the job nevertheless.
        job = uuid.uuid4().hex
        body = {"entryClass": entry, "programArgsList": arguments, "jobId": job, "parallelism": width}
        if checkpoint:
            body["savepointPath"] = checkpoint
        submitted[entry] = {"job": job, "jar": jar_key, "restored_from": checkpoint, "restored_jar": built}
        # Written for each one, so that an interrupted submission continues where it was.
        record.write_text(json.dumps(submitted, indent=2) + "\n")
        flink_rest.call(f"{url}/jars/{jar_id}/run", "POST", body)
        source = "savepoint" if previous.get("savepoint") else "checkpoint"
        stack.progress.say(f"      {entry.rpartition('.')[2]} {f'continues from its {source}' if checkpoint else 'starts'}")
    _await_running(stack, {entry: submitted[entry] for entry in entries})
    return {entry: submitted[entry]["job"] for entry in entries}


def last_failure(stack: Stack) -> str | None:
    """The innermost cause of the newest failure of any job, for whoever waits for rows in vain."""
    url = stack.endpoints()["flink_rest"]
    for entry, job in json.loads(ledger(stack.layout).read_text()).items():
        if cause := flink_rest.root_cause(url, job["job"]):
            return f"{entry.rpartition('.')[2]} failed with {cause}"
    return None


def ledger(layout: Layout) -> Path:
    """Which job of the cluster belongs to which entry class, and from which jar it runs."""
    return layout.state / "flink" / "jobs.json"


def write_config(stack: Stack) -> Path:
    """What every job is told on its command line: addresses, and where the password is, never the password."""
    settings = {
        "kafka.bootstrap": stack.endpoints()["kafka"],
        "clickhouse.url": stack.endpoints()["clickhouse_http"],
        "clickhouse.database": "quotascope",
        "clickhouse.user": "ingest",
        "clickhouse.password-file": str(stack.layout.secrets / "clickhouse_ingest"),
        # One host, and whoever tries it should not wait ten minutes for the first analysis.
        "analysis.host-cpus": str(os.cpu_count()),
        "analysis.turn-minutes": "2",
    }
    # What a test adds or says otherwise, in a file of the same form.
    added = stack.layout.state / "added-jobs.properties"
    if added.exists():
        settings |= dict(line.split("=", 1) for line in added.read_text().splitlines())
    file = stack.layout.state / "jobs.properties"
    file.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
    return file


def source_of(layout: Layout, submission: dict) -> tuple[str | None, str | None]:
    """Where a job continues from, and the build that wrote it: its savepoint, its newest checkpoint, else what it had been started from itself."""
    if own := submission.get("savepoint") or newest_checkpoint(layout, submission.get("job")):
        return own, submission.get("jar")
    return submission.get("restored_from"), submission.get("restored_jar")


def newest_checkpoint(layout: Layout, job: str | None) -> str | None:
    """The newest complete checkpoint of a job; None before its first one."""
    folder = layout.state / "flink" / "checkpoints" / str(job)
    complete = [path for path in folder.glob("chk-*") if (path / "_metadata").exists()]
    return max(complete, key=lambda path: int(path.name.removeprefix("chk-"))).as_uri() if complete else None


def _cancel(url: str, job: str) -> None:
    flink_rest.call(f"{url}/jobs/{job}?mode=cancel", "PATCH")
    deadline = time.monotonic() + CANCELLED_WITHIN_S
    while flink_rest.job_states(url).get(job) not in (None, "CANCELED", "FAILED", "FINISHED"):
        if time.monotonic() > deadline:
            raise StackFailure(f"job {job} does not end", "run make down and make demo again")
        time.sleep(0.2)


def remedy(submission: dict, flink_folder: Path) -> str:
    """What to do about a job that does not run. State of another build may be of a form that this one cannot read."""
    if submission.get("restored_from") and submission.get("restored_jar") != submission["jar"]:
        return f"it continues from a checkpoint of another build; to start over from the topics, make down and remove {flink_folder}"
    return "read the log for the whole cause"


def _await_running(stack: Stack, jobs: dict[str, dict]) -> None:
    """Every task of every job runs. A job that keeps failing is reported with its innermost cause."""
    url = stack.endpoints()["flink_rest"]
    log = stack.layout.log("jobmanager")
    deadline = time.monotonic() + RUNNING_WITHIN_S
    for entry, submission in jobs.items():
        job = submission["job"]
        while True:
            detail = flink_rest.call(f"{url}/jobs/{job}")
            tasks = [vertex["status"] for vertex in detail["vertices"]]
            if detail["state"] == "RUNNING" and all(status == "RUNNING" for status in tasks):
                break
            if detail["state"] in ("FAILED", "CANCELED") or time.monotonic() > deadline:
                cause = flink_rest.root_cause(url, job) or "no exception is recorded"
                raise StackFailure(f"{entry} is {detail['state']}: {cause}", remedy(submission, stack.layout.state / "flink"), log)
            time.sleep(0.3)
