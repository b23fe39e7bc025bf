"""Dimensions of named classes with their witnesses, computed in a worker and verified there."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tacit.cli.dims import searches
from tacit.core import BadInput
from tacit.theory.dimensions import Measured, Witness, why_not
from tacit.theory.dimensions.compared import INSTANCES
from tacit.theory.dimensions.draw import svg
from tacit.theory.dimensions.named import FORMULAS, Matrix
from tacit.theory.dimensions.witnesses import MistakeTree, ShatteredSet

ENTRIES = tuple(
    sorted(
        {
            *INSTANCES,
            ("points", 16),
            ("thresholds", 15),
            ("thresholds", 31),
            ("intervals", 8),
            ("lines", 5),
            ("parities", 4),
            ("conjunctions", 4),
        },
        key=lambda one: (list(FORMULAS).index(one[0]), one[1]),
    )
)
WORDS = {
    "vc": "most points on which the class shows every labelling",
    "littlestone": "most mistakes that can be forced on any online learner",
    "thresholds": "longest line of thresholds inside the class",
    "deterministic": "log2 of the fewest rules that come within 1/3 of every rule of the class",
    "probabilistic": "the same for a random set that may fail with probability 1/3",
    "public": "bits of the best one-way protocol with error 1/3 and public coins",
    "private": "the same with private coins",
    "doubling": "log2 of the balls of half the radius that cover any ball",
}
"""What each dimension is, in a line."""
QUICK = ("vc", "littlestone", "thresholds")
_SECONDS = 3.0
_LONGEST = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The evidence for one side of a value; ``refused`` says why it is none."""

    says: str
    refused: str | None
    text: str
    picture: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """One dimension of one class: a value, or the interval that is proved."""

    name: str
    quantity: str
    value: str
    above: str
    seconds: float
    witnesses: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One class: its size, and what formulas say about it."""

    family: str
    size: int
    title: str
    concepts: int
    points: int
    vc: str
    littlestone: str
    cite: str


def _matrix(family: str, size: int) -> Matrix:
    if (family, size) not in ENTRIES:
        raise BadInput("there is no such class here; choose one from the list")
    return FORMULAS[family].table(size)


def entry(family: str, size: int) -> Entry:
    """One line of the list, with its dimensions computed."""
    matrix, known = _matrix(family, size), FORMULAS[family]
    found = {name: dimension(family, size, name).value for name in ("vc", "littlestone")}
    return Entry(
        family=family,
        size=size,
        title=f"{known.title}, {size}",
        concepts=matrix.shape[0],
        points=matrix.shape[1],
        vc=found["vc"],
        littlestone=found["littlestone"],
        cite=known.cite,
    )


def dimension(family: str, size: int, name: str) -> Dimension:
    """Search for one dimension, and check every witness that was found."""
    if name not in WORDS:
        raise BadInput("there is no such dimension here")
    matrix = _matrix(family, size)
    run = searches(alpha="1/3", beta="1/3", time_limit=_SECONDS)[name]
    found: Measured = run(matrix)
    quantity, _, value = str(found).partition(" = ")
    above = found.upper_by if found.upper_by in ("search", "counting") else ""
    return Dimension(
        name=name,
        quantity=quantity,
        value=value,
        above=above if found.decided else "",
        seconds=found.seconds,
        witnesses=tuple(_evidence(one, matrix) for one in found.witnesses),
    )


def _evidence(witness: Witness, matrix: Matrix) -> Evidence:
    text = json.dumps(witness.to_dict())
    drawn = None
    if isinstance(witness, (MistakeTree, ShatteredSet)):
        drawn = svg(witness, matrix)
    return Evidence(
        says=witness.says(),
        refused=why_not(witness, matrix),
        text=text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ...",
        picture=drawn,
    )


def matching(entries: list[Entry], query: str) -> list[Entry]:
    """The entries that hold every word of the query."""
    words = query.lower().split()

    def text(one: Entry) -> str:
        return f"{one.title} {one.cite} vc {one.vc} littlestone {one.littlestone}".lower()

    return [one for one in entries if all(word in text(one) for word in words)]
