"""Print the records of a topic as JSON lines, with third-party tools and this folder only.

    pip install confluent-kafka fastavro
    python schemas/examples/read_topic.py 127.0.0.1:19092 cpu-usage-windows.v1 5

The last argument is how many records to print. Packed histograms are shown as {bucket: count} (README.md, Packings).
"""

import io
import json
import pathlib
import sys
import uuid

import fastavro
from confluent_kafka import Consumer

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent


def schemas_by_frame():
    """The ten bytes before a record name its writer's schema: today's files and every frozen version."""
    known = {}
    for path in [*SCHEMAS.glob("*.avsc"), *SCHEMAS.glob("history/*/*.avsc")]:
        schema = json.loads(path.read_text())
        canonical = fastavro.schema.to_parsing_canonical_form(schema)
        fingerprint = bytes.fromhex(fastavro.schema.fingerprint(canonical, "CRC-64-AVRO"))
        known[b"\xc3\x01" + fingerprint] = fastavro.parse_schema(schema)
    return known


def varints(packed):
    value = shift = 0
    for byte in packed:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0
    if shift:
        raise ValueError("truncated varint")


def histogram(packed):
    numbers, bucket, counts = list(varints(packed)), 0, {}
    for step, count in zip(numbers[::2], numbers[1::2], strict=True):
        bucket += step
        counts[bucket] = count
    return counts


def readable(name, value):
    if isinstance(value, bytes):
        return histogram(value) if name.endswith("_histogram") else value.hex()
    return value


def records(brokers, topic, known):
    """Every record of the topic from its start, without end; ticks have no value and are skipped."""
    consumer = Consumer({"bootstrap.servers": brokers, "group.id": f"read-topic-{uuid.uuid4()}", "auto.offset.reset": "earliest",
                         "enable.auto.commit": False})
    consumer.subscribe([topic])
    while True:
        message = consumer.poll(1.0)
        if message is None:
            continue
        if message.error():
            raise SystemExit(f"{topic}: {message.error()}")
        if message.value() is None:
            continue
        schema = known.get(message.value()[:10])
        if schema is None:
            print(f"offset {message.offset()}: no schema with frame {message.value()[:10].hex()}", file=sys.stderr)
            continue
        yield fastavro.schemaless_reader(io.BytesIO(message.value()[10:]), schema)


def main():
    brokers, topic, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    for number, record in enumerate(records(brokers, topic, schemas_by_frame()), start=1):
        print(json.dumps({name: readable(name, value) for name, value in record.items()}), flush=True)
        if number == count:
            return


if __name__ == "__main__":
    main()
