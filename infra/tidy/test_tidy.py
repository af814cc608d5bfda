"""Style that is not checked by a test is a wish. Every failure reads `file:line: what, what to do instead`."""

from collections import Counter
from pathlib import PurePath

import documents
import names
import sizes
import tree


def report(findings: list[str | None]) -> None:
    found = [finding for finding in findings if finding]
    assert not found, "\n" + "\n".join(found)


def flat(rule, sources) -> list[str]:
    return [finding for source in sources for finding in rule(source)]


def test_there_is_something_to_look_at():
    kinds = Counter(source.suffix for source in tree.sources())
    assert all(kinds[suffix] > 5 for suffix in (".go", ".java", ".py", ".sql", ".avsc", ".md"))


def test_no_name_of_a_file_or_folder_says_nothing():
    report([names.banned_path(path) for path in tree.paths()])


def test_no_declared_name_says_nothing():
    report(flat(names.banned_declarations, tree.of_kind(*names.DECLARATIONS)))


def test_quantities_are_spelt_as_the_glossary_spells_them():
    found = []
    for source in tree.of_kind(".avsc", ".sql"):
        for line, name in names.quantities(source):
            if instead := names.misspelt(name):
                found.append(source.at(line, f"{name}: the glossary says {instead}"))
    report(found)


def test_files_can_be_read_to_the_end():
    report([sizes.long_file(source) for source in tree.of_kind(".go", ".java", ".py", ".sh")])


def test_functions_fit_a_screen():
    report(flat(sizes.long_functions, tree.of_kind(".go", ".java", ".py")))


def test_avro_text_lives_in_schemas_only():
    outside = [path for path in tree.paths() if path.endswith(".avsc") and not path.startswith("schemas/")]
    report([f"{path}:1: an Avro schema outside schemas/, move it there" for path in outside])
    code = [
        source
        for source in tree.of_kind(".go", ".java", ".py", ".sql")
        if not source.path.startswith(("schemas/", "infra/tidy/"))
    ]
    # Tests may hold schemas of records that are not ours.
    code = [source for source in code if "_test" not in source.path and "Test" not in source.path]
    what = "it holds the text of an Avro record; read it from schemas/"
    report([source.at(1, what) for source in code if documents.RECORD_TEXT.search(source.text)])


def test_migration_numbers_are_unique_and_without_a_hole():
    migrations = sorted(PurePath(path).name for path in tree.paths() if path.startswith("sql/migrations/"))
    numbers = [name.partition("_")[0] for name in migrations]
    assert numbers == [f"{number:04}" for number in range(1, len(migrations) + 1)], migrations


def test_documents_have_one_title():
    report([documents.titles(source) for source in tree.of_kind(".md")])


def test_links_between_documents_lead_somewhere():
    report(flat(documents.dead_links, tree.of_kind(".md")))


def test_nothing_unfinished_is_left():
    report(flat(documents.unfinished, tree.sources()))


def test_nothing_names_one_machine():
    report(flat(documents.machine_paths, tree.sources()))


def test_no_chart_has_a_formula():
    charts = [source for source in tree.of_kind(".yaml", ".yml") if source.path.startswith("dashboards/")]
    what = "a chart names metrics of its dataset and holds no SQL"
    found = [
        source.at(number, what)
        for source in charts
        for number, line in enumerate(source.lines, 1)
        if documents.CHART_SQL.search(line)
    ]
    report(found)


def test_locks_name_no_index():
    locks = [path for path in tree.paths() if path.endswith(("requirements.txt", "requirements.in"))]
    assert locks
    texts = {path: (tree.REPOSITORY / path).read_text() for path in locks}
    report(
        [
            f"{path}:1: a lock that names an index works at one place only"
            for path, text in texts.items()
            if documents.INDEX.search(text)
        ]
    )
