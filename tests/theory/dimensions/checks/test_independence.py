"""A verifier shares no code with the searches, and no float decides in it."""

import ast
from pathlib import Path

import pytest

from tacit.theory.dimensions import checks

FILES = sorted(Path(checks.__file__).parent.glob("*.py"))

ALLOWED = (
    "tacit.theory.dimensions.witnesses",
    "tacit.theory.dimensions.incidence",
    "tacit.theory.dimensions.checks",
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_verifier_imports_no_search_and_no_solver(file):
    tree = ast.parse(file.read_text())
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    outside = {
        "__future__",
        "collections.abc",
        "fractions",
        "functools",
        "itertools",
        "math",
        "typing",
    }
    assert all(module in outside or module.startswith(ALLOWED) for module in modules)
    assert not [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, float)
    ]


def test_there_are_verifiers():
    assert len(FILES) >= 5
