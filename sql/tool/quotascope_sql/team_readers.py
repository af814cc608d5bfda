"""A direct SQL login for a team: it reads the views that say whose a row is, and of them the team's rows.

The server takes users from files only (users.d), so this writes such a file and the server reads it: the official image
at once, the embedded server when it starts. Views run with their definer's rights, which would pass by a policy on a
table; a policy on the view itself binds whoever reads it.
"""

import hashlib
import re
from xml.sax.saxutils import escape

from quotascope_sql.server import Server, SqlFailure

TEAM_COLUMN = "team"
TEAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._/-]{0,99}")
PASSWORD_LENGTH_MIN = 16


def user_name(team: str) -> str:
    """`Team A/b` -> `team_team_a_b`."""
    if not TEAM.fullmatch(team):
        raise SqlFailure(f"team {team!r}: letters, digits, space and . _ / - only, 100 at most; rename it in the catalog")
    return "team_" + re.sub(r"[^a-z0-9]+", "_", team.lower()).strip("_")


def views_with_a_team(server: Server) -> list[str]:
    """The views whose rows say which team they belong to; the others are closed to a team."""
    sql = f"SELECT table FROM system.columns WHERE database = 'quotascope_views' AND name = '{TEAM_COLUMN}' ORDER BY table"
    return [row["table"] for row in server.rows(sql)]


def users_xml(team: str, views: list[str], password: str) -> str:
    """The users.d file of one team's reader."""
    if len(password) < PASSWORD_LENGTH_MIN:
        raise SqlFailure(f"the password of a team's reader needs {PASSWORD_LENGTH_MIN} characters")
    if not views:
        raise SqlFailure("no view says whose its rows are: apply the migrations and views first")
    condition = escape(f"{TEAM_COLUMN} = '{team}'")
    grants = "\n".join(f"                <query>GRANT SELECT ON quotascope_views.{view}</query>" for view in views)
    filters = "\n".join(f"                    <{view}><filter>{condition}</filter></{view}>" for view in views)
    return f"""<!-- Reader of the team {escape(team)}: written by `quotascope_sql team-reader`; write it anew when views change. -->
<clickhouse>
    <users>
        <{user_name(team)}>
            <password_sha256_hex>{hashlib.sha256(password.encode()).hexdigest()}</password_sha256_hex>
            <networks><ip>::/0</ip></networks>
            <profile>reader</profile>
            <quota>default</quota>
            <grants>
{grants}
            </grants>
            <databases>
                <quotascope_views>
{filters}
                </quotascope_views>
            </databases>
        </{user_name(team)}>
    </users>
</clickhouse>
"""
