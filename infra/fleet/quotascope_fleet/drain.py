"""Waiting until the jobs have read everything and their rows are written."""

import time

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient
from quotascope_native.failure import StackFailure
from quotascope_native.progress import Progress

TIMEOUT_S = 30
# What a broker under load says for a moment; the positions are asked for again.
PASSING = (
    KafkaError.NOT_COORDINATOR,
    KafkaError.COORDINATOR_NOT_AVAILABLE,
    KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    KafkaError.NOT_LEADER_FOR_PARTITION,
    KafkaError.LEADER_NOT_AVAILABLE,
    KafkaError.REQUEST_TIMED_OUT,
    KafkaError._TIMED_OUT,
    KafkaError._TRANSPORT,
)
POLL_S = 3
SAY_EVERY_S = 60
# What each job reads of a simulated time. Positions are committed with a checkpoint, and a checkpoint flushes the rows.
ROWS = ("service-windows.v1",)
WHOLE_TIME = {"hours": ROWS, "alerts": ROWS, "hosts": ("cpu-usage-windows.v1", "host-windows.v1")}
LAST_DAYS = {job: ROWS for job in ("threads", "throttling", "risk", "whatif", "savings")}
# In operation a row a minute takes up what the others have found; here the last row is soon read, so it is read last.
RANK = {"rank": ROWS}
RAW = {"ingest": ("cpu-usage-windows.v1", "host-windows.v1")}
SECOND = {"verification": ("service-hours.v1", "change-events.v1"), "inputs": ("change-events.v1",)}


class Lag:
    """How far the jobs are behind the ends of their topics, in messages."""

    def __init__(self, bootstrap: str):
        self.bootstrap = bootstrap
        self.admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 3})

    def of(self, job: str, topics: tuple[str, ...]) -> int | None:
        """Messages that the last finished checkpoint of a job does not cover; None while the broker cannot say."""
        try:
            return self._of(job, topics)
        except KafkaException as failure:
            if failure.args[0].code() not in PASSING:
                raise
            return None

    def _of(self, job: str, topics: tuple[str, ...]) -> int:
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


def drop_before(bootstrap: str, topic: str, at_ms: int) -> None:
    """Delete what a topic holds from before an instant of its timestamps."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "fleet-drop", "enable.auto.commit": False, "log_level": 3})
    try:
        numbers = consumer.list_topics(topic, timeout=TIMEOUT_S).topics[topic].partitions
        asked = [TopicPartition(topic, number, at_ms) for number in numbers]
        places = [place for place in consumer.offsets_for_times(asked, timeout=TIMEOUT_S) if place.offset >= 0]
    finally:
        consumer.close()
    admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 3})
    for dropped in admin.delete_records(places).values():
        dropped.result(TIMEOUT_S)


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
