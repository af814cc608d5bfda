"""`python -m quotascope_chaos`: the fault matrix, or some of it, on a pipeline of its own."""

import argparse
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from quotascope_native import jobs
from quotascope_native.failure import StackFailure
from quotascope_reference.wire import REPOSITORY

from quotascope_chaos import matrix, operations, report, trial
from quotascope_chaos.stand import Stand


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="infra/chaos/run", description=__doc__)
    top.add_argument("faults", nargs="*", metavar="FAULT", help="these faults (default: all)")
    top.add_argument("--list", action="store_true", help="name every fault and do none")
    top.add_argument("--seed", type=int, help="repeat a run: the seed that it printed")
    top.add_argument("--out", type=Path, default=REPOSITORY / "build" / "chaos", help="folder of the table of results")
    return top


def chosen(names: list[str]) -> list[trial.Fault]:
    """The named faults in the order of their names, else all."""
    every = [*matrix.FAULTS, *matrix.UPGRADES]
    known = {fault.name: fault for fault in every}
    for name in names:
        if name not in known:
            raise StackFailure(f"there is no fault {name!r}", "make chaos LIST=1 names them")
    return [known[name] for name in names] or every


def run(faults: list[trial.Fault], seed: int, outcomes: list[trial.Outcome]) -> None:
    """All faults on one pipeline, which an upgrade brings to this tree first; what became of each is added to the outcomes as it is known."""
    upgrades = [fault for fault in faults if fault in matrix.UPGRADES]
    others = [fault for fault in faults if fault not in upgrades]
    if upgrades:
        do([*upgrades, *others], seed, outcomes, operations.baseline_jar())
    # Jobs that could not take over leave nothing to go on with.
    if left := others[max(0, len(outcomes) - len(upgrades)) :]:
        do(left, seed, outcomes)


def do(faults: list[trial.Fault], seed: int, outcomes: list[trial.Outcome], jar: Path = jobs.JAR) -> None:
    """Every fault in turn on one pipeline. One that fails does not keep the others from being done, unless it is an upgrade."""
    with tempfile.TemporaryDirectory(prefix="quotascope-chaos-", ignore_cleanup_errors=True) as folder:
        stand = Stand(Path(folder), jar)
        try:
            stand.start()
            for fault in faults:
                say(f"{fault.name}: {fault.what}")
                outcomes.append(tried(stand, fault, seed))
                say(report.line(outcomes[-1]))
                if outcomes[-1].broken and fault in matrix.UPGRADES:
                    return
                if outcomes[-1].broken:
                    stand.repair()
        finally:
            stand.close()


def tried(stand: Stand, fault: trial.Fault, seed: int) -> trial.Outcome:
    """A fault after which the pipeline does not come back is an outcome, not the end of the run."""
    try:
        return trial.run(stand, fault, seed)
    except (StackFailure, OSError, ArithmeticError, LookupError) as trouble:
        told = trouble.line() if isinstance(trouble, StackFailure) else f"{type(trouble).__name__}: {trouble}"
        return trial.Outcome(fault, seed, complaints=[told], broken=True)


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def main() -> int:
    options = parser().parse_args()
    if options.list:
        print(report.listing())
        return 0
    # A terminated run undoes what it started and tells what it found, as one interrupted from the keyboard does.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 31)
    outcomes: list[trial.Outcome] = []
    try:
        faults = chosen(options.faults)
        say(f"seed {seed}: make chaos SEED={seed} repeats this run")
        run(faults, seed, outcomes)
    except StackFailure as failure:
        print(failure.line(), file=sys.stderr)
        faults = []
    except KeyboardInterrupt:
        print("interrupted: the pipeline is stopped again", file=sys.stderr)
        faults = []
    if outcomes:
        print(report.written(outcomes, seed, options.out))
    return 0 if faults and len(outcomes) == len(faults) and all(outcome.passed for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
