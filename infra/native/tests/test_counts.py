"""The last line of `make test` is only as true as these counts."""

import json

from quotascope_native import counts
from quotascope_native.counts import Counts, FailedTest

GO = [
    {"Action": "start", "Package": "a"},
    {"Action": "run", "Package": "a", "Test": "TestOne"},
    {"Action": "output", "Package": "a", "Test": "TestOne", "Output": "boom\n"},
    {"Action": "fail", "Package": "a", "Test": "TestOne"},
    {"Action": "pass", "Package": "a", "Test": "TestTwo"},
    {"Action": "skip", "Package": "a", "Test": "TestThree"},
    {"Action": "fail", "Package": "a"},
    {"Action": "pass", "Package": "b", "Test": "TestFour"},
    {"Action": "pass", "Package": "b"},
    # A package without test files is skipped as a package, which is no skipped test.
    {"Action": "skip", "Package": "c"},
    {"Action": "build-output", "ImportPath": "d", "Output": "d.go:3: undefined: x\n"},
    {"Action": "build-fail", "ImportPath": "d"},
    {"Action": "fail", "Package": "d", "FailedBuild": "d"},
]
JUNIT = """<testsuites><testsuite name="s" tests="9">
<testcase classname="s" name="good"/>
<testcase classname="s" name="flaky"><rerunFailure message="once"/></testcase>
<testcase classname="s" name="bad"><failure message="x">trace</failure></testcase>
<testcase classname="s" name="worse"><error message="x">trace</error></testcase>
<testcase classname="s" name="later"><skipped message="no root"/></testcase>
</testsuite></testsuites>"""


def lines():
    return ["go: downloading something"] + [json.dumps(event) for event in GO]


def test_go_counts_tests_and_a_package_that_does_not_build_as_one_failure():
    assert counts.of_go(lines()) == Counts(passed=2, failed=2, skipped=1)


def test_go_names_failed_tests_and_packages_that_did_not_build():
    assert [test.name for test in counts.failed_go(lines())] == ["a TestOne", "d"]


def _said_by(*outputs):
    printed = [{"Action": "output", "Package": "a", "Test": "TestOne", "Output": f"{line}\n"} for line in outputs]
    [failed] = counts.failed_go(json.dumps(event) for event in [*printed, {"Action": "fail", "Package": "a", "Test": "TestOne"}])
    return failed


def test_a_failed_go_test_says_its_last_complaint_and_what_was_before():
    said = _said_by("=== RUN TestOne", "    one_test.go:2: begins", "    one_test.go:7: 3 of 4", "    one_test.go:9: too few")
    assert said == FailedTest("a TestOne", "one_test.go:7: 3 of 4 | one_test.go:9: too few")


def test_a_failed_assertion_says_what_was_wrong_and_not_the_tests_first_log_line():
    said = _said_by(
        "    one_test.go:2: I! measuring",
        "    one_test.go:7: 24 samples",
        "    one_test.go:8: ",
        "        \tError Trace:\t/somewhere/one_test.go:8",
        "        \tError:      \tNot equal: ",
        "        \t            \texpected: 1",
        "        \t            \tactual  : 2",
        "        \t            \t",
        "        \t            \tDiff:",
        "        \t            \t--- Expected",
        "        \tTest:       \tTestOne",
        "        \tMessages:   \tonly while it was there",
        "--- FAIL: TestOne (0.00s)",
    )
    assert said.cause == "Not equal: expected: 1 actual  : 2 only while it was there | one_test.go:7: 24 samples"


def test_go_output_shows_the_failed_test_and_the_build_error():
    shown = counts.go_output(lines())
    assert "boom" in shown and "d.go:3: undefined: x" in shown


def test_junit_counts_by_case_and_not_by_the_suites_attributes(tmp_path):
    file = tmp_path / "TEST-s.xml"
    file.write_text(JUNIT)
    assert counts.of_junit([file]) == Counts(passed=2, failed=2, skipped=1)
    assert counts.failed_junit([file]) == [FailedTest("s.bad", "x"), FailedTest("s.worse", "x")]


def test_adding_counts():
    assert Counts(1, 2, 3) + Counts(4, 5, 6) == Counts(5, 7, 9)
    assert Counts(1, 2, 3).total == 6
