"""A machine that hangs is told apart from tests that fail and from a kernel that panics."""

from pathlib import Path

import pytest

from quotascope_v2.machine import Machine


@pytest.mark.parametrize(
    ("console", "results", "hung"),
    [
        ("", "@@finished\n", False),
        ("", "@@begin internal/x\n", True),
        ("watchdog: BUG: soft lockup - CPU#1 stuck for 44s!", "@@finished\n", True),
        ("Kernel panic - not syncing", "@@begin internal/x\n", False),
    ],
)
def test_a_hang_is_no_failure_and_no_panic(tmp_path: Path, console: str, results: str, hung: bool) -> None:
    machine = Machine(tmp_path / "kernel", tmp_path / "files", tmp_path, 1.0)
    machine.console.write_text(console)
    machine.results.write_text(results)
    assert machine.hung() is hung
