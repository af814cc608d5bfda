"""Brings the stated roles into Superset and gives people one of them.

Everything is idempotent, and a role is set to exactly what is stated: a right that somebody added by hand is gone afterwards.
Rights rest on three things at once: the datasets a role may read, the dashboards that name the role, and for owners a
row-level rule on every dataset they can reach, so that neither a URL filter nor a request by hand gets past the team.
"""

import re
from dataclasses import dataclass

from quotascope_dashboards.access import TEAM_COLUMN, Access, Role, dashboard_of, readable
from quotascope_dashboards.failure import DashboardsFailure
from quotascope_dashboards.session import SupersetSession
from quotascope_dashboards.tree import Tree

# A team becomes part of a condition in SQL: only what needs no quoting is taken.
TEAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._/-]{0,99}")
DATASET = re.compile(r".*\(id:(\d+)\)$")


@dataclass(frozen=True)
class Person:
    """Somebody who logs in. `team` is needed for an owner and for nobody else."""

    username: str
    role: str
    team: str | None
    password: str


def apply_roles(session: SupersetSession, tree: Tree, access: Access, new_team: str | None = None) -> list[str]:
    """Set all roles; an owner's for each team that has one already, and for `new_team`. Returns their names in Superset."""
    permissions = {f"{row['permission']['name']} on {row['view_menu']['name']}": row["id"] for row in all_permissions(session)}
    if absent := [name for name in access.permissions if name not in permissions]:
        raise DashboardsFailure(f"Superset knows no permission {', '.join(absent)}: correct viewer_permissions in roles.yaml")
    existing = roles_by_name(session)
    opened: dict[str, list[int]] = {}
    applied = []
    for role in access.roles:
        for team in sorted({*role.teams(existing), *filter(None, [new_team])}) if role.one_per_team else [None]:
            identity = apply_role(session, tree, access, role, team, permissions)
            applied.append(role.title(team))
            for slug in role.dashboards:
                opened.setdefault(slug, []).append(identity)
    dashboards = session.ids_by_uuid("dashboard")
    for slug, roles in opened.items():
        session.call("PUT", f"/api/v1/dashboard/{imported(dashboards, str(dashboard_of(tree, slug)['uuid']))}", json={"roles": roles})
    return applied


def apply_role(
    session: SupersetSession, tree: Tree, access: Access, role: Role, team: str | None, permissions: dict[str, int]
) -> int:
    """Set one role, and for an owner the rule that cuts every dataset to the team. Returns its identity."""
    title = role.title(checked_team(team) if role.one_per_team else None)
    ids = session.ids_by_uuid("dataset")
    datasets = sorted(imported(ids, uuid) for uuid in readable(tree, role))
    # The rule comes before the right to read what it cuts.
    existing = roles_by_name(session)
    identity = existing.get(title) or session.call("POST", "/api/v1/security/roles/", json={"name": title})["id"]
    if role.one_per_team:
        apply_rule(session, title, identity, datasets, f"{TEAM_COLUMN} = '{team}'")
    granted = [permissions[name] for name in access.permissions]
    granted += [number for name, number in permissions.items() if name.startswith("datasource_access") and dataset_id(name) in datasets]
    session.call("POST", f"/api/v1/security/roles/{identity}/permissions", json={"permission_view_menu_ids": granted})
    return identity


def apply_rule(session: SupersetSession, name: str, role: int, datasets: list[int], clause: str) -> None:
    rule = {"name": name, "filter_type": "Regular", "tables": datasets, "roles": [role], "clause": clause, "description": "cuts rows to a team"}
    existing = {row["name"]: row["id"] for row in session.listed("rowlevelsecurity", ("id", "name"))}
    if name in existing:
        session.call("PUT", f"/api/v1/rowlevelsecurity/{existing[name]}", json=rule)
    else:
        session.call("POST", "/api/v1/rowlevelsecurity/", json=rule)


def apply_person(session: SupersetSession, tree: Tree, access: Access, person: Person) -> None:
    """Make a login, or give an existing one this role and password and no other role. An owner's team gets its role with its first owner."""
    role = access.role(person.role)
    if role is None:
        raise DashboardsFailure(f"no role {person.role}; there are {', '.join(each.name for each in access.roles)}")
    if role.one_per_team != (person.team is not None):
        raise DashboardsFailure(f"role {role.name} {'needs' if role.one_per_team else 'takes no'} --team")
    if person.username == session.username:
        raise DashboardsFailure(f"{person.username} is the administrator at work here and keeps that role")
    title = role.title(checked_team(person.team) if role.one_per_team else None)
    apply_roles(session, tree, access, person.team)
    identity = roles_by_name(session)[title]
    known = {row["username"]: row["id"] for row in session.listed("security/users", ("id", "username"))}
    fields = {
        "username": person.username,
        "first_name": person.username,
        "last_name": person.team or role.name,
        "email": f"{person.username}@localhost",
        "active": True,
        "roles": [identity],
        "password": person.password,
    }
    if person.username in known:
        session.call("PUT", f"/api/v1/security/users/{known[person.username]}", json=fields)
    else:
        session.call("POST", "/api/v1/security/users/", json=fields)


def imported(ids: dict[str, int], uuid: str) -> int:
    if uuid not in ids:
        raise DashboardsFailure(f"Superset does not have the asset {uuid} of the tree: apply the dashboards first")
    return ids[uuid]


def checked_team(team: str | None) -> str:
    if team is None or not TEAM.fullmatch(team):
        raise DashboardsFailure(f"team {team!r}: letters, digits, space and . _ / - only, 100 at most; rename it in the catalog")
    return team


def roles_by_name(session: SupersetSession) -> dict[str, int]:
    return {row["name"]: row["id"] for row in session.listed("security/roles", ("id", "name"))}


def all_permissions(session: SupersetSession) -> list[dict]:
    return session.listed("security/permissions-resources", ("id", "permission.name", "view_menu.name"))


def dataset_id(permission: str) -> int | None:
    """`datasource_access on [Quotascope].[service_ranking](id:1)` -> 1."""
    found = DATASET.match(permission)
    return int(found.group(1)) if found else None
