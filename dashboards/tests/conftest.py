"""The stack the dashboards are looked at on: the running one named by QUOTASCOPE_ENDPOINTS, else one of our own."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fleet_fixture import write_fleet
from quotascope_dashboards.apply import apply
from quotascope_dashboards.session import SupersetSession
from quotascope_dashboards.tree import DASHBOARDS, Address, Tree
from quotascope_native.stack import Stack
from quotascope_sql import migrations, views
from quotascope_sql.server import SQL, Server

SCREENSHOTS = DASHBOARDS.parent / "build" / "screenshots"


@dataclass(frozen=True)
class Running:
    """Addresses and secrets of a stack whose dashboards are applied."""

    superset_url: str
    clickhouse_url: str
    secrets: Path
    simulated: bool  # True when the rows are the fixture's.

    def secret(self, name: str) -> str:
        return (self.secrets / name).read_text().strip()

    def views(self, sql: str) -> list[dict]:
        """Rows as Superset's own database user sees them."""
        return Server(self.clickhouse_url, "superset", self.secret("clickhouse_superset")).rows(sql)

    def session(self) -> SupersetSession:
        return SupersetSession(self.superset_url, "admin", self.secret("superset_admin"))

    def address(self) -> Address:
        host, port = self.clickhouse_url.removeprefix("http://").split(":")
        return Address(host, int(port), self.secret("clickhouse_superset"))


@pytest.fixture(scope="session")
def running(tmp_path_factory) -> Iterator[Running]:
    if given := os.environ.get("QUOTASCOPE_ENDPOINTS"):
        endpoints = json.loads(Path(given).read_text())
        yield Running(endpoints["superset"], endpoints["clickhouse_http"], Path(given).parent / "secrets", simulated=False)
        return
    state = tmp_path_factory.mktemp("dashboards")
    stack = Stack.open(str(state), auto_ports=True)
    try:
        stack.start("clickhouse", "superset")
        own = Running(stack.endpoints()["superset"], stack.endpoints()["clickhouse_http"], state / "secrets", simulated=True)
        admin = Server(own.clickhouse_url, "admin", own.secret("clickhouse_admin"))
        migrations.migrate(admin, SQL / "migrations", dry_run=False)
        views.apply(admin, SQL / "views")
        write_fleet(own.clickhouse_url, "ingest", own.secret("clickhouse_ingest"))
        apply(own.session(), Tree(), own.address())
        yield own
    finally:
        stack.stop()
