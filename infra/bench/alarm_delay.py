"""How long after the end of the minute that proves it does an alert arrive, in the log and in its table?

Starts a stack of its own, then sends the windows of simulated hosts whose threads grow, one host a little later than the
other, each with a service whose pool outgrows its cores and whose load climbs towards its cliff. Every host and every
service must alert exactly once. Fails when the 99th percentile of the delay is above 90 s. Writes
build/bench/alarm-delay.json and .md.
"""

import argparse
import io
import json
import math
import platform
import sys
import tempfile
import time
from pathlib import Path

import fastavro
from confluent_kafka import Consumer, Producer, TopicPartition
from fastavro.schema import fingerprint, to_parsing_canonical_form
from quotascope_native import pipeline
from quotascope_native.stack import Stack
from quotascope_sql.server import Server

TOP = Path(__file__).resolve().parents[2]
GOAL_S = 90
WINDOW_S = 10
MINUTE_US = 60_000_000
# A cliff has to be known before anything can come near it: two turns of the analysis.
CALM_S = 240
RAMP_S = 180
# Of the quota, at the foot and at the top of the ramp.
USED = (0.2, 0.9)
STAGGER_S = 7
HEADER_BYTES = 10
WATCHED = ("cliff_near", "host_threads", "shard_threads")


class Twin:
    """A record of the golden vectors, to be sent with some fields changed."""

    def __init__(self, record: str):
        raw = json.loads((TOP / "schemas" / f"{record}.avsc").read_text())
        self.schema = fastavro.parse_schema(raw, named_schemas={}, _force=True)
        self.header = b"\xc3\x01" + bytes.fromhex(fingerprint(to_parsing_canonical_form(raw), "CRC-64-AVRO"))
        golden = (TOP / "schemas/golden/avro/go" / f"{record}_typical.bin").read_bytes()
        self.fields = fastavro.schemaless_reader(io.BytesIO(golden[HEADER_BYTES:]), self.schema, None)

    def framed(self, **changed: object) -> bytes:
        out = io.BytesIO()
        fastavro.schemaless_writer(out, self.schema, self.fields | changed)
        return self.header + out.getvalue()


class Fleet:
    """Hosts with one shard each, whose threads grow tenfold within the ramp."""

    def __init__(self, hosts: int, epoch_us: int):
        self.hosts = hosts
        self.epoch_us = epoch_us
        self.host_twin = Twin("host_window")
        self.shard_twin = Twin("cpu_usage_window")

    def growth(self, host: int, age_s: float) -> float:
        return 1 + 9 * self.climbed(host, age_s)

    def climbed(self, host: int, age_s: float) -> float:
        """How far up the ramp a host is, 0 to 1."""
        return min(1.0, max(0.0, (age_s - CALM_S - host * STAGGER_S) / RAMP_S))

    def records(self, number: int, window_start_us: int, age_s: float):
        """Topic, key and value of every record of one window."""
        quota, period = self.shard_twin.fields["quota_us"], self.shard_twin.fields["period_us"]
        for host in range(self.hosts):
            place = {
                "host_id": f"bench-{host}", "agent_epoch": self.epoch_us, "seq": number, "cluster": "bench",
                "origin": "simulated", "window_start_us": window_start_us,
            }  # fmt: skip
            growth = self.growth(host, age_s)
            stated = {"service": f"ramp-{host}", "quota_us": quota, "period_us": period, "shard_records": 1}
            yield (
                "host-windows.v1",
                place["host_id"],
                self.host_twin.framed(
                    **place,
                    usage_histogram=None,
                    threads=int(100 * growth) * self.host_twin.fields["cpus"],
                    shard_records=1,
                    service_records=[stated],
                ),
            )
            yield "cpu-usage-windows.v1", place["host_id"], self.shard_twin.framed(
                **place, service=stated["service"], shard="0", shard_id=host + 1, quota_us=quota, period_us=period,
                **self.load(self.climbed(host, age_s), quota / period), threads=max(1, int(2 * growth * quota / period)),
            )  # fmt: skip

    def load(self, climbed: float, quota_cores: float) -> dict[str, int]:
        """Use and throttling of a window on the ramp; the shape of the histogram stays that of the recorded window."""
        used = (USED[0] + (USED[1] - USED[0]) * climbed) * quota_cores
        usage_us = int(used * WINDOW_S * 1_000_000)
        return {"usage_us": usage_us, "sampled_usage_us": usage_us, "periods": 100, "throttled_periods": int(5 + 45 * climbed)}


class Arrivals:
    """Alerts as they reach the log and the table, each with the delay since the end of its minute."""

    def __init__(self, stack: Stack):
        schema = json.loads((TOP / "schemas/throttling_alert.avsc").read_text())
        self.schema = fastavro.parse_schema(schema, named_schemas={}, _force=True)
        self.consumer = Consumer({"bootstrap.servers": stack.endpoints()["kafka"], "group.id": "bench", "enable.auto.commit": False})
        self.consumer.assign([TopicPartition("throttling-alerts.v1", 0, 0)])
        self.server = Server(stack.endpoints()["clickhouse_http"], "report", stack.secret("clickhouse_report"))
        self.log: dict[tuple, float] = {}
        self.table: dict[tuple, float] = {}
        self.told: set[tuple] = set()
        self.repeated = 0

    def look(self) -> None:
        while (message := self.consumer.poll(0)) is not None:
            if message.error() or message.value() is None:
                continue
            alert = fastavro.schemaless_reader(io.BytesIO(message.value()[HEADER_BYTES:]), self.schema, None)
            if alert["cluster"] == "bench" and alert["state"] == "firing":
                key = (alert["kind"], alert["service"] or alert["host_id"])
                # That it grew worse is told too, once.
                told = (*key, alert["severity"])
                self.repeated += key[0] in WATCHED and told in self.told
                self.told.add(told)
                self.log.setdefault(key, message.timestamp()[1] / 1000 - (alert["window_start_us"] + MINUTE_US) / 1e6)
        now = time.time()
        rows = self.server.rows(
            "SELECT kind, coalesce(service, host_id) AS subject, toUnixTimestamp64Micro(window_start) AS start_us"
            " FROM quotascope_views.throttling_alerts WHERE cluster = 'bench' AND state = 'firing' ORDER BY window_start"
        )
        for row in rows:
            self.table.setdefault((row["kind"], row["subject"]), now - (int(row["start_us"]) + MINUTE_US) / 1e6)


def measure(stack: Stack, hosts: int, kinds: tuple[str, ...], seconds: int) -> Arrivals:
    producer = Producer({"bootstrap.servers": stack.endpoints()["kafka"], "acks": "all"})
    arrivals = Arrivals(stack)
    began = math.ceil(time.time() / 60) * 60
    fleet = Fleet(hosts, int(began * 1e6))
    number = 0
    while time.time() < began + seconds:
        window = began + number * WINDOW_S
        if time.time() >= window + WINDOW_S + 1:
            for topic, key, value in fleet.records(number, window * 1_000_000, number * WINDOW_S):
                producer.produce(topic, key=key, value=value)
            producer.flush(10)
            number += 1
        arrivals.look()
        expected = hosts * len(kinds)
        if sum(key[0] in kinds for key in arrivals.table) == expected == sum(key[0] in kinds for key in arrivals.log):
            break
        time.sleep(0.5)
    return arrivals


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def report(arrivals: Arrivals, hosts: int, kinds: tuple[str, ...]) -> tuple[str, list[dict], list[str]]:
    """The table, each figure against its goal, and what was wrong."""
    verdicts = []
    lines = [
        "| alert | where | alerts | expected | median, s | p99, s | most, s |",
        "|---|---|---|---|---|---|---|",
    ]
    faults = [f"{arrivals.repeated} alerts were told twice"] if arrivals.repeated else []
    for kind in kinds:
        for where, seen in (("log", arrivals.log), ("table", arrivals.table)):
            delays = [delay for key, delay in seen.items() if key[0] == kind]
            if len(delays) != hosts:
                faults.append(f"{kind}: {len(delays)} of {hosts} alerts in the {where}")
            if delays:
                numbers = [percentile(delays, share) for share in (0.5, 0.99, 1)]
                lines.append(f"| {kind} | {where} | {len(delays)} | {hosts} | " + " | ".join(f"{n:.1f}" for n in numbers) + " |")
                met = numbers[1] <= GOAL_S and len(delays) == hosts
                verdicts.append({"what": f"{kind} in the {where}, p99, s", "measured": numbers[1], "goal": GOAL_S, "met": met})
                if numbers[1] > GOAL_S:
                    faults.append(f"{kind}: 99th percentile of {numbers[1]:.0f} s in the {where}, goal {GOAL_S} s")
    return "\n".join(lines) + "\n", verdicts, faults


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--hosts", type=int, default=20)
    arguments.add_argument("--quick", action="store_true", help="hosts and cliffs only, which alert within the ramp")
    arguments.add_argument("--out", type=Path, default=TOP / "build" / "bench")
    options = arguments.parse_args()
    kinds = WATCHED[:2] if options.quick else WATCHED
    stack = Stack.open(tempfile.mkdtemp(prefix="quotascope-bench-"), auto_ports=True)
    try:
        pipeline.install(stack)
        pipeline.build(stack, ())
        pipeline.start(stack)
        arrivals = measure(stack, options.hosts, kinds, CALM_S + RAMP_S + options.hosts * STAGGER_S + (360 if options.quick else 600))
    finally:
        pipeline.stop(stack)
    table, verdicts, faults = report(arrivals, options.hosts, kinds)
    options.out.mkdir(parents=True, exist_ok=True)
    told = f"Seconds from the end of the minute that proves it; {platform.machine()}, Linux {platform.release()}.\n\n{table}"
    (options.out / "alarm-delay.md").write_text(told)
    both = (("log", arrivals.log), ("table", arrivals.table))
    rows: dict[str, list] = {where: [[*key, round(delay, 3)] for key, delay in sorted(seen.items())] for where, seen in both}
    rows["verdicts"] = verdicts
    (options.out / "alarm-delay.json").write_text(json.dumps(rows, indent=2) + "\n")
    print(told)
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
