"""The committed vectors are what the generator writes, and what the arithmetic by hand says."""

import json

import pytest
from write_vectors import FILES, FOLDER, text


def committed(file: str) -> str:
    return (FOLDER / file).read_text()


def part(expected: dict, path: str) -> object:
    """`stat.periods` and `trace.0` are paths into an expectation."""
    for step in path.split("."):
        expected = expected[int(step)] if isinstance(expected, list) else expected[step]
    return expected


@pytest.mark.parametrize("file", FILES)
def test_committed_vectors_are_the_generators(file):
    assert committed(file) == text(file)


@pytest.mark.parametrize("file", FILES)
def test_vectors_say_what_the_hand_says(file):
    vectors = {vector["name"]: vector["expect"] for vector in json.loads(committed(file))["vectors"]}
    wrong = [
        f"{situation['name']}: {path} is {part(vectors[situation['name']], path)}, by hand {value}"
        for situation in FILES[file][0].situations()
        for path, value in situation["by_hand"].items()
        if part(vectors[situation["name"]], path) != value
    ]
    assert not wrong, "\n".join(wrong)


def test_every_worked_example_is_counted_both_ways():
    names = [situation["name"] for situation in FILES["cfs_worked_examples.json"][0].situations()]
    for example in ("four_tenths_of_a_cpu", "two_workers_at_49_ms", "twenty_cores_run"):
        assert {f"{example}_article", f"{example}_kernel"} <= set(names)


def test_every_situation_has_its_own_name():
    names = [situation["name"] for module, _ in FILES.values() for situation in module.situations()]
    assert len(names) == len(set(names))
