"""What is said of a team that owns nothing."""

import pytest
from quotascope_native import steps


@pytest.mark.parametrize(
    ("team", "judged", "said"),
    [
        ("payments", ["payments", "search"], None),
        ("payment", ["payments", "search"], "note: no judged service belongs to team 'payment', so this owner sees no rows; teams with services: payments, search"),
        ("payments", [], "note: no judged service belongs to team 'payments', so this owner sees no rows; no service has been judged yet"),
    ],
)
def test_an_owner_of_a_team_without_services_is_told_so(team, judged, said):
    assert steps.empty_team(team, judged) == said
