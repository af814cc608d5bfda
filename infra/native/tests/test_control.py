"""The control process itself may die at any time; commands exclude each other and clean up after themselves."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from quotascope_native import ports
from quotascope_native.layout import REPOSITORY
from quotascope_native.stack import Stack

INSTALLED_WITHIN_S = 300
RUN = str(REPOSITORY / "infra" / "native" / "run")


def command(state, *arguments, **settings):
    argv = [RUN, *arguments, "--state", str(state), "--ports", "auto"]
    return subprocess.run(argv, capture_output=True, text=True, timeout=INSTALLED_WITHIN_S, **settings)


def await_start(state, service):
    """Wait until the service's process exists; a first installation may come before it."""
    deadline = time.monotonic() + INSTALLED_WITHIN_S
    while not (state / "run" / f"{service}.pid").exists():
        assert time.monotonic() < deadline, f"{service} was not started"
        time.sleep(0.01)


@pytest.fixture
def state(tmp_path):
    yield tmp_path / "state"
    command(tmp_path / "state", "down")


def test_down_ends_what_a_killed_control_process_left(state):
    control = subprocess.Popen([RUN, "up", "--only", "clickhouse", "kafka", "--state", str(state), "--ports", "auto"])
    await_start(state, "clickhouse")
    control.send_signal(signal.SIGKILL)
    control.wait()
    assert command(state, "down").returncode == 0
    stack = Stack.open(str(state))
    assert not any(stack.running(name) for name in stack.services)
    assert all(ports.is_free(number) for number in stack.ports.numbers.values())


def test_an_interrupted_command_stops_what_it_had_started(state):
    # Superset takes seconds to start, so the interruption falls into the start of the second service.
    control = subprocess.Popen(
        [RUN, "up", "--only", "clickhouse", "superset", "--state", str(state), "--ports", "auto"], start_new_session=True
    )
    await_start(state, "superset")
    os.kill(control.pid, signal.SIGTERM)
    assert control.wait(60) == 128 + signal.SIGTERM
    stack = Stack.open(str(state))
    assert not stack.running("clickhouse") and not stack.running("superset")


def test_a_second_command_on_the_same_instance_is_refused_with_the_pid_of_the_first(state):
    first = subprocess.Popen([RUN, "up", "--only", "superset", "--state", str(state), "--ports", "auto"])
    await_start(state, "superset")
    second = command(state, "down")
    assert second.returncode == 1 and f"pid {first.pid}" in second.stderr
    assert first.wait(180) == 0


def test_an_unknown_service_and_an_unwritable_folder_are_one_line_each(state):
    wrong = command(state, "up", "--only", "postgres")
    assert wrong.returncode == 1 and len(wrong.stderr.splitlines()) == 1 and "clickhouse" in wrong.stderr
    file = state.parent / "file"
    file.write_text("")
    unwritable = command(file / "state", "status")
    assert unwritable.returncode == 1 and len(unwritable.stderr.splitlines()) == 1
    assert "QUOTASCOPE_STATE" in unwritable.stderr


def test_passwords_are_in_no_command_line_or_environment(state):
    assert command(state, "up", "--only", "clickhouse").returncode == 0
    stack = Stack.open(str(state))
    password = stack.secret("clickhouse_admin").encode()
    pid = (state / "run" / "clickhouse.pid").read_text().split('"pid": ')[1].split(",")[0]
    for name in ("cmdline", "environ"):
        assert password not in Path(f"/proc/{pid}/{name}").read_bytes()
    assert all(file.stat().st_mode & 0o077 == 0 for file in stack.layout.secrets.iterdir())
