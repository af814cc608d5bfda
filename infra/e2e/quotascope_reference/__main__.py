"""`python -m quotascope_reference`: keep the log in a file, or compare a running instance with what its log says."""

import argparse
import json
import sys
import time
from pathlib import Path

from confluent_kafka import KafkaException
from quotascope_sql.server import Server, SqlFailure, state_folder

from quotascope_reference import compare, dump
from quotascope_reference.tables import KEYS, Reference
from quotascope_reference.wire import DEAD_LETTERS, INPUTS, SERVICE_CATALOG, SERVICE_WINDOWS, Schemas

TOPICS = (*INPUTS, SERVICE_CATALOG)
# What the jobs write into the log themselves.
WRITTEN = (SERVICE_WINDOWS, DEAD_LETTERS)
SHOWN = 10
PAUSE_S = 2


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="quotascope_reference", description=__doc__)
    top.add_argument("--state", help="state folder of the instance (default: QUOTASCOPE_STATE, else .quotascope)")
    commands = top.add_subparsers(dest="command", required=True)
    keep = commands.add_parser("dump", help="write every input message to a file, one JSON object a line")
    keep.add_argument("file", type=Path)
    check = commands.add_parser("compare", help="recompute every table from the log and compare")
    check.add_argument("--log", type=Path, help="a file that dump has written, instead of the topics")
    check.add_argument("--wait", type=float, default=60, help="seconds that sinks may take to catch up")
    return top


def bootstrap_of(state: Path) -> str:
    return json.loads((state / "endpoints.json").read_text())["kafka"]


def reference_of(bootstrap: str, log: Path | None = None) -> Reference:
    """Recompute everything from the topics, or from a file of them."""
    counts = dump.partitions(bootstrap, INPUTS)
    messages = dump.load(log) if log else dump.read(bootstrap, TOPICS)
    return Reference(messages, counts, Schemas())


def differences_after(reference: Reference, bootstrap: str, server: Server, wait_s: float) -> list[compare.Difference]:
    """The differences that remain once the sinks have had time to flush."""
    deadline = time.monotonic() + wait_s
    schemas = Schemas()
    while True:
        found = compare.all_differences(reference, server, dump.read(bootstrap, WRITTEN), schemas)
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(PAUSE_S)


def account(reference: Reference) -> list[str]:
    """Where every message of the input topics went, and how many rows follow."""
    intake = reference.intake
    accepted = sum(len(found) for found in intake.accepted.values())
    return [
        f"messages {reference.messages} = accepted {accepted} + dead letters {len(intake.dead_letters)}"
        f" + duplicates {intake.duplicates.total()} + ticks {intake.ticks.total()};"
        f" unaccounted {intake.difference(reference.messages)}, missing in sequences {intake.gaps.total()}",
        "rows " + ", ".join(f"{table} {len(reference.tables[table])}" for table in KEYS),
    ]


def run(options: argparse.Namespace) -> int:
    state = state_folder(options.state)
    bootstrap = bootstrap_of(state)
    if options.command == "dump":
        messages = dump.read(bootstrap, TOPICS)
        dump.save(messages, options.file)
        print(f"{len(messages)} messages in {options.file}")
        return 0
    reference = reference_of(bootstrap, options.log)
    found = differences_after(reference, bootstrap, Server.of_state(state, "admin"), options.wait)
    print("\n".join(account(reference)))
    for difference in found[:SHOWN]:
        print(difference)
    print(f"{len(found)} differences" + (f", the first {SHOWN} above" if len(found) > SHOWN else ""))
    return 1 if found or reference.intake.difference(reference.messages) else 0


def main() -> int:
    try:
        return run(parser().parse_args())
    except (SqlFailure, KafkaException, OSError) as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
