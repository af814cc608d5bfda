"""What the guest says becomes events that are counted; what it fails to say becomes failures."""

import json
from io import BytesIO

import pytest
from quotascope_native import counts
from quotascope_v2 import results
from quotascope_v2.archive import Archive

PASSED = ["\x16=== RUN   TestA", "\x16--- PASS: TestA (0.10s)", "\x16=== NAME  ", "\x16PASS"]
FAILED = ["\x16=== RUN   TestA", "    a_test.go:3: wrong", "\x16--- FAIL: TestA (0.10s)", "\x16=== NAME  ", "\x16FAIL"]


def counted(lines: list[str], *expected: str) -> counts.Counts:
    return counts.of_go(results.events(lines, expected))


def test_a_package_that_passes_is_counted_by_its_tests() -> None:
    assert counted(["@@begin a", *PASSED, "", "@@end a 0"], "a") == counts.Counts(passed=1)


def test_a_failed_test_is_one_failure() -> None:
    lines = list(results.events(["@@begin a", *FAILED, "", "@@end a 1"], ["a"]))
    assert counts.of_go(lines) == counts.Counts(failed=1)
    assert any("a_test.go:3: wrong" in line for line in counts.go_output(lines))


def test_a_binary_that_dies_after_its_tests_is_a_failure() -> None:
    assert counted(["@@begin a", *PASSED, "", "@@end a 2"], "a") == counts.Counts(passed=1, failed=1)


def test_a_binary_that_says_nothing_is_a_failure() -> None:
    assert counted(["@@begin a", "@@end a 127"], "a") == counts.Counts(failed=1)


def test_a_machine_that_dies_fails_the_package_it_was_in_and_those_it_never_reached() -> None:
    lines = list(results.events(["@@begin a", *PASSED, "", "@@end a 0", "@@begin b", "\x16=== RUN   TestB"], ["a", "b", "c"]))
    found = counts.of_go(lines)
    assert (found.passed, found.failed) == (1, 2)  # b, in the middle of a test, and c
    assert "the machine ended before this package ran" in "".join(counts.go_output(lines))


def test_other_words_of_the_guest_are_passed_on() -> None:
    assert list(results.events(["@@kernel 6.1.0"], [])) == ["@@kernel 6.1.0"]


@pytest.fixture
def packed() -> bytes:
    out = BytesIO()
    archive = Archive(out)
    archive.file("a/b/c", b"12345", executable=True)
    archive.file("a/b/d", b"")
    archive.close()
    return out.getvalue()


def test_the_archive_has_every_parent_once_and_its_files(packed: bytes) -> None:
    entries = dict(unpacked(packed))
    assert list(entries) == ["a", "a/b", "a/b/c", "a/b/d", "TRAILER!!!"]
    assert entries["a/b/c"] == (0o100755, b"12345")
    assert entries["a/b"][0] == 0o040755


def unpacked(octets: bytes) -> list[tuple[str, tuple[int, bytes]]]:
    """A reader written from the format's description, not from the writer."""
    found = []
    at = 0
    while at < len(octets):
        assert at % 4 == 0 and octets[at : at + 6] == b"070701"
        fields = [int(octets[at + 6 + 8 * k : at + 14 + 8 * k], 16) for k in range(13)]
        mode, size, name_size = fields[1], fields[6], fields[11]
        name = octets[at + 110 : at + 109 + name_size].decode()
        begin = (at + 110 + name_size + 3) // 4 * 4
        found.append((name, (mode, octets[begin : begin + size])))
        at = (begin + size + 3) // 4 * 4
    return found


def test_events_are_json() -> None:
    for line in results.events(["@@begin a", *FAILED, "@@end a 1"], ["a", "b"]):
        assert "Action" in json.loads(line)
