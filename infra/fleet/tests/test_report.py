"""The page of scores for two services and three hosts, worked by hand."""

import json

import pytest
from quotascope_fleet import report
from quotascope_fleet.truth import Truth

HOUR = 3_600_000_000
DAY = 24 * HOUR


def service(name, flaw, mistuned, at_end):
    return {
        "record": "service", "cluster": "c", "service": name, "flaw": flaw, "mistuned": mistuned, "mistuned_at_end": at_end, "shards": 2,
    }  # fmt: skip


def host(name, faulty):
    return {"record": "host", "cluster": "c", "host_id": name, "faulty_kernel": faulty, "noisy": False}


LINES = [
    {"record": "fleet", "seed": 1, "services": 3, "shards": 6, "start_us": 0, "end_us": 2 * DAY},
    service("bad", "pool", True, True),
    service("batch", "intended", False, False),
    service("good", "none", False, False),
    host("old", True),
    host("older", True),
    host("new", False),
    {"record": "silence", "cluster": "c", "host_id": "new", "from_us": 2 * DAY - HOUR, "until_us": 2 * DAY, "whole": True},
    {
        "record": "change", "cluster": "c", "service": "good", "kind": "quota", "at_us": DAY, "declared": False, "changes_something": True,
        "hours": [],
    },
    {
        "record": "service_hour", "cluster": "c", "service": "good", "quota_class": "q", "hour_start_us": HOUR, "stated": 10, "arrived": 5,
        "mute": 0,
    },
]  # fmt: skip


class Tables:
    """What the views would say."""

    start_us = 0
    end_us = 2 * DAY

    def ranking(self):
        return [
            {"cluster": "c", "service": "bad", "verdict": "throttled", "throttled_period_ratio": 0.2},
            {"cluster": "c", "service": "batch", "verdict": "throttled", "throttled_period_ratio": 1.0},
            {"cluster": "c", "service": "good", "verdict": "healthy", "throttled_period_ratio": None},
        ]

    def latest(self):
        return self.ranking()

    def throttled_ratio(self, since_us):
        assert since_us == DAY
        return list(reversed(self.ranking()))

    def hours(self):
        return [{"cluster": "c", "service": "good", "quota_class": "q", "hour_start_us": HOUR, "completeness": 0.5}]

    def verifications(self):
        return []

    def changes(self):
        return [{"cluster": "c", "service": "good", "kind": "quota", "source": "detected", "changed_at_us": DAY + 60_000_000}]

    def kernel_findings(self):
        return [
            {"cluster": "c", "host_id": "old", "verdict": "confirmed"},
            {"cluster": "c", "host_id": "older", "verdict": "not_seen"},
            {"cluster": "c", "host_id": "new", "verdict": "sound"},
        ]

    def alerts(self):
        return [
            {"kind": "kernel_fault", "cluster": "c", "host_id": "old"},
            {"kind": "silent_host", "cluster": "c", "host_id": "new"},
            {"kind": "silent_host", "cluster": "c", "host_id": "old"},
        ]


@pytest.fixture
def answers(tmp_path):
    file = tmp_path / "truth.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    truth = Truth.read(file)
    return truth, {line.question: line.answer for line in report.score(truth, Tables())}


def test_orders_are_compared_by_what_they_put_first(answers):
    _, said = answers
    assert said["mis-tuned in the top 1 of the ranking"] == "precision 1.00, recall 1.00 (1 of 1)"
    assert said["mis-tuned in the top 1 of throttled ratio, last 10 minutes"] == "precision 0.00, recall 0.00 (0 of 1)"
    assert said["average precision of throttled ratio, last 10 minutes"] == "0.50"
    assert said["average precision of throttled ratio, last day"] == "0.33"
    assert said["verdicts on intended"] == "1 throttled"


def test_hosts_are_found_or_falsely_blamed(answers):
    _, said = answers
    assert said["faulty hosts that a finding blames"] == "1 of 2 (2 of them judged)"
    assert said["sound hosts falsely blamed"] == "0 of 1"
    assert said["alerts kernel_fault"] == "1 right, 0 wrong"
    assert said["hosts that died in the raw hour, alert silent_host"] == "1 of 1, 1 wrong"


def test_changes_and_completeness(answers):
    _, said = answers
    assert said["injected changes with a verification"] == "0 of 1"
    assert said["interval of used_cores covers the truth"] == "- (0 of 0)"
    assert said["changes of quota and period seen in the stream"] == "1 of 1 found, 1 told"
    lost = "hours with lost records: stated against true completeness"
    assert said[lost] == "worst error 0.0000, mean 0.0000 over 1 hours (1 with losses), 0 without a row"


def test_the_page_says_what_fleet_it_is(answers):
    truth, _ = answers
    text = report.page(truth, report.score(truth, Tables()), {"verifications": 3}, {"jobs": 12.4})
    assert text.startswith("Simulated fleet: seed 1, 3 services, 6 shards, 2 days; 1 services mis-tuned at its end.")
    assert "| verifications | 3 |" in text and "| jobs | 12 |" in text
