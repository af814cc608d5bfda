"""The bounds of every field, looked at in the order of the schema: the first fault is the reason."""

from quotascope_reference.packing import (
    RUNNABLE_BUCKETS,
    SECOND_ORDER_NUMBERS,
    USAGE_BUCKETS,
    numbers_of_a_record,
    unpack_histogram,
)
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS, Refused

EXACT_MAX = 2**53
LONG_MAX = 2**63 - 1
USAGE_US_MAX = 10_000_000 * 4096
COUNT = (0, EXACT_MAX)
PERIOD = (1_000, 1_000_000)

SENDER = {"agent_epoch": (1, LONG_MAX), "seq": (0, LONG_MAX)}
NUMBERS = {
    CPU_USAGE_WINDOWS: SENDER
    | {"sample_interval_us": (1_000, 1_000_000), "usage_us": (0, USAGE_US_MAX), "layout_version": (1, 1)}
    | {"quota_us": (1, EXACT_MAX), "period_us": PERIOD}
    | {"cpus_allowed": (1, 8192), "period_phase_us": (0, PERIOD[1])},
    HOST_WINDOWS: SENDER | {"layout_version": (1, 1), "protection_step": (0, 3)},
}
TEXTS = {
    CPU_USAGE_WINDOWS: ("host_id", "cluster", "service", "shard"),
    HOST_WINDOWS: ("host_id", "cluster", "kernel_release", "protection_reason"),
}
# Any number: a time that its own check judges, or a hash.
UNBOUNDED = ("window_start_us", "shard_id")


def check(topic: str, record: dict) -> None:
    """Refused with invalid_field:<name> at the first field outside its bounds."""
    for name, value in record.items():
        if value is None or name in UNBOUNDED:
            continue
        if name in TEXTS[topic]:
            _text(name, value)
        elif name == "second_order":
            _second_order(value, record["samples"])
        elif name in ("usage_histogram", "runnable_histogram"):
            _histogram(name, value, record["samples"])
        elif name in ("service_records", "first_records"):
            _service_records(name, value)
        elif name == "drops":
            for count in value.values():
                _number(name, count, COUNT)
        elif isinstance(value, int):
            _number(name, value, NUMBERS[topic].get(name, COUNT))


def _refuse(name: str, found: str) -> None:
    raise Refused(f"invalid_field:{name}", f"{name} is {found}")


def _text(name: str, value: str) -> None:
    if not 1 <= len(value) <= 512:
        _refuse(name, f"{len(value)} characters long")


def _number(name: str, value: int, bounds: tuple[int, int]) -> None:
    if not bounds[0] <= value <= bounds[1]:
        _refuse(name, f"{value}, expected {bounds[0]} to {bounds[1]}")


def _histogram(name: str, packed: bytes, samples: int) -> None:
    exactly = name == "usage_histogram"
    try:
        total = sum(unpack_histogram(packed, USAGE_BUCKETS if exactly else RUNNABLE_BUCKETS).values())
    except ValueError as error:
        _refuse(name, str(error))
    if total != samples and (exactly or total > samples):
        _refuse(name, f"of {total} samples and not of {samples}")


def _second_order(packed: bytes, samples: int) -> None:
    try:
        numbers = numbers_of_a_record(packed)
    except ValueError as error:
        _refuse("second_order", str(error))
    if len(numbers) != SECOND_ORDER_NUMBERS or numbers[0] != samples:
        _refuse("second_order", f"{len(numbers)} numbers for {samples} samples")


def _service_records(field: str, statements: list[dict]) -> None:
    for stated in statements:
        _text(f"{field}.service", stated["service"])
        for name, bounds in (("quota_us", (1, EXACT_MAX)), ("period_us", PERIOD), ("shard_records", COUNT)):
            if stated[name] is not None:
                _number(f"{field}.{name}", stated[name], bounds)
