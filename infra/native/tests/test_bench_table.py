"""The table of all benches, from reports as the benches write them."""

import importlib.util
import sys
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "bench" / "every.py"
spec = importlib.util.spec_from_file_location("every", FILE)
assert spec and spec.loader
every = importlib.util.module_from_spec(spec)
sys.modules["every"] = every
spec.loader.exec_module(every)


def test_verdicts_become_rows_with_their_goals():
    met = {"what": "ns a switch", "measured": 71.16, "goal": 150, "met": True}
    report = {"verdicts": [met, {"what": "b", "measured": 9, "goal": 8, "met": False}]}
    rows = [figure.row() for figure in every.of_verdicts("overhead", report)]
    assert rows == ["| overhead | ns a switch | 71.16 | 150 | met |", "| overhead | b | 9 | 8 | **missed** |"]


def test_a_report_that_lists_only_what_was_missed_is_understood():
    assert every.of_verdicts("fidelity", {"goals_missed": []})[0].met is True
    assert every.of_verdicts("fidelity", {"goals_missed": ["quota: mean error 0.03, goal 0.005"]})[0].met is False


def test_printed_figures_are_found_and_held_against_their_goal():
    figures = every.of_model("a what-if                           900.0 us\nthe full analysis of a container   5100.2 us\nunlikely\n")
    assert [(figure.measured, figure.goal, figure.met) for figure in figures] == [(900.0, None, None), (5100.2, 5000.0, False)]
    head = "| charged | kappa | load | CPU ms, best of 3 |\n|---|---|---|---|\n"
    (line,) = every.of_simulator(f"{head}| exactly | 0.4 | 1.3 | 412.5 | 60000 | 12 % |\n")
    assert line.measured == 412.5 and "kappa 0.4" in line.what


def test_a_missed_goal_shows_in_the_table():
    text = every.table("m", "m", [every.Figure("model", "x", 2.0, 1.0, False)])
    assert "| model | x | 2 | 1 | **missed** |" in text
