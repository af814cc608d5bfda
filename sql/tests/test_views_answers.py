"""Views that answer what a newcomer asked: what a host holds now, who is incomplete since when, what to paste, what an alert's number means."""

from datetime import UTC, datetime, timedelta

HOUR = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
MACHINE = "0123456789abcdef0123456789abcdef"


def at(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def host(cluster: str, name: str, back: int, **fields) -> dict:
    start = at(HOUR - timedelta(hours=back))
    return {
        "origin": "simulated",
        "cluster": cluster,
        "host_id": name,
        "window_start": start,
        "window_us": 3_600_000_000,
        "host_records": 36,
        "version": 1,
    } | fields


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


def test_a_silent_host_shows_its_last_hour_with_records_and_when_it_was_heard_of(database):
    full = {"host_records": 360, "threads": 70, "completeness": 1}
    database.insert(
        "host_hours",
        host("silent", "first", 3, **full | {"host_records": 90}),
        host("silent", "first", 2, host_records=0, threads=0, completeness=0),
        host("silent", "second", 2, **full),
        host("silent", "second", 1, host_records=0, threads=0, completeness=0),
        host("silent", "alive", 1, **full),
        host("silent", "alive", 0, host_records=6, threads=80, completeness=1),
    )
    found = {row["host_id"]: row for row in database.view("hosts_latest", "cluster = 'silent'")}
    assert {name: row["threads"] for name, row in found.items()} == {"first": 70, "second": 70, "alive": 80}
    assert [found[name]["hour_shown"] for name in ("first", "second")] == ["SILENT since then"] * 2
    assert found["first"]["heard_until"][:16] == f"{HOUR - timedelta(hours=2, minutes=45):%Y-%m-%d %H:%M}"
    assert found["alive"]["hour_shown"] in ("running", "over"), "the hour may end while this runs"
    missing = sorted(database.view("missing_records", "cluster = 'silent'"), key=lambda row: row["heard_until"])
    assert [row["subject"] for row in missing] == ["first", "second"]
    assert missing[0]["missing_shown"] == f"not heard of since about {HOUR - timedelta(hours=2, minutes=45):%Y-%m-%d %H:%M}"


def test_a_change_is_told_by_what_was_found_and_by_which_price_it_has(database):
    changed = {"origin": "simulated", "cluster": "found", "changed_at": at(HOUR), "window_start": at(HOUR), "version": 1, "kind": "quota"}
    fell = {"quantity": "throttled_period_ratio", "verdict": "fallen", "effect": -0.2}
    took = {"realised_cores": -2.0, "realised_cores_low": -2.5, "realised_cores_high": -1.5}
    freed = {"realised_cores": 3.0, "realised_cores_low": 2.0, "realised_cores_high": 4.0}
    database.insert(
        "verifications",
        changed
        | took
        | {"service": "a", "change_id": "1", "outcome": "verified", "effects": [fell], "recommendation_id": "r-1", "priced_by": "no_price"},
        changed | freed | {"service": "b", "change_id": "2", "outcome": "verified", "realised_usd_per_year": 7, "priced_by": "acceptance"},
        changed
        | freed
        | {
            "service": "c",
            "change_id": "3",
            "outcome": "regressed",
            "effects": [fell | {"verdict": "risen"}],
            "realised_usd_per_year": -300,
            "priced_by": "change",
        },
        changed
        | {
            "service": "c",
            "change_id": "4",
            "outcome": "no_detectable_change",
            "realised_cores": 0.1,
            "realised_cores_low": -1,
            "realised_cores_high": 1,
        },
    )
    database.insert("recommendations", changed | {"service": "a", "recommendation_id": "r-1", "state": "verified", "state_at": at(HOUR)})
    found = {row["change_id"]: row for row in database.view("change_outcomes", "cluster = 'found'")}
    assert {name: row["outcome_shown"] for name, row in found.items()} == {
        "1": "verified: throttling fell; needs 2 cores more",
        "2": "verified: frees 3 cores",
        "3": "REGRESSED: throttling rose; frees 3 cores",
        "4": "no detectable change",
    }
    assert {name: (row["priced_by"], row["realised_usd_per_year"]) for name, row in found.items()} == {
        "1": ("no price", None),
        "2": ("frozen at acceptance", 7),
        "3": ("in force at the change", -300),
        "4": ("", None),
    }
    (ledger,) = database.view("recommendation_ledger", "cluster = 'found'")
    assert (ledger["state"], ledger["state_shown"]) == ("verified", "verified: throttling fell; needs 2 cores more")


def test_who_is_incomplete_or_silent_is_named_with_since_when_and_who_is_whole_is_not(database):
    minute = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=2)
    database.insert(
        "service_latest",
        service("missing", "whole", minute, team="x", completeness_hour=1),
        service("missing", "holes", minute, team="x", completeness_hour=0.5),
        service("missing", "gone", minute - timedelta(hours=2), team="x", completeness_hour=1),
    )
    database.insert("service_hours", service("missing", "holes", HOUR - timedelta(hours=3), completeness=1))
    database.insert("host_hours", host("missing", "fine", 0, completeness=1), host("missing", "lossy", 0, completeness=0.8, missing_host_records=9))
    found = {row["subject"]: row for row in database.view("missing_records", "cluster = 'missing'")}
    assert set(found) == {"holes", "gone", "lossy"}
    assert found["holes"]["missing_shown"] == f"records missing since {HOUR - timedelta(hours=2):%Y-%m-%d %H:%M}"
    assert found["gone"]["missing_shown"] == f"silent since {minute - timedelta(hours=2):%Y-%m-%d %H:%M}"
    assert (found["lossy"]["team"], found["lossy"]["missing_shown"]) == (None, "records missing since it was first heard of")


def test_what_a_host_holds_is_as_complete_and_as_old_as_its_hour_says(database):
    def heard(minutes: int) -> str:
        return f"{HOUR + timedelta(minutes=minutes):%Y-%m-%d %H:%M:%S}"

    first = {"host_records": 66, "expected_host_records": 66, "first_heard": heard(19), "shard_records": 700, "expected_shard_records": 700}
    database.insert(
        "host_hours",
        host("new", "came", 0, completeness=1, heard_until=f"{HOUR + timedelta(seconds=40):%Y-%m-%d %H:%M:%S}", **first),
        host("new", "lossy", 0, completeness=0.75, heard_until=heard(0), **first),
        host("new", "long lossy", 0, completeness=0.37, heard_until=heard(0), host_records=66),
        *(host("new", "long lossy", back, host_records=300, completeness=0.8) for back in range(1, 25)),
        host("new", "gone", 3, completeness=0.5, host_records=180, heard_until=f"{HOUR - timedelta(minutes=121):%Y-%m-%d %H:%M:%S}"),
        host("new", "untold", 3, completeness=0.5, host_records=180),
    )
    found = {row["host_id"]: row for row in database.view("hosts_latest", "cluster = 'new'")}
    assert {name: row["completeness"] for name, row in found.items()} == {"came": 1, "lossy": 0.75, "long lossy": 0.37, "gone": 0.5, "untold": 0.5}
    # The last of 180 windows, the first of which came half an hour late; and a version that told no end: ten seconds for each window.
    assert found["gone"]["heard_until"][:16] == f"{HOUR - timedelta(minutes=121):%Y-%m-%d %H:%M}"
    assert found["untold"]["heard_until"][:16] == f"{HOUR - timedelta(minutes=150):%Y-%m-%d %H:%M}"
    assert found["came"]["heard_until"] <= f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}.999999", "never ahead of the clock"
    missing = {row["subject"]: row["missing_shown"] for row in database.view("missing_records", "cluster = 'new'")}
    assert missing == {
        "lossy": "records missing since it was first heard of",
        "long lossy": "records missing for a day or longer",
        "gone": f"not heard of since about {HOUR - timedelta(minutes=121):%Y-%m-%d %H:%M}",
        "untold": f"not heard of since about {HOUR - timedelta(minutes=150):%Y-%m-%d %H:%M}",
    }


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


def test_what_to_do_about_a_cliff_sends_nobody_nearer_to_it(database):
    alert = {"origin": "simulated", "cluster": "remedies", "window_start": at(HOUR), "since": at(HOUR)}
    alert |= {"version": 1, "state": "firing", "remedy": "of all"}
    changes = {"away": (1.2, 1.9), "nearer": (2.468, 1.85), "nothing": (1.5, 1.5), "not known": (1.5, None)}
    changes |= {"nobody should": (1.2, 1.9), "no estimate": None}
    for name, headroom in changes.items():
        fires = alert | {"quota_class": "1000m/100ms", "service": name, "value": 1, "threshold": 1}
        database.insert("throttling_alerts", *(fires | {"alert_id": f"{name} {kind}", "kind": kind} for kind in ("vulnerable", "shard_threads")))
        if headroom:
            told = {"headroom": headroom[0], "headroom_after": headroom[1], "recommended_change": "smaller pools"}
            told["trust"] = "unusable" if name == "nobody should" else "doubtful"
            database.insert("savings_estimates", service("remedies", name, HOUR, fix_set="pools", best=True, **told))
            database.insert("savings_estimates", service("remedies", name, HOUR, fix_set="burst", best=False, headroom=9, headroom_after=10))
    found = {(row["service"], row["kind"]): row["remedy_shown"] for row in database.view("open_alerts", "cluster = 'remedies'")}
    assert len(found) == 12
    assert found["away", "vulnerable"].startswith("make the recommended change (smaller pools): it moves the cliff from 1.2 to 1.9 times")
    assert found["nearer", "vulnerable"].startswith("shed load as soon as throttling begins. ")
    assert "(smaller pools) is no remedy: it brings the cliff nearer" in found["nearer", "vulnerable"]
    assert "from 2.47 to 1.85 times" in found["nearer", "vulnerable"]
    assert found["nothing", "vulnerable"].startswith("shed load as soon as throttling begins. No recommended change moves the cliff")
    assert {found[name, "vulnerable"] for name in ("not known", "nobody should", "no estimate")} == {"of all"}
    assert {found[name, "shard_threads"] for name in changes} == {"of all"}, "bounding pools is right whatever the cliff does"


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
    near |= {
        "collapse_beyond": False,
        "timeout_us": 200_000,
        "retries": 2,
        "clients_assumed": True,
        "reasons": ["clients are assumed", "few minutes"],
    }
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
    assert found["b"]["collapse_load_multiple_shown"] == "more than 1.25: beyond the search"
    assert (found["b"]["clients_shown"], found["b"]["reasons_shown"]) == ("by the catalog: 200 ms, 2 retries", "clients are assumed; few minutes")
    assert [found["c"][name] for name in ("collapse_load_multiple_shown", "recovery_shown", "clients_shown")] == ["not known"] * 3


def test_a_total_that_lacks_services_analysed_since_says_so(database):
    # The newest totals of an origin count, and other tests have written some of the others.
    analysed = {"origin": "half of them", "best": True, "trust": "sound", "fix_set": "burst", "completeness": 1}
    database.insert("savings_estimates", *(service("half", name, HOUR, **analysed) for name in ("a", "b", "c")))
    total = {"origin": "half of them", "total_of": "cluster", "cluster": "half", "total_name": "half", "window_start": at(HOUR), "version": 1}
    said = []
    for version, services in ((1, 2), (2, 3)):
        database.insert("fleet_totals", total | {"services": services, "version": version, "reasons": ["no price book"]})
        said += [row["reasons_shown"] for row in database.view("fleet_totals_latest", "total_name = 'half'")]
    assert said == ["of 2 of 3 analysed services: the others come with the next total, within ten minutes; no price book", "no price book"]
