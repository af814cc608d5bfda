"""The asset tree in the repository: what it holds, and the bundle that Superset imports."""

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

import yaml

from quotascope_dashboards import empty

DASHBOARDS = Path(__file__).resolve().parents[2]
ASSETS = DASHBOARDS / "assets"
QUERY_CONTEXTS = DASHBOARDS / "query_contexts"
KINDS = ("databases", "datasets", "charts", "dashboards")


@dataclass(frozen=True)
class Address:
    """Where Superset reaches ClickHouse, as its read-only user; the password never touches a file of ours."""

    host: str
    port: int
    password: str


class PlainDumper(yaml.SafeDumper):
    """Superset's reader of bundles needs no anchors, and people who look into one neither."""

    def ignore_aliases(self, data: object) -> bool:
        return True


class Tree:
    """The YAML files below `root`, by their path in the bundle."""

    def __init__(self, root: Path = ASSETS, query_contexts: Path = QUERY_CONTEXTS) -> None:
        self.root = root
        self.files: dict[str, dict] = {}
        for file in sorted(root.rglob("*.yaml")):
            self.files[file.relative_to(root).as_posix()] = yaml.safe_load(file.read_text())
        self.queries: dict[str, list[dict]] = {}
        for name in self.of("charts"):
            file = self.queries_file(name, query_contexts)
            if file.exists():
                self.queries[name] = json.loads(file.read_text())

    @staticmethod
    def queries_file(chart: str, query_contexts: Path = QUERY_CONTEXTS) -> Path:
        """Where the queries of a chart are kept as the front end sends them: charts/fleet/x.yaml -> fleet/x.json."""
        return query_contexts / Path(chart).relative_to("charts").with_suffix(".json")

    def of(self, kind: str) -> dict[str, dict]:
        """The assets of one kind, by path."""
        return {name: asset for name, asset in self.files.items() if name.startswith(f"{kind}/")}

    def uuids(self, kind: str) -> set[str]:
        return {str(asset["uuid"]) for asset in self.of(kind).values()}

    def rendered(self, address: Address) -> dict[str, dict]:
        """The tree with ClickHouse's address, the charts' saved queries and what empty charts say filled in. Passwords stay masked."""
        # Superset's importer knows no `when_empty`: it is drawn by the page.
        rendered = {name: {key: part for key, part in asset.items() if key != "when_empty"} for name, asset in self.files.items()}
        charts = {str(chart["uuid"]): chart for chart in self.of("charts").values()}
        for asset in (rendered[name] for name in self.of("dashboards")):
            asset["css"] = asset.get("css", "") + empty.css(asset, charts)
        for asset in (rendered[name] for name in self.of("databases")):
            uri = asset["sqlalchemy_uri"]
            asset["sqlalchemy_uri"] = uri.replace("${CLICKHOUSE_HOST}", address.host).replace("${CLICKHOUSE_PORT}", str(address.port))
        for name, queries in self.queries.items():
            rendered[name]["query_context"] = json.dumps(self._query_context(rendered[name], queries))
        return rendered

    def bundle(self, address: Address) -> bytes:
        """The zip file that `POST /api/v1/assets/import/` takes: everything under one folder."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, asset in self.rendered(address).items():
                archive.writestr(f"quotascope/{name}", yaml.dump(asset, Dumper=PlainDumper, sort_keys=False, allow_unicode=True))
        return packed.getvalue()

    @staticmethod
    def _query_context(chart: dict, queries: list[dict]) -> dict:
        """The importer replaces the datasource's id by the one it has given to the dataset."""
        return {
            "datasource": {"id": 0, "type": "table"},
            "force": False,
            "queries": queries,
            "form_data": chart["params"],
            "result_format": "json",
            "result_type": "full",
        }
