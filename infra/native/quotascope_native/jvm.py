"""Java services out of Maven jars."""

from pathlib import Path

from quotascope_native import artefacts
from quotascope_native.layout import REPOSITORY, Layout, content_key
from quotascope_native.progress import Progress


def jars(layout: Layout, progress: Progress, name: str) -> Path:
    """The folder of the jars that infra/<name>/pom.xml pins."""
    pom = REPOSITORY / "infra" / name / "pom.xml"

    def build(folder: Path, log: Path) -> None:
        # In batch mode Maven prints each download, which is what the progress line shows.
        argv = [
            "mvn", "--batch-mode", "--file", str(pom), "dependency:copy-dependencies",
            "-DincludeScope=runtime", f"-DoutputDirectory={folder}",
        ]  # fmt: skip
        artefacts.run_logged(argv, log, "check the network and the Maven settings, then run again")

    return artefacts.ensure(layout, progress, f"{name}-jars", content_key(pom), build)
