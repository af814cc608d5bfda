"""Views made for pages: coverage, the fleet by the hour, a service's time line with its changes, what was saved by quarter."""

from conftest import DAY

HOUR = f"{DAY} 10:00:00"


def row(cluster: str, service: str = "checkout", **fields) -> dict:
    key = {"origin": "measured", "cluster": cluster, "service": service, "quota_class": "2000m/100ms", "window_start": HOUR, "version": 1}
    return key | fields


def test_coverage_counts_who_is_heard_and_says_what_an_origin_means(database):
    database.insert(
        "service_latest",
        row("coverage", "a", team="x", shards=2, reserved_cores=1.5, completeness=0.5, completeness_hour=1),
        row("coverage", "b", team="x", shards=1, reserved_cores=2, completeness=1, completeness_hour=0.75, window_start=f"{DAY} 09:00:00"),
        row("coverage", "c", team="x", shards=1),
        row("coverage", "d", origin="simulated", completeness=1),
    )
    found = {(seen["origin"], seen["team"]): seen for seen in database.view("coverage", "cluster = 'coverage'")}
    real = found["measured", "x"]
    assert (real["services"], real["shards"], real["reserved_cores_total"]) == (3, 4, 5)
    assert (real["completeness_lowest"], real["classes_with_missing_records"], real["classes_unknown"]) == (0.75, 1, 1)
    assert (real["window_start"], real["window_start_of_quietest"]) == (f"{DAY} 10:00:00.000000", f"{DAY} 09:00:00.000000")
    assert found["simulated", None]["origin_meaning"] == "NOT MEASURED: made by a model"
    assert real["origin_meaning"] == "read from a kernel while it happened"


def test_a_class_is_over_when_its_service_goes_on_in_another_one(database):
    def entry(service: str, quota_class: str, minute: str, **fields) -> dict:
        return row("over", service, **fields) | {"quota_class": quota_class, "window_start": f"{DAY} {minute}:00"}

    database.insert(
        "service_latest",
        entry("changed", "5000m/100ms", "09:49", reserved_cores=5, shards=2, team="x"),
        entry("changed", "2000m/100ms", "10:00", reserved_cores=2, shards=2, team="x"),
        # Ten minutes behind is within what a ranking looks back; a service that fell silent as a whole is no class that is over.
        entry("rolling", "5000m/100ms", "09:50"),
        entry("rolling", "2000m/100ms", "10:00"),
        entry("silent", "5000m/100ms", "08:00"),
    )
    estimated = {"reserved_cores_total": 10, "recommended": True, "best": True, "fix_set": "right_sizing", "shards": 2}
    database.insert(
        "savings_estimates",
        entry("changed", "5000m/100ms", "09:49", **estimated),
        entry("changed", "2000m/100ms", "10:00", **estimated),
    )
    database.insert(
        "what_if_outcomes",
        entry("changed", "5000m/100ms", "09:49", scenario="pools", scenario_kind="pools"),
        entry("changed", "2000m/100ms", "10:00", scenario="pools", scenario_kind="pools"),
    )
    kept = {(seen["service"], seen["quota_class"]) for seen in database.view("service_latest", "cluster = 'over'")}
    now = ("changed", "2000m/100ms")
    assert kept == {now, ("rolling", "5000m/100ms"), ("rolling", "2000m/100ms"), ("silent", "5000m/100ms")}
    assert kept == {(seen["service"], seen["quota_class"]) for seen in database.view("service_ranking", "cluster = 'over'")}
    for view in ("savings_latest", "what_if_latest"):
        assert {(seen["service"], seen["quota_class"]) for seen in database.view(view, "cluster = 'over'")} == {now}
    (ended,) = database.view("ended_quota_classes", "cluster = 'over'")
    assert (ended["quota_class"], ended["service_window_start"]) == ("5000m/100ms", f"{DAY} 10:00:00.000000")


def test_an_hour_of_the_fleet_is_the_sums_of_its_services_from_their_highest_parts(database):
    counters = {"team": "x", "shards": 2, "reserved_cores": 2, "used_cores": 1, "records": 90, "expected_records": 100}
    database.insert(
        "service_hours",
        row("fleet", "a", periods=100, throttled_periods=50, **counters),
        row("fleet", "a", periods=200, throttled_periods=60, part=1_900_000, **counters),
        row("fleet", "b", periods=300, throttled_periods=0, **counters),
    )
    (hour,) = database.view("fleet_hours", "cluster = 'fleet'")
    assert (hour["service_classes"], hour["service_classes_throttled"], hour["throttled_period_ratio"]) == (2, 1, 60 / 500)
    assert (hour["used_cores"], hour["reserved_cores_total"], hour["completeness"]) == (2, 8, 0.9)


def test_a_time_line_has_the_minutes_and_the_changes_of_a_service(database):
    database.insert("throttling_summaries", row("line", periods=600, throttled_periods=6, throttled_us=9, team="x"))
    database.insert("service_latest", row("line", team="x"))
    change = {"origin": "measured", "cluster": "line", "service": "checkout", "version": 1}
    database.insert(
        "change_events",
        change | {"event_id": "e1", "changed_at": f"{DAY} 10:00:59", "kind": "quota", "setting_before": "2 cores", "setting_after": "4 cores"},
        change | {"event_id": "e2", "changed_at": f"{DAY} 10:02:00", "kind": "deploy"},
        change | {"event_id": "e3", "changed_at": f"{DAY} 10:03:00", "kind": "deploy", "withdrawn": True},
    )
    found = database.view("service_timeline", "cluster = 'line' AND team = 'x'")
    assert [(seen["entry"], seen["window_start"][11:19], seen["change_shown"]) for seen in found if seen["entry"] == "change"] == [
        ("change", "10:00:00", "quota: 2 cores → 4 cores"),
        ("change", "10:02:00", "deploy"),
    ]
    assert [(seen["periods"], seen["throttled_periods"], seen["throttled_us"]) for seen in found if seen["entry"] == "minute"] == [(600, 6, 9)]


def test_the_record_of_predictions_names_the_team_of_the_service_judged_last(database):
    database.insert("service_latest", row("record", team="x"))
    score = {"origin": "measured", "cluster": "record", "service": "checkout", "quantity": "reclaimable_cores", "window_start": HOUR, "version": 1}
    database.insert("prediction_scores", score | {"predictions": 7, "coverage_ratio": 0.86})
    (found,) = database.view("prediction_record", "cluster = 'record'")
    assert (found["team"], found["predictions"], found["coverage_ratio"]) == ("x", 7, 0.86)
