"""Which checkpoint a job continues from, and which line of a Java trace says why it failed."""

import pytest
from quotascope_native import flink, flink_rest, jobs
from quotascope_native.failure import StackFailure
from quotascope_native.layout import Layout


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path, tmp_path / "cache")


def checkpoint(layout, job, number, complete=True):
    folder = layout.state / "flink" / "checkpoints" / job / f"chk-{number}"
    folder.mkdir(parents=True)
    if complete:
        (folder / "_metadata").write_text("")
    return folder


def test_the_newest_complete_checkpoint_is_taken_by_number(layout):
    checkpoint(layout, "a", 9)
    newest = checkpoint(layout, "a", 10)
    checkpoint(layout, "a", 11, complete=False)
    assert jobs.newest_checkpoint(layout, "a") == newest.as_uri()


def test_a_job_that_had_no_time_for_a_checkpoint_falls_back_on_the_one_it_came_from(layout):
    young = {"job": "b", "jar": "new", "restored_from": "file:///earlier", "restored_jar": "old"}
    assert jobs.source_of(layout, young) == ("file:///earlier", "old")
    own = checkpoint(layout, "b", 1)
    assert jobs.source_of(layout, young) == (own.as_uri(), "new")
    assert jobs.source_of(layout, young | {"savepoint": "file:///kept"}) == ("file:///kept", "new")
    assert jobs.source_of(layout, {}) == (None, None)


def test_the_innermost_cause_is_shown():
    trace = "org.x.Outer: it failed\n\tat a.b(C.java:1)\nCaused by: y.Middle: so\n\tat d\nCaused by: z.Inner: port 1\n\tat e"
    assert flink_rest.innermost(trace) == "z.Inner: port 1"
    assert flink_rest.innermost("plain reason") == "plain reason"
    assert flink_rest.innermost("") == "no cause given"


def test_a_cluster_that_is_away_is_one_line():
    with pytest.raises(StackFailure) as failure:
        flink_rest.call("http://127.0.0.1:9/jobs")
    assert "does not answer" in failure.value.line() and "\n" not in failure.value.line()


def test_state_of_another_build_is_named_as_a_possible_cause(tmp_path):
    kept = {"job": "j", "jar": "new", "restored_from": "file:///chk-1", "restored_jar": "new"}
    assert jobs.remedy(kept, tmp_path) == "read the log for the whole cause"
    upgraded = kept | {"restored_jar": "old"}
    assert f"remove {tmp_path}" in jobs.remedy(upgraded, tmp_path)


def test_flink_takes_the_settings_that_were_added_to_an_instance(tmp_path):
    assert flink.added(tmp_path) == {}
    (tmp_path / "added.yaml").write_text("parallelism.default: 1\n")
    assert flink.added(tmp_path) == {"parallelism.default": 1}
    (tmp_path / "added.yaml").write_text("")
    assert flink.added(tmp_path) == {}
