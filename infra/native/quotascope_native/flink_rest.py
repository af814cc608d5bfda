"""The few calls to Flink's REST interface that submitting jobs needs."""

import contextlib
import json
import urllib.error
import urllib.request
import uuid
from pathlib import Path
from typing import Any

from quotascope_native.failure import StackFailure

TIMEOUT_S = 120


def call(url: str, method: str = "GET", body: dict | None = None) -> Any:
    """One JSON request. Flink's own explanation of a refusal becomes the failure's text."""
    content = None if body is None else json.dumps(body).encode()
    return _send(url, method, content, "application/json")


def upload(url: str, jar: Path) -> str:
    """Store a jar in the cluster; returns the id under which it can be run."""
    boundary = uuid.uuid4().hex
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="jarfile"; filename="{jar.name}"\r\n'
        "Content-Type: application/x-java-archive\r\n\r\n"
    )
    content = head.encode() + jar.read_bytes() + f"\r\n--{boundary}--\r\n".encode()
    reply = _send(f"{url}/jars/upload", "POST", content, f"multipart/form-data; boundary={boundary}")
    return Path(reply["filename"]).name


def job_states(url: str) -> dict[str, str]:
    """State of every job that the cluster knows, by job id."""
    return {job["id"]: job["status"] for job in call(f"{url}/jobs")["jobs"]}


def default_parallelism(url: str) -> int:
    """What the cluster's configuration says of jobs that name none; Flink's own default is 1."""
    settings = {setting["key"]: setting["value"] for setting in call(f"{url}/jobmanager/config")}
    return int(settings.get("parallelism.default", 1))


def stop_with_savepoint(url: str, job_id: str, folder: Path) -> str:
    """Ask a job to end with a savepoint, no record lost and no row before its time; returns the number of the request."""
    body = {"targetDirectory": folder.as_uri(), "drain": False}
    return call(f"{url}/jobs/{job_id}/stop", "POST", body)["request-id"]


def savepoint(url: str, job_id: str, request: str) -> str | None:
    """Where the savepoint of a request lies; None while it is being written."""
    found = call(f"{url}/jobs/{job_id}/savepoints/{request}")
    if found["status"]["id"] != "COMPLETED":
        return None
    operation = found["operation"]
    if "location" not in operation:
        cause = innermost(operation.get("failure-cause", {}).get("stack-trace", ""))
        raise StackFailure(f"job {job_id} cannot be stopped with a savepoint: {cause}", "see that it runs, then stop it again")
    return operation["location"]


def root_cause(url: str, job_id: str) -> str | None:
    """The innermost cause of a job's last failure, on one line; None when it never failed."""
    entries = call(f"{url}/jobs/{job_id}/exceptions").get("exceptionHistory", {}).get("entries", [])
    return innermost(entries[0].get("stacktrace", "")) if entries else None


def innermost(stacktrace: str) -> str:
    """The last `Caused by` of a Java stack trace, else its first line."""
    lines = [line.strip() for line in stacktrace.splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    return (causes or lines or ["no cause given"])[-1 if causes else 0]


def _send(url: str, method: str, content: bytes | None, kind: str) -> Any:
    request = urllib.request.Request(url, data=content, method=method, headers={"Content-Type": kind})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as reply:
            text = reply.read()
            return json.loads(text) if text else {}
    except urllib.error.HTTPError as error:
        text = error.read().decode(errors="replace")
        with contextlib.suppress(ValueError, KeyError):
            text = innermost("\n".join(json.loads(text)["errors"]))
        raise StackFailure(f"Flink refuses {method} {request.selector}: {text[:500]}", "read the JobManager's log") from error
    except OSError as error:
        raise StackFailure(f"Flink does not answer at {url}: {error}", "start it with infra/native/run up") from error
