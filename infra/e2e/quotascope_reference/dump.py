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
        return _read_all(consumer, places)
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
            # Ends of empty partitions are told with the answer to a fetch, which would wait for messages.
            "fetch.wait.max.ms": 20,
            # Troubles are raised; a broker that a test has taken away is not news.
            "log_level": 0,
        }
    )


def _read_all(consumer: Consumer, places: list[TopicPartition]) -> list[Message]:
    """All partitions at once, each up to its end; then one after the other in the order of the places."""
    found: dict[tuple[str, int], list[Message]] = {(place.topic, place.partition): [] for place in places}
    open_places = set(found)
    consumer.assign(places)
    silent_s = 0.0
    while open_places:
        polled = consumer.poll(POLL_S)
        if polled is None:
            silent_s += POLL_S
            if silent_s > SILENCE_S:
                raise TimeoutError(f"nothing for {SILENCE_S:.0f} s before the end of {sorted(open_places)}")
            continue
        silent_s = 0.0
        place = (polled.topic(), polled.partition())
        if polled.error() is None:
            # What comes behind an end that was met already belongs to a later call.
            if place in open_places:
                found[place].append(_message(polled))
        elif polled.error().code() == KafkaError._PARTITION_EOF:
            open_places.discard(place)
        else:
            raise KafkaException(polled.error())
    return [message for messages in found.values() for message in messages]


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
