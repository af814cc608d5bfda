"""The ClickHouse server of this instance: its folder, its merged configuration, its readiness."""

import sys
from pathlib import Path

from quotascope_native import credentials
from quotascope_native.layout import REPOSITORY, Layout
from quotascope_native.ports import HOST, Ports
from quotascope_native.service import Launch, Service, answers

CONFIGURATION = REPOSITORY / "infra" / "clickhouse"


def service(layout: Layout, ports: Ports) -> Service:
    return Service(
        name="clickhouse",
        ports=("clickhouse_http", "clickhouse_tcp"),
        prepare=lambda: prepare(layout, ports),
        ready=lambda: answers(f"{ports.url('clickhouse_http')}/ping"),
        ready_within_s=180,
        stop_grace_s=30,
    )


def prepare(layout: Layout, ports: Ports) -> Launch:
    """The server reads its configuration from the working directory and merges config.d and users.d into it."""
    folder = layout.state / "clickhouse"
    for name in ("config.d", "users.d", "store"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name in ("config.xml", "users.xml"):
        (folder / name).write_bytes((CONFIGURATION / name).read_bytes())
    (folder / "config.d" / "native.xml").write_text(_instance_xml(folder, ports))
    passwords = folder / "users.d" / "passwords.xml"
    passwords.touch(mode=0o600)
    passwords.write_text(credentials.clickhouse_passwords_xml(layout.secrets))
    argv = [
        sys.executable, "-m", "quotascope_native.clickhouse_server",
        "--path", str(folder / "store"),
        "--url", ports.url("clickhouse_http"),
        "--password-file", str(layout.secrets / "clickhouse_admin"),
    ]  # fmt: skip
    # The embedded session reads the zone from the environment and not from config.xml.
    env = {"PYTHONPATH": str(REPOSITORY / "infra" / "native"), "TZ": "UTC"}
    return Launch(argv, cwd=folder, env=env)


def _instance_xml(folder: Path, ports: Ports) -> str:
    return (
        "<clickhouse>\n"
        f"    <http_port>{ports['clickhouse_http']}</http_port>\n"
        f"    <tcp_port>{ports['clickhouse_tcp']}</tcp_port>\n"
        f"    <listen_host>{HOST}</listen_host>\n"
        f"    <path>{folder / 'store'}/</path>\n"
        "</clickhouse>\n"
    )
