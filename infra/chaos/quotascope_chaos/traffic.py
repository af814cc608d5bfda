"""Records of simulated hosts, made of genuine ones: what a recorded trace became on the topics, under other names.

Every number of a record is a function of the seed, the shard and the window; only the time is the log's.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from confluent_kafka import Producer
from quotascope_reference.intake import MINUTE_US, WINDOW_US
from quotascope_reference.wire import CPU_USAGE_WINDOWS, HOST_WINDOWS, Message, Schemas

FLUSH_S = 300
SHARES = ("usage_us", "throttled_us")


@dataclass(frozen=True)
class Record:
    """One message to be produced."""

    topic: str
    key: str
    value: bytes


@dataclass(frozen=True)
class Twins:
    """Genuine records of one window, to be sent again under other names."""

    host: dict
    shards: tuple[dict, ...]

    @staticmethod
    def of(messages: Iterable[Message], schemas: Schemas) -> "Twins | None":
        """The last host window of a replay and the newest record of each of its shards; None before there are any."""
        decoded = [(message.topic, schemas.decode(message.topic, message.value)) for message in messages if message.value]
        hosts = [record for topic, record in decoded if topic == HOST_WINDOWS and record["shard_records"]]
        shards = {record["shard_id"]: record for topic, record in decoded if topic == CPU_USAGE_WINDOWS and record["periods"]}
        return Twins(hosts[-1], tuple(shards[key] for key in sorted(shards))) if hosts and shards else None


@dataclass(frozen=True)
class Shard:
    """A shard as a simulated host reports it."""

    service: str
    shard: str
    shard_id: int
    twin: dict


@dataclass
class Agent:
    """One run of one host's collector: its own sequence numbers on each topic."""

    host_id: str
    cluster: str
    epoch: int
    twin: dict
    shards: tuple[Shard, ...]
    seqs: Counter = field(default_factory=Counter)

    def restarted(self) -> "Agent":
        """The same host after its agent was started again."""
        return replace(self, epoch=self.epoch + 1, seqs=Counter())

    def window(self, start_us: int, schemas: Schemas) -> list[Record]:
        """What the host sends about one window: its shards, then itself."""
        records = [self._record(CPU_USAGE_WINDOWS, self.shard_fields(shard, start_us), schemas) for shard in self.shards]
        classes = Counter((shard.service, shard.twin["quota_us"], shard.twin["period_us"]) for shard in self.shards)
        stated = [
            {"service": service, "quota_us": quota_us, "period_us": period_us, "shard_records": count}
            for (service, quota_us, period_us), count in classes.items()
        ]
        host = self.twin | self._sender(HOST_WINDOWS, start_us) | {"shard_records": len(self.shards), "service_records": stated}
        return [*records, self._record(HOST_WINDOWS, host | {"first_records": []}, schemas)]

    def minute(self, start_us: int, schemas: Schemas) -> list[Record]:
        return [record for window in range(0, MINUTE_US, WINDOW_US) for record in self.window(start_us + window, schemas)]

    def shard_fields(self, shard: Shard, start_us: int) -> dict:
        """A shard's record: its twin's with a share of a percent more or less, so that no two windows are alike."""
        names = {"service": shard.service, "shard": shard.shard, "shard_id": shard.shard_id}
        chance = random.Random(f"{self.host_id}/{shard.shard_id}/{start_us}")
        varied = {name: shard.twin[name] + chance.randrange(shard.twin[name] // 100 + 1) for name in SHARES}
        return shard.twin | self._sender(CPU_USAGE_WINDOWS, start_us) | names | varied

    def _sender(self, topic: str, start_us: int) -> dict:
        seq = self.seqs[topic]
        self.seqs[topic] += 1
        return {
            "host_id": self.host_id, "agent_epoch": self.epoch, "seq": seq, "cluster": self.cluster,
            "origin": "simulated", "window_start_us": start_us,
        }  # fmt: skip

    def _record(self, topic: str, fields: dict, schemas: Schemas) -> Record:
        return Record(topic, self.host_id, schemas.encode(topic, fields))


def fleet(cluster: str, twins: Twins, seed: str, epoch: int, hosts: int = 3, services: int = 2) -> list[Agent]:
    """Hosts that each run one shard of every service; which genuine record stands behind a service is drawn."""
    chance = random.Random(seed)
    behind = [chance.choice(twins.shards) for _ in range(services)]

    def shard(host: int, service: int) -> Shard:
        return Shard(f"service-{service}", f"service-{service}-{host}", chance.getrandbits(60), behind[service])

    return [
        Agent(f"{cluster}-host-{host}", cluster, epoch, twins.host, tuple(shard(host, service) for service in range(services)))
        for host in range(hosts)
    ]


class Sender:
    """Appends records and waits for the broker's word; a broker that is away is waited for, as agents do."""

    def __init__(self, bootstrap: str):
        self._producer = Producer(
            {
                "bootstrap.servers": bootstrap, "acks": "all", "enable.idempotence": True, "linger.ms": 5,
                "message.timeout.ms": FLUSH_S * 1000, "log_level": 0, "message.max.bytes": 8_000_000,
            }
        )  # fmt: skip
        self.refused: list[str] = []

    def send(self, records: Iterable[Record], partition: int | None = None) -> None:
        """All records, in this order; returns when the broker has them or has refused them for good (`refused`)."""
        place = {} if partition is None else {"partition": partition}
        for record in records:
            self._producer.produce(record.topic, value=record.value, key=record.key, on_delivery=self._note, **place)
        if self._producer.flush(FLUSH_S):
            raise TimeoutError(f"the broker took not all records within {FLUSH_S} s")

    def _note(self, error, message) -> None:
        if error is not None:
            self.refused.append(f"{message.topic()}: {error}")


def minutes_of(agents: Iterable[Agent], start_us: int, schemas: Schemas) -> Iterator[Record]:
    """One minute of several hosts, host by host."""
    for agent in agents:
        yield from agent.minute(start_us, schemas)
