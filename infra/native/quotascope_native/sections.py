"""What `make test` consists of: one section for each language or promise, each a real command."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from quotascope_native.layout import REPOSITORY

PYTHON_PATH = ("infra/native", "infra/v2", "infra/e2e", "infra/chaos", "infra/fleet", "sql/tool", "dashboards/client")
RESULTS = REPOSITORY / "build" / "test"

# As quotascope_v2.kernel names them.
OTHER_KERNELS = ("5.10", "6.12", "6.12-tickless")


@dataclass(frozen=True)
class Section:
    """Commands that run one after another. `kind` says who counts: go, surefire or pytest."""

    name: str
    kind: str
    folder: str
    commands: tuple[tuple[str, ...], ...]
    fast: bool = False
    needs_browser: bool = False
    reports: tuple[str, ...] = field(default=())

    @property
    def log(self) -> Path:
        return RESULTS / f"{self.name}.log"


def environment() -> dict[str, str]:
    """Tests see the repository's own Python packages and nothing of a running instance."""
    inherited = {name: value for name, value in os.environ.items() if name != "QUOTASCOPE_STATE"}
    path = os.pathsep.join(str(REPOSITORY / folder) for folder in PYTHON_PATH)
    return {**inherited, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def _go(name: str, folder: str, *arguments: str, fast: bool = False) -> Section:
    return Section(name, "go", folder, (("go", "test", "-json", *arguments),), fast=fast)


def _pytest(name: str, folder: str, *arguments: str, fast: bool = False, needs_browser: bool = False) -> Section:
    report = str(RESULTS / f"{name}.xml")
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-ra", f"--junitxml={report}", folder, *arguments)
    return Section(name, "pytest", folder, (command,), fast=fast, needs_browser=needs_browser, reports=(report,))


def _maven(name: str, *arguments: str, fast: bool = False) -> Section:
    command = ("mvn", "--batch-mode", "--no-transfer-progress", "--fail-at-end", "--file", "streaming/pom.xml", *arguments)
    reports = ("streaming/*/target/surefire-reports/TEST-*.xml", "streaming/*/target/failsafe-reports/TEST-*.xml")
    return Section(name, "surefire", "streaming", (command,), fast=fast, reports=reports)


def full() -> list[Section]:
    """Every section of `make test`, cheap ones first, so that a plain mistake shows within a minute."""
    return [
        _pytest("tidy", "infra/tidy"),
        _pytest("golden", "schemas/golden/generate"),
        _go("collectors", "collectors", "./..."),
        # The race detector on the packages with goroutines of our own; the agent's own tests are not ours to run.
        _go("collectors-race", "collectors", "-race", "./plugins/...", "./internal/sampler/...", "./internal/spool/..."),
        _maven("streaming", "verify"),
        _pytest("sql", "sql/tests"),
        _pytest("native", "infra/native/tests", "infra/v2/tests", "infra/monitoring/tests", "infra/chaos/tests", "infra/fleet/tests"),
        # A virtual machine: cgroup v2 with the cpu controller, whatever this machine mounts.
        Section("v2", "go", ".", ((sys.executable, "-m", "quotascope_v2"),)),
        _pytest("e2e", "infra/e2e"),
        _pytest("browser", "dashboards/tests", "--ignore=dashboards/tests/test_secure.py", needs_browser=True),
        _pytest("secure", "dashboards/tests/test_secure.py", needs_browser=True),
    ]


def on_request() -> list[Section]:
    """What `make test` leaves out and `make test-kernels` runs: the same guest with other kernels."""
    return [Section(f"v2-{name}", "go", ".", ((sys.executable, "-m", "quotascope_v2", name),)) for name in OTHER_KERNELS]


def fast() -> list[Section]:
    """What needs no server: tidy, Go, and Java without mini clusters."""
    return [
        _pytest("tidy", "infra/tidy", fast=True),
        _go("collectors", "collectors", "-short", "./...", fast=True),
        _maven("streaming-unit", "-DexcludedGroups=minicluster", "test", fast=True),
    ]
