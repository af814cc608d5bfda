"""The steps between services: tables and views, the catalog, the dashboards, the ranked report."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

from quotascope_native import credentials, superset, toolcheck
from quotascope_native.artefacts import run_logged
from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY
from quotascope_native.progress import Progress
from quotascope_native.stack import Stack

SQL_TOOL = REPOSITORY / "sql" / "tool"
DASHBOARD_CLIENT = REPOSITORY / "dashboards" / "client"
LAB_CATALOG = REPOSITORY / "infra" / "native" / "lab-catalog.yaml"
LAB_PRICES = REPOSITORY / "infra" / "native" / "lab-prices.yaml"
LAB_CHANGES = REPOSITORY / "infra" / "native" / "lab-changes.yaml"
INPUTS_JAR = REPOSITORY / "streaming" / "inputs" / "target" / "quotascope-inputs.jar"
LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
FIRST_REPORT = "which_services_first"
TEAMS_WITHIN_S = 30


def sql_command(stack: Stack, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "quotascope_sql", "--state", str(stack.layout.state), *arguments]


def sql_environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SQL_TOOL)}


def migrate(stack: Stack) -> None:
    """Apply pending migrations and replace the views."""
    log = stack.layout.log("migrate")
    with stack.progress.step("applying tables and views", log):
        run_logged(sql_command(stack, "migrate"), log, "the log names the migration", env=sql_environment())


def load_catalog(stack: Stack, file: Path = LAB_CATALOG) -> None:
    """Publish a service catalog file on its topic."""
    with stack.progress.step(f"loading the service catalog {file.name}", stack.layout.log("catalog")):
        inputs(stack, "catalog", "catalog", "load", str(file))


def load_inputs(stack: Stack) -> None:
    """What the lab's owner would tell: who owns what, what it costs, what was changed. Doing it again changes nothing."""
    load_catalog(stack)
    load_prices_and_changes(stack)


def load_prices_and_changes(stack: Stack) -> None:
    log = stack.layout.log("inputs")
    with stack.progress.step(f"loading prices and changes {LAB_PRICES.name}, {LAB_CHANGES.name}", log):
        inputs(stack, "inputs", "prices", "load", str(LAB_PRICES))
        inputs(stack, "inputs", "change", "import", str(LAB_CHANGES))


def inputs(stack: Stack, log: str, *arguments: str) -> None:
    """One run of the inputs command on this instance's Kafka."""
    argv = ["java", "-jar", str(INPUTS_JAR), *arguments, "--bootstrap", stack.endpoints()["kafka"]]
    run_logged(argv, stack.layout.log(log), "the log names file, line and field")


def apply_dashboards(stack: Stack) -> None:
    """Import the dashboards and set the roles; doing it again changes nothing."""
    log = stack.layout.log("dashboards")
    with stack.progress.step("applying the dashboards", log):
        clickhouse = [
            "--clickhouse-host", "127.0.0.1",
            "--clickhouse-port", str(stack.ports["clickhouse_http"]),
            "--clickhouse-password-file", str(stack.layout.secrets / "clickhouse_superset"),
        ]  # fmt: skip
        _dashboards(stack, log, "the log names the asset", "apply", *clickhouse)


def give_login(stack: Stack, name: str, role: str, team: str | None) -> None:
    """Somebody's login with one role; the password is a new secret of this instance."""
    log = stack.layout.log("dashboards")
    if not LOGIN.fullmatch(name):
        raise StackFailure(f"the name {name!r} cannot be a login", "use letters, digits, dot, dash and underscore")
    file = credentials.renew(stack.layout.secrets, f"person_{name}")
    with stack.progress.step(f"giving {name} a login as {role}", log):
        arguments = ["--name", name, "--role", role, "--password-file", str(file), *(["--team", team] if team else [])]
        _dashboards(stack, log, "the log says why", "person", *arguments)
    print(f"{name} logs in at {stack.endpoints()['superset']} with the password in {file}")
    if team and (hint := empty_team(team, judged_teams(stack))):
        print(hint)


def judged_teams(stack: Stack) -> list[str]:
    """Teams of which a service has been judged so far."""
    sql = "SELECT DISTINCT assumeNotNull(team) FROM quotascope_views.service_latest WHERE team IS NOT NULL ORDER BY 1 FORMAT TSVRaw"
    headers = {"X-ClickHouse-User": "report", "X-ClickHouse-Key": stack.secret("clickhouse_report")}
    request = urllib.request.Request(stack.endpoints()["clickhouse_http"], data=sql.encode(), headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=TEAMS_WITHIN_S) as answer:
            return answer.read().decode().splitlines()
    except OSError as error:
        raise StackFailure("ClickHouse does not say which teams there are", "read its log", stack.layout.log("clickhouse")) from error


def empty_team(team: str, judged: list[str]) -> str | None:
    """What to say of a team that owns nothing: misspelt, or too new. The login is given all the same, for a team may come later."""
    if team in judged:
        return None
    known = f"teams with services: {', '.join(judged)}" if judged else "no service has been judged yet"
    return f"note: no judged service belongs to team {team!r}, so this owner sees no rows; {known}"


def write_weekly(stack: Stack, name: str, days: str, folder: Path) -> None:
    """The report that comes by itself, as the login may see it: a PDF and CSV files."""
    log = stack.layout.log("weekly")
    secret = stack.layout.secrets / ("superset_admin" if name == superset.ADMIN else f"person_{name}")
    if not secret.exists():
        raise StackFailure(f"no login {name!r} was given here", "give it with: make person NAME=... ROLE=...")
    toolcheck.ensure_browser(log, stack.progress)
    with stack.progress.step(f"writing what {name} may see of the last {days} days", log):
        arguments = ["--user", name, "--password-file", str(secret), "--days", days, "--folder", str(folder)]
        _client(stack, log, "the log names the charts that are missing", "weekly", *arguments)
    print(folder / "report.pdf")


def _dashboards(stack: Stack, log: Path, remedy: str, command: str, *arguments: str) -> None:
    """One command of the dashboards' client, as Superset's administrator."""
    _client(stack, log, remedy, command, "--admin-password-file", str(stack.layout.secrets / "superset_admin"), *arguments)


def _client(stack: Stack, log: Path, remedy: str, command: str, *arguments: str) -> None:
    interpreter = superset.python(stack.layout, Progress())
    argv = [str(interpreter), "-m", "quotascope_dashboards", command, "--superset-url", stack.endpoints()["superset"], *arguments]
    run_logged(argv, log, remedy, env={**os.environ, "PYTHONPATH": str(DASHBOARD_CLIENT)})


def ranked_rows(stack: Stack, origin: str | None = None) -> list[dict]:
    """The rows of the report that the whole pipeline exists for; empty until the first minute is judged."""
    result = _report(stack, "--json", *(["--origin", origin] if origin else []))
    if result.returncode != 0:
        raise StackFailure(f"the report cannot be read: {result.stderr.strip()}", "is ClickHouse up? run make status")
    return [json.loads(line) for line in result.stdout.splitlines() if line.strip()]


def answer(stack: Stack, name: str | None, arguments: list[str]) -> int:
    """One report straight to the terminal, which may show colours; returns the exit code."""
    named = [] if name == "list" else [name or FIRST_REPORT, *arguments]
    return subprocess.run(sql_command(stack, "report", *named), env=sql_environment(), stdin=subprocess.DEVNULL).returncode


def ranked_table(stack: Stack, *arguments: str) -> str:
    """The same report for people."""
    result = _report(stack, *arguments)
    if result.returncode != 0:
        raise StackFailure(f"the report cannot be read: {result.stderr.strip()}", "run make status")
    return result.stdout


def _report(stack: Stack, *form: str) -> subprocess.CompletedProcess:
    argv = sql_command(stack, "report", FIRST_REPORT, *form)
    return subprocess.run(argv, env=sql_environment(), capture_output=True, text=True, stdin=subprocess.DEVNULL)
