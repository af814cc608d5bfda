"""A team's direct SQL login against the genuine server: its rows, in views that say whose they are, and nothing else."""

import pytest
from conftest import DAY, Database
from quotascope_native.stack import Stack
from quotascope_sql import migrations, team_readers, views
from quotascope_sql.server import SQL, Server, SqlFailure

PASSWORD = "correct-horse-battery-staple"


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """The login of the team payments, on a server that holds rows of two teams and of none."""
    stack = Stack.open(str(tmp_path_factory.mktemp("teams")), auto_ports=True)
    stack.start("clickhouse")
    try:
        database = Database(stack)
        admin = database.as_user("admin")
        migrations.migrate(admin, SQL / "migrations", dry_run=False)
        views.apply(admin, SQL / "views")
        for service, team in (("ours", "payments"), ("theirs", "search"), ("nobodys", None)):
            row = {"origin": "simulated", "cluster": "c", "service": service, "team": team, "window_start": f"{DAY} 00:00:00"}
            database.insert("throttling_summaries", row)
            database.insert("tuning_ranks", row)
            database.insert("service_latest", row)
        file = stack.layout.state / "clickhouse" / "users.d" / "team_payments.xml"
        file.write_text(team_readers.users_xml("payments", team_readers.views_with_a_team(admin), PASSWORD))
        stack.restart("clickhouse")
        yield Server(stack.endpoints()["clickhouse_http"], "team_payments", PASSWORD)
    finally:
        stack.stop("clickhouse")


@pytest.mark.parametrize("view", ["throttling_summaries", "tuning_ranks", "service_ranking"])
def test_a_team_reads_its_rows_and_no_others(reader, view):
    assert reader.rows(f"SELECT DISTINCT service FROM quotascope_views.{view}") == [{"service": "ours"}]
    assert reader.rows(f"SELECT count() AS n FROM quotascope_views.{view} WHERE team = 'search' OR team IS NULL OR 1") == [{"n": 1}]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM quotascope_views.service_windows",
        "SELECT * FROM quotascope_views.host_windows",
        "SELECT * FROM quotascope.tuning_ranks",
        "SELECT * FROM merge('quotascope', '.*')",
        "SELECT * FROM quotascope_views.throttling_summaries AS a JOIN quotascope.tuning_ranks AS b USING service",
        "CREATE VIEW quotascope_views.mine AS SELECT 1",
        "INSERT INTO quotascope.tuning_ranks (cluster) VALUES ('x')",
        "SELECT query FROM system.query_log",
        "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'x String')",
        "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    ],
)
def test_everything_else_is_refused(reader, statement):
    with pytest.raises(SqlFailure, match="ACCESS_DENIED|READONLY|UNKNOWN_TABLE|CANNOT_EXTRACT_TABLE_STRUCTURE"):
        reader.execute(statement)


@pytest.mark.parametrize(
    "source",
    [
        "merge('quotascope_views', '^tuning_ranks$')",
        "loop('quotascope_views', 'tuning_ranks')",
        "remote('127.0.0.1', 'quotascope_views.tuning_ranks')",
    ],
)
def test_no_table_function_passes_by_the_policy(reader, source):
    try:
        found = reader.rows(f"SELECT DISTINCT service FROM (SELECT service FROM {source} LIMIT 100)")
    except SqlFailure:
        return
    assert found == [{"service": "ours"}]


def test_every_view_with_a_team_is_bound(reader):
    bound = {row["table"] for row in reader.rows("SELECT table FROM system.columns WHERE database = 'quotascope_views' AND name = 'team'")}
    assert {"throttling_summaries", "tuning_ranks", "thread_ratios", "service_ranking", "usage_histograms"} <= bound
    for view in bound:
        assert reader.rows(f"SELECT count() AS n FROM quotascope_views.{view} WHERE ifNull(team, '') != 'payments'") == [{"n": 0}]


@pytest.mark.parametrize("team", ["x' OR 1", "", "<a>", "-", "a\nb"])
def test_a_team_that_could_change_the_condition_or_the_file_is_refused(team):
    with pytest.raises(SqlFailure, match="letters, digits"):
        team_readers.users_xml(team, ["tuning_ranks"], PASSWORD)


def test_a_short_password_and_a_server_without_views_are_refused():
    with pytest.raises(SqlFailure, match="16 characters"):
        team_readers.users_xml("payments", ["tuning_ranks"], "short")
    with pytest.raises(SqlFailure, match="apply the migrations"):
        team_readers.users_xml("payments", [], PASSWORD)
