"""Installing: once, again after an interruption, never twice at the same time, and not onto a full disk."""

import threading
import time

import pytest
from quotascope_native import artefacts, builds
from quotascope_native.failure import StackFailure
from quotascope_native.layout import Layout, content_key
from quotascope_native.progress import Progress


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path / "state", tmp_path / "cache")


def test_a_complete_artefact_is_built_once_for_a_key(layout):
    built = []

    def build(folder, log):
        built.append(folder.name)

    for key in ("one", "one", "two"):
        artefacts.ensure(layout, Progress(), "thing", key, build)
    assert built == ["thing-one", "thing-two"]


def test_an_interrupted_build_starts_over_and_its_remains_are_not_used(layout):
    def broken(folder, log):
        (folder / "half").write_text("")
        raise StackFailure("the network is gone", "connect again")

    def whole(folder, log):
        assert not (folder / "half").exists()
        (folder / "all").write_text("")

    with pytest.raises(StackFailure):
        artefacts.ensure(layout, Progress(), "thing", "key", broken)
    assert (artefacts.ensure(layout, Progress(), "thing", "key", whole) / "all").exists()


def test_two_installations_at_once_build_one_artefact(layout):
    running, most, built = [], [], []

    def build(folder, log):
        running.append(1)
        most.append(len(running))
        time.sleep(0.3)
        built.append(1)
        running.pop()

    threads = [
        threading.Thread(target=artefacts.ensure, args=(layout, Progress(), "thing", "key", build)) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert built == [1] and max(most) == 1


def test_a_disk_without_room_is_one_line(tmp_path):
    with pytest.raises(StackFailure) as failure:
        artefacts.require_space(tmp_path / "not" / "yet" / "there", 1e9)
    line = failure.value.line()
    assert str(tmp_path) in line and "GB" in line and "QUOTASCOPE_STATE" in line and "\n" not in line


def test_a_failing_tool_leaves_its_output_in_the_log_that_the_line_names(tmp_path):
    log = tmp_path / "step.log"
    with pytest.raises(StackFailure) as failure:
        artefacts.run_logged(["sh", "-c", "echo reason; exit 3"], log, "do this")
    assert "exit code 3 | reason" in failure.value.line() and str(log) in failure.value.line()
    assert "reason" in log.read_text()


def test_a_tool_that_is_not_there_is_named(tmp_path):
    with pytest.raises(StackFailure, match="nosuchtool is not installed"):
        artefacts.run_logged(["nosuchtool"], tmp_path / "log", "do this")


def test_the_key_follows_names_and_contents(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("1")
    second.write_text("1")
    assert content_key(first) != content_key(second)
    before = content_key(first, second)
    second.write_text("2")
    assert content_key(first, second) != before


def test_the_sources_of_the_jobs_exclude_what_a_build_produces(tmp_path, monkeypatch):
    monkeypatch.setattr(builds, "REPOSITORY", tmp_path)
    source = tmp_path / "streaming" / "jobs" / "src" / "main" / "A.java"
    source.parent.mkdir(parents=True)
    source.write_text("class A {}")
    before = builds._sources_key(tmp_path / "streaming")
    generated = tmp_path / "streaming" / "jobs" / "target" / "B.java"
    generated.parent.mkdir()
    generated.write_text("class B {}")
    assert builds._sources_key(tmp_path / "streaming") == before
    source.write_text("class A { int a; }")
    assert builds._sources_key(tmp_path / "streaming") != before
