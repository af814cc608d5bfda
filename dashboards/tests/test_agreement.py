"""Two readers who ask the same question read the same figure, whichever way they ask: pages, report, weekly CSV, plain SQL."""

import csv
import io
import json
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from quotascope_dashboards.tree import Tree
from quotascope_dashboards.weekly import Span, answered
from quotascope_sql.server import SQL

FLEET = "charts/fleet/which_services_should_we_look_at_first.yaml"
SERVICE = "charts/service/what_state_is_it_in_and_what_helps.yaml"
CHANGE = "charts/service/recommended_change.yaml"
SAVINGS = "charts/savings/what_would_tuning_free.yaml"
TOTAL = "charts/fleet/what_would_tuning_free_in_total.yaml"
POLICIES = "charts/fleet/which_policy_helps_the_fleet.yaml"
TEAMS = "charts/savings/which_teams_could_save.yaml"
KEY = ("service", "quota_class")
# As Superset heads the columns of a CSV.
HEADS = {
    "service": "Service",
    "quota_class": "Quota / period",
    "throttled_period_ratio_hour": "Throttled, last 1-2 hours",
    "cores_freed_shown": "Cores freed [p5, p95]",
}


def by_service(rows: list[dict], figure: str) -> dict[tuple[str, str], object]:
    return {tuple(row[name] for name in KEY): row[figure] for row in rows}


@pytest.fixture(scope="module")
def ids(running) -> dict[str, int]:
    return running.session().ids_by_uuid("chart")


def charted(running, ids, name: str) -> list[dict]:
    """The rows of a chart's saved query, as its page asks for them."""
    answer = running.session().call("GET", f"/api/v1/chart/{ids[Tree().files[name]['uuid']]}/data/", params={"force": "true"})
    return answer["result"][0]["data"]


def weekly(running, ids, name: str) -> list[dict]:
    [text] = answered(running.session(), Tree(), name, ids, Span.last(7, datetime.now(UTC))).texts
    heads = {head: column for column, head in HEADS.items()}
    return [{heads.get(head, head): value for head, value in row.items()} for row in csv.DictReader(io.StringIO(text))]


def reported(running, *arguments: str) -> list[dict]:
    """What `report --json` prints, by the command itself."""
    command = [sys.executable, "-m", "quotascope_sql", "--url", running.clickhouse_url, "--password-file", str(running.secrets / "clickhouse_report")]
    done = subprocess.run([*command, "report", *arguments, "--json"], capture_output=True, text=True, check=True, cwd=SQL / "tool")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_throttled_share_of_the_last_hour_is_one_figure_everywhere(running, ids):
    figure = "throttled_period_ratio_hour"
    stored = by_service(running.views("SELECT * FROM quotascope_views.service_latest WHERE window_start > now() - INTERVAL 1 HOUR"), figure)
    assert any(stored.values())
    assert by_service(charted(running, ids, FLEET), figure) == stored
    assert by_service(charted(running, ids, SERVICE), figure) == stored
    assert by_service(reported(running, "which_services_first"), figure) == stored
    printed = by_service(weekly(running, ids, FLEET), figure)
    assert {key: float(value) if value else None for key, value in printed.items()} == stored


def test_the_cores_that_a_change_frees_are_one_figure_everywhere(running, ids):
    rows = running.views("SELECT * FROM quotascope_views.savings_latest WHERE recommended")
    stored = by_service(rows, "cores_freed")
    assert any(stored.values())
    told = {key: value for key, value in by_service(reported(running, "which_services_first"), "cores_freed").items() if key in stored}
    assert told == pytest.approx(stored)
    ends = {tuple(row[name] for name in KEY): [row["cores_freed"], row["cores_freed_low"], row["cores_freed_high"]] for row in rows}
    for said in (charted(running, ids, FLEET), charted(running, ids, CHANGE), charted(running, ids, SAVINGS), weekly(running, ids, FLEET)):
        words = by_service(said, "cores_freed_shown")
        assert set(ends) <= set(words)
        for key, text in words.items():
            # Words have two decimals; half a unit of the last one is how far they may be from the number.
            assert numbers(text) == (pytest.approx(ends[key], rel=0, abs=0.005 + 1e-9) if key in ends else []), key


def test_the_recommended_change_and_its_trust_are_one_everywhere(running, ids):
    """What to change and how far that can be believed: a page that says something else recommends something else."""
    for figure in ("recommended_change", "trust"):
        stored = by_service(running.views("SELECT * FROM quotascope_views.savings_latest WHERE recommended"), figure)
        assert any(stored.values())
        for said in (charted(running, ids, FLEET), charted(running, ids, CHANGE), reported(running, "which_services_first")):
            assert {key: words for key, words in by_service(said, figure).items() if words} == stored


def numbers(words: str) -> list[float]:
    """The median and the ends in `2.4 [1.12, 2.9]`, which are one figure in `2.4 (a bound: what must stay)`; nothing in an empty text."""
    if words and "[" not in words:
        return 3 * [float(words.split()[0])]
    return [float(number) for number in words.replace("[", "").replace("]", "").replace(",", "").split()]


def test_what_a_service_could_save_is_one_figure_on_the_page_and_in_the_report(running, ids):
    stored = {row["service"]: row["cashable_usd_per_year"] for row in running.views("SELECT * FROM quotascope_views.savings_latest WHERE best")}
    assert any(stored.values())
    assert {row["service"]: row["cashable_usd_per_year"] for row in charted(running, ids, SAVINGS)} == stored
    assert {row["service"]: row["cashable_usd_per_year"] for row in reported(running, "what_would_tuning_free")} == stored


def test_what_all_services_together_could_save_is_one_figure_everywhere(running, ids):
    """The table of totals, the policy of recommended changes and the bars of teams have the interval of the sum, none the ends added."""
    names = ("freed_cores", "needed_cores", "net_cores", "reclaimable_cores")
    picked = ", ".join(["total_of", "total_name", "net_usd_per_year_low", *(f"{name}{end}" for name in names for end in ("", "_low", "_high"))])
    stored = {(row["total_of"], row["total_name"]): row for row in running.views(f"SELECT {picked} FROM quotascope_views.fleet_totals_latest")}
    answers = {
        "page": {(row["total_of"], row["total_name"]): row for row in charted(running, ids, TOTAL)},
        "report": {(row["total_of"], row["total_name"]): row for row in reported(running, "what_would_tuning_free_in_total")},
    }
    for name in names:
        ends = {key: [row[f"{name}{end}"] for end in ("", "_low", "_high")] for key, row in stored.items()}
        shown = {key: numbers(row[f"{name}_shown"]) for key, row in answers["page"].items()}
        assert shown == {key: pytest.approx(value, rel=0, abs=0.005 + 1e-9) for key, value in ends.items()}, name
        told = {key: row[name] for key, row in answers["report"].items()}
        assert told == {key: pytest.approx(value[0]) for key, value in ends.items()}, name
    recommended = [row for row in charted(running, ids, POLICIES) if row["cores_released_interval"] == "of the sum"]
    said = [[row["cores_released"], row["cores_released_low"], row["cores_released_high"]] for row in recommended]
    # What the recommended changes release is net: what is freed less what others need.
    net = {key: [row[f"net_cores{end}"] for end in ("", "_low", "_high")] for key, row in stored.items()}
    assert said == [pytest.approx(value) for (of, _), value in net.items() if of == "cluster"] != []
    bars = {row["total_name"]: row["savings_at_least"] for row in charted(running, ids, TEAMS)}
    assert bars == {name: pytest.approx(row["net_usd_per_year_low"]) for (of, name), row in stored.items() if of == "team"} != {}


def test_every_certified_metric_gives_the_figure_of_its_expression_over_the_view(running):
    datasets = {row["table_name"]: row["id"] for row in running.session().listed("dataset", ("id", "table_name"))}
    asked = 0
    for dataset in Tree().of("datasets").values():
        names = [metric["metric_name"] for metric in dataset["metrics"]]
        body = {
            "datasource": {"id": datasets[dataset["table_name"]], "type": "table"},
            "queries": [{"columns": [], "metrics": names, "filters": [], "extras": {}, "row_limit": 10}],
            "result_format": "json",
            "result_type": "full",
            "force": True,
        }
        (answer,) = running.session().call("POST", "/api/v1/chart/data", json=body)["result"][0]["data"]
        parts = ", ".join(f"{metric['expression']} AS {metric['metric_name']}" for metric in dataset["metrics"])
        (direct,) = running.views(f"SELECT {parts} FROM quotascope_views.{dataset['table_name']}")
        for name in names:
            if isinstance(direct[name], (int, float)):
                # Age is measured against the server's clock, which moves between the two questions.
                assert answer[name] == pytest.approx(direct[name], rel=0, abs=30 if name == "oldest_newest_row" else 1e-9), (
                    dataset["table_name"],
                    name,
                )
                asked += 1
    assert asked > 40
