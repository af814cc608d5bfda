"""Writes the cfs_*.json vectors: `python3 schemas/golden/generate/write_vectors.py`."""

import json
import sys
from pathlib import Path

import random_situations
import service_situations
import single_rules
import worked_examples
from recording import expectation

FOLDER = Path(__file__).resolve().parents[1]
FILES = {
    "cfs_worked_examples.json": (
        worked_examples,
        "Worked examples of the articles, as they count and as the kernel counts; the phase is in the limit.",
    ),
    "cfs_rules.json": (single_rules, "One situation for each rule of CFS bandwidth control."),
    "cfs_requests.json": (
        service_situations,
        "Services of requests on the same group; periods rows: end_us, usage_us, found throttled.",
    ),
    "cfs_random.json": (random_situations, "Situations drawn by chance; the independent oracle says what they give."),
}
TRACE = "trace rows: end_us, usage_us, runnable_us, stalled_us, periods, throttled_periods, throttled_us, bursts, burst_us."


def text(file: str) -> str:
    module, about = FILES[file]
    lines = []
    for situation in module.situations():
        vector = {name: situation[name] for name in ("name", "why", "input")}
        lines.append("    " + json.dumps({**vector, "expect": expectation(situation["input"])}))
    head = f'{{\n  "about": {json.dumps(f"{about} Integers compare exactly; {TRACE} Source: generate/.")},\n  "vectors": [\n'
    return head + ",\n".join(lines) + "\n  ]\n}\n"


def main() -> int:
    for file in FILES:
        (FOLDER / file).write_text(text(file))
    return 0


if __name__ == "__main__":
    sys.exit(main())
