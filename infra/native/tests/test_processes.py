"""Ending processes: exactly ours, whatever became of pid files and control processes."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from quotascope_native import processes
from quotascope_native.processes import Identity

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
STUBBORN = [sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"]
PARENT = [sys.executable, "-c", f"import subprocess, time; subprocess.Popen({SLEEP!r}); time.sleep(600)"]


@pytest.fixture
def state(tmp_path):
    (tmp_path / "run").mkdir()
    yield tmp_path
    processes.end(tmp_path, "worker", grace_s=0.1)


def start(state, argv):
    return processes.spawn(state, "worker", argv, {}, state, state / "worker.log")


def wait_until(condition, within_s=5):
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true in time"
        time.sleep(0.02)


def test_a_recycled_pid_is_not_ours(state):
    stranger = subprocess.Popen(SLEEP, start_new_session=True)
    try:
        # What a pid file looks like after its process ended and the kernel gave the number away.
        identity = Identity.of(stranger.pid)
        stale = {**identity.__dict__, "start_ticks": identity.start_ticks - 1}
        processes.pid_file(state, "worker").write_text(json.dumps(stale))
        assert processes.recorded(state, "worker") is None
        assert processes.end(state, "worker", grace_s=0.2) is False
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_pid_of_an_earlier_boot_is_not_ours(state):
    identity = Identity.of(os.getpid())
    processes.pid_file(state, "worker").write_text(json.dumps({**identity.__dict__, "boot": "another"}))
    assert processes.recorded(state, "worker") is None


def test_a_torn_pid_file_reads_as_not_running(state):
    processes.pid_file(state, "worker").write_text('{"pid": 12')
    assert processes.recorded(state, "worker") is None


def test_a_process_that_ignores_sigterm_is_killed_after_its_grace(state):
    identity = start(state, STUBBORN)
    wait_until(lambda: "deaf" in (state / "worker.log").read_text())
    assert processes.end(state, "worker", grace_s=0.2) is True
    assert not identity.alive()


def test_children_end_with_their_service(state):
    start(state, PARENT)
    wait_until(lambda: len(processes.marked(state, "worker")) == 2)
    processes.end(state, "worker", grace_s=1)
    assert processes.marked(state, "worker") == []


def test_a_service_whose_pid_file_was_never_written_is_found_by_its_mark(state):
    identity = start(state, SLEEP)
    # A control process killed between fork and write leaves exactly this.
    processes.pid_file(state, "worker").unlink()
    assert processes.end(state, "worker", grace_s=1) is True
    assert not identity.alive()


def test_another_instance_with_the_same_service_is_left_alone(state, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "run").mkdir()
    survivor = start(other, SLEEP)
    start(state, SLEEP)
    processes.end(state, "worker", grace_s=1)
    assert survivor.alive()
    processes.end(other, "worker", grace_s=1)


def test_kill_reports_a_service_that_does_not_run(state):
    with pytest.raises(ProcessLookupError):
        processes.kill(state, "worker", signal.SIGKILL)


def test_a_killed_process_is_dead_when_kill_returns(state):
    identity = start(state, SLEEP)
    processes.kill(state, "worker", signal.SIGKILL)
    assert not identity.alive()
    assert processes.recorded(state, "worker") is None
