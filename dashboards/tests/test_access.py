"""What can be known about roles without a server: none can be stated that shows too much."""

import copy

import pytest
from quotascope_dashboards.access import Access, Role, access_problems
from quotascope_dashboards.failure import DashboardsFailure
from quotascope_dashboards.grant import checked_team, dataset_id
from quotascope_dashboards.tree import Tree


def problems(*roles: Role, tree: Tree | None = None) -> list[str]:
    return list(access_problems(tree or Tree(), Access(roles, ())))


def test_the_stated_roles_are_sound():
    assert list(access_problems(Tree(), Access.read())) == []


def test_an_owner_cannot_be_given_a_dataset_without_teams():
    found = problems(Role("owner", "", ("fleet",), one_per_team=True))
    assert "role owner: policy_comparison has no column team, so its rows cannot be cut to a team" in found


def test_a_role_without_prices_cannot_be_given_a_price():
    tree = copy.deepcopy(Tree())
    next(iter(tree.of("datasets").values()))["columns"].append({"column_name": "savings_usd_per_year_low"})
    roles = (Role("operator", "", ("fleet", "service"), prices=False),)
    assert any("savings_usd_per_year_low is a price" in problem for problem in problems(*roles, tree=tree))


def test_a_dashboard_that_nobody_opens_and_a_dashboard_that_is_not_there_are_named():
    found = problems(Role("planner", "", ("fleet", "absent")))
    assert "role planner: there is no dashboard absent" in found
    assert "dashboard service: no role may open it" in found


@pytest.mark.parametrize("team", ["x' OR '1'='1", "", "a\nb", "x" * 101, None, "-"])
def test_a_team_that_could_change_a_condition_is_refused(team):
    with pytest.raises(DashboardsFailure, match="letters, digits"):
        checked_team(team)


def test_teams_are_read_off_the_names_of_their_roles():
    role = Role("owner", "", (), one_per_team=True)
    assert role.teams([role.title("payments"), role.title("a of b"), "quotascope planner"]) == {"payments", "a of b"}
    assert Role("planner", "", ()).teams(["quotascope planner"]) == set()


def test_the_dataset_of_a_permission_is_its_number():
    assert dataset_id("datasource_access on [Quotascope].[service_ranking](id:12)") == 12
    assert dataset_id("can_read on Chart") is None
