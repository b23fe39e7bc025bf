"""What is public only because whoever asked said so, read from a certificate's recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MOST, LONGEST = 12, 2000
"""How many names or facts are shown, and how long a fact may be."""


def listed(names: Sequence[str]) -> str:
    """Names of columns in a sentence, the first of them where they are many."""
    shown = ", ".join(repr(name) for name in names[:MOST])
    return shown if len(names) <= MOST else f"{shown} and {len(names) - MOST} more"


def public_facts(recipe: Mapping[str, object]) -> tuple[str, ...]:
    """The facts that the schema carries; none where a stranger wrote something else."""
    facts = declared_schema(recipe).get("public")
    if not isinstance(facts, list):
        return ()
    return tuple(one[:LONGEST] for one in facts[:MOST] if isinstance(one, str))


def complete_columns(recipe: Mapping[str, object]) -> str:
    """The columns that are declared to hold no missing or undeclared value, in words."""
    columns = _mapping(declared_schema(recipe).get("columns"))
    return listed([name for name in columns if _mapping(columns[name]).get("complete") is True])


def impossible_combinations(recipe: Mapping[str, object]) -> str:
    """The combinations of values that are declared not to occur, in words."""
    declared = _mapping(recipe.get("class")).get("impossible")
    if not isinstance(declared, list):
        return ""
    told = [words for one in declared[:MOST] if (words := _together(one))]
    more = len(declared) - MOST
    return "; ".join(told) + (f"; and {more} more" if told and more > 0 else "")


def _together(combination: object) -> str:
    """One combination, from pairs of a column and its values; nothing if it is none."""
    pairs = combination if isinstance(combination, list) else []
    said = [
        f"{one[0]!r} is {_either(one[1])}"[:LONGEST]
        for one in pairs
        if isinstance(one, list) and len(one) == 2 and isinstance(one[1], list) and one[1]
    ]
    return " and ".join(said) if len(said) == len(pairs) else ""


def _either(values: Sequence[object]) -> str:
    shown = " or ".join(repr(str(value)) for value in values[:MOST])
    return shown if len(values) <= MOST else f"{shown} or {len(values) - MOST} more"


def declared_schema(recipe: Mapping[str, object]) -> Mapping[str, object]:
    """The schema of the class, as it is written; empty where there is none."""
    concepts = _mapping(recipe.get("class"))
    several = concepts.get("classes")
    if isinstance(several, list) and several:
        concepts = _mapping(several[0])  # all are over one schema
    return _mapping(concepts.get("schema", recipe.get("schema")))


def _mapping(found: object) -> Mapping[str, object]:
    return found if isinstance(found, Mapping) else {}
