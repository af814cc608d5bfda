"""The run itself: start everything, load it, poison it, kill TaskManager and ClickHouse in mid-run, let it close, keep the evidence."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from quotascope_native import builds, cgroups, flink, flink_rest, jobs, pipeline, steps
from quotascope_native.stack import Stack
from quotascope_reference import __main__ as reference_command
from quotascope_reference import compare, dump
from quotascope_reference.intake import ON_TIME_MS
from quotascope_reference.tables import Reference, Table
from quotascope_reference.wire import CPU_USAGE_WINDOWS, DEAD_LETTERS, TUNING_RANKS, Message, Schemas
from quotascope_sql.server import Server

from scenario import days, knowledge, load, metrics, models, poison, worth

FORCE_REPLAY = "QUOTASCOPE_E2E_REPLAY"
# Seconds after the load began.
POISON_AT_S = 40
KILL_AT_S = 75
KILL_STORE_AT_S = 105
# A telegraf that ends takes the last windows with it; the lab's cgroups are empty by then.
AFTER_LAB_S = 12
# What the last records' minute may still need: its end, 30 s on time, two ticks.
CLOSING_S = 60 + ON_TIME_MS / 1000 + 20
CATCH_UP_S = 90
# A late part is analysed two minutes of the log after its row, when all that closed with it is there.
ANALYSES_CATCH_UP_S = CATCH_UP_S + 120
COPIES = 7


@dataclass
class Evidence:
    """Everything that the tests judge, gathered once."""

    stack: Stack
    obstacle: str | None
    reference: Reference
    differences: list[compare.Difference]
    model_rows: models.Tables
    model_differences: list[compare.Difference]
    # Rows of the ranking as they are stored, and where their worth is not what follows from the judgements they name.
    weighed: Table
    worth_differences: list[compare.Difference]
    poisons: dict[str, poison.Poison]
    dead_letters: list[Message]
    copies: int
    restarts: dict[str, int]
    metrics: list[metrics.Sample]
    truth: dict | None = None
    later: days.Days | None = None
    ranking: list[dict] = field(default_factory=list)
    ranked_table: str = ""

    @property
    def origin(self) -> str:
        return "replayed" if self.obstacle else "measured"

    def rows(self, statement: str) -> list[dict]:
        """A question to ClickHouse as the user of reports, who sees views only."""
        server = Server(self.stack.endpoints()["clickhouse_http"], "report", self.stack.secret("clickhouse_report"))
        return server.rows(statement)


def run(state: Path) -> Evidence:
    """Everything up to the evidence; the stack stays up for questions and its owner stops it."""
    os.environ[flink.METRICS] = "1"
    stack = Stack.open(str(state), auto_ports=True)
    obstacle = "a replay was asked for" if os.environ.get(FORCE_REPLAY) else cgroups.obstacle()
    say(f"real cgroups cannot be used: {obstacle}; a recorded trace is replayed instead" if obstacle else "real cgroups")
    build(stack, obstacle)
    clock = days.movable(stack)
    pipeline.start(stack)
    knowledge.put(stack.endpoints()["kafka"], "replayed" if obstacle else "measured", int(time.time() * 1e6))
    before = restarts_of(stack)
    sources = start_load(stack, obstacle)
    began = time.monotonic()
    wait_until(began + POISON_AT_S, "load before the poison")
    poisons, copies = put_poison(stack)
    wait_until(began + KILL_AT_S, "load with poison")
    say("killing the TaskManager")
    stack.kill("taskmanager")
    stack.start("taskmanager")
    jobs.submit(stack)
    wait_until(began + KILL_STORE_AT_S, "load after the kill")
    say("killing ClickHouse")
    stack.kill("clickhouse")
    stack.start("clickhouse")
    wait_until(began + load.LOAD_S + load.LINGER_S, "load after the second kill")
    end_load(stack, sources)
    reference = await_closing(stack)
    return evidence(stack, obstacle, reference, poisons, copies, before, clock)


def say(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {line}", flush=True)


def build(stack: Stack, obstacle: str | None) -> None:
    """Superset takes no part in this run; the browser test has it."""
    for name in ("kafka", "jobmanager"):
        stack.services[name].install(stack.progress)
    builds.go_programs(stack.layout, stack.progress, ("cgroupreplay",) if obstacle else ("quotascope-telegraf", "cfslab"))
    builds.jobs_jar(stack.layout, stack.progress)


def start_load(stack: Stack, obstacle: str | None) -> tuple[str, ...]:
    """The collector first: a cgroup that is born under it has no history that could be missed."""
    if obstacle:
        stack.start("replay")
        return ("replay",)
    stack.services["lab"] = load.lab(stack.layout)
    stack.services["telegraf"] = load.telegraf(stack.layout, stack.ports)
    stack.start("telegraf")
    stack.start("lab")
    return ("lab", "telegraf")


def end_load(stack: Stack, sources: tuple[str, ...]) -> None:
    """Let the lab end by itself, then give the collector the time of its last window."""
    if "lab" in sources:
        await_that(lambda: not stack.running("lab"), 90, "the lab ends and removes its cgroups")
        time.sleep(AFTER_LAB_S)
    stack.stop(*sources)


def wait_until(moment: float, what: str) -> None:
    seconds = moment - time.monotonic()
    if seconds > 0:
        say(f"{what}: {seconds:.0f} s")
        time.sleep(seconds)


def await_that(holds: Callable[[], bool], within_s: float, what: str) -> None:
    say(f"waiting until {what}")
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {within_s:.0f} s: {what}")
        time.sleep(1)


def put_poison(stack: Stack) -> tuple[dict[str, poison.Poison], int]:
    """Poison made from a record of this very run, and exact copies of a few sound messages."""
    bootstrap = stack.endpoints()["kafka"]
    schemas = Schemas()
    sound = [message for message in dump.read(bootstrap, [CPU_USAGE_WINDOWS]) if message.value is not None]
    assert len(sound) >= COPIES, f"only {len(sound)} records after {POISON_AT_S} s of load"
    partitions = dump.partitions(bootstrap, [CPU_USAGE_WINDOWS])[CPU_USAGE_WINDOWS]
    record = schemas.decode(CPU_USAGE_WINDOWS, sound[0].value)
    positions = poison.put(bootstrap, poison.of(record, partitions, schemas))
    copies = poison.repeat(bootstrap, sound[-COPIES:])
    say(f"{len(positions)} poisonous messages and {copies} copies are on the topics")
    return positions, copies


def restarts_of(stack: Stack) -> dict[str, int]:
    """How often each job was restarted, by the name of its entry class."""
    url = stack.endpoints()["flink_rest"]
    ledger = json.loads((stack.layout.state / "flink" / "jobs.json").read_text())
    counts = {}
    for entry, submitted in ledger.items():
        found = flink_rest.call(f"{url}/jobs/{submitted['job']}/metrics?get=numRestarts")
        counts[entry.rpartition(".")[2]] = int(found[0]["value"])
    return counts


def await_closing(stack: Stack) -> Reference:
    """The reference, once the log's clock has closed every part that a record fell into."""
    bootstrap = stack.endpoints()["kafka"]
    deadline = time.monotonic() + CLOSING_S + CATCH_UP_S
    say(f"waiting until the log closes the last minute, about {CLOSING_S:.0f} s")
    while True:
        reference = reference_command.reference_of(bootstrap)
        if reference.all_closed():
            return reference
        if time.monotonic() > deadline:
            raise TimeoutError("the log's clock does not close the last minute: do ticks reach every partition?")
        time.sleep(5)


def evidence(stack: Stack, obstacle: str | None, reference: Reference, poisons, copies: int, before: dict[str, int], clock) -> Evidence:
    bootstrap = stack.endpoints()["kafka"]
    admin = Server(stack.endpoints()["clickhouse_http"], "admin", stack.secret("clickhouse_admin"))
    differences = reference_command.differences_after(reference, bootstrap, admin, CATCH_UP_S)
    say("; ".join(reference_command.account(reference)))
    # Tens of minutes, hours and days end with the days that follow.
    tables = [table for table in models.KEYS if table not in models.OF_LATER]
    weighed = worth.named(reference, compare.stored_rows(admin, TUNING_RANKS))
    folder = stack.layout.state / "oracle"
    ranks = worth.argument(reference, weighed, folder)
    model_rows = models.expected(reference, bootstrap, stack.layout.state / "jobs.properties", folder, tables=tables, more=ranks)
    say("rows of models: " + ", ".join(f"{table} {len(rows)}" for table, rows in model_rows.items()))
    model_differences = models.differences_after(model_rows, admin, ANALYSES_CATCH_UP_S)
    worth_differences = worth.differences(weighed, folder) + worth.latest_differences(admin, weighed, None)
    truth = load.truth_file(stack.layout)
    after = restarts_of(stack)
    found = Evidence(
        stack=stack,
        obstacle=obstacle,
        reference=reference,
        differences=differences,
        model_rows=model_rows,
        model_differences=model_differences,
        weighed=weighed,
        worth_differences=worth_differences,
        poisons=poisons,
        dead_letters=dump.read(bootstrap, [DEAD_LETTERS]),
        copies=copies,
        restarts={name: count - before[name] for name, count in after.items()},
        metrics=metrics.scraped(stack),
        truth=json.loads(truth.read_text()) if truth.exists() else None,
        ranking=steps.ranked_rows(stack),
        ranked_table=steps.ranked_table(stack),
    )
    say("two days pass")
    found.later = days.pass_by(stack, clock)
    say(f"two days have passed, {len(found.later.differences)} differences")
    return found


def read_topic(bootstrap: str, topic: str) -> tuple[list[dict], str]:
    """The topic as the stand-alone third-party script decodes it, and what it says about the rest."""
    script = Path(__file__).resolve().parents[3] / "schemas" / "examples" / "read_topic.py"
    argv = [sys.executable, str(script), "--bootstrap", bootstrap, "--topic", topic]
    # Nothing of ours may be importable: the script stands for a consumer that has only the schemas folder.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = subprocess.run(argv, capture_output=True, text=True, check=True, env=environment)
    return [json.loads(line) for line in result.stdout.splitlines()], result.stderr
