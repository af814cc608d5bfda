"""What the faults rest on: a cable that does as told, a clock that moves, traffic that is the same again, mutations that fit their files."""

import contextlib
import dataclasses
import socket
import threading

import pytest
from quotascope_chaos import __main__ as main
from quotascope_chaos import matrix, mutation, traffic, trial
from quotascope_chaos.clock import LogClock
from quotascope_chaos.proxy import Cable, Proxy
from quotascope_chaos.scene import Scene
from quotascope_native.failure import StackFailure
from quotascope_reference import bounds, compare
from quotascope_reference.intake import MINUTE_US
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS, REPOSITORY, Message, Schemas

GOLDEN = REPOSITORY / "schemas" / "golden" / "avro" / "go"
START_US = 1_790_000_000 * 1_000_000 // MINUTE_US * MINUTE_US


@pytest.fixture
def echo():
    """A server that answers each line with itself; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=answer, args=(client,), daemon=True).start()

        def answer(client: socket.socket) -> None:
            with client:
                while octets := client.recv(100):
                    client.sendall(octets)

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]


@pytest.fixture
def proxy(echo):
    proxy = Proxy(echo)
    yield proxy
    proxy.close()


def asked(proxy: Proxy, timeout_s: float = 2) -> bytes:
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=timeout_s) as client:
        client.sendall(b"well?")
        return client.recv(100)


def test_a_whole_cable_carries_both_ways(proxy):
    assert asked(proxy) == b"well?"


def test_a_cut_cable_breaks_connections_and_a_mended_one_carries_again(proxy):
    proxy.cable = Cable.CUT
    with contextlib.suppress(ConnectionError):
        assert asked(proxy) == b""
    proxy.cable = Cable.WHOLE
    assert asked(proxy) == b"well?"


def test_a_silent_cable_tells_nobody(proxy):
    proxy.cable = Cable.SILENT
    with pytest.raises(TimeoutError):
        asked(proxy, timeout_s=0.5)


def test_an_answer_is_lost_after_the_request_has_arrived(proxy):
    proxy.cable = Cable.NO_ANSWER
    with contextlib.suppress(ConnectionError):
        assert asked(proxy) == b""
    assert proxy.answers_lost == 1


def test_the_clock_of_the_log_only_moves_forward(tmp_path):
    clock = LogClock(tmp_path / "ahead")
    before = clock.now_ms()
    clock.step(60_000)
    assert before + 60_000 <= clock.now_ms() < before + 70_000
    clock.reach(before)
    assert int((tmp_path / "ahead").read_text()) == 60_000
    with pytest.raises(ValueError, match="cannot go back"):
        clock.step(-1)
    assert LogClock(tmp_path / "ahead").now_ms() >= clock.now_ms() - 1000


def test_an_hour_is_over_when_the_broker_has_seen_it(tmp_path):
    clock = LogClock(tmp_path / "ahead")
    broker = threading.Timer(0.3, lambda: (tmp_path / "ahead.seen").write_text((tmp_path / "ahead").read_text()))
    broker.start()
    over_ms = clock.pass_hour()
    assert (tmp_path / "ahead.seen").exists()
    assert over_ms < clock.now_ms()
    assert over_ms % 3_600_000 == 160_000, "hours end 30 s late, and their rows come within two minutes"
    deaf = LogClock(tmp_path / "ahead", leap_seen_within_s=0.1)
    with pytest.raises(TimeoutError, match="has not seen within"):
        deaf.step(3_600_000)


@pytest.fixture
def twins():
    schemas = Schemas()

    def message(topic: str, record: str) -> Message:
        return Message(topic, 0, 0, 0, None, (GOLDEN / f"{record}_typical.bin").read_bytes())

    found = traffic.Twins.of([message(HOST_WINDOWS, "host_window"), message(CPU_USAGE_WINDOWS, "cpu_usage_window")], schemas)
    # The golden host's histogram shows how one is packed; it is not of its samples.
    return dataclasses.replace(found, host=found.host | {"usage_histogram": None})


def test_the_same_seed_sends_the_same_sound_records(twins):
    schemas = Schemas()

    def minute(seed: str) -> list[traffic.Record]:
        return list(traffic.minutes_of(traffic.fleet("chaos-x", twins, seed, START_US), START_US, schemas))

    assert minute("1") == minute("1") != minute("2")
    decoded = [(record.topic, schemas.decode(record.topic, record.value)) for record in minute("1")]
    for topic, record in decoded:
        bounds.check(topic, record)
    seqs = [record["seq"] for topic, record in decoded if topic == CPU_USAGE_WINDOWS and record["host_id"] == "chaos-x-host-0"]
    assert seqs == list(range(12)), "two shards in six windows"
    assert {record["shard_records"] for topic, record in decoded if topic == HOST_WINDOWS} == {2}


def test_names_of_faults_are_unique_and_say_what_they_do():
    faults = [*matrix.FAULTS, *matrix.UPGRADES]
    assert len({fault.name for fault in faults}) == len(faults)
    assert all(fault.what for fault in faults)


@pytest.mark.parametrize("one", mutation.declared(), ids=lambda one: one.name)
def test_a_mutation_changes_one_place_of_its_file(one):
    text = (REPOSITORY / one.file).read_text()
    assert text.count(one.find) == 1, "a second place would leave it open which protection is gone"
    assert one.applied(text) != text


def test_a_mutation_that_fits_nothing_is_an_error():
    gone = mutation.Mutation("gone", "nothing", "Makefile", "no such line", "", "go . .")
    with pytest.raises(StackFailure, match="does not hold"):
        gone.applied("some text")


class IdleStand:
    """A pipeline that only counts how often it was put in order."""

    def __init__(self, state, jar):
        self.jar = jar
        IdleStand.repairs = 0

    def start(self) -> None:
        pass

    def close(self) -> None:
        pass

    def repair(self) -> None:
        IdleStand.repairs += 1


@pytest.mark.parametrize("breaks", [False, True])
def test_a_pipeline_is_put_in_order_after_a_fault_that_ended_in_the_middle_and_not_after_unequal_tables(monkeypatch, breaks):
    def tried(stand, fault, seed):
        if breaks:
            raise StackFailure("no row", "read the logs")
        return trial.Outcome(fault, seed, complaints=["a row is missing"])

    monkeypatch.setattr(main, "Stand", IdleStand)
    monkeypatch.setattr(trial, "run", tried)
    outcomes = []
    main.do([matrix.FAULTS[0]], 1, outcomes)
    assert [outcome.passed for outcome in outcomes] == [False]
    assert IdleStand.repairs == (1 if breaks else 0)


@pytest.mark.parametrize("breaks", [False, True])
def test_an_upgraded_pipeline_is_gone_on_with_and_one_that_was_not_is_left(monkeypatch, breaks):
    upgrade, *others = [*matrix.UPGRADES, *matrix.FAULTS[:2]]
    seen = []

    def tried(stand, fault, seed):
        seen.append((fault.name, stand.jar))
        if breaks and fault is upgrade:
            raise StackFailure("no state", "read the logs")
        return trial.Outcome(fault, seed)

    monkeypatch.setattr(main, "Stand", IdleStand)
    monkeypatch.setattr(main.operations, "baseline_jar", lambda: "baseline")
    monkeypatch.setattr(trial, "run", tried)
    outcomes = []
    main.run([*others, upgrade], 1, outcomes)
    assert [outcome.fault for outcome in outcomes] == [upgrade, *others]
    assert [jar for _, jar in seen] == ["baseline", *[main.jobs.JAR if breaks else "baseline" for _ in others]]


def test_what_another_release_judged_is_left_to_it_and_measurements_never_are():
    scene = object.__new__(Scene)
    scene.own_since_us = 20 * MINUTE_US
    earlier, later = (("simulated", "lab", "checkout", "200m/100ms", minute * MINUTE_US, 0) for minute in (19, 20))
    for table in ("tuning_ranks", "collapse_risks", "what_if_outcomes", "savings_estimates"):
        assert scene._own_rows({table: [earlier, later]}) == 1
        found = [compare.Difference(table, key, "is missing") for key in (earlier, later)]
        assert scene._of_own(found) == found[1:]
    totals = [("simulated", "cluster", "lab", key[4]) for key in (earlier, later)]
    assert scene._own_rows({"fleet_totals": totals}) == 1
    hours = [("simulated", "lab", "a-host", key[4], 0) for key in (earlier, later)]
    assert scene._own_rows({"host_hours": hours}) == 1
    assert scene._own_rows({"service_windows": [earlier, later]}) == 2
    assert scene._own_rows({"verifications": [("simulated", "lab", "checkout", 0, "a change")]}) == 1
