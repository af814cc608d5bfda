"""Views of what people and other systems tell: the newest version holds, what is taken back is gone, nothing is forgotten."""

from conftest import DAY

SERVICE = {"origin": "measured", "service": "checkout"}


def test_a_price_book_is_one_row_a_class_and_instant(database):
    free = {"price_class": "default", "valid_from_us": 0, "usd_per_core_year": 400.0, "usd_per_gib_year": 40.0, "discount_ratio": 0.2}
    bound = free | {"price_class": "spot", "commitment_end_us": 1_000_000, "host_cores": 64.0, "packing_ratio": 0.8}
    for _ in range(2):
        database.insert("price_books", {"price_book_version": 7, "currency": "USD", "prices": [free, bound]})
    database.insert("price_books", {"price_book_version": 8, "currency": "USD", "prices": [free]})
    found = database.view("price_books", "price_book_version IN (7, 8)")
    assert [(row["price_book_version"], row["price_class"], row["valid_from"], row["commitment_end"]) for row in found] == [
        (7, "default", "1970-01-01 00:00:00.000000", None),
        (7, "spot", "1970-01-01 00:00:00.000000", "1970-01-01 00:00:01.000000"),
        (8, "default", "1970-01-01 00:00:00.000000", None),
    ]


def test_an_event_that_was_taken_back_is_gone_and_a_repeated_one_counts_once(database):
    event = SERVICE | {"cluster": "events", "changed_at": f"{DAY} 10:00:00", "kind": "deploy", "source": "declared", "version": 1}
    for name in ("kept", "kept", "mistaken"):
        database.insert("change_events", event | {"event_id": name})
    database.insert("change_events", event | {"event_id": "mistaken", "version": 2, "withdrawn": True})
    # The first telling arrives again after the correction, as it does when the topic is read anew.
    database.insert("change_events", event | {"event_id": "mistaken"})
    assert [row["event_id"] for row in database.view("change_events", "cluster = 'events'")] == ["kept"]


def test_a_recommendation_is_its_newest_step_and_every_step_stays(database):
    step = SERVICE | {"cluster": "ledger", "recommendation_id": "r-1", "state_at": f"{DAY} 10:00:00", "proposed_at": f"{DAY} 10:00:00"}
    for version, state in ((2, "accepted"), (1, "proposed"), (3, "applied"), (2, "accepted")):
        database.insert("recommendations", step | {"version": version, "state": state, "credited_cores": float(version)})
    (found,) = database.view("recommendations", "cluster = 'ledger'")
    assert (found["state"], found["credited_cores"], found["accepted_at"]) == ("applied", 3.0, None)
    steps = database.view("recommendation_steps", "cluster = 'ledger'")
    assert sorted((row["version"], row["state"]) for row in steps) == [(1, "proposed"), (2, "accepted"), (3, "applied")]


def test_a_minute_of_load_that_is_imported_anew_replaces(database):
    minute = SERVICE | {"cluster": "loads", "window_start": f"{DAY} 10:00:00", "window_us": 60_000_000, "source": "csv"}
    counts = {"latency_bounds_us": [5_000, 10_000], "latency_requests": [7, 2, 1]}
    database.insert("service_loads", minute | counts | {"requests": 11, "version": 2})
    database.insert("service_loads", minute | {"requests": 9, "errors": 1, "version": 1})
    (found,) = database.view("service_loads", "cluster = 'loads'")
    assert (found["requests"], found["errors"], found["latency_requests"]) == (11, None, [7, 2, 1])
