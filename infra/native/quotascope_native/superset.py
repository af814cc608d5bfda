"""Superset of this instance: its environment, its metadata copied from the cache, its login."""

import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

from quotascope_native import artefacts, credentials
from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY, Layout, content_key
from quotascope_native.ports import Ports
from quotascope_native.progress import Progress
from quotascope_native.service import Launch, Service, answers

CONFIGURATION = REPOSITORY / "infra" / "superset"
LOCK = CONFIGURATION / "requirements.txt"
SETTINGS = CONFIGURATION / "superset_config.py"
ADMIN = "admin"
THREADS = 8
REMEDY = "check the network and the disk, then run again"


def service(layout: Layout, ports: Ports) -> Service:
    return Service(
        name="superset",
        ports=("superset",),
        install=lambda progress: install(layout, progress),
        prepare=lambda: prepare(layout, ports),
        ready=lambda: answers(f"{ports.url('superset')}/health"),
        ready_within_s=180,
        stop_grace_s=8,
    )


def install(layout: Layout, progress: Progress) -> Path:
    """The environment, and a metadata database that is migrated and has its roles. Returns the database."""
    python(layout, progress)

    def build(folder: Path, log: Path) -> None:
        (folder / "secret").write_text(secrets.token_urlsafe(32))
        settings = environment(folder, folder / "secret")
        superset = str(python(layout, progress).parent / "superset")
        # The password of this template is thrown away; each copy gets one of its own.
        person = ["--username", ADMIN, "--firstname", "Quotascope", "--lastname", "Admin", "--email", "admin@localhost"]
        for step in (["db", "upgrade"], ["init"], ["fab", "create-admin", *person, "--password", secrets.token_urlsafe(24)]):
            progress.say(f"      superset {' '.join(step[:2])}")
            artefacts.run_logged([superset, *step], log, REMEDY, cwd=folder, env=settings)

    folder = artefacts.ensure(layout, progress, "superset-metadata", content_key(LOCK, SETTINGS), build)
    return folder / "superset.db"


def python(layout: Layout, progress: Progress) -> Path:
    """The interpreter that has Superset and its driver, from the hash-locked requirements."""

    def build(folder: Path, log: Path) -> None:
        uv = str(Path(sys.executable).parent / "uv")
        target = folder / "venv"
        artefacts.run_logged([uv, "venv", "--python", sys.executable, str(target)], log, REMEDY)
        argv = [uv, "pip", "install", "--python", str(target / "bin" / "python"), "--require-hashes", "-r", str(LOCK)]
        artefacts.run_logged(argv, log, REMEDY)

    return artefacts.ensure(layout, progress, "superset", content_key(LOCK), build) / "venv" / "bin" / "python"


def environment(folder: Path, secret: Path) -> dict[str, str]:
    """What the Superset commands need; the tools' PYTHONPATH stays out of its environment."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {
        **inherited,
        "SUPERSET_HOME": str(folder),
        "SUPERSET_CONFIG_PATH": str(SETTINGS),
        "QUOTASCOPE_SUPERSET_SECRET_FILE": str(secret),
        "QUOTASCOPE_SUPERSET_METADATA_URI": f"sqlite:///{folder / 'superset.db'}?timeout=30",
        "SCARF_ANALYTICS": "false",
        # "The last hour" ends at this process's local time, and all our instants are UTC.
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def prepare(layout: Layout, ports: Ports) -> Launch:
    folder = layout.state / "superset"
    folder.mkdir(exist_ok=True)
    interpreter = python(layout, Progress())
    database = folder / "superset.db"
    if not database.exists():
        partial = folder / "superset.partial"
        shutil.copy(install(layout, Progress()), partial)
        set_password(partial, interpreter, credentials.read(layout.secrets, "superset_admin"))
        partial.rename(database)
    argv = [
        str(interpreter.parent / "gunicorn"), "--bind", ports.address("superset"), "--workers", "1",
        "--worker-class", "gthread", "--threads", str(THREADS), "--timeout", "120", "--graceful-timeout", "5", "--no-control-socket",
        "superset.app:create_app()",
    ]  # fmt: skip
    env = environment(folder, layout.secrets / "superset_secret_key")
    return Launch(argv, cwd=folder, env={**env, "PYTHONPATH": ""})


def set_password(database: Path, interpreter: Path, password: str) -> None:
    """Give the admin of a copied database this instance's password, without starting Superset."""
    program = "import sys; from werkzeug.security import generate_password_hash as g; print(g(sys.stdin.read()))"
    result = subprocess.run([interpreter, "-c", program], input=password, capture_output=True, text=True, check=True)
    with sqlite3.connect(database) as connection:
        changed = connection.execute(
            "UPDATE ab_user SET password = ? WHERE username = ?", (result.stdout.strip(), ADMIN)
        ).rowcount
    connection.close()
    if changed != 1:
        raise StackFailure("the cached Superset metadata has no admin", f"remove {database.parent} and the cache, then run again")
