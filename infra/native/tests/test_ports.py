"""Ports: chosen once, overridable, and a taken one is named with its holder and the way out."""

import os
import socket

import pytest
from quotascope_native import ports
from quotascope_native.failure import StackFailure


@pytest.fixture
def listener():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_port_in_use_is_named_with_its_holder_and_variable(listener):
    taken = ports.Ports({**ports.DEFAULTS, "kafka": listener})
    with pytest.raises(StackFailure) as failure:
        ports.require_free(taken, ["kafka"])
    line = failure.value.line()
    assert "\n" not in line
    assert str(listener) in line and f"pid {os.getpid()} (" in line and "QS_KAFKA_PORT" in line


def test_the_environment_moves_a_port(tmp_path, monkeypatch):
    monkeypatch.setenv("QS_KAFKA_PORT", "21212")
    assert ports.resolve(tmp_path, auto=False)["kafka"] == 21212


@pytest.mark.parametrize("text", ["0", "65536", "kafka", "-1", ""])
def test_a_wrong_port_in_the_environment_is_refused(tmp_path, monkeypatch, text):
    monkeypatch.setenv("QS_KAFKA_PORT", text)
    with pytest.raises(StackFailure, match="QS_KAFKA_PORT"):
        ports.resolve(tmp_path, auto=False)


def test_automatic_ports_differ_from_each_other_and_are_kept(tmp_path):
    chosen = ports.resolve(tmp_path, auto=True)
    assert len(set(chosen.numbers.values())) == len(ports.DEFAULTS)
    ports.save(tmp_path, chosen)
    assert ports.resolve(tmp_path, auto=True) == chosen
    assert ports.resolve(tmp_path, auto=False) == chosen
