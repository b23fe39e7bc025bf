"""Ties every proof to the code it is about.

A proof file begins with the objects it covers and the hash of their syntax trees:

    ---
    covers:
      - tacit.mechanisms.selection.Exponential
    hash: 0123456789abcdef
    ---

Comments, docstrings and formatting may change freely; anything else stales the proof. So
does a change of a sensitivity or calibration that the covered code relies on, wherever it is
stated (``reliance``).
``python -m tacit.checks.testing.proofs --update FILE`` sets the hash: a reviewed act.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from functools import lru_cache
from pathlib import Path

from tacit.checks.testing.reliance import PACKAGE, Sources, alone, relied_on
from tacit.core import Claim
from tacit.core.registry import extensions

SECTIONS = ("Requires", "Ensures", "Proof", "Numerics")
ROOT = Path(__file__).resolve().parents[2]


def _without_docstring(body: list[object]) -> list[object]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *others]:
            return others or [ast.Pass()]
    return body


def _shape(node: object) -> object:
    """The tree as nested lists, without docstrings, and without empty fields: those differ
    between Python versions.
    """
    if isinstance(node, list):
        return [_shape(item) for item in node]
    if not isinstance(node, ast.AST):
        return node
    fields = [
        (key, _shape(_without_docstring(value) if key == "body" else value))
        for key, value in ast.iter_fields(node)
        if value not in (None, [])
    ]
    return [type(node).__name__, *fields]


def code_hash(names: list[str], *, package: Path = PACKAGE) -> str:
    """A hash of the syntax trees of the named functions, classes or modules.

    The calibrations and numbers that they rely on count as theirs.
    """
    sources = Sources(package)
    digest = hashlib.sha256()
    for name in names:
        digest.update(_text(sources.node(name)[1]))
    relied = relied_on(names, sources)
    for module, name in sorted(relied):
        digest.update(f"{module}.{name}".encode())
        digest.update(_text(alone(relied[module, name])))
    return digest.hexdigest()[:16]


@lru_cache(maxsize=1 << 14)  # as in ``reliance``: a piece of a file is one object
def _text(node: ast.AST) -> bytes:
    return repr(_shape(node)).encode()


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
    """Every proof of the package, and those beside the modules of extensions."""
    found = set(ROOT.rglob("*.proof.md"))
    for name in extensions():
        spec = importlib.util.find_spec(name)
        for place in (spec and spec.submodule_search_locations) or ():
            found |= set(Path(place).rglob("*.proof.md"))
        beside = Path((spec and spec.origin) or name).with_suffix(".proof.md")
        found |= {beside} if beside.is_file() else set()
    return sorted(found)


def proof_of(claim: Claim) -> Path | None:
    """The file that a claim names: of this package, or of an extension."""
    if claim.proof is None:
        return None
    tail = Path(claim.proof).parts
    return next((path for path in proof_files() if path.parts[-len(tail) :] == tail), None)


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
        print(f"stale: {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
