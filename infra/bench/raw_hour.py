"""What the whole pipeline makes of an hour of a simulated fleet, sent as collectors send, window by window as time passes.

Starts a stack of its own with every job, lets fleetsim's raw door send at a steady rate, and demands that nothing is
lost: every record of a shard is in exactly one row of the rollup, every host's statement is met, none is refused.
Tells how old the newest minute of the table was all the while, and what each server's CPU was. Fails when a record is
missing, when the rate was not kept, or when the newest row was ever later than the goal. Writes
build/bench/raw-hour.json and .md.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from confluent_kafka import Consumer, TopicPartition
from quotascope_native import pipeline, processes
from quotascope_native.failure import StackFailure
from quotascope_native.stack import Stack
from quotascope_sql.server import Server

TOP = Path(__file__).resolve().parents[2]
JAR = TOP / "streaming" / "fleetsim" / "target" / "quotascope-fleetsim.jar"
# The same as for an alarm: 30 s of it are the time that windows have to arrive.
GOAL_S = 90
# The first window has to pass before it is sent, and the last is spread over the 10 s after it.
LATE_S = 25
LOOK_EVERY_S = 10
TIMEOUT_S = 30
# Rows of the last minutes follow when the log's clock has passed the time that late windows have.
SETTLE_S = 180
REACHED = re.compile(r"^(?P<records>\d+) records in (?P<seconds>[\d.]+) s: .*; (?P<cpu_us>[\d.]+) us of CPU a record$", re.MULTILINE)
SHARDS, HOSTS = "cpu-usage-windows.v1", "host-windows.v1"
REFUSED = "cpu-usage-windows.dlq.v1"
COUNTS = """
    SELECT sum(records) AS records, sum(expected_records) AS expected, uniqExact(cluster, service) AS services,
           dateDiff('second', max(window_start) + INTERVAL 1 MINUTE, now()) AS age_s, count() AS minutes
    FROM quotascope_views.service_windows WHERE origin = 'simulated'
"""


def records(bootstrap: str, topic: str) -> int:
    """Messages of a topic that carry a record: ticks have no value."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "bench-raw-hour", "enable.auto.commit": False, "enable.partition.eof": False})
    try:
        places = [TopicPartition(topic, number, 0) for number in consumer.list_topics(topic, timeout=TIMEOUT_S).topics[topic].partitions]
        left = sum(consumer.get_watermark_offsets(place, timeout=TIMEOUT_S)[1] for place in places)
        consumer.assign(places)
        found = 0
        while left > 0:
            messages = consumer.consume(10_000, timeout=TIMEOUT_S)
            if not messages:
                raise StackFailure(f"{topic} ends {left} messages before its end", "was the broker stopped?")
            left -= len(messages)
            found += sum(message.value() is not None for message in messages)
        return found
    finally:
        consumer.close()


def cpu_seconds(stack: Stack, name: str) -> float:
    """CPU time of a server's process since it began, user and system."""
    identity = processes.recorded(stack.layout.state, name)
    if identity is None:
        raise StackFailure(f"{name} has ended", "read its log", stack.layout.log(name))
    fields = Path(f"/proc/{identity.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Table:
    """What the rollup's table holds."""

    def __init__(self, stack: Stack):
        self.server = Server(stack.endpoints()["clickhouse_http"], "report", stack.secret("clickhouse_report"))

    def counts(self) -> dict[str, int]:
        return {name: int(value) for name, value in next(iter(self.server.rows(COUNTS))).items()}


def send(stack: Stack, table: Table, rate: float, seconds: int) -> tuple[str, list[int]]:
    """Let the raw door send; returns what it said and the age of the newest minute at every look, seconds."""
    argv = [
        "java", "-Xmx3g", "-jar", str(JAR), "raw", "--bootstrap", stack.endpoints()["kafka"],
        "--records-per-second", str(rate), "--seconds", str(seconds),
    ]  # fmt: skip
    ages = []
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL) as sender:
        while True:
            try:
                said, _ = sender.communicate(timeout=LOOK_EVERY_S)
                break
            except subprocess.TimeoutExpired:
                found = table.counts()
                if found["minutes"] > 0:
                    ages.append(found["age_s"])
        if sender.returncode != 0:
            raise StackFailure("the raw door of fleetsim failed", "what it printed above says why")
    return said, ages


def settle(table: Table, sent: int) -> dict[str, int]:
    """Wait until the rows of the table hold every record."""
    deadline = time.monotonic() + SETTLE_S
    while (found := table.counts())["records"] != sent and time.monotonic() < deadline:
        time.sleep(3)
    return found


def measure(stack: Stack, rate: float, seconds: int) -> dict:
    table = Table(stack)
    before = {name: cpu_seconds(stack, name) for name in pipeline.SERVERS}
    said, ages = send(stack, table, rate, seconds)
    print(said, end="")
    reached = REACHED.search(said)
    if reached is None:
        raise StackFailure("the raw door of fleetsim did not say what it reached", "what it printed is above")
    bootstrap = stack.endpoints()["kafka"]
    of_shards = records(bootstrap, SHARDS)
    found = settle(table, of_shards)
    return {
        "asked_per_second": rate,
        "asked_seconds": seconds,
        "seconds": float(reached["seconds"]),
        "sent": int(reached["records"]),
        "sender_cpu_us_a_record": float(reached["cpu_us"]),
        "in_log": of_shards + records(bootstrap, HOSTS),
        "of_shards": of_shards,
        "refused": records(bootstrap, REFUSED),
        "in_rows": found["records"],
        "stated_by_hosts": found["expected"],
        "services": found["services"],
        "service_minutes": found["minutes"],
        "age_s": sorted(ages),
        "cpu_s": {name: cpu_seconds(stack, name) - began for name, began in before.items()},
    }


def faults(figures: dict) -> list[str]:
    """What was not as it must be; empty when all was."""
    found = []
    if figures["in_log"] != figures["sent"]:
        found.append(f"{figures['sent']} records were sent, the log has {figures['in_log']}")
    if figures["in_rows"] != figures["of_shards"]:
        found.append(f"the log has {figures['of_shards']} records of shards, the rollup's rows {figures['in_rows']}")
    if figures["refused"] > 0:
        found.append(f"{figures['refused']} records were refused")
    if (late := figures["seconds"] - figures["asked_seconds"]) > LATE_S:
        found.append(f"sending took {late:.0f} s longer than was asked: the rate was not kept")
    if not figures["age_s"] or figures["age_s"][-1] > GOAL_S + 60:
        found.append(f"the newest minute of the table ended up to {figures['age_s'][-1:]} s before, goal {GOAL_S} s and the minute itself")
    return found


def page(figures: dict) -> str:
    ages = figures["age_s"]
    rows = [
        ("records sent, shards and hosts", f"{figures['sent']:,}"),
        ("of shards", f"{figures['of_shards']:,}"),
        ("seconds", f"{figures['seconds']:.0f}"),
        ("records a second", f"{figures['sent'] / figures['seconds']:.0f}"),
        ("in rows of the rollup", f"{figures['in_rows']:,}"),
        ("stated by hosts", f"{figures['stated_by_hosts']:,}"),
        ("refused", f"{figures['refused']}"),
        ("services, minutes of services", f"{figures['services']}, {figures['service_minutes']:,}"),
        ("age of the newest minute in the table, from its end: median, largest, s", f"{ages[len(ages) // 2]}, {ages[-1]}" if ages else "-"),
        ("CPU of the sender, us a record", f"{figures['sender_cpu_us_a_record']:.1f}"),
        *((f"CPU of {name}, us a record", f"{1e6 * used / figures['sent']:.0f}") for name, used in figures["cpu_s"].items()),
    ]
    lines = "".join(f"| {what} | {value} |\n" for what, value in rows)
    return f"All jobs; {platform.machine()}, {os.cpu_count()} CPUs, Linux {platform.release()}.\n\n| what | figure |\n|---|---|\n{lines}"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--records-per-second", type=float, default=1000, help="records of shards")
    arguments.add_argument("--seconds", type=int, default=3600)
    arguments.add_argument("--out", type=Path, default=TOP / "build" / "bench")
    options = arguments.parse_args()
    stack = Stack.open(tempfile.mkdtemp(prefix="quotascope-bench-"), auto_ports=True)
    try:
        pipeline.install(stack)
        pipeline.build(stack, ())
        pipeline.start(stack)
        figures = measure(stack, options.records_per_second, options.seconds)
    except StackFailure as failure:
        print(failure.line(), file=sys.stderr)
        return 1
    finally:
        pipeline.stop(stack)
    found = faults(figures)
    verdict = {"what": "every record in exactly one row, at the asked rate", "measured": len(found), "goal": 0, "met": not found}
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "raw-hour.json").write_text(json.dumps(figures | {"verdicts": [verdict]}, indent=2) + "\n")
    text = page(figures)
    (options.out / "raw-hour.md").write_text(text)
    print(text)
    for fault in found:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
