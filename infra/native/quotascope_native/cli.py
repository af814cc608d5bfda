"""The commands of `infra/native/run`."""

import argparse
import fcntl
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from quotascope_native.failure import StackFailure
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

    up = add("up", command_up, "start services and wait until they are ready")
    up.add_argument("--only", nargs="+", metavar="SERVICE", help="these services instead of all")
    down = add("down", command_down, "stop services, all by default")
    down.add_argument("--only", nargs="+", metavar="SERVICE")
    add("status", command_status, "which services run")
    return parser


def open_stack(options: argparse.Namespace, steps: int = 0) -> Stack:
    return Stack.open(options.state, options.ports == "auto", Progress(steps))


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


def command_up(options: argparse.Namespace) -> None:
    stack = open_stack(options)
    with exclusive(stack):
        stack.start(*known(stack, options.only))


def command_down(options: argparse.Namespace) -> None:
    stack = open_stack(options)
    with exclusive(stack):
        stack.stop(*known(stack, options.only))


def command_status(options: argparse.Namespace) -> None:
    stack = open_stack(options)
    for name, service in stack.services.items():
        state = "stopped" if not stack.running(name) else "ready" if service.ready() else "not ready"
        print(f"{name:<14} {state:<10} {' '.join(str(stack.ports[port]) for port in service.ports)}")
