"""Ties every proof to the code it speaks of.

A proof file begins with the objects it covers and the hash of their syntax trees:

    ---
    covers:
      - tacit.mechanisms.selection.Exponential
    hash: 0123456789abcdef
    ---

Comments, docstrings and formatting may change freely; anything else stales the proof.
``python -m tacit.checks.testing.proofs --update FILE`` sets the hash: a reviewed act.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import sys
import textwrap
from pathlib import Path

SECTIONS = ("Requires", "Ensures", "Proof", "Numerics")
ROOT = Path(__file__).resolve().parents[2]


def _without_docstrings(tree: ast.AST) -> ast.AST:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            value = body[0].value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                node.body = body[1:] or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


def _shape(node: object) -> object:
    """The tree as nested lists, without empty fields: those differ between Python versions."""
    if isinstance(node, list):
        return [_shape(item) for item in node]
    if not isinstance(node, ast.AST):
        return node
    fields = [
        (key, _shape(value)) for key, value in ast.iter_fields(node) if value not in (None, [])
    ]
    return [type(node).__name__, *fields]


def _resolve(name: str) -> object:
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, ValueError):
        return getattr(_resolve(module), attribute)


def code_hash(names: list[str]) -> str:
    """A hash of the syntax trees of the named functions, classes or modules."""
    digest = hashlib.sha256()
    for name in names:
        try:
            thing: object = importlib.import_module(name)
        except ImportError:
            thing = inspect.unwrap(_resolve(name))  # type: ignore[arg-type]
        source = textwrap.dedent(inspect.getsource(thing))  # type: ignore[arg-type]
        digest.update(repr(_shape(_without_docstrings(ast.parse(source)))).encode())
    return digest.hexdigest()[:16]


def read(path: Path) -> tuple[list[str], str, str]:
    """The covered names, the recorded hash and the text of a proof file."""
    text = path.read_text(encoding="utf-8")
    head, _, body = text.removeprefix("---\n").partition("\n---\n")
    names = [line.strip()[2:].strip() for line in head.splitlines() if line.startswith("  - ")]
    recorded = next(
        (line.split(":", 1)[1].strip() for line in head.splitlines() if line.startswith("hash:")),
        "",
    )
    return names, recorded, body


def proof_files() -> list[Path]:
    """Every proof of the package."""
    return sorted(ROOT.rglob("*.proof.md"))


def update(path: Path) -> None:
    """Record the present hash of the covered code."""
    names, _, body = read(path)
    covered = "\n".join(f"  - {name}" for name in names)
    head = f"---\ncovers:\n{covered}\nhash: {code_hash(names)}\n---\n"
    path.write_text(head + body, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Update the named files, or report which proofs are stale."""
    if arguments[:1] == ["--update"]:
        for name in arguments[1:]:
            update(Path(name))
        return 0
    stale = [path for path in proof_files() if code_hash(read(path)[0]) != read(path)[1]]
    for path in stale:
        print(f"stale: {path.relative_to(ROOT)}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
