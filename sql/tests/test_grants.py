"""Least rights, both ways: what each user may do works, and what it may not do is refused by the server."""

import pytest
from conftest import DAY
from quotascope_sql.server import SQL, Server, SqlFailure

TABLES = [file.stem.partition("_create_")[2] for file in sorted((SQL / "migrations").glob("*_create_*.sql"))]
# These take copies of what enters another table, and nothing else.
FED = [file.stem.partition("_feed_")[2] for file in sorted((SQL / "migrations").glob("*_feed_*.sql"))]
VIEWS = sorted(file.stem for file in (SQL / "views").glob("*.sql"))
READERS = ("superset", "report")
INSTANT = {"shard_identities": "observed_at", "verifications": "changed_at", "change_events": "changed_at"}


def refused(server: Server, statement: str, code: str = "ACCESS_DENIED", **settings: str) -> None:
    with pytest.raises(SqlFailure, match=code):
        server.execute(statement, **settings)


@pytest.mark.parametrize("table", sorted(set(TABLES) - set(FED)))
def test_ingest_appends_to_every_table_and_reads_none(database, table):
    if table == "price_books":
        # A book of prices is about no cluster.
        row, column, value = {"price_book_version": 9_999_999}, "price_book_version", "9999999"
    else:
        row = {"origin": "simulated", "cluster": "grants", INSTANT.get(table, "window_start"): f"{DAY} 00:00:00"}
        column, value = "cluster", "'grants'"
    database.insert(table, row)
    assert database.as_user("admin").rows(f"SELECT count() AS n FROM quotascope.{table} WHERE {column} = {value}") == [{"n": 1}]
    refused(database.as_user("ingest"), f"SELECT {column} FROM quotascope.{table}")


@pytest.mark.parametrize("table", FED)
def test_ingest_does_not_append_to_a_table_that_is_fed(database, table):
    row = f"('simulated', 'grants', '{DAY} 00:00:00')"
    refused(database.as_user("ingest"), f"INSERT INTO quotascope.{table} (origin, cluster, window_start) VALUES {row}")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE quotascope.mine (x UInt8) ENGINE = MergeTree ORDER BY x",
        "DROP TABLE quotascope.tuning_ranks",
        "TRUNCATE TABLE quotascope.tuning_ranks",
        "ALTER TABLE quotascope.tuning_ranks DELETE WHERE 1",
        "ALTER TABLE quotascope.tuning_ranks ADD COLUMN x UInt8",
        "INSERT INTO quotascope.schema_migrations (number) VALUES (99)",
        "SELECT team FROM quotascope_views.tuning_ranks",
        "SELECT host_name FROM system.clusters",
    ],
)
def test_ingest_may_do_nothing_else(database, statement):
    refused(database.as_user("ingest"), statement)


def test_ingest_cannot_make_its_inserts_asynchronous(database):
    statement = "INSERT INTO quotascope.tuning_ranks (cluster) VALUES ('x')"
    refused(database.as_user("ingest"), statement, "SETTING_CONSTRAINT_VIOLATION", async_insert="1")


@pytest.mark.parametrize("user", READERS)
@pytest.mark.parametrize("view", VIEWS)
def test_readers_read_every_view_without_a_right_on_tables(database, user, view):
    server = database.as_user(user)
    server.rows(f"SELECT * FROM quotascope_views.{view} LIMIT 1")
    assert server.rows("SELECT count() AS n FROM system.tables WHERE database = 'quotascope'") == [{"n": 0}]


@pytest.mark.parametrize("user", READERS)
@pytest.mark.parametrize("table", [*TABLES, "schema_migrations"])
def test_readers_are_refused_at_every_table(database, user, table):
    refused(database.as_user(user), f"SELECT count() FROM quotascope.{table}")


@pytest.mark.parametrize("user", READERS)
@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("INSERT INTO quotascope.tuning_ranks (cluster) VALUES ('x')", "ACCESS_DENIED|READONLY"),
        ("CREATE VIEW quotascope_views.mine AS SELECT 1", "ACCESS_DENIED|READONLY"),
        ("DROP VIEW quotascope_views.tuning_ranks", "ACCESS_DENIED|READONLY"),
        ("SELECT * FROM system.users", "ACCESS_DENIED"),
        ("SELECT * FROM file('/etc/passwd', 'LineAsString')", "ACCESS_DENIED|READONLY"),
        ("SELECT * FROM url('http://127.0.0.1:9/', 'LineAsString')", "ACCESS_DENIED|READONLY"),
        ("KILL QUERY WHERE 1", "ACCESS_DENIED|READONLY"),
    ],
)
def test_readers_may_do_nothing_else(database, user, statement, code):
    refused(database.as_user(user), statement, code)


@pytest.mark.parametrize("user", READERS)
@pytest.mark.parametrize("limit", ["max_execution_time", "max_memory_usage", "max_result_rows", "max_rows_to_read"])
def test_readers_cannot_lift_their_limits(database, user, limit):
    refused(database.as_user(user), "SELECT 1", "SETTING_CONSTRAINT_VIOLATION", **{limit: "999999999999"})


@pytest.mark.parametrize("user", READERS)
def test_readers_may_choose_their_own_format(database, user):
    assert database.as_user(user).execute("SELECT 1", output_format_json_quote_64bit_integers="0") == "1\n"


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count() FROM quotascope.tuning_ranks",
        "SELECT count() FROM quotascope_views.tuning_ranks",
        "CREATE DATABASE mine",
        "INSERT INTO quotascope.tuning_ranks (cluster) VALUES ('x')",
    ],
)
def test_the_passwordless_default_user_has_no_rights(database, statement):
    refused(database.as_user("default"), statement)


@pytest.mark.parametrize("user", ["admin", "ingest", *READERS])
@pytest.mark.parametrize("password", ["", "guess"])
def test_no_user_enters_without_its_password(database, user, password):
    stranger = Server(database.as_user(user).url, user, password)
    refused(stranger, "SELECT 1", "AUTHENTICATION_FAILED")
