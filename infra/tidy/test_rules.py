"""Every rule finds what it is for: a check that cannot fail is no check."""

import documents
import names
import pytest
import sizes
from tree import Source


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.go", "func (m *Window) ProcessData() {", "ProcessData"),
        ("a.go", "type HostInfo struct {", "HostInfo"),
        ("a.go", "package util", "util"),
        ("A.java", "public final class WindowManager {", "WindowManager"),
        ("A.java", "package io.quotascope.common;", "io.quotascope.common"),
        ("a.py", "    def misc_helper(self):", "misc_helper"),
        ("a.sql", "CREATE TABLE quotascope.window_info", "quotascope.window_info"),
    ],
)
def test_names_that_say_nothing_are_found(path, text, name):
    (found,) = names.banned_declarations(Source(path, text))
    assert name in found
    assert found.startswith(f"{path}:1: ")


@pytest.mark.parametrize(
    "text", ["type Database struct {", "func Metadata() {", "type Informer struct {", "// data and info are words of prose"]
)
def test_innocent_names_pass(text):
    assert names.banned_declarations(Source("a.go", text)) == []


def test_an_allowed_name_needs_its_line():
    line = "func FileInfo() {} // tidy: allow, the name of the interface that it implements"
    assert names.banned_declarations(Source("a.go", line)) == []


def test_paths_are_names_too():
    assert "says utils" in names.banned_path("streaming/utils/A.java")
    assert names.banned_path("collectors/testdata/dataset/basement.go") is None


@pytest.mark.parametrize(
    "name",
    [
        "throttle_pct",
        "throttling_percent",
        "cpu_limit",
        "wait_ms",
        "usage_percent",
        "spikes",
        "active_threads",
        "histogram_bins",
        "replicas",
    ],
)
def test_misspelt_quantities_are_found(name):
    assert names.misspelt(name)


@pytest.mark.parametrize(
    "name",
    [
        "throttled_period_ratio",
        "throttled_us",
        "quota_us",
        "excursion_samples",
        "slot_records",
        "minimum_shards",
        "bursts",
        "cgroup_path",
    ],
)
def test_quantities_of_the_glossary_pass(name):
    assert names.misspelt(name) is None


def test_quantities_are_read_from_avro_and_sql():
    inner = '{"type": "record", "fields": [{\n"name": "inner", "type": "int"}]}'
    outer = '{\n"name": "outer", "type": ["null", {"type": "array", "items": ' + inner + "}]}"
    avro = '{\n"type": "record", "fields": [' + outer + "]}"
    assert [name for _, name in names.quantities(Source("a.avsc", avro))] == ["outer", "inner"]
    assert names.quantities(Source("a.sql", "(\n    wait_ms  Nullable(Int64) CODEC(T64)\n)")) == [(2, "wait_ms")]


def test_long_files_are_found():
    assert sizes.long_file(Source("a.go", "x\n" * 400)) is None
    assert "401 lines" in sizes.long_file(Source("a.go", "x\n" * 401))


@pytest.mark.parametrize(
    ("path", "head", "tail"),
    [
        ("a.go", "func Long() {", "}"),
        ("A.java", "class A {\n    int f(int x) {", "    }\n}"),
        ("A.java", "class A {\n    static List<String> f(\n            int x) {", "    }\n}"),
        ("a.py", "def f():", "    return 1"),
    ],
)
def test_long_functions_are_found(path, head, tail):
    body = "    x = 1\n" if path.endswith(".py") else "        x = 1;\n"
    assert len(sizes.long_functions(Source(path, f"{head}\n{body * 71}{tail}\n"))) == 1
    assert sizes.long_functions(Source(path, f"{head}\n{body * 60}{tail}\n")) == []


def test_titles_are_counted_outside_code():
    assert documents.titles(Source("a.md", "# One\n```\n# a comment\n```\n")) is None
    assert "2 titles" in documents.titles(Source("a.md", "# One\n# Two\n"))
    assert "0 titles" in documents.titles(Source("a.md", "text\n"))


def test_dead_links_are_found():
    text = "[a](infra/tidy/tree.py) [b](nowhere.md) [c](https://example.org) [d](#part)\n"
    (found,) = documents.dead_links(Source("README.md", text))
    assert "nowhere.md" in found


def test_unfinished_work_and_machine_paths_are_found():
    assert documents.unfinished(Source("a.go", "x\n// TO" + "DO later\n")) == ["a.go:2: unfinished work belongs in an issue"]
    assert len(documents.machine_paths(Source("a.go", "open /wo" + "rk/main/x\n"))) == 1


def test_an_avro_record_in_code_is_found():
    assert documents.RECORD_TEXT.search('schema := `{"type": "record", "name": "X"}`')
    assert documents.RECORD_TEXT.search('"{\\"type\\": \\"record\\"}"')


def test_formulas_in_charts_and_indexes_in_locks_are_found():
    assert documents.CHART_SQL.search("      expressionType: SQL")
    assert not documents.CHART_SQL.search("      expressionType: SIMPLE")
    assert documents.INDEX.search("# lock\n--index-url https://example.org/simple\n")
    assert not documents.INDEX.search("requests==2.0  # -i is no option here\n")
