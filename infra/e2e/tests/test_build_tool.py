"""A tool of streaming is built when its jar is missing or older than what it is made of, and only then."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from quotascope_reference.wire import REPOSITORY

JAR = "oracle/target/quotascope-oracle.jar"
FILES = ("pom.xml", "src/main/A.java", "src/test/ATest.java")
SOURCES = ("pom.xml", *(f"{module}/{file}" for module in ("domain", "wire", "oracle") for file in FILES))
MAVEN = '#!/bin/sh\necho "$@" >> "$BUILDS"\nmkdir -p "$(dirname "$JAR")"\n: > "$JAR"\n'


@pytest.fixture
def streaming(tmp_path: Path) -> Path:
    folder = tmp_path / "streaming"
    for source in (*(folder / name for name in SOURCES), tmp_path / "schemas" / "row.avsc"):
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("")
    shutil.copy(REPOSITORY / "streaming" / "build-tool", folder)
    maven = tmp_path / "bin" / "mvn"
    maven.parent.mkdir()
    maven.write_text(MAVEN)
    maven.chmod(0o755)
    return folder


def builds(streaming: Path) -> list[str]:
    """What Maven was asked for so far, after one use of the tool."""
    log = streaming.parent / "builds"
    path = f"{streaming.parent / 'bin'}:{os.environ['PATH']}"
    subprocess.run([streaming / "build-tool", "oracle"], check=True, env={"PATH": path, "BUILDS": str(log), "JAR": str(streaming / JAR)})
    return log.read_text().splitlines()


def age(file: Path, seconds: int) -> None:
    """Let a file be so much older, or newer, than the jar."""
    at = file.stat().st_mtime - seconds
    os.utime(file, (at, at))


def test_it_is_built_once(streaming: Path):
    (build,) = builds(streaming)
    assert "--projects domain,wire,oracle" in build
    assert len(builds(streaming)) == 1


@pytest.mark.parametrize("changed", ["pom.xml", "domain/src/main/A.java", "wire/pom.xml", "oracle/src/main/A.java", "../schemas/row.avsc"])
def test_it_is_built_again_when_a_source_is_newer(streaming: Path, changed: str):
    builds(streaming)
    age(streaming / changed, -60)
    assert len(builds(streaming)) == 2


def test_a_test_makes_no_tool_stale(streaming: Path):
    builds(streaming)
    age(streaming / "oracle/src/test/ATest.java", -60)
    assert len(builds(streaming)) == 1
