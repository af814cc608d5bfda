"""Asking a broker for the settings of a topic that it has just created."""

from concurrent.futures import Future

import pytest
from confluent_kafka import KafkaError, KafkaException
from quotascope_native import topics
from quotascope_native.failure import StackFailure


class Broker:
    """Answers each question with the next of its answers."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def describe_configs(self, resources):
        future, answer = Future(), self.answers.pop(0)
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
        return {resources[0]: future}


def test_a_topic_that_the_brokers_metadata_do_not_know_yet_is_asked_for_again():
    not_yet = KafkaException(KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART))
    assert topics._settings(Broker(not_yet, not_yet, {"retention.ms": "1"}), "a") == {"retention.ms": "1"}


def test_any_other_answer_names_the_topic():
    with pytest.raises(StackFailure, match="topic a"):
        topics._settings(Broker(KafkaException(KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED))), "a")
