"""Read the theorems of this folder: their statements, hypotheses and ties to the code.

A result is a ``Theorem``, or any lemma of the generated ``Numbers.v``; every other
``Lemma`` is a step towards one. The comment right before a theorem may tie each of its
hypotheses to the code::

    (* code: tacit.mechanisms.selection.Exponential
       0 < epsilon <- check positive(epsilon)
       0 < w <- object tacit.mechanisms.score.Score.spread
       NoDup candidates <- requires the words of the proof file's Requires *)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
GENERATED = "Numbers"


@dataclass(frozen=True)
class Theorem:
    """One result as it stands in its file."""

    file: str
    name: str
    start: int
    """Where the statement begins, in characters of the file."""
    end: int
    """Where the statement ends: its full stop."""
    statement: str
    hypotheses: tuple[str, ...]
    code: str
    """The object of the code that the table before the theorem names, or nothing."""
    ties: tuple[tuple[str, str, str], ...]
    """Rows of that table: hypothesis, kind of tie, what it is tied to."""

    @property
    def label(self) -> str:
        """The name that proof files use."""
        return f"{self.file}.{self.name}"


def files() -> list[Path]:
    """The Coq files of the folder."""
    return sorted(FOLDER.glob("*.v"))


def without_comments(text: str) -> str:
    """The text with every comment turned into spaces, so that positions stay."""
    out, depth, i = [], 0, 0
    while i < len(text):
        two = text[i : i + 2]
        if two == "(*":
            depth, i = depth + 1, i + 2
            out.append("  ")
        elif two == "*)" and depth:
            depth, i = depth - 1, i + 2
            out.append("  ")
        else:
            out.append(text[i] if not depth or text[i] == "\n" else " ")
            i += 1
    return "".join(out)


def plain(text: str) -> str:
    """The text on one line with single spaces."""
    return " ".join(text.split())


def _split(text: str, mark: str) -> list[str]:
    """Cut at every ``mark`` that stands outside brackets."""
    parts, depth, last, i = [], 0, 0, 0
    while i < len(text):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if not depth and text.startswith(mark, i) and text[i : i + 2] != ":=":
            parts.append(text[last:i])
            i += len(mark)
            last = i
        else:
            i += 1
    return [*parts, text[last:]]


def hypotheses_of(statement: str) -> tuple[str, ...]:
    """What stands before the last arrow of a statement, outside brackets."""
    _, *rest = _split(statement, ":")
    *premises, _ = _split(":".join(rest), "->")
    found = []
    for premise in premises:
        text = plain(premise)
        # Bound names and abbreviations in front of a hypothesis are no part of it.
        while cut := re.match(r"(?:forall [^,]*,|let \w+ := .*? in) ", text):
            text = text[cut.end() :]
        found.append(text)
    return tuple(found)


def _sections(code: str, position: int) -> tuple[str, ...]:
    """The hypotheses of the sections that are open at ``position``."""
    pattern = r"^\s*(Section|End|Hypothesis|Hypotheses)\s+(\w+)\s*(?::(.*?))?\.(?=\s)"
    stack: list[list[str]] = [[]]
    for match in re.finditer(pattern, code[:position], re.MULTILINE | re.DOTALL):
        kind, _, body = match.groups()
        if kind == "Section":
            stack.append([])
        elif kind == "End":
            stack.pop()
        else:
            stack[-1].append(plain(body or ""))
    return tuple(text for level in stack for text in level)


def _table(text: str, position: int) -> tuple[str, tuple[tuple[str, str, str], ...]]:
    """The table in the comment right before ``position``."""
    match = re.search(r"\(\* code: (\S+)\s*\n((?:(?!\*\)|\(\*).)*)\*\)\s*\Z", text[:position], re.S)
    if match is None:
        return "", ()
    rows = []
    for row in re.split(r"\n(?=[^\n]*<-)", match.group(2)):
        if "<-" in row:
            left, _, right = row.partition("<-")
            kind, _, target = plain(right).partition(" ")
            rows.append((plain(left), kind, target))
    return match.group(1), tuple(rows)


def theorems(path: Path) -> list[Theorem]:
    """The results of one file, in order."""
    text = path.read_text(encoding="utf-8")
    code = without_comments(text)
    words = "Theorem|Lemma" if path.stem == GENERATED else "Theorem"
    found = []
    for match in re.finditer(rf"\b(?:{words})\s+(\w+)(.*?)\.(?=\s+Proof\b)", code, re.DOTALL):
        statement = match.group(0)
        code_name, ties = _table(text, match.start())
        found.append(
            Theorem(
                file=path.stem,
                name=match.group(1),
                start=match.start(),
                end=match.end(),
                statement=statement,
                hypotheses=_sections(code, match.start()) + hypotheses_of(statement),
                code=code_name,
                ties=ties,
            )
        )
    return found


@cache
def every_theorem() -> dict[str, Theorem]:
    """All results of the folder by their label."""
    return {result.label: result for path in files() for result in theorems(path)}
