"""Messages of the log, and how their bytes become records: single-object Avro with the schemas of this repository."""

import base64
import io
import json
from dataclasses import dataclass
from pathlib import Path

import fastavro
from fastavro.schema import fingerprint, to_parsing_canonical_form

REPOSITORY = Path(__file__).resolve().parents[3]
MARKER = b"\xc3\x01"
HEADER_BYTES = len(MARKER) + 8
TICK = "quotascope-tick"

CPU_USAGE_WINDOWS = "cpu-usage-windows.v1"
HOST_WINDOWS = "host-windows.v1"
SHARD_IDENTITIES = "shard-identities.v1"
SERVICE_WINDOWS = "service-windows.v1"
SERVICE_CATALOG = "service-catalog.v1"
CONCURRENCY_COSTS = "concurrency-costs.v1"
SERVICE_LOAD = "service-load.v1"
SERVICE_HOURS = "service-hours.v1"
CHANGE_EVENTS = "change-events.v1"
RECOMMENDATION_LEDGER = "recommendation-ledger.v1"
DEAD_LETTERS = "cpu-usage-windows.dlq.v1"
# Rows of a table that no topic carries, but that programs hand to each other.
TUNING_RANKS = "tuning_ranks"
# The record that a topic or table carries, by the file of its schema.
RECORDS = {
    CPU_USAGE_WINDOWS: "cpu_usage_window",
    HOST_WINDOWS: "host_window",
    SHARD_IDENTITIES: "shard_identity",
    SERVICE_WINDOWS: "service_window",
    SERVICE_CATALOG: "service_catalog_entry",
    CONCURRENCY_COSTS: "concurrency_cost",
    SERVICE_LOAD: "service_load",
    CHANGE_EVENTS: "change_event",
    RECOMMENDATION_LEDGER: "recommendation",
    TUNING_RANKS: "tuning_rank",
}
INPUTS = (CPU_USAGE_WINDOWS, HOST_WINDOWS, SHARD_IDENTITIES)


@dataclass(frozen=True)
class Message:
    """One message as the log holds it. `append_time_ms` is LogAppendTime; a null value is a tick or a tombstone."""

    topic: str
    partition: int
    offset: int
    append_time_ms: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()

    @property
    def position(self) -> str:
        return f"{self.topic}/{self.partition}/{self.offset}"

    def to_json(self) -> str:
        def text(octets: bytes | None) -> str | None:
            return None if octets is None else base64.b64encode(octets).decode()

        fields = dict(self.__dict__) | {"key": text(self.key), "value": text(self.value)}
        return json.dumps(fields | {"headers": [[name, text(value)] for name, value in self.headers]})

    @staticmethod
    def from_json(line: str) -> "Message":
        def octets(text: str | None) -> bytes | None:
            return None if text is None else base64.b64decode(text)

        fields = json.loads(line)
        fields["headers"] = tuple((name, octets(value)) for name, value in fields["headers"])
        return Message(**fields | {"key": octets(fields["key"]), "value": octets(fields["value"])})


class Refused(Exception):
    """A message that cannot be accepted, with the reason as dead letters spell it."""

    def __init__(self, reason: str, detail: str):
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


class Schemas:
    """Every schema that a record of a topic may have been written with, by fingerprint: today's and the history's."""

    def __init__(self, folder: Path = REPOSITORY / "schemas"):
        self._readers: dict[str, dict] = {}
        self._writers: dict[str, dict[bytes, dict]] = {}
        self._today: dict[str, bytes] = {}
        for record in RECORDS.values():
            today = folder / f"{record}.avsc"
            self._readers[record] = _parsed(today)
            self._today[record] = _crc64(today)
            files = [today, *sorted((folder / "history" / record).glob("*.avsc"))]
            self._writers[record] = {_crc64(file): _parsed(file) for file in files}

    def decode(self, topic: str, value: bytes) -> dict:
        """The record in the shape of today's schema. Refused in the order framing, schema, decode, trailing bytes."""
        record = RECORDS[topic]
        if len(value) < HEADER_BYTES or value[:2] != MARKER:
            raise Refused("bad_framing", f"begins with {value[:2].hex()}")
        writer = self._writers[record].get(value[2:HEADER_BYTES])
        if writer is None:
            raise Refused("unknown_schema", f"fingerprint {value[2:HEADER_BYTES].hex()}")
        stream = io.BytesIO(value[HEADER_BYTES:])
        try:
            decoded = fastavro.schemaless_reader(stream, writer, self._readers[record])
            _require_32_bits(decoded, self._readers[record])
        except Exception as error:  # fastavro raises many kinds on bytes that are no record
            raise Refused("undecodable", f"{type(error).__name__}: {error}") from error
        if stream.tell() != len(value) - HEADER_BYTES:
            raise Refused("trailing_bytes", f"{len(value) - HEADER_BYTES - stream.tell()} bytes behind the record")
        return decoded

    def writers(self, topic: str) -> list[bytes]:
        """The fingerprint of every schema that a record of the topic may have been written with."""
        return list(self._writers[RECORDS[topic]])

    def encode(self, topic: str, record: dict, writer: bytes | None = None) -> bytes:
        """A record as a producer would write it, today's or one of the schema with this fingerprint."""
        name = RECORDS[topic]
        fingerprint_of_writer = writer or self._today[name]
        out = io.BytesIO()
        fastavro.schemaless_writer(out, self._writers[name][fingerprint_of_writer], record)
        return MARKER + fingerprint_of_writer + out.getvalue()


def _parsed(file: Path) -> dict:
    # Files state one record each under the same full names, so none may see another's definitions.
    return fastavro.parse_schema(json.loads(file.read_text()), named_schemas={}, _force=True)


def _crc64(file: Path) -> bytes:
    canonical = to_parsing_canonical_form(json.loads(file.read_text()))
    # fastavro states the fingerprint least significant byte first, as the frame wants it.
    return bytes.fromhex(fingerprint(canonical, "CRC-64-AVRO"))


def _require_32_bits(record: dict, schema: dict) -> None:
    """fastavro reads an int as wide as it is written; an Avro int has 32 bits."""
    for field in schema["fields"]:
        kinds = field["type"] if isinstance(field["type"], list) else [field["type"]]
        value = record[field["name"]]
        if "int" in kinds and value is not None and not -(2**31) <= value < 2**31:
            raise ValueError(f"{field['name']} is {value}, beyond 32 bits")
