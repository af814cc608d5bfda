"""Sizes: files that no one reads to the end, functions that do not fit a screen."""

import ast
import re

from tree import ALLOWED, Source

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70
# A Java method begins at the members' indentation with a name and an opening bracket, and is no statement.
NO_STATEMENT = r"^ {4,8}(?!return|throw|new|if|for|while|switch|else|try|case|assert)[\w@<]"
JAVA_METHOD = re.compile(NO_STATEMENT + r"(?:[^;={}]*\([^;{}]*$|[^;=]*\([^;]*\)[^;]*\{\s*$)")


def long_file(source: Source) -> str | None:
    count = len(source.lines)
    if count <= FILE_LINES_MAX or ALLOWED in source.text:
        return None
    return source.at(count, f"{count} lines, split it below {FILE_LINES_MAX}")


def long_functions(source: Source) -> list[str]:
    finders = {".go": _go, ".java": _java, ".py": _python}
    return [
        source.at(start, f"the function of this line has {length} lines, split it below {FUNCTION_LINES_MAX + 1}")
        for start, length in finders[source.suffix](source)
        if length > FUNCTION_LINES_MAX and ALLOWED not in source.lines[start - 1]
    ]


def _go(source: Source) -> list[tuple[int, int]]:
    """gofmt puts the closing brace of a function alone at the line's start."""
    found = []
    start = None
    for number, line in enumerate(source.lines, 1):
        if line.startswith("func ") and not line.rstrip().endswith("}"):
            start = number
        elif line == "}" and start is not None:
            found.append((start, number - start + 1))
            start = None
    return found


def _python(source: Source) -> list[tuple[int, int]]:
    functions = [node for node in ast.walk(ast.parse(source.text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [(node.lineno, node.end_lineno - node.lineno + 1) for node in functions]


def _java(source: Source) -> list[tuple[int, int]]:
    """From a method's first line to the brace at the same indentation; google-java-format makes that exact."""
    found = []
    open_at: tuple[int, str] | None = None
    for number, line in enumerate(source.lines, 1):
        if open_at is None and JAVA_METHOD.match(line):
            open_at = (number, line[: len(line) - len(line.lstrip())])
        elif open_at is not None and line.rstrip() == open_at[1] + "}":
            found.append((open_at[0], number - open_at[0] + 1))
            open_at = None
        elif (
            open_at is not None
            and line.startswith(open_at[1])
            and line.rstrip().endswith(";")
            and not line.startswith(open_at[1] + " ")
        ):
            open_at = None
    return found
