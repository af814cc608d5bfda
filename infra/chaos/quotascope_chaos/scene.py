"""One fault's own hosts and services, the traffic they send while it strikes, and what the log says about them afterwards."""

import random
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from quotascope_native.failure import StackFailure
from quotascope_reference import compare, dump
from quotascope_reference.intake import MINUTE_US
from quotascope_reference.tables import Reference
from quotascope_reference.wire import DEAD_LETTERS, INPUTS, SERVICE_CATALOG, SERVICE_WINDOWS, TUNING_RANKS, Message
from quotascope_sql.server import SqlFailure
from scenario import models, worth

from quotascope_chaos import traffic
from quotascope_chaos.stand import Stand

# A minute of the log takes this long; a host's records arrive two seconds after their minute.
PACE_S = 1.5
ARRIVES_AFTER_MS = 2_000
RECOVERED_WITHIN_S = 120
CLOSED_WITHIN_S = 120
EQUAL_WITHIN_S = 180
# What rests on lines and words of a release, and not on the log alone: where in their keys the start of the time is told.
OF_A_RELEASE = dict.fromkeys((TUNING_RANKS, "collapse_risks", "what_if_outcomes", "savings_estimates"), 4) | {"fleet_totals": 3, "host_hours": 3}
# An analysis of a late part waits for two minutes of the log, and then for a tick.
ANALYSED_AFTER_MS = 200_000
PAUSE_S = 1.0


class Scene:
    """Everything of one fault that no other fault shares: a cluster's name, its hosts, its stretch of the log."""

    def __init__(self, stand: Stand, name: str, seed: int, hosts: int = 3, services: int = 2):
        self.stand = stand
        self.cluster = f"chaos-{name}"
        # Whose rows are compared, all of them for None, and at which reprocessing revision.
        self.compared: str | None = self.cluster
        self.revision = stand.revision
        # Which tables are compared with those of the program without Flink.
        self.judged: Collection[str] = tuple(models.KEYS)
        # Minutes before this one were judged by the jobs of another release, by its lines and in its words.
        self.own_since_us = 0
        self.chance = random.Random(f"{seed}/{name}")
        self.since = dump.ends(stand.bootstrap, (*INPUTS, SERVICE_WINDOWS, DEAD_LETTERS))
        self.sender = traffic.Sender(stand.bootstrap)
        self.minute_us = (stand.clock.now_ms() * 1000 // MINUTE_US + 1) * MINUTE_US
        self.agents = traffic.fleet(self.cluster, stand.twins, f"{seed}/{name}", self.minute_us, hosts, services)
        # What a fault wants to be read beside its result.
        self.notes: list[str] = []
        # What a fault has measured itself.
        self.recovered_s: float | None = None
        # How many rows of tables the log and the oracle ask for: what equality was shown of.
        self.rows_compared = 0
        self.rows_judged: models.Tables = {}
        self._sending = threading.Lock()

    def arrive(self, minute_us: int) -> None:
        """Let the log reach the time at which records of a minute arrive."""
        self.stand.clock.reach((minute_us + MINUTE_US) // 1000 + ARRIVES_AFTER_MS)

    def minutes(self, count: int, agents: Iterable[traffic.Agent] | None = None) -> None:
        """Sound traffic, one minute of the log after the other."""
        for _ in range(count):
            with self._sending:
                self.arrive(self.minute_us)
                self.sender.send(traffic.minutes_of(self.agents if agents is None else agents, self.minute_us, self.stand.schemas))
                self.minute_us += MINUTE_US

    @contextmanager
    def traffic(self) -> Iterator[None]:
        """Minutes at a steady pace for as long as the block lasts."""
        ended = threading.Event()
        trouble: list[BaseException] = []

        def keep_sending() -> None:
            try:
                while not ended.is_set():
                    self.minutes(1)
                    ended.wait(PACE_S)
            except BaseException as error:
                trouble.append(error)

        thread = threading.Thread(target=keep_sending, daemon=True, name=f"traffic-{self.cluster}")
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join(traffic.FLUSH_S)
        if trouble:
            raise trouble[0]

    def recovery_s(self) -> float:
        """Seconds until a minute that begins only now is a judged row."""
        began = time.monotonic()
        awaited = self.minute_us
        while True:
            if self.judged_until() >= awaited:
                return time.monotonic() - began
            if time.monotonic() - began > 2 * RECOVERED_WITHIN_S:
                raise StackFailure(
                    f"no row of {self.cluster} for {2 * RECOVERED_WITHIN_S} s after the fault ended",
                    "read the logs of the task manager and the job manager",
                    self.stand.stack.layout.logs,
                )
            time.sleep(0.2)

    def judged_until(self) -> int:
        try:
            rows = self.stand.clickhouse.rows(
                "SELECT toUnixTimestamp64Micro(max(window_start)) AS newest FROM quotascope.throttling_summaries"
                " WHERE cluster = {cluster:String} SETTINGS max_execution_time = 10",
                {"cluster": self.cluster},
            )
        except SqlFailure:
            return 0
        return rows[0]["newest"] if rows else 0

    def closed(self) -> Reference:
        """What this stretch of the log says, once its clock has closed every part of it, and every hour."""
        deadline = time.monotonic() + CLOSED_WITHIN_S
        over_ms = self.stand.clock.pass_hour()
        while time.monotonic() < deadline:
            time.sleep(PAUSE_S)
            reference = self.reference()
            # A late part closes with a quarter of an hour, and hence with the hour at the latest.
            if reference.clock_ms >= over_ms:
                return reference
        raise StackFailure("the log's clock closes no part", "do ticks reach every partition?", self.stand.stack.layout.logs)

    def messages(self) -> list[Message]:
        return dump.read(self.stand.bootstrap, INPUTS, self.since)

    def reference(self) -> Reference:
        known = self.messages() + dump.read(self.stand.bootstrap, [SERVICE_CATALOG])
        return Reference(known, dump.partitions(self.stand.bootstrap, INPUTS), self.stand.schemas).at_revision(self.revision)

    def differences(self, reference: Reference) -> list[compare.Difference]:
        """What tables and topics say otherwise than the log, after the sinks had time to flush; measurements, then models."""
        server = self.stand.clickhouse
        self.rows_compared = self._own_rows(reference.tables)
        found = settled(
            lambda: self._of_own(compare.all_differences(reference, server, self._written(), self.stand.schemas, self.compared)),
            lambda: self.stand.clock.step(20_000),
        )
        if found:
            return found
        self.stand.clock.step(ANALYSED_AFTER_MS)
        weighed = worth.named(reference, compare.stored_rows(server, TUNING_RANKS, self.compared)) if "savings_estimates" in self.judged else {}
        folder = self.stand.stack.layout.state / f"oracle-{self.cluster}"
        self.rows_judged = wanted = self._rows_of_models(reference, folder, worth.argument(reference, weighed, folder))
        self.rows_compared += self._own_rows(wanted)
        found = settled(
            lambda: self._of_own(models.differences(wanted, server, self.compared, reference.clock_ms)), lambda: self.stand.clock.step(60_000)
        )
        return found or self._of_own(worth.differences(weighed, folder)) + worth.latest_differences(server, weighed, self.compared)

    def _is_own(self, table: str, key: tuple) -> bool:
        return table not in OF_A_RELEASE or key[OF_A_RELEASE[table]] >= self.own_since_us

    def _of_own(self, found: list[compare.Difference]) -> list[compare.Difference]:
        return [each for each in found if self._is_own(each.where, each.key)]

    def _own_rows(self, tables: Mapping[str, Collection]) -> int:
        return sum(1 for table, rows in tables.items() for key in rows if self._is_own(table, key))

    def _rows_of_models(self, reference: Reference, folder: Path, ranks: Iterable[str]) -> models.Tables:
        properties = self.stand.stack.layout.state / "jobs.properties"
        rows = models.expected(reference, self.stand.bootstrap, properties, folder, self.since, self.revision, self.judged, ranks)
        return {table: {key: row for key, row in found.items() if self.compared in (None, row["cluster"])} for table, found in rows.items()}

    def _written(self) -> list[Message]:
        """What the jobs wrote about this cluster; after a restart they repeat rows of earlier faults too."""
        return [message for message in dump.read(self.stand.bootstrap, (SERVICE_WINDOWS, DEAD_LETTERS), self.since) if self._own(message)]

    def _own(self, message: Message) -> bool:
        if message.topic == DEAD_LETTERS:
            topic, partition, offset = (message.key or b"//0").decode().split("/")
            return int(offset) >= self.since.get((topic, int(partition)), 0)
        if message.value is None:
            return False
        row = self.stand.schemas.decode(SERVICE_WINDOWS, message.value)
        return row["revision"] == self.revision and self.compared in (None, row["cluster"])


def settled(look: Callable[[], list], between: Callable[[], object] = lambda: None) -> list:
    """The differences that remain when none vanishes any more within the time that sinks may take."""
    deadline = time.monotonic() + EQUAL_WITHIN_S
    while (found := look()) and time.monotonic() < deadline:
        between()
        time.sleep(PAUSE_S)
    return found
