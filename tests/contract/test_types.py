"""How much of the code is untyped: these numbers may fall, and never rise."""

import ast
import re
from pathlib import Path

import tacit

PACKAGE = Path(tacit.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
LINES = [line for path in FILES for line in path.read_text("utf-8").splitlines()]
ANY_A_THOUSAND = 8
ASKED_AT_RUN_TIME = 96
"""``hasattr`` and ``getattr``: of frames, of scikit-learn's fitted attributes, of the operating
system, of fields by their names."""
OURS = re.compile(
    r"^(concept_?class|concepts?|class_|queries|domain|base|family|experts|hypothes[ie]s|rules?"
    r"|learner|mechanism|sanitizer|algorithm|event|task)$"
)
CALLABLE = {"algorithm, '__name__'"}
"""Anybody's function, whose name is shown."""


def test_few_lines_say_any():
    assert len(LINES) > 60_000
    untyped = sum(bool(re.search(r"\bAny\b", line)) for line in LINES)
    assert 0 < 1000 * untyped / len(LINES) <= ANY_A_THOUSAND


def test_attributes_asked_at_run_time_do_not_grow():
    asked = sum(bool(re.search(r"\b(hasattr|getattr)\(", line)) for line in LINES)
    assert 0 < asked <= ASKED_AT_RUN_TIME


def test_nobody_asks_classes_domains_and_learners_for_attributes():
    calls, asked = 0, []
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id not in ("hasattr", "getattr"):
                continue
            calls += 1
            name = ast.unparse(node.args[0]).rpartition(".")[2]
            what = ", ".join(ast.unparse(one) for one in node.args[:2])
            if OURS.match(name) and what not in CALLABLE:
                asked.append(f"{path.relative_to(PACKAGE)}: {what}")
    assert calls > 20
    assert asked == []
