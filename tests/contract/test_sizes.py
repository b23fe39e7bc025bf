"""Files have at most 400 lines and functions at most 60, docstrings apart; compiled kernels excepted."""

import ast
from pathlib import Path

import tacit

PACKAGE = Path(tacit.__file__).parent
FILES = {path.relative_to(PACKAGE): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
MOST_LINES, MOST_IN_A_FUNCTION = 400, 60


def functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def is_compiled(node):
    return any(
        "compiled" in ast.unparse(one) or "jit" in ast.unparse(one) for one in node.decorator_list
    )


def length(node):
    """Lines from the first to the last, without those of the docstring."""
    whole = node.end_lineno - node.lineno + 1
    first = node.body[0]
    if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)):
        return whole
    return whole - (first.end_lineno - first.lineno + 1)


def test_no_file_is_long():
    assert len(FILES) >= 450
    long = {
        str(name): text.count("\n") for name, text in FILES.items() if text.count("\n") > MOST_LINES
    }
    assert long == {}


def test_no_function_is_long():
    found = [
        (f"{name} {node.name}", length(node))
        for name, text in FILES.items()
        for node in functions(text)
        if not is_compiled(node)
    ]
    assert len(found) >= 3000
    assert {name for name, lines in found if lines > MOST_IN_A_FUNCTION} == set()
