"""What a Prometheus would see of the Flink cluster, and what the page of metrics promises."""

import re
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from quotascope_native.layout import REPOSITORY
from quotascope_native.stack import Stack

PAGE = REPOSITORY / "docs" / "operating" / "metrics.md"
PREFIX = "flink_taskmanager_job_task_operator_"
SAMPLE = re.compile(r"^(?P<name>\w+)\{(?P<labels>.*),?\} (?P<value>\S+)$")
LABEL = re.compile(r'(\w+)="([^"]*)"')
# Flink's own names have capitals; ours have none.
OURS = re.compile(rf"^{PREFIX}([a-z0-9_]+)$")
ROW = re.compile(r"^\| (`[^|]*`) \|", re.MULTILINE)


@dataclass(frozen=True)
class Sample:
    """One figure."""

    name: str
    labels: dict[str, str]
    value: float


def parsed(text: str) -> list[Sample]:
    """The figures of one answer in Prometheus' text form."""
    found = (SAMPLE.match(line) for line in text.splitlines() if not line.startswith("#"))
    return [Sample(one["name"], dict(LABEL.findall(one["labels"])), float(one["value"])) for one in found if one]


def scraped(stack: Stack) -> list[Sample]:
    """Both processes, asked once."""
    texts = []
    for role in ("jobmanager", "taskmanager"):
        with urllib.request.urlopen(f"{stack.ports.url(role + '_metrics')}/metrics", timeout=30) as reply:
            texts.append(reply.read().decode())
    return [sample for text in texts for sample in parsed(text)]


def ours(samples: list[Sample]) -> set[str]:
    """Names of our own counters, without what Flink puts before them."""
    return {match[1] for sample in samples if (match := OURS.match(sample.name))}


def documented(page: Path = PAGE) -> set[str]:
    """The same names as the page's table of the jobs has them."""
    table = page.read_text().partition("## Of the jobs")[2].partition("##")[0]
    return {name for cell in ROW.findall(table) for name in re.findall(r"`(\w+)`", cell)}


def of_flink(page: Path = PAGE) -> set[str]:
    """Flink's own metrics that the page names, in full."""
    return {name for name in re.findall(r"`(flink_\w+)`", page.read_text()) if not name.endswith("_")}
