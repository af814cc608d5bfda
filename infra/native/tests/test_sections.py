"""The section runner: nothing that failed to run may look like success."""

import re
import sys

import pytest
from quotascope_native import sections, test_run
from quotascope_native.progress import Progress
from quotascope_native.sections import Section


@pytest.fixture(autouse=True)
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(sections, "RESULTS", tmp_path)
    monkeypatch.setattr(test_run, "RESULTS", tmp_path)


def python_section(tmp_path, text, name="sample"):
    (tmp_path / "test_sample.py").write_text(text)
    report = tmp_path / f"{name}.xml"
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", str(tmp_path))
    return Section(name, "pytest", "infra/native", (command,), reports=(str(report),))


def test_a_passing_section_is_counted(tmp_path):
    outcome = test_run.run_section(python_section(tmp_path, "def test_a(): pass\n"), Progress())
    assert outcome.ok and outcome.counts.passed == 1


def test_a_failing_test_fails_the_section(tmp_path, capsys):
    outcome = test_run.run_section(python_section(tmp_path, "def test_a(): assert 1 == 2\n"), Progress())
    assert not outcome.ok and outcome.counts.failed == 1
    # pytest puts the way from its root folder before the name.
    assert re.search(r"failed: \S*test_sample\.test_a", capsys.readouterr().out)


def test_a_section_that_ran_no_test_fails(tmp_path):
    outcome = test_run.run_section(python_section(tmp_path, "x = 1\n"), Progress())
    assert not outcome.ok and outcome.counts.failed == 1


def test_a_command_that_succeeds_without_a_report_fails(tmp_path):
    section = Section("silent", "pytest", "infra/native", (("true",),), reports=(str(tmp_path / "silent.xml"),))
    outcome = test_run.run_section(section, Progress())
    assert outcome.trouble == "it ran no test" and outcome.counts.failed == 1


def test_a_command_that_fails_after_its_tests_passed_fails_the_section(tmp_path):
    section = python_section(tmp_path, "def test_a(): pass\n")
    outcome = test_run.run_section(
        Section(section.name, "pytest", "infra/native", (*section.commands, ("false",)), reports=section.reports), Progress()
    )
    assert not outcome.ok and outcome.counts.failed == 1


def test_counts_of_an_earlier_run_are_not_taken_for_this_one(tmp_path):
    section = python_section(tmp_path, "def test_a(): pass\n")
    test_run.run_section(section, Progress())
    outcome = test_run.run_section(Section("again", "pytest", "infra/native", (("true",),), reports=section.reports), Progress())
    assert not outcome.ok and outcome.counts.passed == 0


def test_a_missing_folder_fails(tmp_path):
    outcome = test_run.run_section(Section("gone", "go", "no/such/folder", (("true",),)), Progress())
    assert not outcome.ok and "no/such/folder" in outcome.trouble


def test_the_last_line_counts_all_sections_and_the_run_goes_on_after_a_failure(tmp_path, capsys):
    failing = Section("first", "go", "no/such/folder", (("true",),))
    status = test_run.run([failing, python_section(tmp_path, "def test_a(): pass\n")])
    assert status == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"
