"""The dump that the program reads, the rows that it makes of it, and what the comparison says of a row that differs."""

import struct

import pytest
from quotascope_native.artefacts import run_logged
from quotascope_reference import compare
from quotascope_reference.tables import Reference
from quotascope_reference.wire import SERVICE_CATALOG, SERVICE_WINDOWS, Message
from records import PARTITIONS, SCHEMAS
from scenario import models
from test_compare import topic_of, whole_log


def test_a_dump_holds_lengths_and_bytes_and_leaves_ticks_out(tmp_path):
    file = tmp_path / "values"
    values = [b"first", None, b"", b"\x00\x01"]
    models.save([Message(SERVICE_WINDOWS, 0, offset, 0, None, value) for offset, value in enumerate(values)], file)
    assert file.read_bytes() == b"\0\0\0\x05first" + b"\0\0\0\0" + b"\0\0\0\x02\x00\x01"


def test_the_command_line_says_what_the_jobs_were_told(tmp_path, monkeypatch):
    monkeypatch.setattr(models.dump, "read", lambda bootstrap, topics, since: [Message(topics[0], 0, 0, 0, None, topics[0].encode())])
    properties = tmp_path / "jobs.properties"
    properties.write_text("kafka.bootstrap=a=b\nanalysis.host-cpus=3\nanalysis.turn-minutes=2\n")
    _, *argv = models.command("broker", properties, tmp_path)
    said = dict(zip(argv[::2], argv[1::2], strict=True))
    assert (said["--turn-minutes"], said["--host-cpus"], said["--out"]) == ("2", "3", str(tmp_path))
    for topic, argument in models.DUMPS.items():
        assert (tmp_path / f"{topic}.values").read_bytes() == struct.pack(">I", len(topic)) + topic.encode()
        assert said[argument] == str(tmp_path / f"{topic}.values")


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """The reference of a log, and the rows that the program makes of the service windows in it."""
    folder = tmp_path_factory.mktemp("oracle")
    messages = whole_log().messages
    reference = Reference(messages, PARTITIONS, SCHEMAS)
    models.save(topic_of(reference), folder / "windows")
    models.save([message for message in messages if message.topic == SERVICE_CATALOG], folder / "catalog")
    argv = [str(models.ORACLE), "--windows", str(folder / "windows"), "--catalog", str(folder / "catalog"), "--out", str(folder)]
    run_logged(argv, folder / "log", "see the log")
    return reference, {table: models.rows_of(table, folder / f"{table}.jsonl") for table in models.KEYS}


def test_the_program_judges_the_risk_of_every_service_window(judged):
    reference, rows = judged
    assert rows["collapse_risks"].keys() == reference.tables["service_windows"].keys()
    for key, row in rows["collapse_risks"].items():
        summary = reference.tables["throttling_summaries"][key]
        same = ("catalog_version", "team", "reserved_cores", "completeness", "throttled_period_ratio", "used_cores_per_shard")
        assert {name: row[name] for name in same} == {name: summary[name] for name in same}


def test_rows_of_one_file_have_one_key_each(tmp_path):
    file = tmp_path / "collapse_risks.jsonl"
    line = '{"origin": "a", "cluster": "b", "service": "c", "quota_class": "d", "window_start_us": 1, "part": 0}\n'
    file.write_text(line)
    assert list(models.rows_of("collapse_risks", file)) == [("a", "b", "c", "d", 1, 0)]
    file.write_text(line * 2)
    with pytest.raises(ValueError, match="2 rows of 1 keys"):
        models.rows_of("collapse_risks", file)


def test_each_kind_of_difference_is_named(judged):
    _, rows = judged
    wanted = rows["collapse_risks"]
    key, row = next(iter(wanted.items()))

    def words(found: list[dict]) -> list[str]:
        return [each.what for each in compare.keyed_differences("collapse_risks", models.KEYS["collapse_risks"], wanted, found)]

    others = [other for each, other in wanted.items() if each != key]
    assert words([row, *others]) == []
    assert words(others) == ["is missing"]
    assert words([row, row, *others]) == ["is there twice"]
    assert words([row, *others, row | {"service": "stranger"}]) == ["should not be there"]
    assert words([row | {"shards": row["shards"] + 1}, *others]) == [f"shards is {row['shards'] + 1}, the log says {row['shards']}"]


def test_what_only_an_analysis_of_a_smaller_version_named_is_no_row_of_the_newest():
    row = {"origin": "simulated", "cluster": "lab", "service": "checkout", "quota_class": "200m/100ms", "window_start": 0, "part": 0, "version": 1}
    old, new = row | {"scenario": "1 CPUs"}, row | {"scenario": "1 CPU", "version": 2}
    others = [old | {"part": 1}, old | {"window_start": 60}, old | {"service": "mail"}]
    for table in models.OF_ANALYSES:
        assert models.newest_analyses(table, [old, *others, new]) == [*others, new]
    assert models.newest_analyses("collapse_risks", [old, new]) == [old, new]
