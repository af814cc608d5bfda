"""The committed fluid vectors are what the generator writes, and what the arithmetic by hand says."""

import json

from fluid_situations import situations
from write_fluid_vectors import FILE, text


def test_committed_vectors_are_the_generators():
    assert FILE.read_text() == text()


def test_vectors_say_what_the_hand_says():
    vectors = {vector["name"]: vector["expect"] for vector in json.loads(FILE.read_text())["vectors"]}
    wrong = [
        f"{situation['name']}: {name} is {vectors[situation['name']][name]}, by hand {value}"
        for situation in situations()
        for name, value in situation["by_hand"].items()
        if vectors[situation["name"]][name] != value
    ]
    assert not wrong, "\n".join(wrong)
    assert sum(bool(situation["by_hand"]) for situation in situations()) >= 7
