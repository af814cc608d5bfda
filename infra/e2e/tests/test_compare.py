"""The comparison itself, against a genuine server that holds exactly what the reference says, and then does not."""

import pytest
from quotascope_native.stack import Stack
from quotascope_reference import compare
from quotascope_reference.tables import KEYS, Reference
from quotascope_reference.wire import DEAD_LETTERS, SERVICE_WINDOWS, SHARD_IDENTITIES, Message
from quotascope_sql import migrations
from quotascope_sql.server import SQL, Server
from records import MINUTE_MS, MINUTE_US, PARTITIONS, SCHEMAS, Log, host, shard

MICROS = ("window_start", "observed_at")
IDENTITY = {
    "host_id": "host-a", "agent_epoch": 7, "cluster": "lab", "origin": "measured", "shard_id": -11, "service": "checkout",
    "shard": "checkout-0", "observed_at_us": MINUTE_US, "cgroup_path": "/quotascope/lab/checkout/checkout-0", "incarnation": 4,
    "runtime": "lab", "container_id": None, "pod_uid": None, "qos_class": None, "cpu_shares": 1024, "cpuset_cpus": None,
    "labels": {"tier": "it's front"},
}  # fmt: skip


def whole_log() -> Log:
    """A log that fills every table, with bytes that are no text, a catalog, a late part and a dead letter."""
    log = Log()
    log.catalog()
    for seq in range(4):
        log.shard(shard(seq, window_start_us=MINUTE_US + 10_000_000 * seq, exemplar=bytes([255, 0, 10, 92])))
        log.host(host(seq, window_start_us=MINUTE_US + 10_000_000 * seq, drops={"spool_full": 2}))
    log.shard(shard(4), MINUTE_MS + 200_000)
    log.shard(shard(5, layout_version=9))
    log.put(SHARD_IDENTITIES, SCHEMAS.encode(SHARD_IDENTITIES, IDENTITY), MINUTE_MS)
    log.tick(MINUTE_MS + 4_500_000)
    return log


def literal(name: str, value: object, packed: set[str]) -> str:
    """A value of the reference as ClickHouse SQL."""
    if value is None:
        return "NULL"
    if name in MICROS:
        return f"fromUnixTimestamp64Micro({value}, 'UTC')"
    if name == "append_time":
        return f"fromUnixTimestamp64Milli({value}, 'UTC')"
    if name in packed:
        return f"unhex('{value}')"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, list):
        return "[" + ", ".join(literal("", member, packed) for member in value) + "]"
    if isinstance(value, dict) and name == "":
        return "(" + ", ".join(literal(".", member, packed) for member in value.values()) + ")"
    if isinstance(value, dict):
        return "map(" + ", ".join(f"{literal('.', key, packed)}, {literal('.', v, packed)}" for key, v in value.items()) + ")"
    return repr(value)


def store(server: Server, table: str, row: dict) -> None:
    packed = compare.packed_columns(table)
    values = ", ".join(literal(name, value, packed) for name, value in row.items())
    server.execute(f"INSERT INTO quotascope.{table} ({', '.join(row)}) VALUES ({values})")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    stack = Stack.open(str(tmp_path_factory.mktemp("clickhouse")), auto_ports=True)
    stack.start("clickhouse")
    try:
        admin = Server(stack.endpoints()["clickhouse_http"], "admin", stack.secret("clickhouse_admin"))
        migrations.migrate(admin, SQL / "migrations", dry_run=False, say=lambda _: None)
        yield admin
    finally:
        stack.stop("clickhouse")


@pytest.fixture
def filled(server):
    """The server with exactly the reference's rows; worst_shards' map order and the like are the server's own."""
    reference = Reference(whole_log().messages, PARTITIONS, SCHEMAS)
    for table in KEYS:
        server.execute(f"TRUNCATE TABLE quotascope.{table}")
        assert reference.tables[table], f"the log fills no row of {table}"
        for row in reference.tables[table].values():
            store(server, table, row)
    return server, reference


def dead_letters(reference: Reference) -> list[Message]:
    letters = []
    for position, refused in reference.intake.dead_letters.items():
        topic, partition, offset = position.split("/")
        named = {"reason": refused.reason, "topic": topic, "partition": partition, "offset": offset}
        headers = tuple((name, value.encode()) for name, value in named.items())
        letters.append(Message(DEAD_LETTERS, 0, len(letters), 0, position.encode(), b"", headers))
    return letters


def topic_of(reference: Reference, **changed) -> list[Message]:
    """service-windows.v1 as the rollup writes it; `changed` spoils the first row."""
    messages = []
    for row in reference.tables["service_windows"].values():
        record = {name: value for name, value in row.items() if name not in ("window_start", "version")}
        packed = compare.packed_columns("service_windows")
        record = {name: bytes.fromhex(value) if name in packed and value is not None else value for name, value in record.items()}
        record |= {"window_start_us": row["window_start"]} | (changed if not messages else {})
        messages.append(Message(SERVICE_WINDOWS, 0, len(messages), 0, b"", SCHEMAS.encode(SERVICE_WINDOWS, record)))
    return [*messages, Message(SERVICE_WINDOWS, 1, 0, 0, None, None)]


def words(filled, letters: list[Message] | None = None, topic: list[Message] | None = None) -> list[str]:
    server, reference = filled
    letters = dead_letters(reference) if letters is None else letters
    topic = topic_of(reference) if topic is None else topic
    return [str(difference) for difference in compare.all_differences(reference, server, letters + topic, SCHEMAS)]


def test_equal_contents_have_no_difference(filled):
    assert words(filled) == []


def test_rows_of_other_clusters_are_left_out_when_one_is_compared(filled):
    server, reference = filled
    store(server, "service_windows", next(iter(reference.tables["service_windows"].values())) | {"cluster": "other"})
    messages = dead_letters(reference) + topic_of(reference)
    assert len(compare.all_differences(reference, server, messages, SCHEMAS)) == 1
    assert compare.all_differences(reference, server, messages, SCHEMAS, "lab") == []


def test_repeated_rows_are_no_difference(filled):
    server, reference = filled
    store(server, "service_windows", next(iter(reference.tables["service_windows"].values())))
    assert words(filled) == []


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("shard_windows", "throttled_us", 30_001),
        ("shard_windows", "bursts", 0),
        ("host_windows", "drops", {"spool_full": 3}),
        ("shard_identities", "labels", {}),
        ("service_windows", "usage_histogram", "0001"),
        ("service_windows", "exemplar", None),
        ("thread_ratios", "runnable_threads_per_reserved_core_p50", 8.0),
        ("throttling_summaries", "used_cores", 0.6666667),
        ("tuning_ranks", "reasons", ["another reason"]),
        ("tuning_ranks", "verdict", "healthy"),
        ("service_hours", "used_cores_max", 0.5),
    ],
)
def test_one_changed_value_is_named_with_both_sides(filled, table, column, value):
    server, reference = filled
    key, row = sorted(reference.tables[table].items(), key=str)[0]
    changed = row | {column: value}
    # A repetition with a higher version replaces the row, as a faulty job would.
    changed |= {"observed_at": row["observed_at"]} if table == "shard_identities" else {"version": row["version"] + 1}
    if table == "shard_identities":
        server.execute("TRUNCATE TABLE quotascope.shard_identities")
    store(server, table, changed)
    said = [line for line in words(filled) if " version is " not in line]
    assert len(said) == 1
    assert said[0].startswith(f"{table} {' '.join(str(member) for member in key)}: {column} is ")
    assert f"the log says {row[column]!r}" in said[0]


def test_missing_and_surplus_rows_are_named(filled):
    server, reference = filled
    row = next(iter(reference.tables["tuning_ranks"].values()))
    server.execute("TRUNCATE TABLE quotascope.tuning_ranks")
    store(server, "tuning_ranks", row | {"service": "stranger"})
    said = words(filled)
    assert sum("is missing" in line for line in said) == len(reference.tables["tuning_ranks"])
    assert sum("stranger" in line and "should not be there" in line for line in said) == 1


def test_rows_of_parts_still_open_are_left_out(filled):
    server, reference = filled
    row = next(iter(reference.tables["tuning_ranks"].values()))
    store(server, "tuning_ranks", row | {"window_start": row["window_start"] + 7_200_000_000})
    assert words(filled) == []


def test_dead_letters_are_compared_by_place_and_reason(filled):
    _, reference = filled
    (letter,) = dead_letters(reference)
    assert words(filled, []) == [
        f"{DEAD_LETTERS} cpu-usage-windows.v1/0/5: is accepted, the log says invalid_field:layout_version"
    ]
    wrong = Message(
        DEAD_LETTERS, 0, 0, 0, letter.key, b"", tuple((n, b"too_old" if n == "reason" else v) for n, v in letter.headers)
    )
    assert "is too_old, the log says invalid_field:layout_version" in words(filled, [wrong])[0]
    # A replayed dead letter collapses with the first by its key.
    assert words(filled, [letter, letter]) == []


def test_the_topic_of_service_windows_is_compared_too(filled):
    _, reference = filled
    sound = topic_of(reference)
    # A repetition after a restart is fine, other contents are not, and neither is a row less.
    assert words(filled, topic=[*sound, sound[0]]) == []
    (said,) = words(filled, topic=[*sound, topic_of(reference, usage_us=1)[0]])
    assert said.startswith(SERVICE_WINDOWS)
    assert "usage_us is 1, the log says " in said
    (said,) = words(filled, topic=sound[1:])
    assert said.endswith("is missing")
