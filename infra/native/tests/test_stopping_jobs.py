"""Stopping jobs with savepoints, and what submitting continues from, against a stand-in for Flink's interface."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest
from quotascope_native import jobs
from quotascope_native.failure import StackFailure
from quotascope_native.layout import Layout

RUNNING, ENDED = jobs.ENTRIES[0], jobs.ENTRIES[1]


class StandIn(BaseHTTPRequestHandler):
    """Answers as Flink does: 202 with the number of the request, then the state of the savepoint, at first unfinished."""

    def do_GET(self):
        if self.path == "/jobs":
            return self.reply(200, {"jobs": [{"id": "a", "status": "RUNNING"}, {"id": "b", "status": "FAILED"}]})
        self.server.looks += 1
        if self.server.looks == 1:
            return self.reply(200, {"status": {"id": "IN_PROGRESS"}, "operation": None})
        return self.reply(200, {"status": {"id": "COMPLETED"}, "operation": self.server.operation})

    def do_POST(self):
        self.server.asked.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
        self.reply(202, {"request-id": "r1"})

    def reply(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


@pytest.fixture
def flink():
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    server.asked, server.looks, server.operation = [], 0, {"location": "file:///savepoints/a"}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def stack(flink, tmp_path):
    layout = Layout(tmp_path, tmp_path / "cache")
    layout.create()
    (tmp_path / "flink").mkdir()
    jobs.ledger(layout).write_text(json.dumps({RUNNING: {"job": "a", "jar": "k"}, ENDED: {"job": "b", "jar": "k"}}))
    url = f"http://127.0.0.1:{flink.server_address[1]}"
    done = []
    return SimpleNamespace(
        layout=layout,
        endpoints=lambda: {"flink_rest": url},
        done=done,
        stop=lambda *names: done.append(("stop", *names)),
        start=lambda *names: done.append(("start", *names)),
    )


def test_running_jobs_are_stopped_without_draining_and_their_savepoints_written_down(stack, flink):
    assert jobs.stop(stack) == {RUNNING: "file:///savepoints/a"}
    ((path, body),) = flink.asked
    assert path == "/jobs/a/stop"
    # A drained job would have closed minutes that are not over.
    assert body["drain"] is False
    kept = json.loads(jobs.ledger(stack.layout).read_text())
    assert kept[RUNNING]["savepoint"] == "file:///savepoints/a"
    assert "savepoint" not in kept[ENDED]
    # What a cluster keeps of ended submissions goes with its processes, once every savepoint is written.
    assert stack.done == [("stop", "jobmanager", "taskmanager"), ("start", "jobmanager", "taskmanager")]


def test_a_savepoint_that_fails_is_told_with_its_cause(stack, flink):
    flink.operation = {"failure-cause": {"stack-trace": "Outer: no\nCaused by: java.io.IOException: No space left on device"}}
    with pytest.raises(StackFailure, match="No space left on device"):
        jobs.stop(stack)
    assert stack.done == [], "a cluster whose jobs still run is left alone"
