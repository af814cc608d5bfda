"""Applies the asset tree: import, removal of what the tree no longer holds, and one query through every chart."""

import json
import re

from quotascope_dashboards.failure import DashboardsFailure
from quotascope_dashboards.session import SupersetSession
from quotascope_dashboards.tree import Address, Tree


def apply(session: SupersetSession, tree: Tree, address: Address, say=print) -> None:
    """Idempotent: afterwards Superset shows this tree, whatever it showed before."""
    import_bundle(session, tree, address)
    say(f"imported {', '.join(f'{len(tree.of(kind))} {kind}' for kind in ('databases', 'datasets', 'charts', 'dashboards'))}")
    for title in remove_stale(session, tree):
        say(f"removed {title}: it is no longer in the tree")
    for title, rows in query_charts(session, tree).items():
        say(f"  {rows:6d} rows  {title}")


def import_bundle(session: SupersetSession, tree: Tree, address: Address) -> None:
    bundle = ("quotascope.zip", tree.bundle(address), "application/zip")
    passwords = {"passwords": json.dumps({name: address.password for name in tree.of("databases")})}
    try:
        session.call("POST", "/api/v1/assets/import/", files={"bundle": bundle}, data=passwords)
    except DashboardsFailure as failure:
        fields = invalid_fields(session, bundle, passwords)
        raise DashboardsFailure("\n  ".join([str(failure), *fields])) from failure


def invalid_fields(session: SupersetSession, bundle: tuple, passwords: dict) -> list[str]:
    """The importer of assets says only that it failed. The importer of dashboards checks with the same schemas and
    names files and fields; it refuses a bundle of type `assets` in any case, so asking it changes nothing."""
    try:
        session.call("POST", "/api/v1/dashboard/import/", files={"formData": bundle}, data=passwords | {"overwrite": "true"})
    except DashboardsFailure as answer:
        return [line.strip() for line in str(answer).splitlines() if re.match(r"\s*(databases|datasets|charts|dashboards)/", line)]
    return []


def remove_stale(session: SupersetSession, tree: Tree) -> list[str]:
    """Delete what an earlier tree brought. Ours is what is managed externally and rests on our database only,
    so charts that people drew on our datasets stay."""
    removed = []
    databases = {row["id"] for row in session.listed("database", ("id", "uuid")) if row["uuid"] in tree.uuids("databases")}
    datasets = [row for row in session.listed("dataset", ("id", "uuid", "table_name", "database.id")) if row["database"]["id"] in databases]
    dataset_ids = {row["id"] for row in datasets}
    charts = [
        row
        for row in session.listed("chart", ("id", "uuid", "slice_name", "datasource_id", "datasource_type"))
        if row["datasource_type"] == "table" and row["datasource_id"] in dataset_ids
    ]
    chart_ids = {row["id"] for row in charts}
    for row in session.listed("dashboard", ("id", "uuid", "dashboard_title")):
        if row["uuid"] not in tree.uuids("dashboards") and managed(session, "dashboard", row["id"]):
            shown = {chart["id"] for chart in session.call("GET", f"/api/v1/dashboard/{row['id']}/charts")["result"]}
            if shown and shown <= chart_ids:
                removed.append(delete(session, "dashboard", row["id"], row["dashboard_title"]))
    for kind, rows, title in (("chart", charts, "slice_name"), ("dataset", datasets, "table_name")):
        for row in rows:
            if row["uuid"] not in tree.uuids(f"{kind}s") and managed(session, kind, row["id"]):
                removed.append(delete(session, kind, row["id"], row[title]))
    return removed


def managed(session: SupersetSession, kind: str, identity: int) -> bool:
    return bool(session.call("GET", f"/api/v1/{kind}/{identity}")["result"].get("is_managed_externally"))


def delete(session: SupersetSession, kind: str, identity: int, title: str) -> str:
    session.call("DELETE", f"/api/v1/{kind}/{identity}")
    return f"{kind} “{title}”"


def query_charts(session: SupersetSession, tree: Tree) -> dict[str, int]:
    """Run each chart's saved query once, so that a wrong column or a missing grant shows here and not on a screen.
    Returns the rows by title; no rows is no failure, the pipeline may have just started."""
    ids = session.ids_by_uuid("chart")
    rows, failures = {}, []
    for name, chart in tree.of("charts").items():
        if chart["uuid"] not in ids:
            failures.append(f"{name}: was imported and is not there")
            continue
        if name not in tree.queries:
            failures.append(f"{name}: has no saved queries; run `capture`")
            continue
        try:
            answer = session.call("GET", f"/api/v1/chart/{ids[chart['uuid']]}/data/", params={"force": "true"})
        except DashboardsFailure as failure:
            failures.append(f"{name}: {failure}")
            continue
        rows[chart["slice_name"]] = sum(result["rowcount"] for result in answer["result"])
        failures += [f"{name}: {result['error']}" for result in answer["result"] if result.get("error")]
    if failures:
        raise DashboardsFailure("the dashboards were imported, and these charts cannot be drawn:\n  " + "\n  ".join(failures))
    return rows
