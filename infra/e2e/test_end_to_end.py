"""From the kernel to the ranked table, with poison on the way, and TaskManager and ClickHouse killed in mid-run.

One run is made for all tests of this file: about six minutes. Where real cgroups cannot be had the run says so and
replays a recorded trace; what only a kernel can answer is then skipped with that reason.
"""

from collections import Counter

import pytest
from quotascope_native import jobs
from quotascope_reference.wire import CPU_USAGE_WINDOWS, DEAD_LETTERS
from scenario import knowledge, load, metrics, models, poison, run, worth

TRUE_COUNTERS = ("periods", "throttled_periods", "throttled_us", "usage_us")


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    state = tmp_path_factory.mktemp("e2e")
    stack = run.Stack.open(str(state), auto_ports=True)
    try:
        yield run.run(state)
    finally:
        # The scenario's own services live in this folder too, so ending by folder ends them.
        stack.stop()


@pytest.fixture
def kernel(evidence):
    if evidence.obstacle:
        pytest.skip(f"no real cgroups: {evidence.obstacle}")
    return evidence


def test_every_message_is_accounted_for(evidence):
    intake = evidence.reference.intake
    assert intake.difference(evidence.reference.messages) == 0
    assert len(intake.accepted[CPU_USAGE_WINDOWS]) > 0
    assert (intake.gaps + intake.before_first).total() == 0, "records are missing in the sequences of an agent that was never killed"


def test_tables_equal_the_offline_reference_row_for_row(evidence):
    assert not evidence.differences, "\n".join(str(difference) for difference in evidence.differences[:20])
    # An hour closes with the days that follow.
    empty = [table for table, rows in evidence.reference.tables.items() if not rows and table != "service_hours"]
    assert not empty, f"nothing was compared in {empty}"


def test_rows_of_models_equal_those_made_without_flink_row_for_row(evidence):
    """Catalog and prices are on their topics before the first record, so no row can rest on others than the program's."""
    assert not evidence.model_differences, "\n".join(str(difference) for difference in evidence.model_differences[:20])
    for table, rows in evidence.model_rows.items():
        assert any(row["analysis_trigger"] for row in rows.values()), f"no minute was analysed in {table}"
        assert any(row["catalog_version"] for row in rows.values()), f"no row of {table} rests on the catalog"
    assert any(row["price_book_version"] for row in evidence.model_rows["savings_estimates"].values())


def test_the_worth_of_every_rank_follows_from_the_judgements_that_it_names(evidence):
    assert evidence.weighed.keys() == evidence.reference.tables["tuning_ranks"].keys()
    assert not evidence.worth_differences, "\n".join(str(difference) for difference in evidence.worth_differences[:20])
    for name in worth.NAMES:
        assert any(row[name] for row in evidence.weighed.values()), f"no row rests on any: {name}"


def test_rows_of_hours_and_days_equal_the_log_row_for_row(evidence):
    """Hours of services by the reference; hours of hosts, kernels and changes by the program without Flink; those of the lab among them."""
    days = evidence.later
    assert not days.differences, "\n".join(str(difference) for difference in days.differences[:20])
    assert not days.complaints
    own = {row["cluster"] for row in days.reference.tables["service_hours"].values()}
    assert own == {days.cluster, load.CLUSTER}
    assert all(days.judged[table] for table in models.OF_LATER), {table: len(rows) for table, rows in days.judged.items()}
    assert {row["cluster"] for row in days.judged["host_hours"].values()} == own
    totals = days.judged["fleet_totals"].values()
    assert {row["total_name"] for row in totals if row["total_of"] == "cluster"} == own
    assert {row["total_name"] for row in totals if row["total_of"] == "fleet"} == {"fleet"}


def test_a_measured_cost_of_concurrency_is_used_and_said(kernel):
    where = f"service = '{knowledge.MEASURED}'"
    used = kernel.rows(f"SELECT DISTINCT kappa, kappa_measured FROM quotascope_views.savings_estimates WHERE {where}")
    assert used == [{"kappa": knowledge.KAPPA, "kappa_measured": True}]
    for view in ("savings_estimates", "what_if_outcomes", "collapse_risks"):
        said = "countIf(arrayExists(reason -> reason LIKE '%measured from requests%', reasons)) AS said"
        (here,) = kernel.rows(f"SELECT {said} FROM quotascope_views.{view} WHERE {where}")
        (elsewhere,) = kernel.rows(f"SELECT {said} FROM quotascope_views.{view} WHERE NOT {where}")
        assert here["said"] > 0 and elsewhere["said"] == 0, view
    loads = kernel.rows(f"SELECT requests FROM quotascope_views.service_loads WHERE {where}")
    assert loads == [{"requests": knowledge.REQUESTS}]


@pytest.mark.parametrize(
    ("latest", "history", "thing"), [("what_if_latest", "what_if_outcomes", "scenario"), ("savings_latest", "savings_estimates", "fix_set")]
)
def test_the_latest_analyses_are_those_of_the_history(kernel, latest, history, thing):
    key = "origin, cluster, service, quota_class"
    picked = f"SELECT {key}, {thing}, window_start, completeness, trust FROM quotascope_views."
    newest = f"SELECT {key}, max(window_start) FROM quotascope_views.{history} GROUP BY {key}"
    # The recommended change stands among the scenarios and comes from the savings, which are compared themselves.
    own = "NOT recommended" if latest == "what_if_latest" else "true"
    found = kernel.rows(f"{picked}{latest} WHERE {own} ORDER BY ALL")
    assert found == kernel.rows(f"{picked}{history} WHERE ({key}, window_start) IN ({newest}) ORDER BY ALL")
    assert found


def test_the_killed_taskmanager_restarted_every_job(evidence):
    assert set(evidence.restarts) == {entry.rpartition(".")[2] for entry in jobs.ENTRIES}
    assert all(count >= 1 for count in evidence.restarts.values()), evidence.restarts


def test_flinks_reporter_shows_what_the_page_of_metrics_promises(evidence):
    assert metrics.ours(evidence.metrics) == metrics.documented()
    assert metrics.of_flink() <= {sample.name for sample in evidence.metrics}
    jobs_seen = {sample.labels["job_name"] for sample in evidence.metrics if sample.name.endswith("_lastCheckpointFullSize")}
    assert len(jobs_seen) == len(jobs.ENTRIES)
    accepted = [s.value for s in evidence.metrics if s.name.endswith("_outcome_records") and s.labels["outcome"] == "accepted"]
    assert sum(accepted) > 0
    clocks = {s.labels["job_name"] for s in evidence.metrics if s.name.endswith("_task_currentInputWatermark") and 0 < s.value < 4e15}
    assert clocks == jobs_seen - {"quotascope_inputs"}, "every job but the one without a clock has the log's"


def test_poison_is_a_dead_letter_with_its_reason_and_its_bytes(evidence):
    letters = {message.key.decode(): message for message in evidence.dead_letters}
    assert letters.keys() == evidence.poisons.keys(), "exactly the poison is in the dead letters"
    for position, sent in evidence.poisons.items():
        headers = {name: value.decode() for name, value in letters[position].headers}
        assert headers["reason"] == sent.reason, position
        assert (letters[position].value or b"") == sent.value
        assert headers["detail"]
        assert f"{headers['topic']}/{headers['partition']}/{headers['offset']}" == position
    assert Counter(sent.reason for sent in evidence.poisons.values())["ahead_of_time"] == 4


def test_poison_and_copies_change_no_row(evidence):
    assert evidence.rows(f"SELECT count() AS n FROM quotascope_views.shard_windows WHERE host_id = '{poison.HOST}'") == [{"n": 0}]
    # Copies of sound records are repetitions by their sequence numbers, and so is whatever the collector sent twice.
    assert evidence.reference.intake.duplicates[CPU_USAGE_WINDOWS] >= evidence.copies


def test_rows_say_where_their_numbers_come_from(evidence):
    for view in ("shard_windows", "host_windows", "service_windows", "tuning_ranks", "service_ranking", "usage_histograms"):
        found = evidence.rows(f"SELECT DISTINCT origin FROM quotascope_views.{view} WHERE cluster = '{load.CLUSTER}'")
        assert found == [{"origin": evidence.origin}], view


def test_every_service_is_complete(evidence):
    """What a host says it sent has arrived, first records of newborn cgroups included: they come one window later and are stated apart."""
    sums = evidence.rows(
        "SELECT service, sum(records) AS received, sum(expected_records) AS expected"
        f" FROM quotascope_views.service_windows WHERE cluster = '{load.CLUSTER}' GROUP BY service ORDER BY service"
    )
    assert sums
    assert all(row["received"] == row["expected"] for row in sums), sums


def test_sums_of_rows_are_the_kernels_own_counters(kernel):
    truth = kernel.truth
    assert truth is not None
    assert truth["final"]
    sums = ", ".join(f"sum({name}) AS sum_{name}" for name in (*TRUE_COUNTERS, "sampled_usage_us"))
    found = kernel.rows(f"SELECT service, shard, {sums} FROM quotascope_views.shard_windows WHERE cluster = '{load.CLUSTER}' GROUP BY service, shard")
    rows = {(row["service"], row["shard"]): row for row in found}
    shards = {(service["service"], shard["shard"]): shard for service in truth["services"] for shard in service["shards"]}
    assert len(shards) >= 8
    assert rows.keys() == shards.keys()
    wrong = []
    for place, shard in sorted(shards.items()):
        row = rows[place]
        for name in TRUE_COUNTERS:
            # An unlimited cgroup has no periods to count; the collector states none or the kernel's zero.
            collected = row[f"sum_{name}"] or 0
            if collected != shard["kernel"][name]:
                wrong.append(f"{'/'.join(place)}: {name} is {collected} in the rows, {shard['kernel'][name]} in the kernel")
        share = row["sum_sampled_usage_us"] / row["sum_usage_us"] if row["sum_usage_us"] else 1.0
        print(f"{'/'.join(place)}: usage_us {row['sum_usage_us']}, sampled_usage_us {row['sum_sampled_usage_us']} ({share:.4f})")
    assert not wrong, "\n".join(wrong)


def test_the_ranking_tells_the_labs_lessons(kernel):
    print(kernel.ranked_table)
    place = {row["service"]: row for row in kernel.ranking if row["cluster"] == load.CLUSTER}
    assert {"checkout", "search-fanout", "auth-tuned", "reports-idle"} <= place.keys()
    tuned = place["auth-tuned"]["rank_position"]
    # A healthy service may come first only for what its recommended change is worth.
    (worth,) = kernel.rows(
        "SELECT worth_usd_per_year_per_effort_day AS worth FROM quotascope_views.service_ranking"
        f" WHERE cluster = '{load.CLUSTER}' AND service = 'auth-tuned'"
    )
    for service in ("checkout", "search-fanout"):
        row = place[service]
        assert row["verdict"] == "throttled", row
        assert row["rank_position"] < tuned or worth["worth"]
        assert row["throttled_period_ratio_hour"] > place["auth-tuned"]["throttled_period_ratio_hour"]
        assert any("of periods throttled" in reason for reason in row["reasons"])
    assert any("outnumbers" in reason for reason in place["checkout"]["reasons"])
    # On a starved machine even the well-tuned one is throttled now and then, truly; it must only not come first.
    assert place["auth-tuned"]["verdict"] != "give_back"
    assert place["reports-idle"]["verdict"] == "give_back"
    assert place["batch-neighbour"]["verdict"] not in ("throttled", "give_back")


def test_runnable_threads_are_measured_or_absent(evidence):
    """By eBPF they are there; polling cannot know them and must not guess. Runnable threads are counted all the time, all threads
    only as a window ends: a minute in whose first window the load stops has some of the former and none of the latter, so the
    most of the run is compared. A bucket's value may be half too high: hence the factor."""
    methods = {row["method"] for row in evidence.rows("SELECT DISTINCT method FROM quotascope_views.host_windows")}
    found = evidence.rows(
        "SELECT service, max(threads_per_reserved_core_p99) AS all_threads, max(runnable_threads_per_reserved_core_p99) AS runnable,"
        " countIf(runnable_threads_per_reserved_core_p50 IS NOT NULL OR runnable_threads_per_reserved_core_p99 IS NOT NULL) AS stated"
        f" FROM quotascope_views.thread_ratios WHERE cluster = '{load.CLUSTER}' GROUP BY service"
    )
    assert found
    assert not [row for row in found if row["runnable"] is not None and row["runnable"] > 2 * (row["all_threads"] or 0)], found
    assert any(row["stated"] for row in found) == ("ebpf" in methods), (found, methods)


def test_a_consumer_of_third_party_tools_decodes_the_topic(evidence):
    bootstrap = evidence.stack.endpoints()["kafka"]
    records, said = run.read_topic(bootstrap, CPU_USAGE_WINDOWS)
    accepted = evidence.reference.intake.accepted[CPU_USAGE_WINDOWS]
    usage = sum(each.record["usage_us"] for each in accepted)
    seen = {(record["host_id"], record["agent_epoch"], record["seq"]): record for record in records}
    own = [record for (host, _, _), record in seen.items() if host != poison.HOST and record["cluster"] != evidence.later.cluster]
    assert (len(own), sum(record["usage_us"] for record in own)) == (len(accepted), usage)
    assert all(sum(count for _, count in record["usage_histogram"]) == record["samples"] for record in own)
    assert "no schema for a message that begins with" in said
    assert run.dump.partitions(bootstrap, [DEAD_LETTERS]) == {DEAD_LETTERS: 1}
