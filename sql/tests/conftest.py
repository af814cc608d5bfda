"""A genuine ClickHouse server of its own for these tests: free ports, temporary state, our users.xml."""

import json
import os
from pathlib import Path

import pytest
from quotascope_native.stack import Stack
from quotascope_sql import migrations, views
from quotascope_sql.server import SQL, Server

# Rows are dated far ahead: dates of today would age past the tables' TTL and vanish from the tests.
DAY = "2090-05-01"


class Database:
    """The server as each of its users."""

    def __init__(self, stack: Stack):
        self.stack = stack

    def as_user(self, user: str) -> Server:
        password = "" if user == "default" else self.stack.secret(f"clickhouse_{user}")
        return Server(self.stack.endpoints()["clickhouse_http"], user, password)

    def insert(self, table: str, *rows: dict) -> None:
        """One INSERT as the jobs do it; columns that a test does not care about get their type's default."""
        lines = "\n".join(json.dumps(row) for row in rows)
        self.as_user("ingest").execute(f"INSERT INTO quotascope.{table} FORMAT JSONEachRow\n{lines}")

    def view(self, name: str, where: str) -> list[dict]:
        """Rows of a view as the dashboards' user sees them."""
        return self.as_user("superset").rows(f"SELECT * FROM quotascope_views.{name} WHERE {where} ORDER BY ALL")


@pytest.fixture(scope="session")
def database(tmp_path_factory):
    # A machine in another zone: instants must come out in UTC all the same.
    os.environ["TZ"] = "Asia/Kolkata"
    stack = Stack.open(str(tmp_path_factory.mktemp("clickhouse")), auto_ports=True)
    stack.start("clickhouse")
    try:
        opened = Database(stack)
        migrations.migrate(opened.as_user("admin"), SQL / "migrations", dry_run=False)
        views.apply(opened.as_user("admin"), SQL / "views")
        yield opened
    finally:
        stack.stop("clickhouse")


@pytest.fixture
def sql_copy(tmp_path: Path) -> Path:
    """The sql folder, copied, to be spoilt by a test."""
    for part in ("migrations", "views", "reports"):
        (tmp_path / part).mkdir()
        for file in (SQL / part).glob("*.sql"):
            (tmp_path / part / file.name).write_bytes(file.read_bytes())
    return tmp_path
