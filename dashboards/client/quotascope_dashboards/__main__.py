"""Command line: `check` (offline), `apply` (into a Superset), `person` (a login), `weekly` (a report), `capture` (queries, with a browser)."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from quotascope_dashboards.access import Access, access_problems
from quotascope_dashboards.apply import apply
from quotascope_dashboards.capture import capture
from quotascope_dashboards.checks import problems
from quotascope_dashboards.failure import DashboardsFailure
from quotascope_dashboards.grant import Person, apply_person, apply_roles
from quotascope_dashboards.session import SupersetSession
from quotascope_dashboards.tree import Address, Tree
from quotascope_dashboards.weekly import Span, write_report

# Hours are kept thirteen months.
DAYS_MAX = 390


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except DashboardsFailure as failure:
        print(f"dashboards {options.command}: {failure}", file=sys.stderr)
        return 1
    except OSError as failure:
        print(f"dashboards {options.command}: {failure.filename or ''}: {failure.strerror or failure}", file=sys.stderr)
        return 1
    return 0


def days(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= DAYS_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days from 1 to {DAYS_MAX}")
    return int(text)


def parser() -> argparse.ArgumentParser:
    parsed = argparse.ArgumentParser(prog="quotascope_dashboards", description=__doc__)
    commands = parsed.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="check the asset tree without a server").set_defaults(run=run_check)
    for name, run, words in (
        ("apply", run_apply, "bring the tree into Superset; removes what an earlier tree left"),
        ("person", run_person, "give somebody a login with one role, or an existing login another role and password"),
        ("weekly", run_weekly, "write what a reader may see of the last days as one PDF and a CSV for each chart"),
        ("capture", run_capture, "take down the queries of each chart in a browser and keep them beside the tree"),
    ):
        command = commands.add_parser(name, help=words)
        command.set_defaults(run=run)
        command.add_argument("--superset-url", required=True)
        if name == "weekly":
            command.add_argument("--user", required=True, help="the reader's login: the report shows what it may see")
            command.add_argument("--password-file", type=Path, required=True, help="of the reader")
            command.add_argument("--days", type=days, default=7, help="how far back (default 7)")
            command.add_argument("--folder", type=Path, required=True, help="where report.pdf and the CSV files go")
            continue
        command.add_argument("--admin-user", default="admin")
        command.add_argument("--admin-password-file", type=Path, required=True)
        if name == "person":
            command.add_argument("--name", required=True, help="what the person logs in as")
            command.add_argument("--role", required=True, help=", ".join(role.name for role in Access.read().roles))
            command.add_argument("--team", help="of an owner, as the service catalog spells it")
            command.add_argument("--password-file", type=Path, required=True)
        if name == "apply":
            command.add_argument("--clickhouse-host", required=True, help="as Superset reaches it")
            command.add_argument("--clickhouse-port", type=int, required=True, help="HTTP port")
            command.add_argument("--clickhouse-password-file", type=Path, required=True, help="of the read-only user superset")
    return parsed


def run_check(options: argparse.Namespace) -> None:
    tree = Tree()
    found = [*problems(tree), *access_problems(tree, Access.read())]
    if found:
        raise DashboardsFailure(f"{len(found)} problems\n  " + "\n  ".join(found))
    print("the asset tree is sound")


def run_apply(options: argparse.Namespace) -> None:
    tree = Tree()
    access = Access.read()
    if found := [*problems(tree), *access_problems(tree, access)]:
        raise DashboardsFailure("the asset tree is not sound, nothing was applied\n  " + "\n  ".join(found))
    address = Address(options.clickhouse_host, options.clickhouse_port, secret(options.clickhouse_password_file))
    session = opened(options)
    apply(session, tree, address)
    print("roles: " + ", ".join(apply_roles(session, tree, access)))
    print(f"the dashboards are at {options.superset_url.rstrip('/')}/superset/dashboard/fleet/")


def run_person(options: argparse.Namespace) -> None:
    person = Person(options.name, options.role, options.team, secret(options.password_file))
    apply_person(opened(options), Tree(), Access.read(), person)
    print(f"{person.username} may log in as {person.role}" + (f" of {person.team}" if person.team else ""))


def run_weekly(options: argparse.Namespace) -> None:
    password = secret(options.password_file)
    session = SupersetSession(options.superset_url, options.user, password)
    span = Span.last(options.days, datetime.now(UTC))
    print(write_report(session, password, Tree(), span, options.folder))


def run_capture(options: argparse.Namespace) -> None:
    capture(opened(options), Tree(), options.admin_user, secret(options.admin_password_file))


def opened(options: argparse.Namespace) -> SupersetSession:
    return SupersetSession(options.superset_url, options.admin_user, secret(options.admin_password_file))


def secret(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError as error:
        raise DashboardsFailure(f"{file}: {error.strerror}") from error


if __name__ == "__main__":
    sys.exit(main())
