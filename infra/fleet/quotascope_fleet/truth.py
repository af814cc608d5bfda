"""The truth that streaming/fleetsim writes beside its records, as its README describes it."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Truth:
    """The lines of one file, by kind of record."""

    fleet: dict
    services: list[dict]
    hosts: list[dict]
    changes: list[dict]
    silences: list[dict]
    service_hours: list[dict]

    @staticmethod
    def read(file: Path) -> "Truth":
        """Fails with KeyError on a kind of record that is not described."""
        kinds: dict[str, list[dict]] = {"fleet": [], "service": [], "host": [], "change": [], "silence": [], "service_hour": []}
        for line in file.read_text().splitlines():
            record = json.loads(line)
            kinds[record["record"]].append(record)
        (fleet,) = kinds["fleet"]
        return Truth(fleet, kinds["service"], kinds["host"], kinds["change"], kinds["silence"], kinds["service_hour"])
