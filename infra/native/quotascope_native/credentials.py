"""Generated passwords: one file each, readable by the owner only, never in an argument or an environment."""

import hashlib
import os
import secrets
from pathlib import Path

CLICKHOUSE_USERS = ("admin", "ingest", "superset", "report")
NAMES = (*(f"clickhouse_{user}" for user in CLICKHOUSE_USERS), "superset_admin", "superset_secret_key")
RANDOM_BYTES = 24


def ensure(folder: Path) -> None:
    """Create every missing secret; an existing one is kept, so that a restart changes no login."""
    for name in NAMES:
        if not (folder / name).exists():
            _write(folder / name, secrets.token_urlsafe(RANDOM_BYTES))


def renew(folder: Path, name: str) -> Path:
    """A new secret in the place of an old one, if there was one; where it is kept."""
    _write(folder / name, secrets.token_urlsafe(RANDOM_BYTES))
    return folder / name


def _write(file: Path, text: str) -> None:
    partial = file.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as out:
        out.write(text)
    partial.rename(file)


def read(folder: Path, name: str) -> str:
    return (folder / name).read_text()


def clickhouse_passwords_xml(folder: Path) -> str:
    """The users.d file that completes users.xml with hashes; the passwords themselves stay in their files."""
    users = ""
    for user in CLICKHOUSE_USERS:
        digest = hashlib.sha256(read(folder, f"clickhouse_{user}").encode()).hexdigest()
        users += f"        <{user}><password_sha256_hex>{digest}</password_sha256_hex></{user}>\n"
    return f"<clickhouse>\n    <users>\n{users}    </users>\n</clickhouse>\n"
