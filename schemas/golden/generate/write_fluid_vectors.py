"""Writes fluid_replay.json: `python3 schemas/golden/generate/write_fluid_vectors.py`."""

import json
import sys
from pathlib import Path

import fluid
import fluid_situations

FILE = Path(__file__).resolve().parents[1] / "fluid_replay.json"
ABOUT = (
    "Demand in cores per 10 ms slot as a fluid under a quota. Counts compare exactly, percentiles to 4 % or 0.1 ms, "
    "other numbers to 1e-6 relative. Source: generate/fluid.py."
)


def text() -> str:
    lines = []
    for situation in fluid_situations.situations():
        vector = {name: situation[name] for name in ("name", "why", "input")}
        lines.append("    " + json.dumps({**vector, "expect": fluid.replay(situation["input"])}))
    return f'{{\n  "about": {json.dumps(ABOUT)},\n  "vectors": [\n' + ",\n".join(lines) + "\n  ]\n}\n"


def main() -> int:
    FILE.write_text(text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
