"""The commands of `infra/native/run`."""

import argparse
import errno
import fcntl
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quotascope_native import artefacts, builds, demo, jobs, pipeline, sections, status, steps, test_run, toolcheck, topics
from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY
from quotascope_native.progress import Progress
from quotascope_native.stack import Stack


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    # A terminated command undoes what it started, as one interrupted from the keyboard does.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        return options.command(options) or 0
    except StackFailure as failure:
        print(failure.line(), file=sys.stderr)
        return 1
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        remedy = "free space on that disk, then run again" if full else "check that file and its rights"
        print(StackFailure(str(error), remedy).line(), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: what this command had started is stopped again", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="infra/native/run", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    def add(name: str, command, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(command=command)
        sub.add_argument("--state", help="folder of this instance (default QUOTASCOPE_STATE, else .quotascope)")
        sub.add_argument("--ports", choices=("fixed", "auto"), default="fixed", help="auto: free ports, chosen once")
        return sub

    up = add("up", command_up, "start the pipeline without load, or the named services alone")
    up.add_argument("--only", nargs="+", metavar="SERVICE", help="these services and no other step")
    down = add("down", command_down, "stop everything of this instance and remove its cgroups")
    down.add_argument("--only", nargs="+", metavar="SERVICE", help="these services")
    demo_parser = add("demo", command_demo, "the whole pipeline with real load, up to the first ranked report")
    demo_parser.add_argument("--replay", action="store_true", help="replay the recorded trace instead of measuring")
    add("status", command_status, "which services and jobs run, and where")
    logs = add("logs", command_logs, "follow the logs")
    logs.add_argument("service", nargs="?", help="of one service")
    report = add("report", command_report, "answer one question (default: which services to look at first)")
    report.add_argument("name", nargs="?", help="a file of sql/reports, or `list`")
    report.add_argument("arguments", nargs=argparse.REMAINDER, help="of the report: --service, --since 7d, --json, --csv ...")
    add("create-topics", lambda o: with_stack(o, lambda stack: topics.create(stack.endpoints()["kafka"])), "create missing topics")
    add("migrate", lambda o: with_stack(o, steps.migrate), "apply pending migrations and replace the views")
    add("submit-jobs", lambda o: with_stack(o, submit_jobs), "run the jobs, each from its newest checkpoint")
    add("stop-jobs", lambda o: with_stack(o, jobs.stop), "end the jobs with savepoints, from which submit-jobs continues")
    add("apply-dashboards", lambda o: with_stack(o, steps.apply_dashboards), "import the dashboards into Superset")
    person = add("person", lambda o: with_stack(o, lambda stack: steps.give_login(stack, o.name, o.role, o.team)), "give somebody a login")
    person.add_argument("--name", required=True, help="what the person logs in as")
    person.add_argument("--role", required=True, help="a role of dashboards/roles.yaml")
    person.add_argument("--team", help="of an owner, as the service catalog spells it")
    weekly = add("weekly", lambda o: with_stack(o, lambda stack: steps.write_weekly(stack, o.name, o.days, o.folder)), "write a login's report")
    weekly.add_argument("--name", default="admin", help="whose login (default admin): the report shows what it may see")
    weekly.add_argument("--days", default="7", help="how far back (default 7)")
    weekly.add_argument("--folder", type=Path, default=REPOSITORY / "build/weekly", help="where report.pdf and the CSV files go")
    catalog = add("load-catalog", command_load_catalog, "publish a service catalog")
    catalog.add_argument("file", nargs="?", type=Path, default=steps.LAB_CATALOG)
    add("make-bpf", command_make_bpf, "compile the BPF programs anew, with the compiler from apt")
    test = add("test", command_test, "run test sections and count over all languages")
    test.add_argument("sections", nargs="*", help="these sections (default: all)")
    test.add_argument("--fast", action="store_true", help="only what needs no server")
    return parser


def open_stack(options: argparse.Namespace, phases: int = 0) -> Stack:
    return Stack.open(options.state, options.ports == "auto", Progress(phases))


@contextmanager
def exclusive(stack: Stack) -> Iterator[None]:
    """Only one command at a time may change an instance."""
    with (stack.layout.state / "control.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            raise StackFailure(
                f"another command (pid {lock.read().strip() or 'unknown'}) is changing {stack.layout.state}",
                "wait for it or interrupt it",
            ) from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def known(stack: Stack, names: list[str] | None) -> list[str]:
    """The asked services, all by default."""
    for name in names or []:
        if name not in stack.services:
            raise StackFailure(f"there is no service {name!r}", f"choose from {', '.join(stack.services)}")
    return names or list(stack.services)


def with_stack(options: argparse.Namespace, action) -> None:
    """One step on a running instance, alone."""
    stack = open_stack(options)
    with exclusive(stack):
        action(stack)


def submit_jobs(stack: Stack) -> None:
    builds.jobs_jar(stack.layout, stack.progress)
    jobs.submit(stack)


def command_up(options: argparse.Namespace) -> None:
    stack = open_stack(options)
    with exclusive(stack):
        if options.only:
            stack.start(*known(stack, options.only))
            return
        pipeline.check(stack)
        pipeline.install(stack, dashboards=True)
        pipeline.build(stack, tuple(builds.GO_PROGRAMS))
        with stack.undone_on_failure():
            pipeline.start(stack, dashboards=True)
            steps.apply_dashboards(stack)


def command_down(options: argparse.Namespace) -> None:
    stack = open_stack(options)
    with exclusive(stack):
        if options.only:
            stack.stop(*known(stack, options.only))
        else:
            pipeline.stop(stack)


def command_demo(options: argparse.Namespace) -> None:
    stack = open_stack(options, demo.PHASES)
    with exclusive(stack):
        demo.run(stack, options.replay)


def command_load_catalog(options: argparse.Namespace) -> None:
    with_stack(options, lambda stack: steps.load_catalog(stack, options.file))


def command_status(options: argparse.Namespace) -> int:
    """Non-zero when something that was started no longer works."""
    stack = open_stack(options)
    lines, healthy = status.lines(stack)
    print("\n".join(lines))
    return 0 if healthy else 1


def command_logs(options: argparse.Namespace) -> None:
    stack = open_stack(options)
    names = known(stack, [options.service] if options.service else None)
    files = [str(stack.layout.log(name)) for name in names if stack.layout.log(name).exists()]
    if not files:
        raise StackFailure(f"there is no log in {stack.layout.logs}", "start something first, for example make demo")
    sys.stdout.flush()
    os.execvp("tail", ["tail", "--lines=40", "--follow=name", "--retry", *files])


def command_report(options: argparse.Namespace) -> None:
    stack = open_stack(options)
    if not stack.running("clickhouse"):
        raise StackFailure("ClickHouse is not running", "start it with make demo")
    if steps.answer(stack, options.name, options.arguments) != 0:
        raise StackFailure("the report was not printed", "the line above says why")


def command_make_bpf(options: argparse.Namespace) -> None:
    log = sections.RESULTS / "bpf.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    toolcheck.ensure(log, Progress(), [*toolcheck.required(), *toolcheck.BPF_COMPILER])
    argv = ["go", "generate", "./internal/sampler/ebpf"]
    artefacts.run_logged(argv, log, "correct what the compiler reports", cwd=REPOSITORY / "collectors")


def command_test(options: argparse.Namespace) -> int:
    chosen = sections.fast() if options.fast else sections.full()
    chosen += [section for section in sections.on_request() if section.name in options.sections]
    names = [section.name for section in (*chosen, *sections.on_request())]
    for name in options.sections:
        if name not in names:
            raise StackFailure(f"there is no section {name!r}", f"choose from {', '.join(names)}")
    log = sections.RESULTS / "apt.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    toolcheck.ensure(log, Progress(), [*toolcheck.required(), toolcheck.COMPILER, toolcheck.UNIT_CHECKER])
    return test_run.run([section for section in chosen if not options.sections or section.name in options.sections])
