"""Every figure of the scores, worked by hand."""

import math

import pytest
from quotascope_fleet import doors, scoring

HOUR = scoring.HOUR_US


def test_the_top_of_an_order_counts_each_service_once():
    found = scoring.top(["a", "b", "a", "c", "d"], {"a", "c", "x"}, 3)
    assert (found.right, found.named, found.existing) == (2, 3, 3)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 3)


def test_shares_of_nothing_are_absent():
    assert scoring.top([], {"a"}, 5).precision is None
    assert scoring.top(["a"], set(), 5).recall is None
    assert scoring.average_precision(["a"], set()) is None


def test_average_precision_rewards_early_places():
    # a at place 1: 1/1; c at place 3: 2/3; x is never named: 0. Sum 5/3 over three.
    assert scoring.average_precision(["a", "b", "c"], {"a", "c", "x"}) == pytest.approx(5 / 9)
    assert scoring.average_precision(["b", "a"], {"a"}) == pytest.approx(0.5)


def hour(start, throttled, without, usage=100, usage_without=100):
    return {
        "hour_start_us": start, "periods": 10, "throttled_periods": throttled, "usage_us": usage,
        "periods_without": 10, "throttled_periods_without": without, "usage_us_without": usage_without,
    }  # fmt: skip


def change(**other):
    # At half past ten: 11:00 is settling time, 12:00 the first hour that counts.
    hours = [hour(10 * HOUR, 9, 9), hour(11 * HOUR, 9, 9), hour(12 * HOUR, 1, 5, 200, 100), hour(13 * HOUR, 3, 5, 50, 100)]
    return {
        "cluster": "c", "service": "s", "kind": "quota", "at_us": 10 * HOUR + HOUR // 2, "changes_something": True, "hours": hours,
    } | other  # fmt: skip


def test_the_true_effect_is_the_mean_over_the_hours_looked_at():
    # Ratios 0.1 - 0.5 and 0.3 - 0.5: mean -0.3. Factors 2 and 1/2: their logarithms add to nothing.
    effect = scoring.true_effect(change(), 2)
    assert effect["throttled_period_ratio"] == pytest.approx(-0.3)
    assert effect["used_cores"] == pytest.approx(0)
    only_first = scoring.true_effect(change(), 1)
    assert only_first["throttled_period_ratio"] == pytest.approx(-0.4)
    assert only_first["used_cores"] == pytest.approx(1)
    assert scoring.true_effect(change(hours=[]), 24) is None


def row(window, low, high, **other):
    effects = [
        {"quantity": "throttled_period_ratio", "verdict": "fallen", "effect": -0.3, "effect_low": low, "effect_high": high},
        {"quantity": "used_cores", "verdict": "too_little_evidence", "effect": 0, "effect_low": 0, "effect_high": 0},
        {"quantity": "reserved_cores", "verdict": "fallen", "effect": 0, "effect_low": 0, "effect_high": 0},
    ]
    return {
        "cluster": "c", "service": "s", "kind": "quota", "changed_at_us": 10 * HOUR + HOUR // 2,
        "window_start_us": window, "effects": effects,
    } | other  # fmt: skip


def test_the_last_verification_of_the_same_change_is_taken():
    early, late = row(12 * HOUR, 0, 0), row(13 * HOUR, 0, 0)
    assert scoring.match(change(), [late, early]) is late
    for stranger in ({"service": "t"}, {"kind": "deploy"}, {"cluster": "d"}, {"changed_at_us": 11 * HOUR}):
        assert scoring.match(change(), [row(12 * HOUR, 0, 0, **stranger)]) is None


def test_an_interval_covers_the_truth_of_its_own_hours():
    (both,) = scoring.verified(change(), row(13 * HOUR, -0.35, -0.25))
    assert both.true == pytest.approx(-0.3) and both.covered and both.moved
    # The first hour alone did -0.4: the same interval misses it.
    (first,) = scoring.verified(change(), row(12 * HOUR, -0.35, -0.25))
    assert first.true == pytest.approx(-0.4) and not first.covered


def test_only_findings_that_blame_the_kernel_accuse():
    findings = [
        {"cluster": "c", "host_id": host, "verdict": verdict}
        for host, verdict in (
            ("a", "confirmed"), ("b", "behaves_affected"), ("c", "affected_not_seen"), ("d", "unexplained"), ("e", "sound")
        )
    ]  # fmt: skip
    assert scoring.accused(findings) == {("c", "a"), ("c", "b")}


def truth_hour(service, stated, arrived):
    return {
        "cluster": "c", "service": service, "quota_class": "1000m/100ms", "hour_start_us": HOUR, "stated": stated, "arrived": arrived,
    }  # fmt: skip


def test_completeness_is_compared_hour_by_hour():
    hours = [truth_hour("a", 100, 75), truth_hour("b", 100, 100), truth_hour("gone", 0, 0), truth_hour("lost", 10, 5)]
    keys = {name: ("c", name, "1000m/100ms", HOUR) for name in ("a", "b", "gone", "lost", "other", "sound")}
    rows = {keys["a"]: 0.70, keys["b"]: 1.0, keys["other"]: 0.9, keys["sound"]: 1.0}
    silent = {keys[name] for name in ("a", "b", "gone", "lost")}
    result = scoring.completeness(hours, rows, silent)
    assert (result.hours, result.without_row, result.wrongly_lowered) == (2, 1, 1)
    assert result.worst_error == pytest.approx(0.05)
    assert result.mean_error == pytest.approx(0.025)
    assert math.isnan(scoring.completeness([], {}, set()).mean_error)


def test_rows_of_both_doors_are_equal_by_every_byte():
    result = doors.compare({b"a", b"b", b"c"}, {b"a", b"B", b"c", b"d"})
    assert (result.equal, result.only_fast, result.only_rolled) == (2, 1, 2)
