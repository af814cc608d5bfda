"""What becomes of each message: accepted, dead letter, duplicate or tick; and the log's clock.

Everything here is a function of the log alone, message by message in the order of each partition.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from quotascope_reference import bounds
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS, INPUTS, SHARD_IDENTITIES, Message, Refused, Schemas

WINDOW_US = 10_000_000
MINUTE_US = 60_000_000
ON_TIME_MS = 30_000
LATE_PART_MS = 900_000
AHEAD_MS_MAX = 60_000
AGE_MS_MAX = 23_400_000
MARK_KEPT_MS = AGE_MS_MAX + AHEAD_MS_MAX


def minute_of(window_start_us: int) -> int:
    return window_start_us // MINUTE_US * MINUTE_US


def part_of(minute_start_us: int, append_time_ms: int) -> int:
    """0 when appended within 30 s of the minute's end, else the quarter of an hour of the append time."""
    minute_end_ms = (minute_start_us + MINUTE_US) // 1000
    return 0 if append_time_ms <= minute_end_ms + ON_TIME_MS else append_time_ms // LATE_PART_MS


def closes_at_ms(minute_start_us: int, part: int) -> int:
    """The instant of the log's clock at which nothing can join the part any more."""
    if part == 0:
        return (minute_start_us + MINUTE_US) // 1000 + ON_TIME_MS
    return (part + 1) * LATE_PART_MS - 1


def check_time(record: dict, append_time_ms: int) -> None:
    """Quarantine by the record's own clock against the log's."""
    start = record["window_start_us"]
    if start % WINDOW_US:
        raise Refused("unaligned_window", f"window_start_us is {start}")
    end_ms = (start + WINDOW_US) // 1000
    if end_ms > append_time_ms + AHEAD_MS_MAX:
        raise Refused("ahead_of_time", f"the window ends {end_ms - append_time_ms} ms after its append time")
    if append_time_ms - end_ms > AGE_MS_MAX:
        raise Refused("too_old", f"the window ended {append_time_ms - end_ms} ms before its append time")


@dataclass(frozen=True)
class Accepted:
    """A record of the log with what the log adds to it."""

    record: dict
    append_time_ms: int
    # Records of the same run that the log lacks just before this one; None where the log may simply begin.
    missing_before: int | None = None

    @property
    def minute(self) -> int:
        return minute_of(self.record["window_start_us"])

    @property
    def part(self) -> int:
        return part_of(self.minute, self.append_time_ms)


@dataclass
class Intake:
    """Where every message went. Each message is in exactly one of the lists or counts."""

    accepted: dict[str, list[Accepted]] = field(default_factory=lambda: {topic: [] for topic in INPUTS})
    dead_letters: dict[str, Refused] = field(default_factory=dict)
    duplicates: Counter = field(default_factory=Counter)
    ticks: Counter = field(default_factory=Counter)
    gaps: Counter = field(default_factory=Counter)
    # Numbers below the first one that is known of a run: it may have begun before the log, or its mark's age has ended.
    before_first: Counter = field(default_factory=Counter)

    def difference(self, messages: int) -> int:
        """Messages that went nowhere: 0, or there is silent loss."""
        went = sum(len(found) for found in self.accepted.values()) + len(self.dead_letters)
        return messages - went - self.duplicates.total() - self.ticks.total()


def take_in(messages: Iterable[Message], schemas: Schemas) -> Intake:
    """Decide over all messages of the input topics."""
    result = Intake()
    marks: dict[tuple[str, str, int], Mark] = {}
    for message in sorted(messages, key=lambda m: (m.topic, m.partition, m.offset)):
        if message.value is None:
            result.ticks[message.topic] += 1
            continue
        try:
            record = schemas.decode(message.topic, message.value)
            if message.topic != SHARD_IDENTITIES:
                bounds.check(message.topic, record)
                check_time(record, message.append_time_ms)
        except Refused as refused:
            result.dead_letters[message.position] = refused
            continue
        missing = None
        if message.topic in (CPU_USAGE_WINDOWS, HOST_WINDOWS):
            is_new, missing = _follow(message, record, marks, result)
            if not is_new:
                continue
        result.accepted[message.topic].append(Accepted(record, message.append_time_ms, missing))
    return result


@dataclass(frozen=True)
class Mark:
    """The greatest number seen of one run of one agent, and when the log took it."""

    seq: int
    append_time_ms: int


def _follow(message: Message, record: dict, marks: dict[tuple[str, str, int], Mark], result: Intake) -> tuple[bool, int | None]:
    """Whether a seq is above the high-water mark of its sender, and how many it skips; a mark ends with its age."""
    sender = (message.topic, record["host_id"], record["agent_epoch"])
    mark, seq = marks.get(sender), record["seq"]
    if mark is not None and message.append_time_ms - mark.append_time_ms > MARK_KEPT_MS:
        mark = None
    if mark is not None and seq <= mark.seq:
        result.duplicates[message.topic] += 1
        return False, None
    marks[sender] = Mark(seq, message.append_time_ms)
    if mark is None and seq > 0:
        result.before_first[message.topic] += seq
        return True, None
    skipped = seq - mark.seq - 1 if mark else 0
    result.gaps[message.topic] += skipped
    return True, skipped


def clock_ms(messages: Iterable[Message], partitions: dict[str, int]) -> int:
    """The log's clock: the least, over all partitions, of the greatest append time, less 1 ms.

    A partition without any message holds the clock back; ticks are what moves an empty one.
    """
    latest = {(topic, partition): -1 for topic, count in partitions.items() for partition in range(count)}
    for message in messages:
        at = (message.topic, message.partition)
        if at in latest:
            latest[at] = max(latest[at], message.append_time_ms)
    return min(latest.values()) - 1
