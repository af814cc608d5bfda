"""Reading of Prometheus' text form and of the page of metrics."""

from scenario import metrics

TEXT = """# TYPE flink_taskmanager_job_task_operator_outcome_records gauge
flink_taskmanager_job_task_operator_outcome_records{job_name="quotascope_ingest",outcome="tick",} 12.0
flink_taskmanager_job_task_operator_numRecordsIn{job_name="quotascope_ingest",} 3.0
flink_taskmanager_job_task_currentInputWatermark{job_name="quotascope_ingest",} 1.795328240214E12
"""


def test_samples_have_names_labels_and_values():
    first, _, last = metrics.parsed(TEXT)
    assert first == metrics.Sample(metrics.PREFIX + "outcome_records", {"job_name": "quotascope_ingest", "outcome": "tick"}, 12)
    assert last.value == 1795328240214


def test_ours_are_told_from_flinks_by_their_spelling():
    assert metrics.ours(metrics.parsed(TEXT)) == {"outcome_records"}


def test_the_page_names_each_of_our_counters(tmp_path):
    page = tmp_path / "metrics.md"
    page.write_text("`no_row`\n## Of the jobs\n| name | counts |\n| `a`, `b_c` | with `d` |\n## Of Flink\n| `flink_x` | `flink_y_` |\n")
    assert metrics.documented(page) == {"a", "b_c"}
    assert metrics.of_flink(page) == {"flink_x"}
