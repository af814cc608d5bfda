"""Submitting a job whose answer is lost: Flink gives up asking itself, and runs it nevertheless."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest
from quotascope_native import jobs
from quotascope_native.failure import StackFailure
from quotascope_native.layout import Layout
from quotascope_native.progress import Progress

ENTRY = jobs.ENTRIES[0]


class BusyFlink(BaseHTTPRequestHandler):
    """Runs every job that it is given, and answers the first time that it cannot say so."""

    def do_GET(self):
        if self.path == "/jobs":
            return self.reply(200, {"jobs": [{"id": job, "status": "RUNNING"} for job in self.server.running]})
        if self.path == "/jobmanager/config":
            return self.reply(200, [{"key": "parallelism.default", "value": "3"}])
        return self.reply(200, {"state": "RUNNING", "vertices": [{"status": "RUNNING"}]})

    def do_POST(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/jars/upload":
            return self.reply(200, {"filename": "/somewhere/jobs.jar"})
        body = json.loads(content)
        self.server.widths.append(body.get("parallelism"))
        job = body.get("jobId", f"chosen-by-flink-{len(self.server.running)}")
        self.server.running.append(job)
        if len(self.server.running) == 1:
            return self.reply(500, {"errors": ["AskTimeoutException: Ask timed out after [10000 ms]"]})
        return self.reply(200, {"jobid": job})

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
    server = ThreadingHTTPServer(("127.0.0.1", 0), BusyFlink)
    server.running, server.widths = [], []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def stack(flink, tmp_path):
    layout = Layout(tmp_path, tmp_path / "cache")
    layout.create()
    (tmp_path / "flink").mkdir()
    addresses = {"flink_rest": f"http://127.0.0.1:{flink.server_address[1]}", "kafka": "k:1", "clickhouse_http": "http://c:1"}
    return SimpleNamespace(layout=layout, endpoints=lambda: addresses, progress=Progress())


def test_a_job_whose_start_was_not_answered_is_not_started_twice(stack, flink, tmp_path):
    jar = tmp_path / "jobs.jar"
    jar.write_bytes(b"a jar")
    with pytest.raises(StackFailure, match="Ask timed out"):
        jobs.submit(stack, jar=jar, entries=(ENTRY,))
    assert jobs.submit(stack, jar=jar, entries=(ENTRY,)) == {ENTRY: flink.running[0]}
    assert len(flink.running) == 1


def test_jobs_run_as_wide_as_the_cluster_says_unless_told_otherwise(stack, flink, tmp_path):
    jar = tmp_path / "jobs.jar"
    jar.write_bytes(b"a jar")
    flink.running.append("an earlier one")
    jobs.submit(stack, jar=jar, entries=(ENTRY,))
    jobs.submit(stack, parallelism=2, jar=jar, entries=(jobs.ENTRIES[1],))
    assert flink.widths == [3, 2]
