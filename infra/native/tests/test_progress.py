"""What is printed while a step runs."""

import json

from quotascope_native import progress


def test_the_newest_line_is_shown_without_colours_and_blank_lines(tmp_path):
    log = tmp_path / "step.log"
    log.write_text("first\n\x1b[1;32msecond\x1b[0m part\n\n\x1b[0m\n")
    assert progress.last_line(log) == " | second part"


def test_a_go_test_event_is_shown_as_words(tmp_path):
    log = tmp_path / "step.log"
    log.write_text(json.dumps({"Action": "run", "Package": "a/b", "Test": "TestX"}) + "\n")
    assert progress.last_line(log) == " | run a/b TestX"


def test_a_log_that_is_missing_or_a_folder_shows_nothing(tmp_path):
    assert progress.last_line(tmp_path / "none.log") == "" and progress.last_line(tmp_path) == ""


def test_a_step_says_what_where_and_how_long(capsys, tmp_path):
    with progress.Progress().step("doing it", tmp_path / "x.log"):
        pass
    first, last = capsys.readouterr().out.splitlines()
    assert first == f"doing it (log {tmp_path / 'x.log'})"
    assert last.startswith("doing it: done in ")
