"""Views behind figures that somebody decides by: totals of the fleet, the prices in them, neighbours that hurt, pools that run above the quota."""

import pytest
from conftest import DAY

HOUR = f"{DAY} 10:00:00"


def total(origin: str, of: str, name: str, minute: str, **fields) -> dict:
    figures = {"services": 2, "reclaimable_cores": 6.5, "reclaimable_cores_low": 5.0, "reclaimable_cores_high": 8.0}
    key = {"origin": origin, "total_of": of, "total_name": name, "window_start": f"{DAY} {minute}:00", "version": 1}
    return key | figures | {"cluster": name if of == "cluster" else None, "team": name if of == "team" else None} | fields


def estimate(origin: str, service: str, **fields) -> dict:
    key = {"origin": origin, "cluster": "totals", "service": service, "quota_class": "1000m/100ms", "window_start": HOUR, "version": 1}
    return key | {"fix_set": "burst", "best": True} | fields


def test_the_newest_totals_of_an_origin_have_the_interval_of_the_sum(database):
    # Origins of its own: the newest instant of an origin is that of all its clusters.
    balance = {
        "freed_cores": 9.5,
        "freed_cores_low": 7.0,
        "freed_cores_high": 12.0,
        "needed_cores": 4.0,
        "needed_cores_low": 3.0,
        "needed_cores_high": 5.0,
    }
    balance |= {
        "net_cores": 5.5,
        "net_cores_low": 2.5,
        "net_cores_high": 8.5,
        "net_usd_per_year": -1.6,
        "net_usd_per_year_low": -9,
        "net_usd_per_year_high": 8,
    }
    priced = balance | {"savings_usd_per_year": 900.4, "savings_usd_per_year_low": 700.0, "savings_usd_per_year_high": 1100.0}
    database.insert(
        "fleet_totals",
        total("here", "fleet", "fleet", "10:00", reclaimable_cores=1.0),
        total("here", "fleet", "fleet", "10:10", reasons=["one class has no price", "all errors go together"], **priced),
        total("here", "cluster", "totals", "10:10"),
        total("here", "team", "x", "10:10"),
        total("here", "team", "gone", "10:00"),
        total("there", "fleet", "fleet", "09:00"),
    )
    database.insert(
        "savings_estimates",
        estimate("here", "a", team="x", completeness=0.9, cashable_usd_per_year=10),
        estimate("here", "b", team=None, completeness=1, cashable_usd_per_year=5),
        estimate("here", "b", team=None, fix_set="pinning", best=False, completeness=0.1, cashable_usd_per_year=99),
    )
    found = {(row["total_of"], row["total_name"]): row for row in database.view("fleet_totals_latest", "origin = 'here'")}
    assert {key: row["total_order"] for key, row in found.items()} == {("fleet", "fleet"): 0, ("cluster", "totals"): 1, ("team", "x"): 2}
    fleet, cluster, team = (found[key] for key in (("fleet", "fleet"), ("cluster", "totals"), ("team", "x")))
    assert (fleet["reclaimable_cores_shown"], fleet["savings_usd_per_year_shown"]) == ("6.5 [5, 8]", "900 [700, 1100]")
    shown = [fleet[f"{name}_shown"] for name in ("freed_cores", "needed_cores", "net_cores", "net_usd_per_year")]
    assert shown == ["9.5 [7, 12]", "4 [3, 5]", "5.5 [2.5, 8.5]", "-2 [-9, 8]"]
    assert (team["net_cores_shown"], team["net_usd_per_year_shown"]) == ("not known", "no price"), "written before they were told"
    assert fleet["reasons_shown"] == "one class has no price; all errors go together"
    assert [(row["completeness_lowest"], row["cashable_usd_per_year"]) for row in (fleet, cluster, team)] == [(0.9, 15), (0.9, 15), (0.9, 10)]
    assert (team["team"], team["cluster"], team["savings_usd_per_year_shown"]) == ("x", None, "no price")
    (other,) = database.view("fleet_totals_latest", "origin = 'there'")
    assert (other["window_start"][11:16], other["completeness_lowest"]) == ("09:00", None)


def test_the_prices_of_a_team_are_the_rows_in_force_at_its_estimates(database):
    def price(name: str, since: str, usd: float) -> dict:
        micros = int(database.as_user("admin").execute(f"SELECT toUnixTimestamp64Micro(toDateTime64('{since}', 6, 'UTC'))"))
        return {"price_class": name, "valid_from_us": micros, "usd_per_core_year": usd, "discount_ratio": 0.1, "host_cores": 64}

    rows = [
        price("default", "2089-01-01", 100),
        price("default", "2090-01-01", 150),
        price("default", "2091-01-01", 200),
        price("spot", "2089-01-01", 40),
    ]
    database.insert("price_books", {"price_book_version": 71, "currency": "USD", "prices": rows, "note": "contract of May"})
    database.insert("price_books", {"price_book_version": 72, "currency": "USD", "prices": [price("default", "2089-01-01", 1)]})
    used = {"cluster": "prices", "reserved_cores_total": 4}
    database.insert(
        "savings_estimates",
        estimate("measured", "a", team="x", price_book_version=71, price_class="default", **used),
        estimate("measured", "b", team="x", price_book_version=71, price_class="default", **used),
        estimate("measured", "c", team="x", price_book_version=71, price_class="spot", **used),
        estimate("measured", "d", team="y", price_book_version=None, price_class=None, **used),
    )
    found = {(row["team"], row["price_class"]): row for row in database.view("prices_used", "cluster = 'prices'")}
    assert {key: (row["services"], row["usd_per_core_year"], row["note"]) for key, row in found.items()} == {
        ("x", "default"): (2, 150, "contract of May"),
        ("x", "spot"): (1, 40, "contract of May"),
        ("y", "no price"): (1, None, ""),
    }
    assert found["x", "default"]["reserved_cores_total"] == 8


def alert(minute: str, since: str, state: str, value: float | None, reasons: list[str], **fields) -> dict:
    key = {"origin": "measured", "cluster": "neighbours", "kind": "neighbour_interference", "alert_id": "n-1", "host_id": "host-a", "version": 1}
    said = {"state": state, "value": value, "threshold": 0.05, "severity": "warning", "reasons": reasons, "remedy": "move one"}
    return key | said | {"window_start": f"{DAY} {minute}:00", "since": f"{DAY} {since}:00"} | fields


def test_an_occurrence_of_interference_is_told_by_its_worst_minute(database):
    database.insert(
        "throttling_alerts",
        alert("10:00", "10:00", "firing", 0.2, ["saturated in 2 of 6 windows"]),
        alert("10:05", "10:00", "firing", 0.4, ["saturated in 6 of 6 windows", "above quota: feed 3.10 cores"]),
        alert("10:09", "10:00", "resolved", 0.0, ["the host was not saturated"]),
        alert("11:00", "11:00", "firing", 0.1, ["again"]),
        alert("11:00", "11:00", "firing", 0.9, ["threads"], kind="host_threads", alert_id="n-2"),
    )
    first, second = database.view("neighbour_interference", "cluster = 'neighbours'")
    assert (first["state_shown"], first["value_max"], first["window_start"][11:16]) == ("over", 0.4, "10:09")
    assert first["reasons_shown"] == "saturated in 6 of 6 windows; above quota: feed 3.10 cores"
    assert (second["state_shown"], second["value_max"], second["host_id"], second["remedy"]) == ("goes on", 0.1, "host-a", "move one")


def window(seq: int, names: list[tuple[str, int]], above: int | None = 5, **fields) -> dict:
    key = {
        "origin": "measured",
        "cluster": "pools",
        "service": "checkout",
        "shard": "checkout-0",
        "quota_class": "1000m/100ms",
        "seq": seq,
        "version": 1,
    }
    threads = [{"comm": comm, "usage_us": used} for comm, used in names]
    return key | {"window_start": f"{DAY} 10:00:{10 * seq:02}", "excursion_samples": above, "excursion_threads": threads} | fields


@pytest.fixture
def pools(database):
    database.insert(
        "service_latest", {"origin": "measured", "cluster": "pools", "service": "checkout", "team": "x", "version": 1, "window_start": HOUR}
    )
    database.insert(
        "shard_windows",
        window(0, [("gc#", 300), ("worker-#", 900)]),
        window(1, [("worker-#", 100)]),
        window(2, []),
        window(3, [], above=0),
        window(4, [], above=None),
        window(0, [], service="unnamed"),
    )
    return database.view("thread_pools", "cluster = 'pools'")


def test_pools_are_named_with_the_time_they_used_above_the_quota(pools):
    assert {(row["service"], row["shard"], row["team"]) for row in pools} == {("checkout", "checkout-0", "x"), ("unnamed", "checkout-0", None)}
    assert [(row["window_start"][11:19], row["thread_name"], row["usage_us"]) for row in pools if row["service"] == "checkout"] == [
        ("10:00:00", "gc#", 300),
        ("10:00:00", "worker-#", 900),
        ("10:00:10", "worker-#", 100),
        ("10:00:20", "(names not measured)", None),
    ]


def test_a_shard_above_its_quota_without_names_says_so_and_one_within_it_nothing(pools):
    assert [(row["thread_name"], row["usage_us"]) for row in pools if row["service"] == "unnamed"] == [("(names not measured)", None)]
    assert not [row for row in pools if row["window_start"][11:19] in ("10:00:30", "10:00:40")]
