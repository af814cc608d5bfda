"""What is known of the lab's services before the run: what concurrency costs one of them, and the requests of another minute."""

from confluent_kafka import Producer
from quotascope_reference.wire import CONCURRENCY_COSTS, SERVICE_LOAD, Schemas

from scenario import load

MEASURED = "search-fanout"
KAPPA = 0.3
MINUTE_US = 60_000_000
REQUESTS = 1_234


def cost(origin: str) -> dict:
    """As yesterday's minutes would have proved it; a run of two minutes proves nothing."""
    return {
        "origin": origin, "cluster": load.CLUSTER, "service": MEASURED, "measured_at_us": 20_000 * 86_400_000_000,
        "minutes": 900, "kappa": KAPPA, "kappa_low": 0.2, "kappa_high": 0.4, "version": 1,
    }  # fmt: skip


def requests(origin: str, window_start_us: int) -> dict:
    """A minute of requests of the same service."""
    return {
        "origin": origin, "cluster": load.CLUSTER, "service": MEASURED, "window_start_us": window_start_us, "window_us": MINUTE_US,
        "source": "csv", "requests": REQUESTS, "errors": None, "timeouts": None, "retries": None, "latency_bounds_us": [],
        "latency_requests": [], "version": 1,
    }  # fmt: skip


def put(bootstrap: str, origin: str, now_us: int) -> None:
    """On the topics before the first record, so that every row rests on it."""
    schemas = Schemas()
    key = f"{origin}/{load.CLUSTER}/{MEASURED}".encode()
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all"})
    producer.produce(CONCURRENCY_COSTS, key=key, value=schemas.encode(CONCURRENCY_COSTS, cost(origin)))
    minute = requests(origin, now_us // MINUTE_US * MINUTE_US)
    producer.produce(SERVICE_LOAD, key=key, value=schemas.encode(SERVICE_LOAD, minute))
    if producer.flush(30):
        raise TimeoutError("what is known beforehand did not reach its topics within 30 s")
