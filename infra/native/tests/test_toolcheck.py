"""A missing or old tool is one line that names it and the version."""

import os

import pytest
from quotascope_native import toolcheck
from quotascope_native.failure import StackFailure
from quotascope_native.progress import Progress
from quotascope_native.toolcheck import Tool


@pytest.fixture
def old_tool(tmp_path, monkeypatch):
    program = tmp_path / "oldtool"
    program.write_text("#!/bin/sh\nprintf '\\033[1mOld Tool 1.9.2\\033[m\\nJava version: 17.0.1\\n'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")


def test_the_first_dotted_number_is_the_version(old_tool):
    assert toolcheck.version(Tool("oldtool", (), (1,), None)) == (1, 9, 2)


def test_an_old_tool_is_named_with_both_versions(old_tool, tmp_path):
    with pytest.raises(StackFailure) as failure:
        toolcheck.ensure(tmp_path / "log", Progress(), [Tool("oldtool", (), (1, 10), None)])
    line = failure.value.line()
    assert "oldtool 1.10 or newer" in line and "1.9.2" in line and "\n" not in line


def test_a_missing_tool_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(toolcheck, "can_install", lambda: False)
    with pytest.raises(StackFailure, match="nosuchtool 3 or newer is needed, not found"):
        toolcheck.ensure(tmp_path / "log", Progress(), [Tool("nosuchtool", (), (3,), "nosuchpackage")])


def test_the_tools_of_the_real_stack_are_found_here(tmp_path):
    toolcheck.ensure(tmp_path / "log", Progress(), toolcheck.required())
