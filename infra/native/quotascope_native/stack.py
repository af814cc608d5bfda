"""One instance of the stack: start, stop, kill and look at its services. Tests use this class as commands do."""

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

from quotascope_native import credentials, processes
from quotascope_native import ports as port_numbers
from quotascope_native.catalogue import all_services
from quotascope_native.failure import StackFailure
from quotascope_native.layout import Layout
from quotascope_native.ports import Ports
from quotascope_native.progress import Progress
from quotascope_native.service import Service

POLL_S = 0.1


class Stack:
    """A set of services that share a state folder. Nothing runs until `start`."""

    def __init__(self, layout: Layout, ports: Ports, progress: Progress | None = None):
        self.layout = layout
        self.ports = ports
        self.progress = progress or Progress()
        self.services: dict[str, Service] = {service.name: service for service in all_services(layout, ports)}
        self._started: list[str] = []

    @staticmethod
    def open(state: str | None = None, auto_ports: bool = False, progress: Progress | None = None) -> "Stack":
        """An instance by its folder, created if need be; `auto_ports` picks free ports the first time."""
        layout = Layout.resolve(state)
        try:
            layout.create()
        except OSError as error:
            raise StackFailure(f"cannot write {layout.state}: {error.strerror}", "set QUOTASCOPE_STATE to a writable folder") from error
        ports = port_numbers.resolve(layout.state, auto_ports)
        port_numbers.save(layout.state, ports)
        credentials.ensure(layout.secrets)
        stack = Stack(layout, ports, progress)
        stack._write_endpoints()
        return stack

    def start(self, *names: str) -> None:
        """Bring services up in the given order. Running ones are kept; on failure those started here end again."""
        with self.undone_on_failure():
            idle = [name for name in names if not self.running(name)]
            for name in idle:
                # What an earlier, crashed service left behind would hold its ports.
                processes.end(self.layout.state, name, grace_s=5)
            self.require_ports(tuple(idle))
            for name in idle:
                self.services[name].install(self.progress)
            if idle:
                self._launch_all([self.services[name] for name in idle])

    def require_ports(self, names: tuple[str, ...]) -> None:
        """Fail if another process holds a port of a service that does not run yet."""
        idle = [name for name in names if not self.running(name)]
        port_numbers.require_free(self.ports, [port for name in idle for port in self.services[name].ports])

    def stop(self, *names: str, hurry: bool = False) -> None:
        """End services, all by default, in the reverse order of the list. Stopping what is stopped is fine.

        In a hurry the lab does not keep its cgroups until their last window is collected.
        """
        for name in reversed(names or tuple(self.services)):
            service = self.services[name]
            if processes.end(self.layout.state, name, service.stop_grace_s, service.hurry_after_s if hurry else None):
                self.progress.say(f"{name}: stopped")

    def restart(self, name: str) -> None:
        """Stop and start one service on the same ports and files."""
        self.stop(name)
        self.start(name)

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        """Send one signal to a service's process, as a fault to be survived."""
        processes.kill(self.layout.state, name, number)

    def running(self, name: str) -> bool:
        return processes.recorded(self.layout.state, name) is not None

    def endpoints(self) -> dict[str, str]:
        """Addresses as in endpoints.json."""
        return {
            "kafka": self.ports.address("kafka"),
            "flink_rest": self.ports.url("flink_rest"),
            "clickhouse_http": self.ports.url("clickhouse_http"),
            "superset": self.ports.url("superset"),
        }

    def secret(self, name: str) -> str:
        return credentials.read(self.layout.secrets, name)

    @contextmanager
    def undone_on_failure(self) -> Iterator[None]:
        """Whatever is started inside is stopped again when the block fails or is interrupted."""
        before = list(self._started)
        try:
            yield
        except BaseException:
            for name in reversed([name for name in self._started if name not in before]):
                self.stop(name, hurry=True)
            self._started = before
            raise

    def _write_endpoints(self) -> None:
        self.layout.endpoints.write_text(json.dumps(self.endpoints(), indent=2) + "\n")

    def _launch_all(self, services: list[Service]) -> None:
        """Start the processes one after another and wait for all: their start-up times overlap."""
        started = time.monotonic()
        logs = self.layout.log(services[0].name) if len(services) == 1 else self.layout.logs
        with self.progress.step(f"starting {', '.join(service.name for service in services)}", logs):
            for service in services:
                self._spawn(service)
            waiting = list(services)
            while waiting:
                for service in [one for one in waiting if self._is_up(one, started)]:
                    waiting.remove(service)
                    self.progress.say(f"      {service.name} is ready after {time.monotonic() - started:.1f} s")
                time.sleep(POLL_S)

    def _spawn(self, service: Service) -> None:
        log = self.layout.log(service.name)
        if log.exists():
            log.replace(log.with_suffix(".previous.log"))
        launch = service.prepare()
        self._started.append(service.name)
        processes.spawn(self.layout.state, service.name, launch.argv, launch.env, launch.cwd, log)

    def _is_up(self, service: Service, started: float) -> bool:
        """Whether the service is ready; a failure if its process is gone or its time is up."""
        log = self.layout.log(service.name)
        if not self.running(service.name):
            raise StackFailure(f"{service.name} ended while it was starting", "read its log for the cause", log)
        if service.ready():
            return True
        if time.monotonic() - started > service.ready_within_s:
            raise StackFailure(
                f"{service.name} did not become ready within {service.ready_within_s:.0f} s",
                "read its log; on a busy machine start again",
                log,
            )
        return False
