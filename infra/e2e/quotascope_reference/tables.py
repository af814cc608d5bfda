"""Every table as the log determines it: {table: {key of a row: row}}, columns named as in ClickHouse."""

from collections import defaultdict
from collections.abc import Iterable

from quotascope_reference import hours, judgements, ranking
from quotascope_reference.intake import MINUTE_US, Accepted, Intake, clock_ms, closes_at_ms, take_in
from quotascope_reference.judgements import REVISION, Reservation
from quotascope_reference.packing import pack_histogram, pack_varints
from quotascope_reference.service_windows import Closed, Key, Members, closed_parts, quota_class, summed
from quotascope_reference.wire import (
    CPU_USAGE_WINDOWS,
    HOST_WINDOWS,
    INPUTS,
    SERVICE_CATALOG,
    SHARD_IDENTITIES,
    Message,
    Schemas,
)

MINUTE_KEY = ("origin", "cluster", "service", "quota_class", "window_start", "part")
KEYS = {
    "shard_windows": ("origin", "cluster", "service", "shard", "shard_id", "window_start", "host_id", "agent_epoch", "seq"),
    "host_windows": ("origin", "cluster", "host_id", "window_start", "agent_epoch", "seq"),
    "shard_identities": ("origin", "cluster", "host_id", "shard_id"),
    "service_windows": MINUTE_KEY,
    "thread_ratios": MINUTE_KEY,
    "throttling_summaries": MINUTE_KEY,
    "tuning_ranks": MINUTE_KEY,
    "service_hours": MINUTE_KEY,
}
# What one revision adds to a row's version: judgements number the catalog's versions below it, hours the rows merged as well.
VERSION_STEPS = (
    dict.fromkeys(("shard_windows", "host_windows", "service_windows"), 1)
    | dict.fromkeys(("thread_ratios", "throttling_summaries", "tuning_ranks"), 2**32)
    | {"service_hours": 1 << hours.CATALOG_SHIFT}
)
# What a tuning change is worth, as savings and risk were known when the rank was judged: no function of these topics. A row says
# which judgements it knew, and what follows from those is compared by scenario/worth.py.
VALUE = (
    "setting_text", "fix_set", "tunable_cores", "tunable_cores_low", "tunable_cores_high", "savings_usd_per_year",
    "savings_usd_per_year_low", "savings_usd_per_year_high", "success_probability", "effort_days",
    "savings_usd_per_year_per_effort_day", "risk_removed", "death_spiral_risk", "savings_analysed_at_us", "risk_analysed_at_us",
    "worth_usd_per_year_per_effort_day", "value_reasons",
)  # fmt: skip
NOT_COMPARED = {"tuning_ranks": VALUE}
NOT_STORED = {
    "shard_windows": ("usage_histogram", "second_order", "runnable_histogram", "exemplar"),
    "host_windows": ("usage_histogram", "service_records", "first_records"),
}
INSTANTS = ("window_start_us", "observed_at_us", "changed_at_us", "first_heard_us", "heard_until_us")
RENAMED = {name: name.removesuffix("_us") for name in INSTANTS}
HISTOGRAMS = ("usage_histogram", "used_cores_histogram", "throttled_ratio_histogram", "threads_histogram", "runnable_histogram")

Table = dict[tuple, dict]


class Reference:
    """The whole answer: tables, dead letters, where every message went, and the clock that closes parts."""

    def __init__(self, messages: Iterable[Message], partitions: dict[str, int], schemas: Schemas):
        messages = list(messages)
        inputs = [message for message in messages if message.topic in INPUTS]
        # Windows are made of these two topics; identities only describe shards and hold no clock back.
        clocked = {topic: partitions[topic] for topic in (CPU_USAGE_WINDOWS, HOST_WINDOWS)}
        self.messages = len(inputs)
        self.schemas = schemas
        self.clock_ms = clock_ms(inputs, clocked)
        self.intake: Intake = take_in(inputs, schemas)
        self.catalog = catalog(messages, schemas)
        self.tables: dict[str, Table] = {name: {} for name in KEYS}
        self._measurements()
        self._judgements()

    def closed(self, row: dict, table: str = "") -> bool:
        """Whether the clock has closed the part that a row belongs to."""
        if table == "service_hours":
            late = closes_at_ms(row["window_start"], row["part"]) if row["part"] else 0
            closes = hours.hour_closes_at_ms(row["window_start"], row["part"], late)
            return closes + hours.WRITTEN_AFTER_MS <= self.clock_ms
        minute = row["window_start"] // MINUTE_US * MINUTE_US
        return closes_at_ms(minute, row["part"]) <= self.clock_ms

    def all_closed(self) -> bool:
        """Whether the clock has closed every part that an accepted record fell into."""
        accepted = [each for topic in (CPU_USAGE_WINDOWS, HOST_WINDOWS) for each in self.intake.accepted[topic]]
        return all(closes_at_ms(each.minute, each.part) <= self.clock_ms for each in accepted)

    def at_revision(self, revision: int) -> "Reference":
        """What a deliberate reprocessing makes of the same log: the same rows of greater versions. Changes this reference."""
        risen = revision - REVISION
        for table, step in VERSION_STEPS.items():
            for row in self.tables[table].values():
                row["version"] += risen * step
        for row in self.tables["service_windows"].values():
            row["revision"] += risen
        return self

    def _measurements(self) -> None:
        for topic, table in ((CPU_USAGE_WINDOWS, "shard_windows"), (HOST_WINDOWS, "host_windows")):
            for accepted in self.intake.accepted[topic]:
                row = record_row(table, accepted)
                if self.closed(row):
                    self._put(table, row)
        latest = sorted(self.intake.accepted[SHARD_IDENTITIES], key=lambda accepted: accepted.record["observed_at_us"])
        for accepted in latest:
            self._put("shard_identities", stored(accepted.record))

    def _judgements(self) -> None:
        known: dict[Key, dict[int, Members]] = defaultdict(dict)
        for closed in closed_parts(self.intake, self.clock_ms):
            self._put("service_windows", service_window_row(closed))
            minutes = known[closed.key]
            minutes[closed.minute] = minutes.get(closed.minute, Members()) + closed.members
            self._judge(closed, minutes)
        for row in hours.hour_rows(closed_parts(self.intake, self.clock_ms), self._reservation).values():
            if self.closed(stored(row), "service_hours"):
                self._put("service_hours", stored(row))

    def _reservation(self, key: Key) -> Reservation:
        return Reservation.of(self.catalog.get((key[1], key[2])))

    def _judge(self, closed: Closed, minutes: dict[int, Members]) -> None:
        reservation = self._reservation(closed.key)
        merged = summed(minutes[closed.minute])
        place = (closed.key, closed.minute, closed.part)
        self._put("thread_ratios", stored(judgements.thread_ratio(*place, merged, reservation)))
        self._put("throttling_summaries", stored(judgements.throttling_summary(*place, merged, reservation)))
        first = closed.minute - (ranking.HORIZON_MINUTES - 1) * MINUTE_US
        horizon = {minute: members for minute, members in minutes.items() if first <= minute <= closed.minute}
        self._put("tuning_ranks", stored(ranking.tuning_rank(*place, horizon, reservation)))

    def _put(self, table: str, row: dict) -> None:
        self.tables[table][tuple(row[name] for name in KEYS[table])] = row


def catalog(messages: Iterable[Message], schemas: Schemas) -> dict[tuple[str, str], dict]:
    """The last entry of every service, in the order of the log."""
    entries = {}
    for message in sorted((m for m in messages if m.topic == SERVICE_CATALOG), key=lambda m: (m.partition, m.offset)):
        if message.value is not None:
            entry = schemas.decode(SERVICE_CATALOG, message.value)
            entries[entry["cluster"], entry["service"]] = entry
    return entries


def stored(record: dict) -> dict:
    """A row as ClickHouse shows it: instants renamed, bytes as hexadecimal digits."""
    return {RENAMED.get(name, name): hexed(value) for name, value in record.items()}


def hexed(value: object) -> object:
    return value.hex().upper() if isinstance(value, bytes) else value


def record_row(table: str, accepted: Accepted) -> dict:
    fields = {name: value for name, value in accepted.record.items() if name not in NOT_STORED[table]}
    row = stored(fields) | {"append_time": accepted.append_time_ms, "part": accepted.part, "version": REVISION}
    row["missing_before"] = accepted.missing_before
    if table == "shard_windows":
        row["quota_class"] = quota_class(row["quota_us"], row["period_us"])
        # ClickHouse has no nullable array.
        row["excursion_threads"] = row["excursion_threads"] or []
    return row


def service_window_row(closed: Closed) -> dict:
    sums = summed(closed.members)
    for name in HISTOGRAMS:
        sums[name] = None if sums[name] is None else pack_histogram(sums[name])
    for name in ("second_order", "between_shards"):
        sums[name] = pack_varints(sums[name])
    return stored(dict(zip(MINUTE_KEY[:4], closed.key, strict=True)) | sums) | {
        "window_start": closed.minute,
        "part": closed.part,
        "window_us": MINUTE_US,
        "revision": REVISION,
        "version": REVISION,
        "layout_version": 1,
    }
