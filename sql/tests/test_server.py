"""What we rely on in the server itself."""

from conftest import DAY
from quotascope_sql.server import SQL

LOCK = SQL.parent / "infra" / "native" / "requirements.in"


def test_the_server_is_of_the_pinned_release_line(database):
    pinned = next(line for line in LOCK.read_text().splitlines() if line.startswith("chdb-core=="))
    release_line = ".".join(pinned.removeprefix("chdb-core==").split(".")[:2])
    version = database.as_user("admin").rows("SELECT version() AS version")[0]["version"]
    assert version.startswith(release_line + ".")


def test_the_server_lives_in_utc(database):
    zone = database.as_user("superset").rows("SELECT serverTimezone() AS zone, toString(toDateTime(0)) AS epoch")[0]
    assert zone["zone"] in ("UTC", "Etc/UTC")
    assert zone["epoch"] == "1970-01-01 00:00:00"


def test_an_insert_is_on_disk_when_it_returns(database):
    settings = database.as_user("ingest").execute("SELECT getSetting('async_insert')")
    assert settings.strip() in ("0", "false")


def test_a_restart_keeps_rows_and_views(database):
    row = {"origin": "simulated", "cluster": "restart", "service": "s", "window_start": f"{DAY} 00:00:00", "records": 7}
    database.insert("service_windows", row)
    database.stack.restart("clickhouse")
    assert [found["records"] for found in database.view("service_windows", "cluster = 'restart'")] == [7]
