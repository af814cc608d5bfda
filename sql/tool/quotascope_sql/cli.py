"""Migrations and views of ClickHouse, and reports: one question each, answered in the terminal."""

import argparse
import os
import sys
from pathlib import Path

from quotascope_sql import grid, migrations, reports, table, team_readers, views
from quotascope_sql.server import SQL, Server, SqlFailure, state_folder

# Its rows belong together in sentences of their own; every other report is a grid.
RANKING = "which_services_first"


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="quotascope_sql", description=__doc__)
    top.add_argument("--state", help="state folder of the instance (default: QUOTASCOPE_STATE, else .quotascope)")
    top.add_argument("--url", help="HTTP address of the server, instead of the instance's")
    top.add_argument("--password-file", type=Path, help="password of the user, with --url")
    top.add_argument("--folder", type=Path, default=SQL, help="folder with migrations, views and reports")
    commands = top.add_subparsers(dest="command", required=True)
    migrate = commands.add_parser("migrate", help="apply pending migrations, then replace all views (user admin)")
    migrate.add_argument("--dry-run", action="store_true", help="only say what would be applied")
    commands.add_parser("status", help="what is applied, pending, edited or missing (user admin)")
    team = commands.add_parser("team-reader", help="print the users.d file of a team's direct SQL login (user admin)")
    team.add_argument("--team", required=True, help="as the service catalog spells it")
    team.add_argument("--team-password-file", type=Path, required=True, help="password of the new login")
    report = commands.add_parser("report", help="answer one question (user report)")
    report.add_argument("name", nargs="?", help="name of the report; `list`, or none, names them all")
    form = report.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_const", dest="form", const="json", help="one JSON object a row")
    form.add_argument("--csv", action="store_const", dest="form", const="csv", help="CSV with a header line")
    for place in ("service", "cluster", "origin"):
        report.add_argument(f"--{place}", help=f"only this {place}")
    report.add_argument("--from", type=reports.moment, help="start of the range, e.g. '2026-11-20 10:00:00', UTC")
    report.add_argument("--until", type=reports.moment, help="end of the range, exclusive (default now)")
    report.add_argument("--since", type=reports.minutes_of, dest="minutes", metavar="30m|6h|7d", help="length of the range when --from is absent")
    report.add_argument("--minutes", type=reports.positive, help="the same, in minutes; each report has its own default")
    return top


def connect(options: argparse.Namespace, user: str) -> Server:
    if not options.url:
        return Server.of_state(state_folder(options.state), user)
    if not options.password_file:
        raise SqlFailure("--url needs --password-file")
    return Server(options.url.rstrip("/"), user, secret(options.password_file))


def secret(file: Path) -> str:
    try:
        return file.read_text().rstrip("\n")
    except OSError as error:
        raise SqlFailure(f"the password file {file} cannot be read: {error.strerror}") from error


def run(options: argparse.Namespace) -> int:
    if options.command == "migrate":
        server = connect(options, "admin")
        count = migrations.migrate(server, options.folder / "migrations", options.dry_run)
        if options.dry_run:
            print(f"{count} migrations pending; nothing was changed")
            return 0
        print(f"{count} migrations applied" if count else "no migration pending")
        views.apply(server, options.folder / "views")
        return 0
    if options.command == "status":
        lines = migrations.status(connect(options, "admin"), options.folder / "migrations")
        for name, state in lines:
            print(f"{name:<48} {state}")
        return 0 if all(state.startswith("applied") for _, state in lines) else 1
    if options.command == "team-reader":
        password = options.team_password_file.read_text().strip()
        print(team_readers.users_xml(options.team, team_readers.views_with_a_team(connect(options, "admin")), password), end="")
        return 0
    return run_report(options)


def run_report(options: argparse.Namespace) -> int:
    folder = options.folder / "reports"
    if options.name in (None, "list"):
        for name in reports.names(folder):
            print(f"{name}: {reports.question(reports.statement(folder, name))}")
        return 0
    text = reports.statement(folder, options.name)
    minutes = reports.default_minutes(text) if options.minutes is None else options.minutes
    values = reports.parameters(text, vars(options), minutes)
    server = connect(options, "report")
    if options.form:
        raw = reports.raw(server, text, values, options.form)
        if len(raw.splitlines()) <= (options.form == "csv"):
            reports.refuse_strangers(server, values)
        print(raw, end="")
    else:
        rows = reports.rows(server, text, values)
        if not rows:
            reports.refuse_strangers(server, values)
        if options.name == RANKING:
            print(table.render(reports.question(text), rows))
        else:
            print(grid.render(reports.question(text), rows, coloured=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    return 0


def main(arguments: list[str]) -> int:
    try:
        return run(parser().parse_args(arguments))
    except (SqlFailure, OSError) as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
