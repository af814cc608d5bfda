"""Records for the tests: sound by default, and a log that a test fills message by message."""

from quotascope_reference.packing import pack_histogram, pack_varints
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS, SERVICE_CATALOG, Message, Schemas

SCHEMAS = Schemas()
# 2090-01-01 00:00:00 UTC, the start of a minute and of a quarter of an hour; so far ahead that no TTL ends the rows.
MINUTE_MS = 3_786_912_000_000
MINUTE_US = MINUTE_MS * 1000
PARTITIONS = {CPU_USAGE_WINDOWS: 1, HOST_WINDOWS: 1}
SAMPLES = 1000


def shard(seq: int, **fields) -> dict:
    """One shard of checkout on host-a with a quota of 2 cores: 1 core in use, 10 of 100 periods throttled."""
    record = {
        "host_id": "host-a", "agent_epoch": 7, "seq": seq, "cluster": "lab", "origin": "measured",
        "window_start_us": MINUTE_US, "shard_id": 11, "service": "checkout", "shard": "checkout-0",
        "sample_interval_us": 10_000, "samples": SAMPLES, "missed_samples": 0, "lateness_us_max": 50, "method": "tick_poll",
        "usage_us": 10_000_000, "sampled_usage_us": 10_000_000, "layout_version": 1,
        "usage_histogram": pack_histogram({82: SAMPLES}), "excursion_samples": 100, "excursion_us": 5000,
        "second_order": pack_varints([SAMPLES, 256 * SAMPLES, 65_536 * SAMPLES] + [0, 0] * 8),
        "quota_us": 200_000, "period_us": 100_000, "burst_us": None,
        "ancestor_quota_us": None, "ancestor_period_us": None,
        "periods": 100, "throttled_periods": 10, "throttled_us": 30_000, "bursts": None, "burst_used_us": None,
        "throttled_runs": 4, "throttled_run_periods_max": 3, "throttled_wall_us": None, "threads": 16,
        "runnable_histogram": None, "exemplar": None, "cycles_below_quota": None, "cycles_above_quota": None,
        "instructions_below_quota": None, "instructions_above_quota": None, "excursion_threads": None,
        "nearest_ancestor_quota_us": None, "nearest_ancestor_period_us": None, "ancestor_periods": None,
        "ancestor_throttled_periods": None, "ancestor_throttled_us": None, "cpus_allowed": 2, "period_phase_us": None,
    }  # fmt: skip
    return record | fields


def host(seq: int, shard_records: int = 1, **fields) -> dict:
    """A window of host-a that says it sent records of checkout."""
    stated = {"service": "checkout", "quota_us": 200_000, "period_us": 100_000, "shard_records": shard_records}
    record = {
        "host_id": "host-a", "agent_epoch": 7, "seq": seq, "cluster": "lab", "origin": "measured",
        "window_start_us": MINUTE_US, "samples": SAMPLES, "missed_samples": 0, "layout_version": 1, "usage_histogram": None,
        "usage_us": None, "steal_us": 0, "irq_us": 0, "threads": 100, "runnable_threads": 2, "context_switches": 5, "cpus": 2,
        "quota_millicores": 2000, "unlimited_shards": 0, "share_millicores": None, "kernel_release": "6.18", "cgroup_version": "v1",
        "tick_hz": 250, "method": "tick_poll", "sampling_uncertainty_us": 0, "shard_records": shard_records,
        "service_records": [stated], "untracked_cgroups": 0, "overflow_cgroups": 0, "agent_cpu_us": 1, "bpf_run_us": None,
        "agent_rss_bytes": 1, "bpf_map_bytes": None, "spool_bytes": 0, "drops": {}, "protection_step": 0,
        "protection_reason": None, "budget_skipped_cgroups": 0,
        "short_lived_cgroups": 0, "short_lived_usage_us": None, "clock_steps": 0, "late_windows": 0, "first_records": [],
    }  # fmt: skip
    return record | fields


class Log:
    """Messages in the making: offsets count up by topic, and a tick closes what its time closes."""

    def __init__(self):
        self.messages: list[Message] = []

    def put(self, topic: str, value: bytes | None, append_time_ms: int) -> str:
        """Append raw bytes; returns the message's position."""
        offset = sum(1 for message in self.messages if message.topic == topic)
        self.messages.append(Message(topic, 0, offset, append_time_ms, b"host-a", value))
        return self.messages[-1].position

    def shard(self, record: dict, append_time_ms: int = MINUTE_MS + 15_000) -> str:
        return self.put(CPU_USAGE_WINDOWS, SCHEMAS.encode(CPU_USAGE_WINDOWS, record), append_time_ms)

    def host(self, record: dict, append_time_ms: int = MINUTE_MS + 15_000) -> str:
        return self.put(HOST_WINDOWS, SCHEMAS.encode(HOST_WINDOWS, record), append_time_ms)

    def catalog(self, **fields) -> None:
        entry = dict.fromkeys(("owner", "price_class", "timeout_us", "retries", "slo_us", "memory_floor_bytes", "minimum_shards"))
        entry |= {"cluster": "lab", "service": "checkout", "catalog_version": 3, "team": "payments", "deleted": False}
        self.put(SERVICE_CATALOG, SCHEMAS.encode(SERVICE_CATALOG, entry | {"reserved_millicores": 4000} | fields), MINUTE_MS)

    def tick(self, append_time_ms: int) -> None:
        for topic in PARTITIONS:
            self.put(topic, None, append_time_ms)
