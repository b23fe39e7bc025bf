"""What the explorables show, computed in a worker: a game, an attack, weights, a region.

The data are made up and printed: nothing here is private, and nothing is spent.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.checks.audit.branching import law
from tacit.checks.audit.instances import everything
from tacit.checks.audit.registered import audit_exactly
from tacit.checks.audit.report import allowed
from tacit.classes import Thresholds
from tacit.cli.attack import ATTACKS, NOTES
from tacit.core import ALGORITHMS, BadInput, Sample
from tacit.core.numbers import counted, show_rounded_up
from tacit.exact.balls import at
from tacit.page.planning import number
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.theory.dimensions import StandardOptimal, littlestone
from tacit.theory.dimensions.compared import INSTANCES
from tacit.theory.dimensions.named import FORMULAS
from tacit.theory.dimensions.witnesses import MistakeTree

GAMES = (("thresholds", 15), *INSTANCES)
_DEEPEST = 4
_RUNS = 40
_BITS = 80


# -- a mistake tree against the standard optimal algorithm ------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round: what was asked, predicted and true."""

    point: int
    predicted: int
    label: int

    @property
    def wrong(self) -> bool:
        return self.predicted != self.label


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game so far. ``asked`` is ``None`` when it is over; ``concept`` agrees with all labels."""

    title: str
    depth: int
    points: tuple[int, ...]
    rounds: tuple[Round, ...]
    asked: int | None
    predicts: int | None
    left: int
    concept: int | None

    @property
    def mistakes(self) -> int:
        return sum(one.wrong for one in self.rounds)


def game(family: str, size: int, labels: str) -> Game:
    """Play the labels that a person gave down the mistake tree of a class."""
    if (family, size) not in GAMES or set(labels) - {"0", "1"}:
        raise BadInput("there is no such game; choose one from the list")
    matrix = FORMULAS[family].table(size)
    trees = [one for one in littlestone(matrix).witnesses if isinstance(one, MistakeTree)]
    if not trees or not 0 < trees[0].depth <= _DEEPEST:
        raise BadInput(f"this class has no mistake tree of 1 to {_DEEPEST} levels to play on")
    tree, learner = trees[0], StandardOptimal(matrix)
    rounds, node = [], 0
    for word in labels[: tree.depth]:
        point, label = tree.points[node], int(word)
        rounds.append(Round(point=point, predicted=learner.predict(point), label=label))
        learner.learn(point, label)
        node = 2 * node + 1 + label
    over = len(rounds) == tree.depth
    return Game(
        title=f"{FORMULAS[family].title}, {size}",
        depth=tree.depth,
        points=tree.points,
        rounds=tuple(rounds),
        asked=None if over else tree.points[node],
        predicts=None if over else learner.predict(tree.points[node]),
        left=learner.dimension,
        concept=tree.leaves[node - len(tree.points)] if over else None,
    )


def playable() -> list[tuple[str, int, str]]:
    """The games whose tree is not too deep to be drawn: family, size and name."""
    found = []
    for family, size in GAMES:
        depth = littlestone(FORMULAS[family].table(size)).least
        if 0 < depth <= _DEEPEST:
            found.append(
                (family, size, f"{FORMULAS[family].title}, {size} ({counted(depth, 'level')})")
            )
    return found


# -- a tracing attack ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """One learner under the tracing attack: whom its rules accused in how many runs."""

    learner: str
    tasks: int
    runs: int
    accused: tuple[int, ...]
    nobody: int
    epsilon: float


def tracing(turn: int) -> tuple[tuple[Traced, ...], tuple[str, ...]]:
    """Attack a learner without privacy and a private one; every ``turn`` is drawn anew."""
    del turn
    rows = ATTACKS["tracing"](_RUNS)
    found = tuple(
        Traced(
            learner=str(row["learner"]),
            tasks=row["tasks"],
            runs=row["runs"],
            accused=tuple(row["accused"]),
            nobody=row["nobody"],
            epsilon=row["epsilon at least"],
        )
        for row in rows
    )
    return found, tuple(NOTES["tracing"])


# -- the weights of the exponential mechanism ------------------------------------------------

AGES = (1, 1, 2, 3, 3, 4, 5, 5, 6, 6, 7, 8, 8, 9, 9, 9)
SICK = (0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1)
_SIZE = 10
SELECTORS = ("exponential", "permute-and-flip")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """One rule ``x >= cut``: its mistakes, and its chance before and after one record changes."""

    cut: int
    mistakes: int
    chance: float
    changed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """All rules; ``ratio`` is the largest factor between the two chances, of ``bound`` at most."""

    epsilon: str
    weights: tuple[Weight, ...]
    ratio: float
    bound: float


def weights(epsilon: str, selector: str) -> Weights:
    """The exact chances of every threshold, on made-up records and with the last one changed."""
    value = number(epsilon, name="epsilon")
    if not 0 < value <= 64:
        raise BadInput("epsilon must be above 0 and at most 64 here")
    if selector not in SELECTORS:
        raise BadInput(f"the draw must be one of {', '.join(SELECTORS)}")
    concepts = Thresholds(size=_SIZE)
    learner = FiniteClassLearner(concept_class=concepts, epsilon=value, selector=selector)
    x, y = np.array(AGES), np.array(SICK)
    other = Sample(np.append(x[:-1], 0), np.append(y[:-1], 1))
    here, there = (_chances(learner, data) for data in (Sample(x, y), other))
    cuts = range(_SIZE + 1)
    rows = tuple(
        Weight(
            cut=cut,
            mistakes=int(np.sum((x >= cut) != (y == 1))),
            chance=here.get(cut, 0.0),
            changed=there.get(cut, 0.0),
        )
        for cut in cuts
    )
    ratios = [max(a / b, b / a) for a, b in ((w.chance, w.changed) for w in rows) if a and b]
    return Weights(
        epsilon=epsilon, weights=rows, ratio=max(ratios), bound=float(np.exp(float(value)))
    )


def _chances(learner: FiniteClassLearner, data: Sample) -> dict[int, float]:
    found = law(learner, data)
    with at(_BITS):
        return {
            int(found.values.get(key, key).cut): float(mass.mid())
            for key, mass in found.masses.items()
        }


# -- the privacy region of an audit ----------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """False alarms against misses: what was found exactly, and what the claim allows."""

    name: str
    claimed: str
    delta: str
    found: tuple[tuple[float, float], ...]
    allowed: tuple[tuple[float, float], ...]
    exact: str


_FIRST = {
    "Geometric": "noise on a count",
    "Exponential": "a draw by the exponential mechanism",
    "PermuteAndFlip": "a draw by permute and flip",
    "GapTest": "a test with delta",
    "thresholds": "learning a threshold",
    "points": "learning a point",
    "fitting trees": "learning a tree",
}
"""What is worth a look first, in words."""


def audited() -> list[tuple[str, list[tuple[str, str]]]]:
    """What can be audited exactly, in groups of names and words: every registered mechanism and
    algorithm, some well-known ones first.
    """
    names = [entry.name for entry in everything()]
    rest = [name for name in names if name not in _FIRST]
    algorithms = {entry.name for entry in ALGORITHMS}
    groups = {
        "Begin with these": [(name, f"{words} ({name})") for name, words in _FIRST.items()],
        "Other algorithms": [(name, name) for name in rest if name in algorithms],
        "Other mechanisms": [(name, name) for name in rest if name not in algorithms],
    }
    return list(groups.items())


def region(name: str, epsilon: str, seconds: float) -> Region:
    """The exact region of a mechanism's tiny instance, and the region that it claims."""
    target = next((entry for entry in everything() if entry.name == name), None)
    if target is None:
        raise BadInput("there is no such mechanism; choose one from the list")
    value = number(epsilon, name="epsilon")
    if not Fraction(1, 100) <= value <= 8:
        raise BadInput("epsilon must be between 0.01 and 8 here")
    found, why_not = audit_exactly(target, epsilon=value, seconds=seconds)
    if found is None or found.claimed_epsilon is None:
        raise BadInput(f"nothing to draw: {why_not or 'no epsilon is claimed'}")
    delta = float(found.claimed_delta)
    steps = [place / 60 for place in range(61)]
    line = tuple((a, allowed(a, float(found.claimed_epsilon), delta)) for a in steps)
    low, high = (f"{float(end):.4f}" for end in found.epsilon)
    return Region(
        name=name,
        claimed=show_rounded_up(found.claimed_epsilon, digits=4),
        delta=show_rounded_up(found.claimed_delta, digits=3) if found.claimed_delta else "0",
        found=tuple(found.region),
        allowed=line,
        exact=low if low == high else f"{low} to {high}",
    )
