"""Views that answer what a newcomer asked: what a host holds now, who is incomplete since when, what to paste, what an alert's number means."""

from datetime import UTC, datetime, timedelta

HOUR = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
MACHINE = "0123456789abcdef0123456789abcdef"


def at(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def host(cluster: str, name: str, back: int, **fields) -> dict:
    start = at(HOUR - timedelta(hours=back))
    return {"origin": "simulated", "cluster": cluster, "host_id": name, "window_start": start, "window_us": 3_600_000_000, "version": 1} | fields


def service(cluster: str, name: str, start: datetime, **fields) -> dict:
    key = {"origin": "simulated", "cluster": cluster, "service": name, "quota_class": "1000m/100ms", "window_start": at(start), "version": 1}
    return key | fields


def test_a_host_is_its_newest_hour_and_its_loss_is_no_sum_over_rules(database):
    database.insert(
        "host_hours", host("hosts", MACHINE, 1, threads=100), host("hosts", MACHINE, 0, threads=200, completeness=0.9), host("hosts", "old", 5)
    )
    told = {"kernel_release": "4.14.0", "stranded_cores": 1.5, "stranded_cores_low": 1, "stranded_cores_high": 2}
    database.insert("kernel_findings", *(host("hosts", MACHINE, 0, rule=rule, **told) for rule in ("slice-expiry", "expiry-skew")))
    found = {row["host_id"]: row for row in database.view("hosts_latest", "cluster = 'hosts'")}
    assert set(found) == {MACHINE, "old"}
    assert (found[MACHINE]["host_shown"], found[MACHINE]["threads"]) == ("01234567…", 200)
    assert found[MACHINE]["hour_shown"] in ("running", "over"), "the hour may end while this runs"
    assert (found[MACHINE]["stranded_cores"], found[MACHINE]["stranded_cores_shown"]) == (1.5, "1.5 [1, 2]")
    assert (found["old"]["hour_shown"], found["old"]["stranded_cores_shown"]) == ("SILENT since then", "not judged")


def test_who_is_incomplete_or_silent_is_named_with_since_when_and_who_is_whole_is_not(database):
    minute = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=2)
    database.insert(
        "service_latest",
        service("missing", "whole", minute, team="x", completeness_hour=1),
        service("missing", "holes", minute, team="x", completeness_hour=0.5),
        service("missing", "gone", minute - timedelta(hours=2), team="x", completeness_hour=1),
    )
    database.insert("service_hours", service("missing", "holes", HOUR - timedelta(hours=3), completeness=1))
    database.insert("host_hours", host("missing", "fine", 0, completeness=1), host("missing", "lossy", 0, completeness=0.8))
    found = {row["subject"]: row for row in database.view("missing_records", "cluster = 'missing'")}
    assert set(found) == {"holes", "gone", "lossy"}
    assert found["holes"]["missing_shown"] == f"records missing since {HOUR - timedelta(hours=2):%Y-%m-%d %H:%M}"
    assert found["gone"]["missing_shown"] == f"silent since {minute - timedelta(hours=2):%Y-%m-%d %H:%M}"
    assert (found["lossy"]["team"], found["lossy"]["missing_shown"]) == (None, "records missing for a day or longer")


def test_a_setting_is_a_row_for_each_platform_and_loses_no_line(database):
    text = "# shards: 2 of 3 carry the load\n# kubernetes: the period is the kubelet's\nspec:\n  cpu: 1\n# go\nGOMAXPROCS=2"
    advised = {"best": True, "trust": "sound", "team": "x", "fix_set": "burst", "setting_text": text}
    database.insert(
        "savings_estimates", service("settings", "a", HOUR, **advised), service("settings", "b", HOUR, **advised | {"setting_text": "cpu: 2"})
    )
    rows = sorted(database.view("recommended_settings", "cluster = 'settings'"), key=lambda row: (row["service"], row["place"]))
    assert [(row["service"], row["platform_shown"], row["remark"], row["platform_text"]) for row in rows] == [
        ("a", "number of shards", "2 of 3 carry the load", ""),
        ("a", "Kubernetes", "the period is the kubelet's", "spec:\n  cpu: 1"),
        ("a", "Go environment", "", "GOMAXPROCS=2"),
        ("b", "any", "", "cpu: 2"),
    ]


def test_an_alert_says_its_value_in_words_because_a_level_is_no_number(database):
    alert = {"origin": "simulated", "cluster": "words", "window_start": at(HOUR), "since": at(HOUR), "version": 1, "state": "firing"}
    database.insert(
        "throttling_alerts",
        alert | {"alert_id": "1", "kind": "vulnerable", "service": "s", "value": 1, "threshold": 1},
        alert | {"alert_id": "2", "kind": "host_threads", "host_id": MACHINE, "value": 610, "threshold": 500},
    )
    found = {row["kind"]: row for row in database.view("open_alerts", "cluster = 'words'")}
    assert found["vulnerable"]["value_shown"] == "vulnerable: a pulse of load would collapse it"
    assert (found["vulnerable"]["threshold_shown"], found["vulnerable"]["subject_shown"]) == ("vulnerable or worse", "s")
    assert (found["host_threads"]["value_shown"], found["host_threads"]["subject_shown"]) == ("610 threads of any state / CPU", "01234567…")


def test_what_limits_an_estimate_is_its_own_field_and_no_pattern_over_its_reasons(database):
    said = {"best": True, "trust": "doubtful", "reasons": ["a reserved core is free", "no price book"], "trust_reasons": ["no price book"]}
    database.insert(
        "savings_estimates",
        service("limits", "asked", HOUR, fix_set="burst", aim="latency", **said),
        service("limits", "plain", HOUR, fix_set="burst", **said | {"trust": "sound", "trust_reasons": []}),
    )
    found = {row["service"]: row for row in database.view("savings_latest", "cluster = 'limits'")}
    assert (found["asked"]["trust_reasons_shown"], found["asked"]["aim"]) == ("no price book", "latency")
    assert found["asked"]["reasons_shown"] == "a reserved core is free; no price book"
    assert (found["plain"]["trust_reasons_shown"], found["plain"]["aim"]) == ("", "savings"), "the default of an owner who says nothing"


def test_the_newest_cliff_of_a_service_says_what_it_rests_on(database):
    minute = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=9)
    near = {"risk_band": "vulnerable", "collapse_load_multiple": 1.254, "collapse_load_multiple_low": 1, "collapse_load_multiple_high": 1.5}
    near |= {"collapse_beyond": False, "timeout_us": 200_000, "retries": 2, "clients_assumed": True, "reasons": ["clients are assumed", "few minutes"]}
    database.insert(
        "collapse_risks",
        service("cliffs", "a", minute, **near),
        service("cliffs", "a", minute, part=1_900_000, **near | {"collapse_load_multiple": 1.3, "reasons": ["a late part"]}),
        service("cliffs", "a", minute - timedelta(minutes=1), **near | {"collapse_load_multiple": 9}),
        service("cliffs", "b", minute, **near | {"collapse_beyond": True, "clients_assumed": False}),
        service("cliffs", "c", minute, risk_band="unknown"),
    )
    found = {row["service"]: row for row in database.view("cliff_latest", "cluster = 'cliffs'")}
    assert found["a"]["collapse_load_multiple_shown"] == "1.3 [1, 1.5]", "the highest part of the newest minute"
    assert (found["a"]["clients_shown"], found["a"]["reasons_shown"]) == ("assumed: 200 ms, 2 retries", "a late part")
    assert found["b"]["collapse_load_multiple_shown"] == "more than 1.25 [1, 1.5]"
    assert (found["b"]["clients_shown"], found["b"]["reasons_shown"]) == ("by the catalog: 200 ms, 2 retries", "clients are assumed; few minutes")
    assert [found["c"][name] for name in ("collapse_load_multiple_shown", "recovery_shown", "clients_shown")] == ["not known"] * 3
