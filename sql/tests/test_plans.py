"""Plans on the real server: pages of one service read that service's granules, pages of the fleet read no minutes.

A thousand services are written for this, so that reading all of them and reading one are far apart.
"""

import re
from datetime import UTC, datetime, timedelta

import pytest
from conftest import Database
from quotascope_dashboards.statement import Asked, statements
from quotascope_dashboards.tree import Tree
from quotascope_native.stack import Stack
from quotascope_sql import migrations, reports, views
from quotascope_sql.server import SQL, SqlFailure

SERVICES = 1000
# Tables with a row for each minute or each record; whatever is about the whole fleet must not need them.
MINUTES = {"service_windows", "throttling_summaries", "thread_ratios", "tuning_ranks", "collapse_risks", "host_windows", "shard_windows"}
# Every analysis of a month; whatever is about the newest ones must not need them.
HISTORIES = {"what_if_outcomes", "savings_estimates"}
KEY = "'simulated' AS origin, 'plans' AS cluster, concat('service-', leftPad(toString({service}), 4, '0')) AS service, '1000m/100ms' AS quota_class"
NOW = datetime.now(UTC).replace(microsecond=0)
FILLED = {
    # table: (rows a service, minutes between them, further columns)
    "throttling_summaries": (120, 1, "600 AS periods, 60 AS throttled_periods, [0., 1.] AS usage_histogram_cores, [1, 2] AS usage_histogram_samples"),
    "thread_ratios": (120, 1, "4 AS shards"),
    "collapse_risks": (120, 1, "1.5 AS collapse_load_multiple"),
    "service_windows": (120, 1, "6 AS records, 6 AS expected_records"),
    "tuning_ranks": (120, 1, "1 AS rank_class"),
    "shard_windows": (120, 1, "number AS seq, 5 AS excursion_samples"),
    "service_hours": (72, 60, "600 AS periods"),
    "what_if_outcomes": (100, 1, "toString(number % 20) AS scenario, 'quota' AS scenario_kind"),
    "savings_estimates": (100, 1, "toString(number % 4) AS fix_set, true AS best"),
    "service_latest": (1, 1, "'throttled' AS verdict"),
}
# Tables with a row for each alert, change, recommendation or hour of a host, and the instant they are kept by.
SMALL = dict.fromkeys(("throttling_alerts", "prediction_scores", "kernel_findings", "host_hours", "host_windows"), "window_start")
SMALL |= dict.fromkeys(("change_events", "verifications"), "changed_at") | {"recommendations": "state_at", "fleet_totals": "window_start"}
# One row for each thing analysed of a service: too few granules to ask for more than the condition.
LATEST = {"what_if_latest", "savings_latest"}
OWNED = ("service", "what-if")
TREE = Tree()


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    stack = Stack.open(str(tmp_path_factory.mktemp("plans")), auto_ports=True)
    stack.start("clickhouse")
    try:
        database = Database(stack)
        admin = database.as_user("admin")
        migrations.migrate(admin, SQL / "migrations", dry_run=False)
        views.apply(admin, SQL / "views")
        for table, (rows, minutes, columns) in FILLED.items():
            key = KEY.format(service=f"intDiv(number, {rows})")
            moment = f"toDateTime64('{NOW:%Y-%m-%d %H:%M:00}', 6, 'UTC') - toIntervalMinute((1 + number % {rows}) * {minutes}) AS window_start"
            names = ", ".join(re.findall(r"AS (\w+)", f"{key}, {moment}, {columns}"))
            admin.execute(
                f"INSERT INTO quotascope.{table} ({names}, version) SELECT {key}, {moment}, {columns}, 1 FROM numbers({SERVICES * rows})"
                " SETTINGS max_partitions_per_insert_block = 1000"
            )
            admin.execute(f"OPTIMIZE TABLE quotascope.{table} FINAL")
        for table in SMALL:
            # One row, or the plan would not name the table.
            admin.execute(
                f"INSERT INTO quotascope.{table} (origin, cluster, {SMALL[table]}) VALUES ('simulated', 'plans', '{NOW:%Y-%m-%d %H:%M:%S}')"
            )
        yield database
    finally:
        stack.stop("clickhouse")


def read_tables(database, text: str, parameters: dict | None = None) -> dict[str, dict]:
    """What a plan reads of each table: granules present, those left after each index, the conditions. No step: nothing is read at all."""
    # The administrator's plan: a reader of views may not look into their tables.
    lines = database.as_user("admin").execute(f"EXPLAIN indexes = 1 {text}", parameters, default_format="TSVRaw").splitlines()
    found: dict[str, dict] = {}
    for line in lines:
        if named := re.search(r"ReadFromMergeTree \(quotascope\.(\w+)\)", line):
            place = found.setdefault(named.group(1), {"present": 0, "steps": [], "conditions": []})
        elif found and (granules := re.search(r"Granules: (\d+)/(\d+)", line)):
            place["present"] = max(place["present"], int(granules.group(2)))
            place["steps"].append(int(granules.group(1)))
        elif found and (condition := re.search(r"Condition: (.*)", line)):
            place["conditions"].append(condition.group(1))
    return found


def charts(*slugs: str) -> list[str]:
    """The charts of some dashboards, by file."""
    placed = {
        part["meta"]["uuid"]
        for dashboard in TREE.of("dashboards").values()
        if dashboard["slug"] in slugs
        for part in dashboard["position"].values()
        if isinstance(part, dict) and part["type"] == "CHART"
    }
    return [name for name, chart in TREE.of("charts").items() if chart["uuid"] in placed]


@pytest.mark.parametrize("name", charts(*OWNED))
def test_a_chart_of_one_service_reads_that_service_only(filled, name):
    asked = Asked(NOW, chosen={"service": "service-0500"})
    plans = [read_tables(filled, text) for text in statements(TREE, name, asked)]
    assert any(plan["steps"] for plan in plans[0].values())
    for tables in plans:
        for table, plan in tables.items():
            if table in (*SMALL, "service_latest") or not plan["steps"]:
                continue  # One row a service, an alert or a change: the ranking needs them all, and there are few.
            assert any("service in" in condition for condition in plan["conditions"]), (table, plan)
            assert table in LATEST or plan["present"] > 8, (table, plan, "too few granules to tell one service from all")
            assert min(plan["steps"]) <= 3, (table, plan)


@pytest.mark.parametrize("name", charts("fleet", "savings"))
def test_a_chart_of_the_fleet_reads_no_minutes(filled, name):
    for text in statements(TREE, name, Asked(NOW, span=timedelta(days=7))):
        tables = set(read_tables(filled, text))
        assert tables, "the plan names no table"
        assert not tables & (MINUTES | HISTORIES)


def test_how_fresh_rows_are_is_asked_of_no_history_of_analyses(filled):
    """Fifteen million rows a day of five thousand services; minutes are needed, because nothing else says how old the newest of each kind is."""
    tables = set(read_tables(filled, "SELECT * FROM quotascope_views.freshness"))
    assert tables >= LATEST and not tables & HISTORIES


@pytest.mark.parametrize("name", reports.names(SQL / "reports"))
def test_a_report_reads_no_minutes_unless_it_is_about_what_did_not_arrive(filled, name):
    text = reports.statement(SQL / "reports", name)
    values = reports.parameters(text, {}, reports.default_minutes(text))
    tables = set(read_tables(filled, text, values))
    assert tables, "the plan names no table"
    assert not tables & HISTORIES
    assert not tables & MINUTES or name == "what_did_not_arrive"


@pytest.mark.parametrize("name", ["which_services_first", "what_would_each_change_do", "what_would_tuning_free", "how_does_it_develop"])
def test_a_report_about_one_service_reads_that_service_only(filled, name):
    text = reports.statement(SQL / "reports", name)
    values = reports.parameters(text, {"service": "service-0500"}, reports.default_minutes(text))
    for table, plan in read_tables(filled, text, values).items():
        if table == "service_latest":
            continue  # A rank is a place among all.
        assert any("service in" in condition for condition in plan["conditions"]), (table, plan)
        assert min(plan["steps"]) <= 3, (table, plan)


@pytest.mark.parametrize("view", sorted(HISTORIES))
def test_the_analyses_of_one_service_are_found_without_reading_others(filled, view):
    plan = read_tables(filled, f"SELECT * FROM quotascope_views.{view} WHERE service = 'service-0500'")[view]
    assert plan["present"] > 8 and min(plan["steps"]) <= 3, plan


def test_the_planner_of_this_test_tells_one_service_from_all(filled):
    everything = read_tables(filled, "SELECT count() FROM quotascope_views.throttling_summaries")
    assert everything["throttling_summaries"]["steps"][-1] > 8
    with pytest.raises(SqlFailure):
        read_tables(filled, "SELECT absent FROM quotascope_views.throttling_summaries")
