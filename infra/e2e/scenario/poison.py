"""Messages that must not count: each with the reason that its dead letter must carry."""

import time
from dataclasses import dataclass

from confluent_kafka import Producer
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS, Message, Schemas

HOST = "poisoned-host"
DAY_US = 24 * 3600 * 1_000_000
WINDOW_US = 10_000_000
TIMEOUT_S = 30


@dataclass(frozen=True)
class Poison:
    """Bytes for a topic, and why they must be refused. `partition` None leaves the choice to the key."""

    topic: str
    value: bytes
    reason: str
    partition: int | None = None


def of(record: dict, partitions: int, schemas: Schemas, clock_us: int | None = None) -> list[Poison]:
    """Poison of every kind, made from a sound record of a host that does not exist; the log's clock is this machine's or given."""
    now_us = (clock_us or int(time.time() * 1e6)) // WINDOW_US * WINDOW_US
    own = record | {"host_id": HOST, "agent_epoch": now_us, "seq": 0, "window_start_us": now_us - WINDOW_US}

    def encoded(**fields) -> bytes:
        return schemas.encode(CPU_USAGE_WINDOWS, own | fields)

    sound = encoded()
    kinds = [
        Poison(CPU_USAGE_WINDOWS, b"these are no Avro bytes", "bad_framing"),
        Poison(CPU_USAGE_WINDOWS, b"", "bad_framing"),
        Poison(CPU_USAGE_WINDOWS, sound[:2] + bytes(8) + sound[10:], "unknown_schema"),
        Poison(CPU_USAGE_WINDOWS, sound[: len(sound) // 2], "undecodable"),
        Poison(CPU_USAGE_WINDOWS, sound + b"\x00", "trailing_bytes"),
        Poison(CPU_USAGE_WINDOWS, encoded(layout_version=9), "invalid_field:layout_version"),
        Poison(CPU_USAGE_WINDOWS, encoded(usage_us=-5), "invalid_field:usage_us"),
        Poison(CPU_USAGE_WINDOWS, encoded(window_start_us=now_us + 1), "unaligned_window"),
        Poison(CPU_USAGE_WINDOWS, encoded(window_start_us=now_us - DAY_US), "too_old"),
        # A record of one topic on another one has no schema there.
        Poison(HOST_WINDOWS, sound, "unknown_schema"),
    ]
    # A clock that is a day ahead, in every partition: in a job on the records' own time this loses everybody's rows.
    ahead = encoded(window_start_us=now_us + DAY_US)
    return kinds + [Poison(CPU_USAGE_WINDOWS, ahead, "ahead_of_time", partition) for partition in range(partitions)]


def put(bootstrap: str, poisons: list[Poison]) -> dict[str, Poison]:
    """Append them; returns each by its position topic/partition/offset."""
    positions: dict[str, Poison] = {}
    failures: list[str] = []
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all"})

    def delivered(poison: Poison):
        def note(error, message) -> None:
            if error is not None:
                failures.append(str(error))
            else:
                positions[f"{message.topic()}/{message.partition()}/{message.offset()}"] = poison

        return note

    for poison in poisons:
        place = {} if poison.partition is None else {"partition": poison.partition}
        producer.produce(poison.topic, value=poison.value, key=HOST.encode(), on_delivery=delivered(poison), **place)
    if producer.flush(TIMEOUT_S) or failures:
        raise RuntimeError(f"poison could not be put on the topic: {failures}")
    return positions


def repeat(bootstrap: str, messages: list[Message]) -> int:
    """Append exact copies of messages to their own partitions, as a producer that was not told of its success does."""
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all"})
    for message in messages:
        producer.produce(message.topic, value=message.value, key=message.key, partition=message.partition)
    if producer.flush(TIMEOUT_S):
        raise RuntimeError("copies could not be put on the topic")
    return len(messages)
