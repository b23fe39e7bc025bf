"""Write ``bounds.md`` from the registries: every theorem, its numbers, its code and its tests."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from tacit.core import (
    ALGORITHMS,
    LOWER_BOUNDS,
    PAPERS,
    BadInput,
    SampleBound,
    Theorem,
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


def _tex(formula: str) -> str:
    # Markdown would eat the backslash of "\\{" and read underscores as emphasis.
    kept = re.sub(r"\\(?=[^A-Za-z\s])", r"\\\\", formula)
    return kept.replace("_", r"\_").replace("*", r"\*")


def row(entry: Theorem) -> str:
    ours, printed = shown(evaluate(entry.function))
    source = entry.function.__module__.replace(".", "/")
    code = f"`src/{source}.py` `{entry.function.__name__}`"
    cells = (
        f"**{entry.claim.locator}** ({entry.kind}, {entry.claim.status.value})",
        entry.setting,
        f"${_tex(entry.formula)}$",
        ours,
        printed,
        code,
        tested(entry),
    )
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def page() -> str:
    lines = [
        "# Every theorem is a number",
        "",
        "Generated from the registries. Numbers are at 64 bits, alpha = beta = 0.1, epsilon = 1, "
        "delta = 1e-6 and k = 10, unless a theorem needs smaller ones. *Ours* is the certified "
        "number, rounded outward; *paper's* is what the paper's own constants give, where it has "
        "some. An empty cell means that the theorem asks for parameters without a common value.",
        "",
    ]
    for paper, title in PAPERS.items():
        entries = [entry for entry in theorems() if entry.claim.paper == paper]
        if not entries:
            continue
        lines += [
            f"## {paper}",
            "",
            f"{title}.",
            "",
            "| theorem | setting | formula | ours | paper's | code | test |",
            "|---|---|---|---|---|---|---|",
            *(row(entry) for entry in entries),
            "",
        ]
    lines += [
        "## What the planner reads",
        "",
        "| algorithm | applies to | claim |",
        "|---|---|---|",
    ]
    lines += [f"| {a.name} | {a.when} | {a.claim.cite} |" for a in ALGORITHMS]
    lines += ["", "| lower bound | applies to | claim |", "|---|---|---|"]
    lines += [f"| {b.name} | {b.when} | {b.claim.cite} |" for b in LOWER_BOUNDS]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (DOCS / "bounds.md").write_text(page(), encoding="utf-8")
