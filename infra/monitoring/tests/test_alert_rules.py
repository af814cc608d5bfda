"""Alert rules for operators: sound to Prometheus, seen to fire, and about metrics that exist."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from quotascope_native import promtool
from quotascope_native.layout import REPOSITORY, Layout
from quotascope_native.progress import Progress

HERE = REPOSITORY / "infra" / "monitoring"
PAGE = REPOSITORY / "docs" / "operating" / "metrics.md"
METRIC = re.compile(r"\b(?:flink|quotascope)_[A-Za-z0-9_]+")


@pytest.fixture(scope="module")
def tool() -> Path:
    layout = Layout.resolve()
    return promtool.promtool(layout, Progress())


def run(tool: Path, *arguments: str) -> None:
    result = subprocess.run([tool, *arguments], cwd=HERE, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_prometheus_takes_the_rules(tool):
    run(tool, "check", "rules", "rules.yaml")


def test_alerts_fire_when_they_should_and_only_then(tool):
    run(tool, "test", "rules", "rules_test.yaml")


def test_a_rule_that_was_broken_is_found(tool, tmp_path):
    broken = (HERE / "rules.yaml").read_text().replace("> 120", "> 12000")
    (tmp_path / "rules.yaml").write_text(broken)
    (tmp_path / "rules_test.yaml").write_text((HERE / "rules_test.yaml").read_text())
    result = subprocess.run([tool, "test", "rules", "rules_test.yaml"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode != 0 and "QuotascopeClockStopped" in result.stdout + result.stderr


def rules() -> list[dict]:
    groups = yaml.safe_load((HERE / "rules.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def test_every_alert_was_seen_to_fire():
    tested = (HERE / "rules_test.yaml").read_text()
    silent = [rule["alert"] for rule in rules() if "alert" in rule and f'alertname="{rule["alert"]}"' not in tested]
    assert not silent


def test_rules_name_documented_metrics_only_and_say_what_to_do():
    documented = set(METRIC.findall(PAGE.read_text()))
    for rule in rules():
        used = {name for name in METRIC.findall(rule["expr"]) if not name.startswith("quotascope_ingest")}
        assert used <= documented, used - documented
        if "alert" in rule:
            assert rule["annotations"].keys() == {"summary", "remedy"}, rule["alert"]


def test_metrics_of_the_collector_are_those_that_it_declares():
    source = (REPOSITORY / "collectors/plugins/outputs/kafka_avro/prometheus.go").read_text()
    declared = {f"quotascope_{field}_total" for field in re.findall(r'counter\("(\w+)"', source)}
    declared |= set(re.findall(r'Name: "(quotascope_\w+)"', source))
    documented = {name for name in METRIC.findall(PAGE.read_text()) if name.startswith("quotascope_")}
    assert documented == declared
