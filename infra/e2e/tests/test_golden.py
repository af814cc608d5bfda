"""Judgements of the reference against the golden vectors that the Java judgements must meet too."""

import json

import pytest
from quotascope_reference.packing import pack_histogram, pack_varints
from quotascope_reference.tables import Reference
from quotascope_reference.wire import REPOSITORY
from records import PARTITIONS, SCHEMAS, Log, host, shard

VECTORS = json.loads((REPOSITORY / "schemas" / "golden" / "judgements.json").read_text())["vectors"]
WINDOW_US = 10_000_000
# Names of the vectors where they are shorter than the columns.
THREADS = {"p50": "threads_per_reserved_core_p50", "p99": "threads_per_reserved_core_p99"}
THREADS |= {f"runnable_{name}": f"runnable_threads_per_reserved_core_{name}" for name in ("p50",)}
THREADS |= {name: f"runnable_threads_per_reserved_core_{name}" for name in ("low", "high")}
THROTTLING = {"depth": "throttled_us_per_throttled_period", "utilization": "reserved_core_utilization"}
THROTTLING |= {"histogram_cores": "usage_histogram_cores", "histogram_samples": "usage_histogram_samples"}
RANK = {"score": "rank_score"}


def log_of(given: dict) -> Log:
    """The records that a vector describes: identical shards, each with windows from slot 0 on."""
    log = Log()
    record = given["record"]
    counts = {int(bucket): count for bucket, count in record["histogram"].items()}
    fields = {name: value for name, value in record.items() if name != "histogram"} | {
        "quota_us": given["quota_us"],
        "period_us": given["period_us"],
        "usage_histogram": pack_histogram(counts),
        "second_order": pack_varints([record["samples"]] + [0] * 18),
        "excursion_us": None,
    }
    seq = 0
    for number in range(given["shards"]):
        for slot in range(given["windows"]):
            start = given["minute_start_us"] + slot * WINDOW_US
            own = {"shard_id": number, "shard": f"shard-{number}", "window_start_us": start}
            log.shard(shard(seq, **fields | own), start // 1000 + 11_000)
            seq += 1
    stated = {"service": "checkout", "quota_us": given["quota_us"], "period_us": given["period_us"]}
    said = host(0, window_start_us=given["minute_start_us"], service_records=[stated | {"shard_records": given["expected_records"]}])
    log.host(said, given["minute_start_us"] // 1000 + 11_000)
    if given["catalog"]:
        log.catalog(**given["catalog"])
    log.tick(given["minute_start_us"] // 1000 + 90_002)
    return log


def renamed(expected: dict, names: dict[str, str]) -> dict:
    return {names.get(name, name): value for name, value in expected.items()}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_judgements_meet_the_golden_vectors(vector):
    given, expected = vector["input"], vector["expect"]
    tables = Reference(log_of(given).messages, PARTITIONS, SCHEMAS).tables
    for table, part, names in (
        ("thread_ratios", "thread_ratio", THREADS),
        ("throttling_summaries", "throttling_summary", THROTTLING),
        ("tuning_ranks", "tuning_rank", RANK),
    ):
        (row,) = tables[table].values()
        wanted = renamed(expected[part], names)
        if "reclaimable" in wanted:
            triple = wanted.pop("reclaimable") or [None] * 3
            wanted |= dict(zip(("reclaimable_cores", "reclaimable_cores_low", "reclaimable_cores_high"), triple, strict=True))
        # The reference writes revision 1; a vector of another revision differs in the upper half of its version.
        if "version" in wanted:
            wanted["version"] = 2**32 + wanted["version"] % 2**32
        assert {name: row[name] for name in wanted} == wanted, table
