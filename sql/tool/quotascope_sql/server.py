"""ClickHouse over its HTTP interface, and where a running instance is found."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

SQL = Path(__file__).resolve().parents[2]
DEFAULT_STATE = SQL.parent / ".quotascope"

# Of ClickHouse's codes those that a later or a smaller question may not meet: TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES,
# MEMORY_LIMIT_EXCEEDED.
BUSY = (159, 202, 241)


class SqlFailure(Exception):
    """Something that the person at the keyboard can act on, in one line."""


@dataclass(frozen=True)
class Server:
    """One ClickHouse server as one user. Errors are `SqlFailure` with the server's own first line."""

    url: str
    user: str
    password: str
    timeout_s: float = 120

    @staticmethod
    def of_state(state: Path, user: str) -> "Server":
        """The running instance whose state folder this is (endpoints.json and secrets/)."""
        try:
            url = json.loads((state / "endpoints.json").read_text())["clickhouse_http"]
            password = (state / "secrets" / f"clickhouse_{user}").read_text()
        except (OSError, KeyError, ValueError) as error:
            raise SqlFailure(
                f"no running instance in {state}: start one (make demo), name its state folder (--state), or give --url and --password-file"
            ) from error
        return Server(url, user, password)

    def execute(self, statement: str, parameters: dict[str, str] | None = None, **settings: str) -> str:
        """Run one statement and return its raw output. `parameters` fill `{name:Type}` places."""
        query = dict(settings)
        query.update({f"param_{name}": value for name, value in (parameters or {}).items()})
        request = urllib.request.Request(f"{self.url}/?{urllib.parse.urlencode(query)}", data=statement.encode(), method="POST")
        request.add_header("X-ClickHouse-User", self.user)
        request.add_header("X-ClickHouse-Key", self.password)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as reply:
                return reply.read().decode()
        except urllib.error.HTTPError as error:
            said = error.read().decode(errors="replace").strip().splitlines()
            first = said[0] if said else str(error)
            if any(first.startswith(f"Code: {code}.") for code in BUSY):
                raise SqlFailure(f"ClickHouse gave up, it is too busy or the range too long: {first}") from error
            raise SqlFailure(f"ClickHouse refused as user {self.user}: {first}") from error
        except OSError as error:
            raise SqlFailure(f"ClickHouse does not answer at {self.url} ({error}): is the stack up?") from error

    def rows(self, statement: str, parameters: dict[str, str] | None = None) -> list[dict]:
        """Rows as dictionaries; 64-bit integers stay integers."""
        text = self.execute(statement, parameters, default_format="JSONEachRow", output_format_json_quote_64bit_integers="0")
        return [json.loads(line) for line in text.splitlines() if line]


def state_folder(argument: str | None) -> Path:
    """The argument, else QUOTASCOPE_STATE, else `.quotascope` in the repository."""
    return Path(argument or os.environ.get("QUOTASCOPE_STATE") or DEFAULT_STATE)
