"""Waiting until the jobs have read everything and their rows are written."""

import time

from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient
from quotascope_native.failure import StackFailure
from quotascope_native.progress import Progress

TIMEOUT_S = 30
POLL_S = 3
SAY_EVERY_S = 60
# What each job reads of a simulated time. Positions are committed with a checkpoint, and a checkpoint flushes the rows.
FROM_ROWS = ("threads", "throttling", "hours", "rank", "alerts", "risk", "whatif", "savings")
READ = {
    **{job: ("service-windows.v1",) for job in FROM_ROWS},
    "hosts": ("cpu-usage-windows.v1", "host-windows.v1"),
}
RAW = {"ingest": ("cpu-usage-windows.v1", "host-windows.v1")}
SECOND = {"verification": ("service-hours.v1", "change-events.v1"), "inputs": ("change-events.v1",)}


class Lag:
    """How far the jobs are behind the ends of their topics, in messages."""

    def __init__(self, bootstrap: str):
        self.bootstrap = bootstrap
        self.admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 3})

    def of(self, job: str, topics: tuple[str, ...]) -> int:
        """Messages that the last finished checkpoint of a job does not cover."""
        consumer = Consumer({"bootstrap.servers": self.bootstrap, "group.id": f"quotascope-{job}", "log_level": 3})
        try:
            behind = 0
            known = self.admin.list_topics(timeout=TIMEOUT_S).topics
            for topic in topics:
                partitions = [TopicPartition(topic, number) for number in known[topic].partitions]
                for place in consumer.committed(partitions, timeout=TIMEOUT_S):
                    low, high = consumer.get_watermark_offsets(place, timeout=TIMEOUT_S)
                    behind += high - (place.offset if place.offset >= 0 else low)
            return behind
        finally:
            consumer.close()


def await_read(lag: Lag, reads: dict[str, tuple[str, ...]], progress: Progress, within_s: float) -> dict[str, float]:
    """Seconds until each job was done; fails with the jobs that are behind."""
    began = time.monotonic()
    said = began
    done: dict[str, float] = {}
    while len(done) < len(reads):
        behind = {job: lag.of(job, topics) for job, topics in reads.items() if job not in done}
        now = time.monotonic()
        done |= {job: now - began for job, messages in behind.items() if messages == 0}
        if now - began > within_s:
            raise StackFailure(f"after {within_s:.0f} s jobs are behind: {behind}", "read the log of the TaskManager; more time with --within-s")
        if now - said > SAY_EVERY_S:
            said = now
            progress.say(f"      {now - began:.0f} s, messages left: {behind}")
        time.sleep(POLL_S)
    return done
