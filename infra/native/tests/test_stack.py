"""Real servers: each starts, answers, survives a kill by being started again, and leaves nothing behind."""

import signal
import socket
import urllib.request

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from quotascope_native import flink_rest, ports, processes, topics
from quotascope_native.failure import StackFailure
from quotascope_native.stack import Stack


def select(stack, statement):
    request = urllib.request.Request(stack.endpoints()["clickhouse_http"], data=statement.encode())
    request.add_header("X-ClickHouse-User", "admin")
    request.add_header("X-ClickHouse-Key", stack.secret("clickhouse_admin"))
    with urllib.request.urlopen(request, timeout=10) as reply:
        return reply.read().decode().strip()


def all_free(stack):
    return all(ports.is_free(number) for number in stack.ports.numbers.values())


def test_clickhouse_keeps_rows_over_stop_and_kill_and_starting_twice_is_one_server(stack):
    stack.start("clickhouse")
    first = processes.recorded(stack.layout.state, "clickhouse")
    stack.start("clickhouse")
    assert processes.recorded(stack.layout.state, "clickhouse") == first
    select(stack, "CREATE DATABASE kept")
    select(stack, "CREATE TABLE kept.t (a Int64) ENGINE = MergeTree ORDER BY a")
    select(stack, "INSERT INTO kept.t SELECT number FROM numbers(1000)")
    stack.restart("clickhouse")
    assert select(stack, "SELECT count() FROM kept.t") == "1000"
    select(stack, "INSERT INTO kept.t SELECT number FROM numbers(1000)")
    stack.kill("clickhouse")
    assert not stack.running("clickhouse")
    stack.start("clickhouse")
    assert select(stack, "SELECT count() FROM kept.t") == "2000"
    stack.stop()
    stack.stop()
    assert all_free(stack)


def test_a_login_survives_a_new_control_process(stack):
    stack.start("clickhouse")
    again = Stack.open(str(stack.layout.state))
    assert again.running("clickhouse")
    assert select(again, "SELECT currentUser()") == "admin"
    again.stop()
    assert not stack.running("clickhouse")


def test_a_failing_start_stops_what_this_call_had_started(stack):
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", stack.ports["flink_rest"]))
        squatter.listen()
        with pytest.raises(StackFailure, match="flink_rest"):
            stack.start("clickhouse", "jobmanager")
    assert not stack.running("clickhouse")
    # The same after the ports were found free: the second service dies while it starts.
    (stack.layout.state / "kafka").mkdir()
    (stack.layout.state / "kafka" / "log").write_text("a file where the log folder must be")
    with pytest.raises(StackFailure) as failure:
        stack.start("clickhouse", "kafka")
    assert "kafka" in failure.value.line() and "log" in failure.value.line()
    assert not stack.running("clickhouse") and all_free(stack)


def test_kafka_has_the_declared_topics_and_keeps_records_over_a_kill(stack):
    stack.start("kafka")
    bootstrap = stack.endpoints()["kafka"]
    assert topics.create(bootstrap) == [topic["name"] for topic in topics.declared()]
    assert topics.create(bootstrap) == []
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all"})
    failures = []
    producer.produce("cpu-usage-windows.v1", b"x", key=b"host", on_delivery=lambda e, m: failures.append(e) if e else None)
    assert producer.flush(20) == 0 and failures == []
    stack.kill("kafka")
    stack.start("kafka")
    listed = AdminClient({"bootstrap.servers": bootstrap}).list_topics(timeout=20).topics
    assert len(listed["cpu-usage-windows.v1"].partitions) == 4


def test_a_topic_with_other_partitions_than_declared_is_refused(stack, monkeypatch):
    stack.start("kafka")
    topics.create(stack.endpoints()["kafka"])
    with pytest.raises(StackFailure, match="message.timestamp.type"):
        topics.create(stack.endpoints()["kafka"], {"message.timestamp.type": "CreateTime"})
    changed = [{**topic, "partitions": topic["partitions"] + 1} for topic in topics.declared()]
    monkeypatch.setattr(topics, "declared", lambda: changed)
    with pytest.raises(StackFailure, match="partitions"):
        topics.create(stack.endpoints()["kafka"])


def test_flink_gets_its_slots_back_after_the_taskmanager_is_killed(stack):
    stack.start("jobmanager", "taskmanager")
    url = stack.endpoints()["flink_rest"]
    assert flink_rest.call(f"{url}/overview")["slots-total"] == 24
    stack.kill("taskmanager", signal.SIGKILL)
    stack.start("taskmanager")
    stack.kill("jobmanager")
    stack.start("jobmanager")
    assert flink_rest.call(f"{url}/overview")["flink-version"] == "2.3.0"
    stack.stop()
    assert all_free(stack)
