"""Views are code: every run replaces them all with what the folder says, and drops those whose file is gone."""

import re
from pathlib import Path

from quotascope_sql.server import Server, SqlFailure

MENTION = re.compile(r"\bquotascope_views\.([a-z_]+)")


def in_order(folder: Path) -> list[tuple[str, str]]:
    """(view, statement), each after the views that it reads."""
    statements = {file.stem: file.read_text() for file in sorted(folder.glob("*.sql"))}
    ordered: list[tuple[str, str]] = []
    placed: set[str] = set()
    while len(ordered) < len(statements):
        ready = [
            name for name, text in statements.items() if name not in placed and set(MENTION.findall(text)) - {name} <= placed
        ]
        if not ready:
            raise SqlFailure(f"views {sorted(statements.keys() - placed)} read one another or a view that has no file")
        for name in ready:
            if f"CREATE OR REPLACE VIEW quotascope_views.{name}\n" not in statements[name]:
                raise SqlFailure(f"{folder / name}.sql must create the view quotascope_views.{name}")
            ordered.append((name, statements[name]))
            placed.add(name)
    return ordered


def apply(server: Server, folder: Path, say=print) -> int:
    """Create or replace every view; returns how many there are."""
    views = in_order(folder)
    for _, statement in views:
        server.execute(statement)
    kept = {name for name, _ in views}
    for row in server.rows("SELECT name FROM system.tables WHERE database = 'quotascope_views' ORDER BY name"):
        if row["name"] not in kept:
            server.execute(f"DROP VIEW quotascope_views.`{row['name']}`")
            say(f"dropped view {row['name']}: its file is gone")
    say(f"views in place: {', '.join(sorted(kept))}")
    return len(views)
