"""Words that only the authors would understand are gone from everything that users read."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSIDER = re.compile(
    r"without telling|could do without|beside their floors|house is built|opens that door"
    r"|(front|only) door|theorem is a (function|number)|specimen|with its mistakes"
    r"|(?-i:\bBeforehand\.)|speaks of|without a word|one concept a line|whose epsilon"
    r"|luck of the maximum"
    r"|\b(this|both|each|every|these|other|six) rooms?\b|\bthe room is\b",
    re.IGNORECASE,
)
PAGES = [
    path
    for pattern in (
        "*.md",
        "docs/**/*.md",
        "docs/**/*.ipynb",
        "src/tacit/page/**/*.html",
        "src/**/*.proof.md",
    )
    for path in sorted(ROOT.glob(pattern))
    if "_build" not in path.parts
]


def said(source):
    """Every text in a module, its documentation among them, with the line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_the_words_are_found_where_they_stand():
    assert len(PAGES) > 30
    for words in ("Read this room first", "the only door to it", "A tree with its mistakes"):
        assert INSIDER.search(words)
    assert not INSIDER.search("the ledger has no room for it, as was said beforehand")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_have_plain_words(path):
    found = [line for line in path.read_text(encoding="utf-8").split("\n") if INSIDER.search(line)]
    assert not found


def test_messages_and_documentation_have_plain_words():
    modules = sorted((ROOT / "src").rglob("*.py"))
    assert len(modules) > 400
    found = [
        f"{path.relative_to(ROOT)}:{line}: {found[0]}"
        for path in modules
        for line, words in said(path.read_text(encoding="utf-8"))
        if (found := INSIDER.search(words))
    ]
    assert not found, "\n".join(found)
