"""What is said of a team that owns nothing."""

import pytest
from quotascope_native import steps

EMPTY = "note: no judged service belongs to team {!r}, so this owner sees no rows; {}"


@pytest.mark.parametrize(
    ("team", "judged", "said"),
    [
        ("payments", ["payments", "search"], None),
        ("payment", ["payments", "search"], EMPTY.format("payment", "teams with services: payments, search")),
        ("payments", [], EMPTY.format("payments", "no service has been judged yet")),
    ],
)
def test_an_owner_of_a_team_without_services_is_told_so(team, judged, said):
    assert steps.empty_team(team, judged) == said
