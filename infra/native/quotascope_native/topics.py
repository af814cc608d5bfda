"""Creates the topics of schemas/topics.yaml, and refuses a broker whose topics differ from it."""

import time

import yaml
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic, ResourceType

from quotascope_native.failure import StackFailure
from quotascope_native.layout import REPOSITORY

DECLARED = REPOSITORY / "schemas" / "topics.yaml"
TIMEOUT_S = 30
# A busy broker says that a topic is created before its metadata know it.
NOT_KNOWN_YET = (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._TIMED_OUT)
ASK_AGAIN_S = 0.2
# Syslog severity; the client library prints on its own.
ERRORS_ONLY = 3


def declared() -> list[dict]:
    """Name, partitions and settings of every topic."""
    return yaml.safe_load(DECLARED.read_text())["topics"]


def create(bootstrap: str, settings: dict[str, str] | None = None) -> list[str]:
    """Create what is missing and return its names. One replica: the native broker is a single node.

    `settings` replace those of topics.yaml on every topic, for a broker that holds a simulated time.
    """
    admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": ERRORS_ONLY})
    existing = admin.list_topics(timeout=TIMEOUT_S).topics
    missing = []
    for topic in declared():
        name, partitions = topic["name"], topic["partitions"]
        if name not in existing:
            missing.append(NewTopic(name, partitions, 1, config=topic.get("configs", {}) | (settings or {})))
        elif len(existing[name].partitions) != partitions:
            # Keys would move between partitions, and sequence numbers with them.
            raise StackFailure(
                f"topic {name} has {len(existing[name].partitions)} partitions, topics.yaml says {partitions}",
                "run make down, remove the state folder and start again",
            )
    for name, done in (admin.create_topics(missing) if missing else {}).items():
        try:
            done.result(TIMEOUT_S)
        except KafkaException as error:
            raise StackFailure(f"topic {name} cannot be created: {error.args[0].str()}", "correct schemas/topics.yaml") from error
    _require_settings(admin, settings or {})
    return [topic.topic for topic in missing]


def _require_settings(admin: AdminClient, settings: dict[str, str]) -> None:
    """An older instance may hold topics of an older topics.yaml; time and retention must not differ unseen."""
    for topic in declared():
        actual = _settings(admin, topic["name"])
        for key, value in (topic.get("configs", {}) | settings).items():
            if actual[key].value != str(value):
                raise StackFailure(
                    f"topic {topic['name']} has {key}={actual[key].value}, topics.yaml says {value}",
                    "run make down, remove the state folder and start again",
                )


def _settings(admin: AdminClient, name: str) -> dict:
    resource = ConfigResource(ResourceType.TOPIC, name)
    until = time.monotonic() + TIMEOUT_S
    while True:
        try:
            return admin.describe_configs([resource])[resource].result(TIMEOUT_S)
        except KafkaException as error:
            if error.args[0].code() not in NOT_KNOWN_YET or time.monotonic() > until:
                raise StackFailure(f"the settings of topic {name} cannot be read: {error.args[0].str()}", "look at make logs") from error
            time.sleep(ASK_AGAIN_S)
