"""The report that comes by itself: what one reader may see of the last days, as one PDF and a CSV for each chart.

It is made with the reader's own login, so it shows what the reader may see and nothing else. Any scheduler can call it;
neither Celery nor a mail server is needed. Pictures are of the dashboards themselves, so nobody can find another number there.
"""

import base64
import csv
import html
import io
import json
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from quotascope_dashboards.access import dashboard_of
from quotascope_dashboards.capture import ANSWER_WITHIN_MS, CHROMIUM, FLAGS, log_in
from quotascope_dashboards.failure import DashboardsFailure
from quotascope_dashboards.session import SupersetSession
from quotascope_dashboards.tree import Tree

WIDTH_PX = 1600
# Charts outside the window are not drawn: it is made as tall as the dashboard. Superset's grid has 8 pixels, and room between rows.
GRID_PX, BETWEEN_ROWS_PX, HEAD_PX = 8, 32, 400
SETTLED_MS = 2000
ROWS_PRINTED = 40
# Characters of a failure: a server may print its whole query.
MOST_SAID = 300
STYLE = (
    "body{font:11px sans-serif;color:#222} h1{font-size:20px} h2{font-size:16px} h3{font-size:12px;margin:14px 0 4px}"
    "section + section{break-before:page} h3{break-after:avoid}"
    "img{max-width:100%;max-height:240mm} table{border-collapse:collapse;width:100%} th{text-align:left;border-bottom:1px solid #222}"
    "td,th{padding:2px 6px;vertical-align:top;overflow-wrap:anywhere} tr:nth-child(even){background:#f4f4f4} .note{color:#555}"
)


@dataclass(frozen=True)
class Span:
    """The half-open time that the report is about, UTC."""

    since: datetime
    until: datetime

    @staticmethod
    def last(days: int, now: datetime) -> "Span":
        """Whole minutes up to now."""
        until = now.replace(second=0, microsecond=0)
        return Span(until - timedelta(days=days), until)

    @property
    def words(self) -> str:
        return f"{self.since:%Y-%m-%d %H:%M} to {self.until:%Y-%m-%d %H:%M} UTC"

    @property
    def superset(self) -> str:
        """As Superset spells a time range."""
        return f"{self.since:%Y-%m-%dT%H:%M:%S} : {self.until:%Y-%m-%dT%H:%M:%S}"


@dataclass(frozen=True)
class Answer:
    """One chart's rows as CSV, a text for each of its queries: lines with marks of changes on them are two; and the picture of a graph.
    One that could not be read has no text, and says why."""

    title: str
    table: bool
    texts: list[str]
    picture: bytes = b""
    failure: str = ""

    def rows(self) -> list[list[str]]:
        """Of the first query; a table has no other."""
        return list(csv.reader(io.StringIO(self.texts[0])))

    def files(self) -> dict[str, str]:
        """The texts by file name."""
        stem = re.sub(r"[^a-z0-9]+", "_", self.title.lower()).strip("_")
        return {f"{stem}{'' if place == 1 else f'_{place}'}.csv": text for place, text in enumerate(self.texts, 1)}


def write_report(session: SupersetSession, password: str, tree: Tree, span: Span, folder: Path, say=print) -> Path:
    """Write `report.pdf` and `<dashboard>/<chart>.csv` into the folder, `<chart>_2.csv` for a second query; returns the PDF.

    Raises:
        DashboardsFailure: nothing could be read; or some charts could not: then all others are written, and the PDF names those.
    """
    from playwright.sync_api import Error as BrowserFailure
    from playwright.sync_api import sync_playwright

    slugs = sorted({row["slug"] for row in session.listed("dashboard", ("id", "slug"))} & {each["slug"] for each in tree.of("dashboards").values()})
    if not slugs:
        raise DashboardsFailure(f"{session.username} may open no dashboard: give the login a role with `person`")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with sync_playwright() as playwright:
            return printed(playwright, session, password, tree, span, slugs, folder, say)
    except BrowserFailure as failure:
        said = failure.message.strip().splitlines()
        raise DashboardsFailure(f"the browser {CHROMIUM} gave up: {said[0] if said else failure}") from failure


def printed(playwright, session: SupersetSession, password: str, tree: Tree, span: Span, slugs: list[str], folder: Path, say) -> Path:
    """The report of these dashboards, page by page."""
    ids = session.ids_by_uuid("chart")
    sections, missing = [], []
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    page = browser.new_page()
    page.set_default_timeout(ANSWER_WITHIN_MS)
    log_in(page, session.url, session.username, password)
    for slug in slugs:
        dashboard = dashboard_of(tree, slug)
        picture = photographed(page, session.url, dashboard, span)
        answers = [drawn(page, tree, name, ids, attempted(session, tree, name, ids, span)) for name in charts_of(tree, dashboard)]
        missing += [f"{slug}: {answer.title}: {answer.failure}" for answer in answers if answer.failure]
        (folder / slug).mkdir(parents=True, exist_ok=True)
        for name, text in (entry for answer in answers for entry in answer.files().items()):
            (folder / slug / name).write_text(text)
        sections.append(section(dashboard, picture, answers))
        say(f"{slug}: {len(answers)} charts")
    page.set_content(document(session.username, span, sections))
    target = folder / "report.pdf"
    page.pdf(path=str(target), format="A4", print_background=True, margin={side: "12mm" for side in ("top", "bottom", "left", "right")})
    browser.close()
    if missing:
        lines = "\n  ".join(missing)
        raise DashboardsFailure(f"{target} lacks {len(missing)} charts, which could not be read; all others are there. Ask again later:\n  {lines}")
    return target


def charts_of(tree: Tree, dashboard: dict) -> list[str]:
    """The charts of a dashboard in the order of its layout, by file."""
    named = {chart["uuid"]: name for name, chart in tree.of("charts").items()}
    position = dashboard["position"]
    parts = [position[part] for row in position["GRID_ID"]["children"] for part in position[row]["children"]]
    return [named[part["meta"]["uuid"]] for part in parts if part["type"] == "CHART"]


def photographed(page, url: str, dashboard: dict, span: Span) -> bytes:
    """The dashboard without its menus, its time filter set to the span; the page stays open."""
    page.set_viewport_size({"width": WIDTH_PX, "height": tall(dashboard)})
    native = next(each for each in dashboard["metadata"]["native_filter_configuration"] if each["filterType"] == "filter_time")
    chosen = f"(id:{native['id']},extraFormData:(time_range:'{span.superset}'),filterState:(value:'{span.superset}'),ownState:())"
    page.goto(f"{url}/superset/dashboard/{dashboard['slug']}/?standalone=2&native_filters=({native['id']}:{chosen})")
    page.wait_for_selector("[data-test=dashboard-content], .dashboard-content")
    quiet = 0
    while quiet < 2:
        page.wait_for_timeout(SETTLED_MS)
        quiet = 0 if page.locator("[data-test=loading-indicator]").count() else quiet + 1
    return page.locator("[data-test=dashboard-content], .dashboard-content").first.screenshot()


def tall(dashboard: dict) -> int:
    """Pixels that all rows of a dashboard need."""
    position = dashboard["position"]
    rows = [part for part in position.values() if isinstance(part, dict) and part["type"] == "ROW"]
    heights = [max(position[child]["meta"]["height"] for child in row["children"]) * GRID_PX + BETWEEN_ROWS_PX for row in rows]
    return sum(heights) + HEAD_PX


def drawn(page, tree: Tree, name: str, ids: dict[str, int], answer: Answer) -> Answer:
    """The answer with the picture of its chart, where that is a graph: on the picture of the whole page nobody could read it."""
    if answer.table or answer.failure:
        return answer
    return replace(answer, picture=page.locator(f".dashboard-chart-id-{ids[tree.files[name]['uuid']]}").first.screenshot())


def attempted(session: SupersetSession, tree: Tree, name: str, ids: dict[str, int], span: Span) -> Answer:
    """The answer, or why there is none: one slow query must not take the rest of the report with it."""
    try:
        return answered(session, tree, name, ids, span)
    except DashboardsFailure as failure:
        chart = tree.files[name]
        return Answer(chart["slice_name"], chart["viz_type"] == "table", [], failure=str(failure)[:MOST_SAID])


def answered(session: SupersetSession, tree: Tree, name: str, ids: dict[str, int], span: Span) -> Answer:
    """The rows of a chart's saved query over the span; what the tree pins to another time keeps it."""
    chart = tree.files[name]
    links = link_columns(tree, chart)
    queries = [without(spanned(query, span), links) for query in tree.queries[name]]
    dataset = session.call("GET", f"/api/v1/chart/{ids[chart['uuid']]}")["result"]
    body = {
        "datasource": {"id": dataset_id(dataset), "type": "table"},
        "queries": queries,
        "form_data": {"slice_id": ids[chart["uuid"]]},
        "result_format": "csv",
        "result_type": "full",
    }
    return Answer(chart["slice_name"], chart["viz_type"] == "table", session.csv_texts("POST", "/api/v1/chart/data", json=body))


def link_columns(tree: Tree, chart: dict) -> set[str]:
    """Columns that only a page can use: what a dataset makes by an expression of its own is a link."""
    dataset = next(each for each in tree.of("datasets").values() if each["uuid"] == chart["dataset_uuid"])
    return {column["column_name"] for column in dataset["columns"] if column.get("expression")}


def without(query: dict, names: set[str]) -> dict:
    return query | {"columns": [column for column in query.get("columns") or [] if not (isinstance(column, str) and column in names)]}


def dataset_id(chart: dict) -> int:
    """Of the chart's own query context, because a viewer may not list datasets by chart."""
    return json.loads(chart["query_context"])["datasource"]["id"]


def spanned(query: dict, span: Span) -> dict:
    """The query with its relative time range replaced: the last hour becomes the span."""
    filters = [
        each | {"val": span.superset} if each.get("op") == "TEMPORAL_RANGE" and "year" not in str(each.get("val")) else each
        for each in query.get("filters", [])
    ]
    return query | {"filters": filters}


def section(dashboard: dict, picture: bytes, answers: list[Answer]) -> str:
    charts = "".join(f"<h3>{html.escape(answer.title)}</h3>{shown(answer)}" for answer in answers)
    return f"<section><h2>{html.escape(dashboard['dashboard_title'])}</h2>{image(picture)}{charts}</section>"


def shown(answer: Answer) -> str:
    if answer.failure:
        return f'<p class="note">Could not be read: {html.escape(answer.failure)}</p>'
    return grid(answer.rows()) if answer.table else image(answer.picture)


def image(picture: bytes) -> str:
    return f'<img src="data:image/png;base64,{base64.b64encode(picture).decode()}">'


def grid(rows: list[list[str]]) -> str:
    if len(rows) < 2:
        return '<p class="note">No row.</p>'
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[1 : ROWS_PRINTED + 1])
    more = len(rows) - 1 - ROWS_PRINTED
    note = f'<p class="note">… and {more} rows more: see the CSV.</p>' if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def document(reader: str, span: Span, sections: list[str]) -> str:
    preface = (
        f"<h1>Quotascope report</h1><p>{span.words}, for {html.escape(reader)}.</p>"
        "<p class=note>[low, high] and p5, p95 are the 5th and 95th percentile."
        " Origin says where a number comes from: measured, replayed or simulated.</p>"
    )
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{preface}{''.join(sections)}"
