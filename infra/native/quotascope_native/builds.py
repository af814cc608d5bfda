"""Our own programs: built when their sources are newer, with output in the log."""

import hashlib
from pathlib import Path

from quotascope_native import artefacts
from quotascope_native.layout import REPOSITORY, Layout
from quotascope_native.progress import Progress

GO_PROGRAMS = {"quotascope-telegraf": "./cmd/telegraf", "cfslab": "./cmd/cfslab", "cgroupreplay": "./cmd/cgroupreplay"}
# The jobs first: their jar's folder holds the stamp.
SHADED = ("jobs", "inputs", "oracle", "fleetsim")
SOURCES = (".java", ".xml", ".avsc", ".yaml", ".json", ".properties")
REMEDY = "correct what the compiler reports, then run again"


def go_programs(layout: Layout, progress: Progress, names: tuple[str, ...] = tuple(GO_PROGRAMS)) -> None:
    """Build into the state's bin folder. Go itself knows what is up to date; a cold build takes minutes."""
    log = layout.log("build-go")
    log.write_text("")
    with progress.step(f"building {', '.join(names)}", log):
        for name in names:
            argv = ["go", "build", "-v", "-trimpath", "-ldflags=-s -w", "-o", str(layout.bin / name), GO_PROGRAMS[name]]
            artefacts.run_logged(argv, log, REMEDY, cwd=REPOSITORY / "collectors")


def jobs_jar(layout: Layout, progress: Progress) -> None:
    """Build the shaded jars of the jobs and of the commands beside them unless those at hand are of these very sources."""
    jar, *others = (REPOSITORY / "streaming" / name / "target" / f"quotascope-{name}.jar" for name in SHADED)
    stamp = jar.with_suffix(".sources")
    key = _sources_key(REPOSITORY / "streaming", REPOSITORY / "schemas")
    if all(file.exists() for file in (jar, *others, stamp)) and stamp.read_text() == key:
        return
    log = layout.log("build-jobs")
    log.write_text("")
    with progress.step("building the streaming jobs", log):
        argv = [
            "mvn", "--batch-mode", "--file", str(REPOSITORY / "streaming" / "pom.xml"),
            "--projects", ",".join(SHADED), "--also-make", "-Dmaven.test.skip=true", "package",
        ]  # fmt: skip
        artefacts.run_logged(argv, log, REMEDY)
    stamp.write_text(key)


def _sources_key(*folders: Path) -> str:
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.suffix in SOURCES and "target" not in file.parts and "test" not in file.parts:
                digest.update(str(file.relative_to(REPOSITORY)).encode() + file.read_bytes())
    return digest.hexdigest()
