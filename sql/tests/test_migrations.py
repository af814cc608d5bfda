"""Migrations: once, in order, frozen; the command refuses by name whatever does not fit."""

import pytest
from quotascope_sql import cli, migrations, views
from quotascope_sql.server import SQL, SqlFailure


def quiet(_: str) -> None:
    """The tests judge effects, not progress lines."""


def migrate(database, folder, dry_run=False) -> int:
    return migrations.migrate(database.as_user("admin"), folder / "migrations", dry_run, quiet)


def test_a_second_run_applies_nothing(database):
    assert migrate(database, SQL) == 0


def test_status_of_the_real_folder_is_all_applied(database):
    lines = migrations.status(database.as_user("admin"), SQL / "migrations")
    assert len(lines) >= 7
    assert all(state.startswith("applied") for _, state in lines)


def test_an_edited_migration_is_refused_by_name(database, sql_copy):
    file = sorted((sql_copy / "migrations").iterdir())[2]
    file.write_text(file.read_text() + "-- a harmless word\n")
    with pytest.raises(SqlFailure, match=f"{file.name} was edited"):
        migrate(database, sql_copy)
    assert (file.name, "edited") in migrations.status(database.as_user("admin"), sql_copy / "migrations")


def test_a_missing_migration_is_refused_by_name(database, sql_copy):
    file = sorted((sql_copy / "migrations").iterdir())[1]
    file.unlink()
    with pytest.raises(SqlFailure, match=f"{file.name} was applied on .* missing"):
        migrate(database, sql_copy)
    assert (file.name, "missing") in migrations.status(database.as_user("admin"), sql_copy / "migrations")


def test_a_dry_run_changes_nothing(database, sql_copy):
    (sql_copy / "migrations" / "9001_create_shadow.sql").write_text(
        "CREATE TABLE IF NOT EXISTS quotascope.shadow (x UInt8) ENGINE = MergeTree ORDER BY x"
    )
    assert migrate(database, sql_copy, dry_run=True) == 1
    assert migrate(database, SQL) == 0
    tables = database.as_user("admin").rows("SELECT name FROM system.tables WHERE database = 'quotascope'")
    assert {"name": "shadow"} not in tables


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("0001_create_again.sql", "number 0001 is taken by 0001_create_again.sql"),
        ("12_create_thing.sql", "is named NNNN_verb_object.sql"),
        ("0100_Create_Thing.sql", "is named NNNN_verb_object.sql"),
        ("notes.txt", "is named NNNN_verb_object.sql"),
    ],
)
def test_names_and_numbers_are_checked_before_anything_runs(sql_copy, name, complaint):
    (sql_copy / "migrations" / name).write_text("SELECT 1")
    with pytest.raises(SqlFailure, match=complaint):
        migrations.read_folder(sql_copy / "migrations")


def test_a_migration_before_an_applied_one_is_refused():
    files = [migrations.Migration(1, "0001_create_a.sql", "a"), migrations.Migration(2, "0002_create_b.sql", "b")]
    history = {2: {"name": files[1].name, "sha256": files[1].sha256, "applied_at": "now"}}
    with pytest.raises(SqlFailure, match="0001_create_a.sql comes before 0002"):
        migrations.check(files, history)


def test_views_come_after_the_views_that_they_read():
    order = [name for name, _ in views.in_order(SQL / "views")]
    assert order.index("tuning_ranks") < order.index("service_ranking")
    assert order.index("throttling_summaries") < order.index("usage_histograms")


def test_a_view_whose_file_is_gone_is_dropped(database):
    admin = database.as_user("admin")
    admin.execute("CREATE VIEW quotascope_views.old_view AS SELECT 1 AS x")
    views.apply(admin, SQL / "views", quiet)
    names = {row["name"] for row in admin.rows("SELECT name FROM system.tables WHERE database = 'quotascope_views'")}
    assert names == {file.stem for file in (SQL / "views").glob("*.sql")}


def test_the_command_says_what_it_did(database, capsys):
    state = ["--state", str(database.stack.layout.state)]
    assert cli.main([*state, "migrate"]) == 0
    assert cli.main([*state, "status"]) == 0
    said = capsys.readouterr().out
    assert "no migration pending" in said
    assert "views in place: " in said and "host_gaps, host_hours, host_windows" in said
    assert "0004_create_service_windows.sql" in said


def test_an_absent_server_is_one_clear_line(tmp_path, capsys):
    assert cli.main(["--state", str(tmp_path), "migrate"]) == 1
    password = tmp_path / "password"
    password.write_text("secret")
    assert cli.main(["--url", "http://127.0.0.1:9", "--password-file", str(password), "status"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("error: no running instance in")
    assert lines[1].startswith("error: ClickHouse does not answer at http://127.0.0.1:9")
