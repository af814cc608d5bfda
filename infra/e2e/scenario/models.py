"""Topics as files that the program without Flink reads, and the rows of models that it makes of them."""

import json
import struct
from collections.abc import Iterable
from pathlib import Path

from quotascope_native.layout import REPOSITORY
from quotascope_reference.tables import MINUTE_KEY, stored
from quotascope_reference.wire import Message

ORACLE = REPOSITORY / "streaming" / "oracle" / "run"
KEYS = {
    "collapse_risks": MINUTE_KEY,
    "what_if_outcomes": (*MINUTE_KEY, "scenario"),
    "savings_estimates": (*MINUTE_KEY, "fix_set"),
}


def save(messages: Iterable[Message], file: Path) -> None:
    """The values of messages: for each its length (4 bytes, big-endian) and its bytes. Ticks and tombstones have none."""
    values = [message.value for message in messages if message.value is not None]
    file.write_bytes(b"".join(struct.pack(">I", len(value)) + value for value in values))


def rows_of(table: str, file: Path) -> dict[tuple, dict]:
    """Rows by key. ValueError when the program wrote a key twice: it knows nothing of repetitions."""
    rows = [stored(json.loads(line)) for line in file.read_text().splitlines()]
    keyed = {tuple(row[name] for name in KEYS[table]): row for row in rows}
    if len(keyed) != len(rows):
        raise ValueError(f"{file}: {len(rows)} rows of {len(keyed)} keys")
    return keyed
