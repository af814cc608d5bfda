"""Views of alerts and hosts: repetitions count once, an alert is open until it ended, the highest part is the row."""

from conftest import DAY

MINUTE = f"{DAY} 10:00:00"
LATER = f"{DAY} 10:07:00"


def alert(cluster: str, minute: str = MINUTE, **fields) -> dict:
    key = {"origin": "measured", "cluster": cluster, "service": "checkout", "kind": "cliff_near", "alert_id": "a-1"}
    return key | {"window_start": minute, "since": MINUTE, "state": "firing", "severity": "warning", "version": 2**32} | fields


def hour(cluster: str, part: int = 0, **fields) -> dict:
    key = {"origin": "measured", "cluster": cluster, "host_id": "host-1", "window_start": MINUTE}
    return key | {"part": part, "version": 2**32} | fields


def test_an_alert_is_open_until_it_ended(database):
    database.insert("throttling_alerts", alert("open"), alert("open", alert_id="a-2"))
    assert [row["alert_id"] for row in database.view("open_alerts", "cluster = 'open'")] == ["a-1", "a-2"]
    database.insert("throttling_alerts", alert("open", LATER, state="resolved"))
    assert [row["alert_id"] for row in database.view("open_alerts", "cluster = 'open'")] == ["a-2"]
    assert len(database.view("throttling_alerts", "cluster = 'open'")) == 3


def test_an_open_alert_shows_in_its_latest_state(database):
    database.insert("throttling_alerts", alert("worse", LATER, severity="critical"), alert("worse"))
    assert [row["severity"] for row in database.view("open_alerts", "cluster = 'worse'")] == ["critical"]


def test_an_alert_ends_with_its_quota_class(database):
    """After a change of quota nothing is judged in the old class, so nothing would end its alerts."""
    old, new = ({"quota_class": name} for name in ("1300m/100ms", "2300m/100ms"))
    database.insert("throttling_alerts", alert("classes", **old), alert("classes", alert_id="a-2", **new))
    state = {"origin": "measured", "cluster": "classes", "service": "checkout", "version": 1}
    database.insert("service_latest", state | old | {"window_start": MINUTE})
    assert [row["alert_id"] for row in database.view("open_alerts", "cluster = 'classes'")] == ["a-1", "a-2"]
    database.insert("service_latest", state | new | {"window_start": f"{DAY} 10:11:00"})
    assert [row["alert_id"] for row in database.view("open_alerts", "cluster = 'classes'")] == ["a-2"]


def test_a_replayed_alert_counts_once(database):
    for _ in range(3):
        database.insert("throttling_alerts", alert("replayed"))
    assert len(database.view("throttling_alerts", "cluster = 'replayed'")) == 1


def test_an_hour_of_a_host_is_its_highest_part(database):
    database.insert("host_hours", hour("parts", 1_900_000, host_records=300), hour("parts", 0, host_records=200))
    assert [row["host_records"] for row in database.view("host_hours", "cluster = 'parts'")] == [300]


def test_findings_are_told_apart_by_kernel_and_rule(database):
    rows = [
        hour("findings", part, kernel_release=release, rule=rule, shards=part)
        for part in (1, 2)
        for release in ("4.14.90", "6.1.0")
        for rule in ("slice-expiry", "expiry-skew")
    ]
    database.insert("kernel_findings", *rows)
    found = database.view("kernel_findings", "cluster = 'findings'")
    assert sorted((row["kernel_release"], row["rule"]) for row in found) == [
        ("4.14.90", "expiry-skew"),
        ("4.14.90", "slice-expiry"),
        ("6.1.0", "expiry-skew"),
        ("6.1.0", "slice-expiry"),
    ]
    assert {row["shards"] for row in found} == {2}
