"""One page a paper, from the registries: each statement, where it is, its status, how to run it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import paper_items

from tacit.core import (
    ALGORITHMS,
    PAPERS,
    BadInput,
    Claim,
    SampleBound,
    Theorem,
    claims,
    theorems,
)
from tacit.core.numbers import show

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent

REFERENCE: dict[str, Any] = {
    "alpha": Fraction(1, 10),
    "beta": Fraction(1, 10),
    "epsilon": Fraction(1),
    "delta": Fraction(1, 10**6),
    "bits": 64,
    "size": 2**64,
    "domain_size": 2**64,
    "k": 10,
    "vc": 1,
    "littlestone": 64,
    "dimension": 64,
    "p": 2**61 - 1,
    "rho": Fraction(1, 20),
    "error": Fraction(1, 100),
    "failure": Fraction(1, 10),
    "queries": "points",
    "packing": 2**20,
    "scale": Fraction(1, 10),
    "radius": Fraction(1, 10),
    "seed_bits": 32,
    "weight": 100,
    "switches": 10,
    "message": 10,
    "n": 1000,
}
"""Parameters at which the page shows numbers; a function picks what it asks for by name."""

# Small enough to be listed, or outside the range of the theorem at the reference.
SPECIAL: dict[str, dict[str, Any]] = {
    "finite_class_table": {"size": 1000, "domain_size": 2**16},
    "enumerated": {"size": 100, "domain_size": 16},
    "multiplicative_weights": {"size": 1000, "domain_size": 2**16},
    "in_turn": {"questions": 10**9, "domain_size": 2**16},
    "noisy_answers": {"questions": 1000},
    "weighted": {"size": 1000, "domain_size": 2**16},
    "several": {"size": 2**20, "domain_size": 2**16, "vc": 2},
    "global_stability": {"littlestone": 1},
    "records": {"bits": 2},
}


def evaluate(function: Callable[..., Any]) -> Any:
    """The function at the reference parameters, or ``None`` if it asks for others."""
    given: dict[str, Any] = {}
    special = SPECIAL.get(function.__name__, {})
    for name, parameter in inspect.signature(function).parameters.items():
        if name in special:
            given[name] = special[name]
        elif parameter.default is not inspect.Parameter.empty:
            continue
        elif name in REFERENCE:
            given[name] = REFERENCE[name]
        else:
            return None
    try:
        return function(**given)
    except (BadInput, OverflowError, TypeError, ValueError):
        return None


def shown(value: Any) -> tuple[str, str]:
    """Our number and the paper's."""
    if isinstance(value, SampleBound):
        return _short(value.n), "" if value.printed is None else _short(value.printed)
    if isinstance(value, Fraction):
        return (show(value) if value.denominator < 10**6 else f"{float(value):.4g}"), ""
    if isinstance(value, tuple):
        return ", ".join(shown(part)[0] for part in value), ""
    if isinstance(value, dict):
        return ", ".join(f"{key} {part}" for key, part in value.items()), ""
    return ("" if value is None else _short(value)), ""


def _short(value: Any) -> str:
    if isinstance(value, int) and value >= 10**9:
        digits = str(value)
        return f"{digits[0]}.{digits[1]}e{len(digits) - 1}"
    return str(value)


@cache
def _tests() -> dict[str, str]:
    return {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
    }


def tested(entry: Theorem) -> str:
    """The first test files that name the function together with its module."""
    function = entry.function
    module = function.__module__.rpartition(".")[2]
    found = [
        name
        for name, text in _tests().items()
        if f"{function.__name__}(" in text and module in text
    ]
    return ", ".join(f"`{name}`" for name in found[:2])


def row(entry: Theorem, *, numbers: bool) -> str:
    """One line of a table; with what it comes to at the reference, where that is wanted."""
    module = entry.function.__module__.removeprefix("tacit.")
    cells = (
        f"**{entry.claim.locator}** ({entry.kind}, {entry.claim.status.value})",
        entry.setting,
        f"${entry.formula}$",
        *(shown(evaluate(entry.function)) if numbers else ()),
        f"`{module}` `{entry.function.__name__}`",
        tested(entry),
    )
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _place(locator: str) -> tuple[float, ...]:
    """Statements in the order of the paper: by the numbers in their names."""
    return tuple(float(number) for number in re.findall(r"\d+", locator)) or (1e9,)


def _proof(claim: Claim) -> str:
    if claim.proof is None:
        return ""
    name = claim.proof.removesuffix(".proof.md")
    return f"[proof](proofs/{name}.md)"


def _learners(paper: str) -> list[str]:
    lines = [
        "| statement | what it says | status | run it | proof |",
        "|---|---|---|---|---|",
    ]
    entries = sorted(
        (entry for entry in ALGORITHMS if entry.claim.paper == paper),
        key=lambda entry: _place(entry.claim.locator),
    )
    for entry in entries:
        said = f"{entry.summary} ({entry.when})".replace("|", r"\|")
        lines.append(
            f"| **{entry.claim.locator}** | {said} | {entry.claim.status.value} | "
            f'`algorithm="{entry.name}"` | {_proof(entry.claim)} |'
        )
    return [] if not entries else ["## Algorithms", "", *lines, ""]


def _others(paper: str, shown_already: set[Claim]) -> list[str]:
    """Claims of mechanisms and lower bounds of the planner that are no theorem above."""
    rest = [claim for claim in claims() if claim.paper == paper and claim not in shown_already]
    if not rest:
        return []
    lines = [
        "## Also used",
        "",
        "| statement | what it says | status | proof |",
        "|---|---|---|---|",
    ]
    for claim in sorted(rest, key=lambda one: _place(one.locator)):
        said = claim.statement.replace("|", r"\|")
        lines.append(f"| **{claim.locator}** | {said} | {claim.status.value} | {_proof(claim)} |")
    return [*lines, ""]


def _bounds(entries: list[Theorem]) -> list[str]:
    """Theorems with numbers at the reference, then those that ask for parameters of their own."""
    valued = [entry for entry in entries if shown(evaluate(entry.function))[0]]
    others = [entry for entry in entries if entry not in valued]
    lines = []
    if valued:
        lines += ["## Bounds", "", "| theorem | setting | formula | ours | paper's | code | test |"]
        lines += ["|---|---|---|---|---|---|---|"]
        lines += [*(row(entry, numbers=True) for entry in valued), ""]
    if others:
        lines += ["## Bounds that ask for parameters of their own", ""]
        lines += ["| theorem | setting | formula | code | test |", "|---|---|---|---|---|"]
        lines += [*(row(entry, numbers=False) for entry in others), ""]
    return lines


def _paper(paper: str, title: str) -> str:
    entries = sorted(
        (entry for entry in theorems() if entry.claim.paper == paper),
        key=lambda entry: _place(entry.claim.locator),
    )
    lines = [
        f"# {paper}" if paper != "own" else "# Derived here",
        "",
        f"{title[0].upper()}{title[1:]}.",
        "",
        "Made from the registry of this version. Numbers are at 64 bits, alpha = beta = 0.1, "
        "epsilon = 1, delta = 1e-6 and k = 10, unless a theorem needs smaller ones. *Ours* is the "
        "certified number, rounded outward; *paper's* is what the paper's own constants give, "
        'where it has some. `tacit bounds "'
        + f'{paper} ..."` evaluates any of them at yours. Modules '
        "are those of `tacit`, tests those of the repository.",
        "",
        *paper_items.section(paper),
        *_bounds(entries),
        *_learners(paper),
    ]
    shown_already = {entry.claim for entry in entries} | {entry.claim for entry in ALGORITHMS}
    return "\n".join([*lines, *_others(paper, shown_already)]) + "\n"


def _later() -> str:
    """What other papers say, with its status: the theorems of no page of their own."""
    lines = [
        "# Later results",
        "",
        "Results of the later literature on thresholds and on classes of finite Littlestone "
        "dimension, so that one sees where the field stands. Nothing is planned with them: "
        "their constants are published nowhere, or quoted without a proof. "
        "`tacit bounds ALMM19 --bits 64` evaluates one.",
        "",
        "| result | what it says | setting | growth | at 64 bits |",
        "|---|---|---|---|---|",
    ]
    for entry in theorems():
        if entry.claim.paper not in PAPERS:
            cells = (
                f"**{entry.claim.cite}** ({entry.kind}, {entry.claim.status.value})",
                entry.claim.statement,
                entry.setting,
                f"${entry.formula}$",
                shown(evaluate(entry.function))[0],
            )
            lines.append("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """The text of every page by its path."""
    made = {f"{paper.lower()}.md": _paper(paper, title) for paper, title in PAPERS.items()}
    return made | {"later.md": _later()}
