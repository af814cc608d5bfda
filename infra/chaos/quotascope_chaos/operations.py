"""What operators do on purpose: stop and go on, another parallelism, another release, everything anew."""

import subprocess
from pathlib import Path

from quotascope_native import flink_rest, jobs, steps
from quotascope_native.artefacts import run_logged
from quotascope_reference import dump
from quotascope_reference.intake import MINUTE_US
from quotascope_reference.tables import Reference
from quotascope_reference.wire import REPOSITORY

from quotascope_chaos.scene import Scene
from quotascope_chaos.stand import Stand
from quotascope_chaos.trial import Fault, Proof

# The release that must be able to hand its state to this one: a commit of this repository.
BASELINE = REPOSITORY / "infra" / "chaos" / "baseline"
BUILT = REPOSITORY / "build" / "chaos"
# Two turns after the handover nothing rests on an analysis of the baseline any more.
OWN_AFTER_MINUTES = 20
MINUTES_OF_OWN = 15


def stopped(scene: Scene) -> Proof:
    """Every job ends with a savepoint and continues from it; the rows of open minutes wait meanwhile."""
    kept = jobs.stop(scene.stand.stack)
    scene.minutes(2)
    scene.stand.submit()
    return lambda _: [] if len(kept) == len(jobs.ENTRIES) else [f"{len(kept)} savepoints of {len(jobs.ENTRIES)} jobs"]


def rescaled(scene: Scene) -> Proof:
    """From the parallelism of the cluster, which is one, to two, and back."""
    stack = scene.stand.stack
    seen = []
    for parallelism in (2, None):
        jobs.stop(stack)
        jobs.submit(stack, parallelism)
        seen.append(widest(scene.stand))
        scene.minutes(2)
    return lambda _: [] if seen == [2, 1] else [f"the jobs ran at parallelism {seen[0]}, then {seen[1]}"]


def widest(stand: Stand) -> int:
    """The greatest parallelism of any operator that runs now."""
    url = stand.stack.endpoints()["flink_rest"]
    running = [job for job, state in flink_rest.job_states(url).items() if state == "RUNNING"]
    return max(vertex["parallelism"] for job in running for vertex in flink_rest.call(f"{url}/jobs/{job}")["vertices"])


def upgraded(scene: Scene) -> None:
    """The jobs of the baseline hand their state to those of this working tree.

    What the baseline judged by its own lines is not compared: measurements are, and all judgements that rest on its state alone.
    """
    jobs.stop(scene.stand.stack)
    scene.stand.jar = jobs.JAR
    scene.stand.submit()
    steps.load_catalog(scene.stand.stack)
    scene.own_since_us = scene.minute_us + OWN_AFTER_MINUTES * MINUTE_US
    scene.minutes(OWN_AFTER_MINUTES + MINUTES_OF_OWN)


def baseline_jar() -> Path:
    """The jobs of the baseline, built once from the repository's own history."""
    commit = BASELINE.read_text().split()[0]
    jar = BUILT / f"jobs-{commit[:12]}.jar"
    if jar.exists():
        return jar
    BUILT.mkdir(parents=True, exist_ok=True)
    tree = BUILT / f"tree-{commit[:12]}"
    subprocess.run(["git", "-C", str(REPOSITORY), "worktree", "add", "--force", "--detach", str(tree), commit], check=True, capture_output=True)
    try:
        argv = [
            "mvn", "--batch-mode", "--quiet", "--file", str(tree / "streaming" / "pom.xml"),
            "--projects", "jobs", "--also-make", "-Dmaven.test.skip=true", "package",
        ]  # fmt: skip
        run_logged(argv, BUILT / "baseline.log", "the log names what does not compile")
        (tree / "streaming" / "jobs" / "target" / "quotascope-jobs.jar").replace(jar)
    finally:
        subprocess.run(["git", "-C", str(REPOSITORY), "worktree", "remove", "--force", str(tree)], check=True)
    return jar


def reprocessed(scene: Scene) -> Proof:
    """A deliberate recomputation: all jobs start again without state, at the next revision, from the oldest message."""
    scene.minutes(2)
    jobs.forget(scene.stand.stack)
    scene.stand.revision += 1
    scene.stand.set_options(revision=str(scene.stand.revision))
    scene.since = dict.fromkeys(dump.ends(scene.stand.bootstrap, {topic for topic, _ in scene.since}), 0)
    scene.compared = None
    scene.revision = scene.stand.revision
    scene.stand.submit()

    def proof(reference: Reference) -> list[str]:
        clusters = {key[1] for key in reference.tables["service_windows"]}
        scene.notes.append(f"{len(clusters)} clusters at revision {scene.revision}")
        return []

    return proof


FAULTS = [
    Fault("jobs-stopped", "every job is stopped with a savepoint and continues from it", stopped),
    Fault("jobs-rescaled", "savepoints of parallelism 1 continue at 2, and those at 1", rescaled),
    Fault("jobs-reprocessed", "everything is computed anew from the oldest message, at the next revision", reprocessed, quiet=True),
]
UPGRADES = [
    Fault("jobs-upgraded", "the jobs of the baseline hand their savepoints to those of this tree", upgraded),
]
