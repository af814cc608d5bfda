"""Numbered migrations: applied once, in order, frozen by checksum from then on.

ClickHouse has no transaction around DDL, so a statement may have run while its record was lost.
Every migration is therefore one idempotent statement (IF NOT EXISTS, IF EXISTS) and may run twice.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from quotascope_sql.server import Server, SqlFailure

NAME = re.compile(r"^(\d{4})_[a-z]+(_[a-z0-9]+)+\.sql$")

DATABASES = ("quotascope", "quotascope_views")
HISTORY = """
CREATE TABLE IF NOT EXISTS quotascope.schema_migrations
(
    number      UInt32                 COMMENT 'number of the migration',
    name        String                 COMMENT 'file name',
    sha256      String                 COMMENT 'checksum of the file as applied, hex',
    applied_at  DateTime64(3, 'UTC')   COMMENT 'when it was applied'
)
ENGINE = ReplacingMergeTree(applied_at)
ORDER BY number
"""


@dataclass(frozen=True)
class Migration:
    """One file of sql/migrations."""

    number: int
    name: str
    statement: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.statement.encode()).hexdigest()


def read_folder(folder: Path) -> list[Migration]:
    """All migrations in order. A malformed name and a number used twice are failures that name the file."""
    found: dict[int, Migration] = {}
    for file in sorted(folder.glob("*")):
        match = NAME.match(file.name)
        if match is None:
            raise SqlFailure(f"{file}: a migration is named NNNN_verb_object.sql")
        number = int(match.group(1))
        if number in found:
            raise SqlFailure(f"{file}: number {number:04} is taken by {found[number].name}; take the next free one")
        found[number] = Migration(number, file.name, file.read_text())
    return [found[number] for number in sorted(found)]


def applied(server: Server) -> dict[int, dict]:
    """What the server has seen, by number; empty before the first migration."""
    exists = "SELECT count() AS tables FROM system.tables WHERE database = 'quotascope' AND name = 'schema_migrations'"
    if not server.rows(exists)[0]["tables"]:
        return {}
    history = server.rows(
        "SELECT number, name, sha256, toString(applied_at) AS applied_at FROM quotascope.schema_migrations FINAL ORDER BY number"
    )
    return {row["number"]: row for row in history}


def check(files: list[Migration], history: dict[int, dict]) -> list[Migration]:
    """The pending migrations. Refuses when what was applied is not what the folder says now."""
    known = {migration.number: migration for migration in files}
    for number, row in history.items():
        if number not in known:
            raise SqlFailure(f"migration {row['name']} was applied on {row['applied_at']} and is missing here: restore the file")
        if known[number].sha256 != row["sha256"]:
            raise SqlFailure(
                f"migration {known[number].name} was edited after it was applied on {row['applied_at']}: restore it, and write a new migration"
            )
    pending = [migration for migration in files if migration.number not in history]
    newest = max(history, default=0)
    for migration in pending:
        if migration.number < newest:
            raise SqlFailure(
                f"migration {migration.name} comes before {newest:04}, which is applied: give it the next free number"
            )
    return pending


def migrate(server: Server, folder: Path, dry_run: bool, say=print) -> int:
    """Apply what is pending; returns how many. A dry run says what it would apply and touches nothing."""
    pending = check(read_folder(folder), applied(server))
    if dry_run:
        for migration in pending:
            say(f"would apply {migration.name}")
        return len(pending)
    for database in DATABASES:
        server.execute(f"CREATE DATABASE IF NOT EXISTS {database}")
    server.execute(HISTORY)
    for migration in pending:
        server.execute(migration.statement)
        server.execute(
            "INSERT INTO quotascope.schema_migrations (number, name, sha256, applied_at)"
            " SELECT {number:UInt32}, {name:String}, {sha256:String}, now64(3, 'UTC')",
            {"number": str(migration.number), "name": migration.name, "sha256": migration.sha256},
        )
        say(f"applied {migration.name}")
    return len(pending)


def status(server: Server, folder: Path) -> list[tuple[str, str]]:
    """(file name, state) of every migration known here or there: applied, pending, edited or missing."""
    files = {migration.number: migration for migration in read_folder(folder)}
    history = applied(server)
    lines = []
    for number in sorted(files.keys() | history.keys()):
        if number not in files:
            lines.append((history[number]["name"], "missing"))
        elif number not in history:
            lines.append((files[number].name, "pending"))
        elif files[number].sha256 != history[number]["sha256"]:
            lines.append((files[number].name, "edited"))
        else:
            lines.append((files[number].name, f"applied {history[number]['applied_at']}"))
    return lines
