"""Two days in seconds: what closes with an hour, and what needs a day of hours, is compared as minutes are."""

import dataclasses
import time

from confluent_kafka import Producer
from quotascope_reference.intake import MINUTE_US, WINDOW_US
from quotascope_reference.tables import Reference
from quotascope_reference.wire import CHANGE_EVENTS, RECOMMENDATION_LEDGER, SERVICE_LOAD

from quotascope_chaos import traffic
from quotascope_chaos.scene import Scene
from quotascope_chaos.trial import Fault, Proof

# Each of these hours has one minute of records. A change is judged by a full day, which begins an hour after its own, against
# hours at the same time of a day before.
HOURS_BEFORE = 27
HOURS_AFTER = 26
HOUR_MINUTES = 60
HOUR_US = HOUR_MINUTES * MINUTE_US
REQUESTS = 600
CAUGHT_UP_WITHIN_S = 240
CHANGED = "service-0"
ADVICE = "half-the-threads"
# A release that is known to let unused slices of quota expire.
FAULTY_KERNEL = "4.18.0-80.el8.x86_64"
LOST_SHARE = 0.6


def pass_by(scene: Scene) -> Proof:
    """One service is changed in the middle of the two days, and one host has a kernel that loses quota."""
    first_us = scene.minute_us // HOUR_US * HOUR_US
    count_requests(scene, first_us, HOURS_BEFORE + HOURS_AFTER)
    *sound, faulty = scene.agents
    scene.agents = [*sound, losing_quota(faulty)]
    hours(scene, HOURS_BEFORE)
    tell_of_change(scene, scene.minute_us)
    scene.agents = [calmer(agent) for agent in scene.agents]
    hours(scene, HOURS_AFTER - 1)
    # The clock leaps over hours faster than rows can be written; the day that is judged must be there before its last hour.
    await_hours(scene, HOURS_BEFORE + HOURS_AFTER - 2)
    hours(scene, 1)
    return proof_of(scene)


def hours(scene: Scene, count: int) -> None:
    """The first minute of as many hours."""
    for _ in range(count):
        scene.minutes(1)
        scene.minute_us += (HOUR_MINUTES - 1) * MINUTE_US


def losing_quota(agent: traffic.Agent) -> traffic.Agent:
    """The host as its kernel would show it: most periods throttled, and next to nothing used."""

    def lost(twin: dict) -> dict:
        # Every period of the window: the last record of a shard may be of a few only, too few to accuse anybody.
        periods = WINDOW_US // twin["period_us"]
        return twin | {"periods": periods, "throttled_periods": int(LOST_SHARE * periods), "usage_us": 1_000}

    shards = tuple(dataclasses.replace(shard, twin=lost(shard.twin)) for shard in agent.shards)
    return dataclasses.replace(agent, twin=agent.twin | {"kernel_release": FAULTY_KERNEL}, shards=shards)


def calmer(agent: traffic.Agent) -> traffic.Agent:
    """The host after the change: the changed service uses half and is throttled half as often."""

    def half(shard: traffic.Shard) -> traffic.Shard:
        less = {name: shard.twin[name] // 2 for name in ("usage_us", "throttled_periods", "throttled_us")}
        return dataclasses.replace(shard, twin=shard.twin | less)

    return dataclasses.replace(agent, shards=tuple(half(shard) if shard.service == CHANGED else shard for shard in agent.shards))


def tell_of_change(scene: Scene, changed_at_us: int) -> None:
    """The change, and the advice that it carries out with what was promised for it."""
    whose = {"origin": "simulated", "cluster": scene.cluster, "service": CHANGED}
    event = whose | {
        "event_id": "days-pass", "changed_at_us": changed_at_us, "kind": "pools", "source": "declared",
        "recommendation_id": ADVICE, "version": 1,
    }  # fmt: skip
    entry = whose | {
        "recommendation_id": ADVICE, "version": 3, "state": "applied", "state_at_us": changed_at_us, "fix_set": ["pools"],
        "setting_text": "half the threads", "proposed_at_us": changed_at_us - 2, "accepted_at_us": changed_at_us - 1,
        "applied_at_us": changed_at_us, "reserved_cores": 4.0, "reclaimable_cores": 0.5, "reclaimable_cores_low": 0.25,
        "reclaimable_cores_high": 0.75, "savings_usd_per_year": 100.0, "savings_usd_per_year_low": 50.0,
        "savings_usd_per_year_high": 150.0, "price_book_version": 1, "predicted_effects": [], "credited_spans": [],
        "credited_cores": 0.0,
    }  # fmt: skip
    put(scene, CHANGE_EVENTS, [event])
    put(scene, RECOMMENDATION_LEDGER, [entry], f"/{ADVICE}")


def count_requests(scene: Scene, first_us: int, hours_long: int) -> None:
    """Every minute of the changed service has as many requests as any other: work per request falls with the work."""
    put(
        scene,
        SERVICE_LOAD,
        [
            {
                "origin": "simulated", "cluster": scene.cluster, "service": CHANGED, "window_start_us": first_us + minute * MINUTE_US,
                "window_us": MINUTE_US, "source": "csv", "requests": REQUESTS, "errors": None, "timeouts": None, "retries": None,
                "latency_bounds_us": [1_000, 10_000], "latency_requests": [REQUESTS // 2, REQUESTS // 2, 0], "version": 1,
            }
            for minute in range(hours_long * HOUR_MINUTES)
        ],
    )  # fmt: skip


def put(scene: Scene, topic: str, records: list[dict], behind_key: str = "") -> None:
    """Records about the changed service on a topic beside the stream."""
    producer = Producer({"bootstrap.servers": scene.stand.bootstrap, "acks": "all"})
    for record in records:
        key = f"simulated/{scene.cluster}/{CHANGED}{behind_key}"
        producer.produce(topic, key=key, value=scene.stand.schemas.encode(topic, record))
    if producer.flush(traffic.FLUSH_S):
        raise TimeoutError(f"{topic} did not take all records")


def await_hours(scene: Scene, count: int) -> None:
    """Until as many hours of every service are rows."""
    deadline = time.monotonic() + CAUGHT_UP_WITHIN_S
    wanted = count * len({shard.service for agent in scene.agents for shard in agent.shards})
    while (found := rows_of(scene, "service_hours", "uniqExact(service, window_start)")) < wanted:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{found} of {wanted} hours of services within {CAUGHT_UP_WITHIN_S} s")
        time.sleep(0.5)


def rows_of(scene: Scene, table: str, what: str = "count()", where: str = "true") -> int:
    found = scene.stand.clickhouse.rows(
        f"SELECT {what} AS found FROM quotascope.{table} FINAL WHERE cluster = {{cluster:String}} AND {where}", {"cluster": scene.cluster}
    )
    return found[0]["found"]


def proof_of(scene: Scene) -> Proof:
    """Hours and days really ended: the change was judged, and the kernel accused, and no other one."""

    def proof(reference: Reference) -> list[str]:
        wrong = []
        of_hours = len(reference.tables["service_hours"])
        if of_hours < 2 * (HOURS_BEFORE + HOURS_AFTER):
            wrong.append(f"only {of_hours} rows of hours were compared")
        judged = rows_of(scene, "verifications", where="outcome = 'verified' AND predicted_cores = 0.5")
        if judged != 1:
            wrong.append(f"{judged} verified changes instead of one")
        cheaper = "arrayExists(each -> each.quantity = 'cpu_us_per_request' AND each.verdict = 'fallen', effects)"
        if rows_of(scene, "verifications", where=cheaper) != 1:
            wrong.append("nothing is said of the work of a request")
        accused = "uniqExact(kernel_release)", "rule = 'slice-expiry' AND verdict = 'confirmed'"
        confirmed = rows_of(scene, "kernel_findings", *accused)
        if confirmed != 1 or not rows_of(scene, "kernel_findings", where=f"{accused[1]} AND kernel_release = '{FAULTY_KERNEL}'"):
            wrong.append(f"{confirmed} kernels were found to lose quota, and not only {FAULTY_KERNEL}")
        return wrong

    return proof


FAULTS = [Fault("days-pass", "two days of hours, a change in their middle, a kernel that loses quota", pass_by, quiet=True, harmless=True)]
