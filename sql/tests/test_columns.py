"""One name per quantity: the columns of every table are the fields of its Avro record."""

import json
import re

import pytest
from quotascope_sql.server import SQL

SCHEMAS = SQL.parent / "schemas"

GAPS = {"missing_before": "Nullable(Int64)"}
# table: (schema, fields that have no column, columns that are no field)
TABLES = {
    "shard_windows": (
        "cpu_usage_window",
        {"usage_histogram", "second_order", "runnable_histogram", "exemplar"},
        {"quota_class": "String", "append_time": "DateTime64(3, 'UTC')", "part": "UInt32", "version": "UInt64"} | GAPS,
    ),
    "host_windows": (
        "host_window",
        {"usage_histogram", "service_records", "first_records"},
        {"append_time": "DateTime64(3, 'UTC')", "part": "UInt32", "version": "UInt64"} | GAPS,
    ),
    "shard_identities": ("shard_identity", set(), {}),
    "service_windows": ("service_window", set(), {"version": "UInt64"}),
    "thread_ratios": ("thread_ratio", set(), {}),
    "throttling_summaries": ("throttling_summary", set(), {}),
    "tuning_ranks": ("tuning_rank", set(), {}),
    "service_hours": ("service_hour", set(), {}),
    "service_latest": ("service_latest", set(), {}),
    "verifications": ("verification", set(), {}),
    "prediction_scores": ("prediction_score", set(), {}),
    "collapse_risks": ("collapse_risk", set(), {}),
    "what_if_outcomes": ("what_if_outcome", set(), {}),
    "savings_estimates": ("savings_estimate", set(), {}),
    "what_if_latest": ("what_if_outcome", set(), {"analysis_order": "UInt128"}),
    "savings_latest": ("savings_estimate", set(), {"analysis_order": "UInt128"}),
    "fleet_totals": ("fleet_total", set(), {}),
    "price_books": ("price_book", set(), {}),
    "change_events": ("change_event", set(), {}),
    "recommendations": ("recommendation", set(), {}),
    "service_loads": ("service_load", set(), {}),
    "throttling_alerts": ("throttling_alert", set(), {}),
    "kernel_findings": ("kernel_finding", set(), {}),
    "host_hours": ("host_hour", set(), {}),
}
INSTANT = re.compile(r"(window_start|since|(?:observed|changed|state|proposed|accepted|applied)_at|first_heard|heard_until)_us$")
SCALARS = {"string": "String", "bytes": "String", "int": "Int32", "long": "Int64", "double": "Float64", "boolean": "Bool"}
# ReplacingMergeTree takes an unsigned version only, and a part is never negative.
UNSIGNED = {"version": "UInt64", "part": "UInt32"}
UNITS = re.compile(r"_(us|cores|ratio|bytes|millicores|samples|periods|records|shards|cgroups|version|hz)(_max|_min|_histogram)?$")


def expected_type(avro: object) -> str:
    """ClickHouse type of an Avro type; LowCardinality is an encoding and left out of the comparison."""
    if isinstance(avro, list):
        if isinstance(avro[1], dict) and avro[1]["type"] == "array":
            return expected_type(avro[1])  # ClickHouse has no nullable array; an absent one is empty, and the column's comment says so.
        return f"Nullable({expected_type(avro[1])})"
    if isinstance(avro, str):
        return SCALARS[avro]
    if avro["type"] == "enum":
        return "String"
    if avro["type"] == "array":
        return f"Array({expected_type(avro['items'])})"
    if avro["type"] == "map":
        return f"Map(String, {expected_type(avro['values'])})"
    return "Tuple(" + ", ".join(f"{field['name']} {expected_type(field['type'])}" for field in avro["fields"]) + ")"


def expected_columns(schema: str, left_out: set[str], added: dict[str, str]) -> dict[str, str]:
    columns = {}
    for field in json.loads((SCHEMAS / f"{schema}.avsc").read_text())["fields"]:
        name = field["name"]
        if instant := INSTANT.match(name):
            kind = "DateTime64(6, 'UTC')"
            columns[instant[1]] = f"Nullable({kind})" if isinstance(field["type"], list) else kind
        elif name not in left_out:
            columns[name] = UNSIGNED.get(name) or expected_type(field["type"])
    return columns | added


def plain(clickhouse: str) -> str:
    """A type without LowCardinality, and without the line breaks of a written Tuple."""
    return re.sub(r"LowCardinality\(((?:[^()]|\([^()]*\))*)\)", r"\1", " ".join(clickhouse.split())).replace("( ", "(")


@pytest.mark.parametrize("table", TABLES)
def test_columns_are_the_fields_of_the_record(database, table):
    found = database.as_user("admin").rows(f"SELECT name, type FROM system.columns WHERE database = 'quotascope' AND table = '{table}'")
    assert {row["name"]: plain(row["type"]) for row in found} == expected_columns(*TABLES[table])


@pytest.mark.parametrize("table", TABLES)
def test_every_column_has_a_comment_or_a_unit(database, table):
    found = database.as_user("admin").rows(f"SELECT name, comment FROM system.columns WHERE database = 'quotascope' AND table = '{table}'")
    assert [row["name"] for row in found if not row["comment"] and not UNITS.search(row["name"])] == []


@pytest.mark.parametrize("table", TABLES)
def test_key_engine_and_partition_are_the_contract(database, table):
    facts = database.as_user("admin").rows(
        "SELECT engine_full, sorting_key FROM system.tables WHERE database = 'quotascope'" + f" AND name = '{table}'"
    )[0]
    keys = {
        "shard_windows": "origin, cluster, service, shard, shard_id, window_start, host_id, agent_epoch, seq",
        "host_windows": "origin, cluster, host_id, window_start, agent_epoch, seq",
        "shard_identities": "origin, cluster, host_id, shard_id",
        "service_latest": "origin, cluster, service, quota_class",
        "verifications": "origin, cluster, service, changed_at, change_id",
        "prediction_scores": "origin, cluster, quantity, window_start, service",
        "what_if_outcomes": "origin, cluster, service, quota_class, window_start, part, scenario",
        "savings_estimates": "origin, cluster, service, quota_class, window_start, part, fix_set",
        "what_if_latest": "origin, cluster, service, quota_class, scenario",
        "savings_latest": "origin, cluster, service, quota_class, fix_set",
        "fleet_totals": "origin, total_of, total_name, window_start",
        "price_books": "price_book_version",
        "change_events": "origin, cluster, service, changed_at, event_id",
        "recommendations": "origin, cluster, service, recommendation_id, version",
        "service_loads": "origin, cluster, service, window_start",
        "throttling_alerts": "origin, cluster, kind, alert_id, window_start",
        "kernel_findings": "origin, cluster, host_id, window_start, kernel_release, rule, part",
        "host_hours": "origin, cluster, host_id, window_start, part",
    }
    assert facts["sorting_key"] == keys.get(table, "origin, cluster, service, quota_class, window_start, part")
    ordered = dict.fromkeys(("what_if_latest", "savings_latest"), "(analysis_order)")
    version = {"shard_identities": "(observed_at)", "price_books": "", **ordered}.get(table, "(version)")
    assert facts["engine_full"].startswith(f"ReplacingMergeTree{version} ")
    kept = {"shard_windows": "Day(14)", "host_windows": "Day(14)", "service_hours": "Month(13)", "change_events": "Day(400)"}
    kept |= {"fleet_totals": "Month(13)", "throttling_alerts": "Day(90)", "host_hours": "Month(13)", "kernel_findings": "Month(13)"}
    if table in ("verifications", "prediction_scores", "price_books", "recommendations"):
        assert "TTL" not in facts["engine_full"], "what was promised, by which prices, and realised is looked up for years"
    else:
        assert f"toInterval{kept.get(table, 'Day(30)')}" in facts["engine_full"]


@pytest.mark.parametrize("view", sorted(file.stem for file in (SQL / "views").glob("*.sql")))
def test_every_view_says_where_its_numbers_come_from(database, view):
    found = database.as_user("admin").rows(f"SELECT name FROM system.columns WHERE database = 'quotascope_views' AND table = '{view}'")
    of_hosts = ("host_windows", "host_gaps", "collector_minutes", "host_hours", "kernel_findings", "neighbour_interference", "hosts_latest")
    of_many = (
        "policy_comparison",
        "thread_levels",
        "coverage",
        "fleet_hours",
        "savings_by_quarter",
        "fleet_totals",
        "fleet_totals_latest",
        "prices_used",
    )
    hosts = {view: {"service"} for view in of_hosts}
    # Freshness is of a table, a price book holds for the whole fleet, and policies, levels, coverage, prices in use and sums are about many services.
    fleet = {view: {"service"} for view in of_many}
    without = hosts | fleet | {"freshness": {"cluster", "service"}, "price_books": {"origin", "cluster", "service"}}
    assert {"origin", "cluster", "service"} - {row["name"] for row in found} <= without.get(view, set())
