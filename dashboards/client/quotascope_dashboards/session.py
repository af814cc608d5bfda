"""A logged-in conversation with Superset's REST interface."""

import io
import json
import zipfile

import requests

from quotascope_dashboards.failure import DashboardsFailure

TIMEOUT_S = 120


class SupersetSession:
    """Logs in on construction. Each call fails with Superset's own words, field by field where it names fields."""

    def __init__(self, url: str, username: str, password: str) -> None:
        self.url, self.username = url.rstrip("/"), username
        self._http = requests.Session()
        # Without it Superset answers errors with a page for people and keeps the reason to itself.
        self._http.headers["Accept"] = "application/json"
        # The server ends idle connections after seconds; a request sent at that moment would be lost.
        self._http.headers["Connection"] = "close"
        self._http.headers["Referer"] = self.url
        login = {"username": username, "password": password, "provider": "db", "refresh": False}
        token = self.call("POST", "/api/v1/security/login", json=login)["access_token"]
        self._http.headers["Authorization"] = f"Bearer {token}"
        self._http.headers["X-CSRFToken"] = self.call("GET", "/api/v1/security/csrf_token/")["result"]

    def call(self, method: str, path: str, **arguments: object) -> dict:
        """One request; returns the decoded answer. Raises DashboardsFailure unless it succeeded."""
        return json.loads(self.text(method, path, **arguments) or "{}")

    def text(self, method: str, path: str, **arguments: object) -> str:
        """One request; returns the answer as text. Raises DashboardsFailure unless it succeeded."""
        return self._answer(method, path, **arguments).text

    def csv_texts(self, method: str, path: str, **arguments: object) -> list[str]:
        """One request for a chart's data as CSV; returns a text a query. Superset packs those of a chart of several into a zip."""
        answer = self._answer(method, path, **arguments)
        if answer.headers.get("Content-Type", "").partition(";")[0] != "application/zip":
            return [answer.text]
        with zipfile.ZipFile(io.BytesIO(answer.content)) as files:
            return [files.read(name).decode("utf-8") for name in sorted(files.namelist())]

    def _answer(self, method: str, path: str, **arguments: object) -> requests.Response:
        try:
            answer = self._http.request(method, self.url + path, timeout=TIMEOUT_S, **arguments)
        except requests.RequestException as error:
            raise DashboardsFailure(f"{method} {self.url}{path}: Superset cannot be reached: {error}") from error
        if answer.ok:
            return answer
        raise DashboardsFailure(f"{method} {path}: HTTP {answer.status_code}\n" + "\n".join(f"  {line}" for line in explain(answer.text)))

    def listed(self, kind: str, columns: tuple[str, ...]) -> list[dict]:
        """All objects of a kind (chart, dashboard, dataset, database) with these columns."""
        page, found = 0, []
        while True:
            query = f"(columns:!({','.join(columns)}),page:{page},page_size:100)"
            answer = self.call("GET", f"/api/v1/{kind}/", params={"q": query})
            found += answer["result"]
            page += 1
            if len(found) >= answer["count"] or not answer["result"]:
                return found

    def ids_by_uuid(self, kind: str) -> dict[str, int]:
        return {row["uuid"]: row["id"] for row in self.listed(kind, ("id", "uuid"))}


def explain(text: str) -> list[str]:
    """Superset's error as lines; its importer hides the failing file and field two levels deep."""
    try:
        answer = json.loads(text)
    except ValueError:
        return [text[:500]]
    if not isinstance(answer, dict):
        return [str(answer)[:500]]
    lines = [str(answer["message"])] if answer.get("message") else []
    for error in answer.get("errors", []):
        lines.append(str(error.get("message", "")))
        for place, fields in (error.get("extra") or {}).items():
            if place != "issue_codes":
                lines += [f"{place}: {line}" for line in flattened(fields)]
    return lines or [text[:500]]


def flattened(fields: object, path: str = "") -> list[str]:
    """`{"params": {"x": ["wrong"]}}` -> `params.x: wrong`."""
    if isinstance(fields, dict):
        return [line for name, inner in fields.items() for line in flattened(inner, f"{path}.{name}" if path else str(name))]
    messages = fields if isinstance(fields, list) else [fields]
    return [f"{path}: {message}" if path else str(message) for message in messages]
