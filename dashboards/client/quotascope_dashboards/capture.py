"""Takes down the queries that Superset's own front end sends for each chart.

A chart without saved queries gives no CSV and cannot be warmed up, and only the front end knows how to build them.
So they are captured once per change of a chart and kept in the repository; a browser test compares them.
"""

import json

from quotascope_dashboards.session import SupersetSession
from quotascope_dashboards.tree import Tree

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
# A machine that also builds and runs the rest of the stack may need minutes for what takes seconds alone.
ANSWER_WITHIN_MS = 300_000
LOGIN_WITHIN_MS = 45_000
LOGIN_ATTEMPTS = 3


def capture(session: SupersetSession, tree: Tree, username: str, password: str, say=print) -> None:
    """Open every chart of the tree alone in a browser and write the queries it sends beside the tree."""
    from playwright.sync_api import sync_playwright

    ids = session.ids_by_uuid("chart")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        log_in(page, session.url, username, password)
        for name, chart in tree.of("charts").items():
            with page.expect_request(is_chart_query, timeout=ANSWER_WITHIN_MS) as sent:
                page.goto(f"{session.url}/explore/?slice_id={ids[chart['uuid']]}")
            file = tree.queries_file(name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(portable(sent.value.post_data_json["queries"]), indent=1) + "\n")
            say(f"captured {file.name}")
        browser.close()


def log_in(page, url: str, username: str, password: str) -> None:
    """Through the form, as a person does. On a slow machine the page may replace the form after it was filled in: then once more."""
    from playwright.sync_api import TimeoutError as NotInTime

    for attempt in range(1, LOGIN_ATTEMPTS + 1):
        page.goto(f"{url}/login/", timeout=ANSWER_WITHIN_MS)
        page.locator("input#username").fill(username)
        page.locator("input#password").fill(password)
        page.locator("input#password").press("Enter")
        try:
            page.wait_for_url("**/superset/welcome/**", timeout=ANSWER_WITHIN_MS if attempt == LOGIN_ATTEMPTS else LOGIN_WITHIN_MS)
            return
        except NotInTime:
            if attempt == LOGIN_ATTEMPTS:
                raise


def is_chart_query(request) -> bool:
    return request.method == "POST" and "/api/v1/chart/data" in request.url


def portable(queries: list[dict]) -> list[dict]:
    """Without what belongs to one visit: the identity of a dashboard, and settings of the page's address."""
    return [{name: part for name, part in query.items() if name not in ("url_params", "custom_form_data")} for query in queries]
