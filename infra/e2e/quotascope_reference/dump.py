"""Every message of the log, read with third-party tools only, and kept as one JSON object a line."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from confluent_kafka import TIMESTAMP_LOG_APPEND_TIME, Consumer, KafkaError, KafkaException, TopicPartition

from quotascope_reference.wire import Message

POLL_S = 1.0
SILENCE_S = 30.0


def partitions(bootstrap: str, topics: Iterable[str]) -> dict[str, int]:
    """How many partitions each topic has. KafkaException when one does not exist."""
    consumer = _consumer(bootstrap)
    try:
        counts = {}
        for topic in topics:
            found = consumer.list_topics(topic, timeout=SILENCE_S).topics[topic]
            if found.error is not None:
                raise KafkaException(found.error)
            counts[topic] = len(found.partitions)
        return counts
    finally:
        consumer.close()


Offsets = Mapping[tuple[str, int], int]


def ends(bootstrap: str, topics: Iterable[str]) -> dict[tuple[str, int], int]:
    """Where each partition ends now: a later `read` from here meets only what came since."""
    consumer = _consumer(bootstrap)
    try:
        counts = partitions(bootstrap, topics)
        places = [(topic, number) for topic, count in counts.items() for number in range(count)]
        return {place: consumer.get_watermark_offsets(TopicPartition(*place), timeout=SILENCE_S)[1] for place in places}
    finally:
        consumer.close()


def read(bootstrap: str, topics: Iterable[str], since: Offsets | None = None) -> list[Message]:
    """All committed messages of the topics, each partition up to its end as this call meets it, and from its beginning or `since`."""
    consumer = _consumer(bootstrap)
    try:
        counts = partitions(bootstrap, topics)
        places = [TopicPartition(topic, number, (since or {}).get((topic, number), 0)) for topic, count in counts.items() for number in range(count)]
        return [message for place in places for message in _read_partition(consumer, place)]
    finally:
        consumer.close()


def _consumer(bootstrap: str) -> Consumer:
    return Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "quotascope-reference",
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "enable.partition.eof": True,
            "isolation.level": "read_committed",
        }
    )


def _read_partition(consumer: Consumer, place: TopicPartition) -> list[Message]:
    consumer.assign([place])
    messages = []
    silent_s = 0.0
    while True:
        polled = consumer.poll(POLL_S)
        if polled is None:
            silent_s += POLL_S
            if silent_s > SILENCE_S:
                raise TimeoutError(f"{place.topic}/{place.partition}: nothing for {SILENCE_S:.0f} s before its end")
            continue
        if polled.error() is not None:
            if polled.error().code() == KafkaError._PARTITION_EOF:
                return messages
            raise KafkaException(polled.error())
        silent_s = 0.0
        messages.append(_message(polled))


def _message(polled) -> Message:
    kind, append_time_ms = polled.timestamp()
    if kind != TIMESTAMP_LOG_APPEND_TIME:
        raise ValueError(f"{polled.topic()} is not stamped with LogAppendTime: rows would depend on the hosts' clocks")
    headers = tuple(polled.headers() or ())
    return Message(polled.topic(), polled.partition(), polled.offset(), append_time_ms, polled.key(), polled.value(), headers)


def save(messages: Iterable[Message], file: Path) -> None:
    file.write_text("".join(message.to_json() + "\n" for message in messages))


def load(file: Path) -> list[Message]:
    return [Message.from_json(line) for line in file.read_text().splitlines()]
