"""The two doors against each other on real servers: what the rollup made of the raw records, and what was written for it."""

from dataclasses import dataclass

from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from quotascope_native import topics

TIMEOUT_S = 30
ROLLED = "service-windows-of-raw-records.v1"


@dataclass(frozen=True)
class Doors:
    """Rows of the raw hours, by their bytes."""

    equal: int
    only_fast: int
    only_rolled: int


def compare(fast: set[bytes], rolled: set[bytes]) -> Doors:
    """A row's bytes hold its service, class, minute and every sum: rows are equal only if all of it is."""
    return Doors(len(fast & rolled), len(fast - rolled), len(rolled - fast))


def create_topic(bootstrap: str, settings: dict[str, str]) -> None:
    """Where the rollup of the raw records writes, apart from the rows that every other job reads."""
    (like,) = (topic for topic in topics.declared() if topic["name"] == "service-windows.v1")
    admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 3})
    new = NewTopic(ROLLED, like["partitions"], 1, config=like["configs"] | settings)
    admin.create_topics([new])[ROLLED].result(TIMEOUT_S)


def rows(bootstrap: str, topic: str, since_ms: int) -> set[bytes]:
    """Values of a topic from an instant of its timestamps on, ticks left out."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "fleet-doors", "enable.auto.commit": False, "log_level": 3})
    try:
        numbers = consumer.list_topics(topic, timeout=TIMEOUT_S).topics[topic].partitions
        places = consumer.offsets_for_times([TopicPartition(topic, number, since_ms) for number in numbers], timeout=TIMEOUT_S)
        left = {}
        for place in places:
            _, end = consumer.get_watermark_offsets(place, timeout=TIMEOUT_S)
            if 0 <= place.offset < end:
                left[place.partition] = end
        consumer.assign([place for place in places if place.partition in left])
        found = set()
        while left:
            message = consumer.poll(TIMEOUT_S)
            if message is None:
                raise TimeoutError(f"{topic} stops before its end")
            if message.value() is not None:
                found.add(message.value())
            if message.offset() + 1 >= left.get(message.partition(), 0):
                left.pop(message.partition(), None)
        return found
    finally:
        consumer.close()
