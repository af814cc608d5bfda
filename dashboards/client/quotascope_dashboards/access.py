"""Who may open what, as the repository states it (dashboards/roles.yaml), and what of it can be checked without a server."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from quotascope_dashboards.tree import DASHBOARDS, Tree

ROLES = DASHBOARDS / "roles.yaml"
TEAM_COLUMN = "team"
PRICE_WORD = "usd"


@dataclass(frozen=True)
class Role:
    """One kind of reader.

    `dashboards` are slugs; the datasets of their charts and filters are all that the role may read.
    `one_per_team` makes a role for each team, cut to the rows of that team. `prices` is False for readers who must see no money.
    """

    name: str
    purpose: str
    dashboards: tuple[str, ...]
    one_per_team: bool = False
    prices: bool = True

    def title(self, team: str | None = None) -> str:
        """The role's name in Superset."""
        return self._prefix() + (team or "")

    def teams(self, titles: Iterable[str]) -> set[str]:
        """The teams that have a role of this kind, by the names of roles in Superset."""
        return {title.removeprefix(self._prefix()) for title in titles if self.one_per_team and title.startswith(self._prefix())}

    def _prefix(self) -> str:
        return f"quotascope {self.name}" + (" of " if self.one_per_team else "")


@dataclass(frozen=True)
class Access:
    """Everything roles.yaml says. `permissions` are Superset's own names, `right on thing`."""

    roles: tuple[Role, ...]
    permissions: tuple[str, ...]

    @staticmethod
    def read(file: Path = ROLES) -> "Access":
        stated = yaml.safe_load(file.read_text())
        roles = [Role(name, **{**fields, "dashboards": tuple(fields["dashboards"])}) for name, fields in stated["roles"].items()]
        return Access(tuple(roles), tuple(stated["viewer_permissions"]))

    def role(self, name: str) -> Role | None:
        return next((role for role in self.roles if role.name == name), None)


def dashboard_of(tree: Tree, slug: str) -> dict | None:
    return next((dashboard for dashboard in tree.of("dashboards").values() if dashboard["slug"] == slug), None)


def dataset_uuids(tree: Tree, dashboard: dict) -> set[str]:
    """The datasets that a dashboard's charts and filters read."""
    placed = {part["meta"]["uuid"] for part in dashboard["position"].values() if isinstance(part, dict) and part["type"] == "CHART"}
    read = {chart["dataset_uuid"] for chart in tree.of("charts").values() if chart["uuid"] in placed}
    filters = dashboard["metadata"].get("native_filter_configuration", [])
    return read | {target["datasetUuid"] for native in filters for target in native["targets"] if target}


def readable(tree: Tree, role: Role) -> set[str]:
    """The uuids of all datasets that a role may read."""
    opened = [dashboard_of(tree, slug) for slug in role.dashboards]
    return {uuid for dashboard in opened if dashboard for uuid in dataset_uuids(tree, dashboard)}


def access_problems(tree: Tree, access: Access) -> Iterator[str]:
    """A role that could show what it must not, one sentence each."""
    datasets = {str(dataset["uuid"]): dataset for dataset in tree.of("datasets").values()}
    for role in access.roles:
        yield from (f"role {role.name}: there is no dashboard {slug}" for slug in role.dashboards if dashboard_of(tree, slug) is None)
        for uuid in sorted(readable(tree, role)):
            dataset = datasets.get(uuid, {"table_name": uuid, "columns": []})
            columns = [column["column_name"] for column in dataset["columns"]]
            if role.one_per_team and TEAM_COLUMN not in columns:
                yield f"role {role.name}: {dataset['table_name']} has no column {TEAM_COLUMN}, so its rows cannot be cut to a team"
            if not role.prices:
                priced = [column for column in columns if PRICE_WORD in column.split("_")]
                yield from (f"role {role.name}: {dataset['table_name']}.{column} is a price, and the role sees none" for column in priced)
    shown = {slug for role in access.roles for slug in role.dashboards}
    slugs = {dashboard["slug"] for dashboard in tree.of("dashboards").values()}
    yield from (f"dashboard {slug}: no role may open it" for slug in sorted(slugs - shown))
