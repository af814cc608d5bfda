"""A browser page that remembers everything that went wrong on it."""

import json
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from quotascope_dashboards.capture import ANSWER_WITHIN_MS, CHROMIUM, FLAGS, is_chart_query, log_in

# Charts outside the window are not loaded: the window is as tall as the dashboard.
VIEWPORT = {"width": 1600, "height": 2000}
SETTLED_MS = 1500
READY_WITHIN_S = 300
# What Superset shows instead of a chart it could not draw, and notices of any kind.
NOTICES = "[role=alert], .ant-alert-error, [data-test=error-boundary], .chart-container .alert"


class WatchedPage:
    """Context manager: a logged-in page that keeps its complaints (failed requests, script errors) and its charts' queries."""

    def __init__(self, url: str, username: str, password: str) -> None:
        self.url, self._login = url, (username, password)
        self.complaints: list[str] = []
        self.queries_by_chart: dict[int, list[dict]] = {}
        self.answers_by_chart: dict[int, list[dict]] = {}

    def __enter__(self) -> "WatchedPage":
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        self.page: Page = self._browser.new_page(viewport=VIEWPORT)
        self.page.set_default_timeout(ANSWER_WITHIN_MS)
        log_in(self.page, self.url, *self._login)
        self.page.on("response", self._note)
        self.page.on("pageerror", lambda error: self.complaints.append(f"script error: {error}"))
        return self

    def __exit__(self, *reason: object) -> None:
        self._browser.close()
        self._playwright.stop()

    def _note(self, response) -> None:
        if response.status >= 400:
            self.complaints.append(f"HTTP {response.status} {response.request.method} {response.url}")
        elif is_chart_query(response.request) and (chart := chart_id(response.request)):
            self.queries_by_chart[chart] = response.request.post_data_json["queries"]
            self.answers_by_chart[chart] = response.json()["result"]

    def open_dashboard(self, slug: str) -> None:
        """Open it and wait until nothing loads any more, twice in a row: a filter's default starts a second round."""
        self.page.goto(f"{self.url}/superset/dashboard/{slug}/")
        self.settle(slug)

    def settle(self, slug: str) -> None:
        """Wait until the dashboard loads nothing any more."""
        self.page.wait_for_selector("[data-test=dashboard-content], .dashboard-content")
        until, quiet = time.monotonic() + READY_WITHIN_S, 0
        while quiet < 2:
            self.page.wait_for_timeout(SETTLED_MS)
            busy = self.page.locator("[data-test=loading-indicator]").count()
            quiet = 0 if busy else quiet + 1
            if time.monotonic() > until:
                raise TimeoutError(f"{busy} charts of {slug} were still loading after {READY_WITHIN_S} s")

    def notices(self) -> list[str]:
        """The texts of every error notice on the page."""
        return [text for text in (each.strip() for each in self.page.locator(NOTICES).all_inner_texts()) if text]

    def picture(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=file)


def chart_id(request) -> int | None:
    """The chart a query belongs to; a filter's own query for its values has none."""
    sent = request.post_data_json or {}
    if isinstance(sent, str):
        sent = json.loads(sent)
    return sent.get("form_data", {}).get("slice_id")
