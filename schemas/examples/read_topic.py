"""Read a topic of Quotascope with third-party tools only: confluent-kafka, fastavro and the folder `schemas/`.

    python3 schemas/examples/read_topic.py --bootstrap 127.0.0.1:19092 --topic cpu-usage-windows.v1 --limit 3

One JSON object a line goes to standard output; packed histograms are unpacked. Messages that are no record of a schema
are named on standard error and skipped; ticks (null values) are counted there. Needs: pip install confluent-kafka fastavro
"""

import argparse
import io
import json
import sys
from pathlib import Path

import fastavro
from confluent_kafka import Consumer, KafkaError, TopicPartition
from fastavro.schema import fingerprint, to_parsing_canonical_form

SCHEMAS = Path(__file__).resolve().parents[1]
MARKER = b"\xc3\x01"
FRAME_BYTES = 10
SILENCE_S = 10


def schemas_by_fingerprint() -> dict[bytes, dict]:
    """Every schema of the folder and of its history, by the eight bytes that follow the marker C3 01."""
    found = {}
    for file in [*SCHEMAS.glob("history/*/*.avsc"), *SCHEMAS.glob("*.avsc")]:
        raw = json.loads(file.read_text())
        key = bytes.fromhex(fingerprint(to_parsing_canonical_form(raw), "CRC-64-AVRO"))
        found[key] = fastavro.parse_schema(raw, named_schemas={}, _force=True)
    return found


def unpacked(packed: bytes) -> list[list[int]]:
    """A packed histogram as pairs of bucket and count (schemas/README.md, section Packings)."""
    numbers, value, shift = [], 0, 0
    for byte in packed:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value)
            value = shift = 0
    pairs, bucket = [], 0
    for step, count in zip(numbers[::2], numbers[1::2], strict=True):
        bucket += step
        pairs.append([bucket, count])
    return pairs


def readable(name: str, value: object) -> object:
    if not isinstance(value, bytes):
        return value
    return unpacked(value) if name.endswith("histogram") else value.hex()


def decoded(value: bytes, schemas: dict[bytes, dict]) -> dict:
    """One record. ValueError when the bytes are no single-object encoding of a schema of the folder."""
    schema = schemas.get(value[2:FRAME_BYTES])
    if value[:2] != MARKER or schema is None:
        raise ValueError(f"no schema for a message that begins with {value[:FRAME_BYTES].hex()}")
    try:
        record = fastavro.schemaless_reader(io.BytesIO(value[FRAME_BYTES:]), schema, None)
    except Exception as error:
        raise ValueError(f"no {schema['name']}: {error}") from error
    return {name: readable(name, member) for name, member in record.items()}


def messages(bootstrap: str, topic: str):
    """All messages of a topic as they are now, partition after partition."""
    settings = {"bootstrap.servers": bootstrap, "group.id": "read-topic", "enable.auto.commit": False, "enable.partition.eof": True}
    consumer = Consumer(settings | {"auto.offset.reset": "earliest"})
    try:
        for partition in sorted(consumer.list_topics(topic, SILENCE_S).topics[topic].partitions):
            consumer.assign([TopicPartition(topic, partition, 0)])
            while True:
                message = consumer.poll(SILENCE_S)
                if message is None:
                    raise TimeoutError(f"{bootstrap} is silent")
                if message.error() is None:
                    yield message
                elif message.error().code() == KafkaError._PARTITION_EOF:
                    break
                else:
                    raise RuntimeError(message.error())
    finally:
        consumer.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bootstrap", default="127.0.0.1:19092")
    parser.add_argument("--topic", default="cpu-usage-windows.v1")
    parser.add_argument("--limit", type=int, default=0, help="stop after so many records; 0 = all")
    options = parser.parse_args()
    schemas = schemas_by_fingerprint()
    records = ticks = strange = 0
    for message in messages(options.bootstrap, options.topic):
        if message.value() is None:
            ticks += 1
            continue
        try:
            print(json.dumps(decoded(message.value(), schemas)))
            records += 1
        except ValueError as error:
            strange += 1
            print(f"{message.topic()}/{message.partition()}/{message.offset()}: {error}", file=sys.stderr)
        if records == options.limit:
            break
    print(f"{records} records, {ticks} ticks, {strange} that are no record", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
