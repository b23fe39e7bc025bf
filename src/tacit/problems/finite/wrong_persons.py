"""Select a concept by the persons it gets wrong, however many of their rows it gets wrong."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper import selection
from tacit.core import (
    ALGORITHMS,
    Accuracy,
    Algorithm,
    Applies,
    Claim,
    Event,
    Hypothesis,
    Mechanism,
    Privacy,
    Relation,
    SampleBound,
    Sampler,
    Task,
    Tiny,
    theorem,
)
from tacit.core.numbers import positive, probability, whole
from tacit.core.persons import Persons
from tacit.core.tiny import labelled
from tacit.domains.integers import Integers
from tacit.domains.labels import truth
from tacit.domains.persons import ListedPersons, persons_of
from tacit.exact.landscape import Flat, Landscape
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.selection import SELECTORS
from tacit.problems.finite.listed import Table
from tacit.problems.points.points import Points
from tacit.problems.thresholds.thresholds import Thresholds

_PROOF = "problems/finite/wrong_persons.proof.md"
_BLOCK = 1 << 22
Ints = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

CLAMPED = Claim(
    paper="own",
    locator="Persons, Theorem 2",
    statement="selecting by the number of persons with a mistake needs as many persons as "
    "selecting by mistakes needs records, for the share of persons on whom a rule errs: at least "
    "alpha, and 1 - (1 - alpha)^m if each has m independent rows",
    proof=_PROOF,
)


@theorem(
    CLAMPED,
    kind="upper",
    setting="realizable; pure; replace-one and add-remove; any marginal",
    formula=r"N = \frac{\ln((|H|-1)/\beta)}{-\ln(1-\alpha_m(1-e^{-\epsilon/w}))},\quad"
    r"\alpha_m = 1-(1-\alpha)^m",
)
def clamped_persons(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    rows: int = 1,
    relation: Relation = Relation.REPLACE_ONE,
    selector: str = "exponential",
) -> SampleBound:
    """Persons for error ``alpha`` from ``size`` hypotheses, one of which makes no error.

    ``rows`` is how many independent rows each person has exactly; 1 where nothing is known.

    >>> [clamped_persons(size=10**6 + 1, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...                  epsilon=Fraction(1), rows=m).n for m in (1, 5, 10, 20, 50)]
    [419, 96, 57, 40, 34]
    """
    alpha, rows = probability(alpha, name="alpha"), whole(rows, name="rows", least=1)
    found = selection.realizable(
        size=size,
        alpha=1 - (1 - alpha) ** rows,
        beta=beta,
        epsilon=epsilon,
        relation=relation,
        selector=selector,
    )
    return SampleBound(n=found.n, claim=CLAMPED, terms=found.terms, choices=found.choices)


@dataclass(frozen=True, slots=True)
class WrongPersons:
    """How many persons each concept errs on, in at most ``rows`` of their rows.

    A person who comes or goes moves each number by 0 or 1, all in one direction; a replaced
    one by -1, 0 or 1.
    """

    concept_class: Points | Thresholds | Table
    rows: int

    def __call__(self, data: Persons) -> Landscape:
        kept = data.at_most(self.rows)
        x = self.concept_class.domain.coerce(kept.sample.x)
        y = truth(kept.sample)
        match self.concept_class:
            case Table():
                return _listed(self.concept_class, x, y, kept.owner)
            case Thresholds():
                high = y if self.concept_class.orientation == ">=" else ~y
                chosen = _edges(x, high, kept.owner)
            case Points():
                chosen = _spots(x, y, kept.owner)
        # A person on whom every concept errs moves all numbers alike, which no law sees.
        return self.concept_class.landscape(x[chosen], y[chosen])

    def spread(self, relation: Relation) -> int:
        return spread(relation)


def _last_of(owner: Ints) -> Truths:
    """Which rows are the last of their person; persons stand together."""
    last = np.ones(len(owner), dtype=bool)
    last[:-1] = owner[1:] != owner[:-1]
    return last


def _edges(x: npt.NDArray[np.generic], high: Truths, owner: Ints) -> Ints:
    """Of every person the least 1 and the greatest 0; nothing of one whom every cut gets wrong.

    A cut at ``t`` errs on a 1 below it and a 0 from it on: on such a person in one place or
    in none, since the 0 lies below the 1.
    """
    place = np.unique(x, return_inverse=True)[1].reshape(-1)
    chosen, persons = [], int(owner[-1]) + 1 if len(owner) else 0
    edge = np.full((2, persons), -1, dtype=np.int64)  # rows, by label
    value = np.array([[-1] * persons, [len(x)] * persons], dtype=np.int64)
    for label, sign in ((0, 1), (1, -1)):
        rows = np.flatnonzero(high == bool(label))
        order = rows[np.lexsort((sign * place[rows], owner[rows]))]
        best = order[_last_of(owner[order])]
        edge[label, owner[best]] = best
        value[label, owner[best]] = place[best]
    right = value[0] < value[1]
    chosen = [edge[label][right & (edge[label] >= 0)] for label in (0, 1)]
    return np.concatenate(chosen)


def _spots(x: npt.NDArray[np.generic], y: Truths, owner: Ints) -> Ints:
    """The rows that tell which points get a person wrong, each point by one row at most.

    With a 1 at ``x``, every point but ``x``: one such row, unless the person has another 1 or
    a 0 there, and every point errs. Without a 1, the points that have a 0.
    """
    place = np.unique(x, return_inverse=True)[1].reshape(-1)
    order = np.lexsort((y, place, owner))
    different = np.ones(len(order), dtype=bool)
    same_person = owner[order][1:] == owner[order][:-1]
    same_place = same_person & (place[order][1:] == place[order][:-1])
    different[1:] = ~(same_place & (y[order][1:] == y[order][:-1]))
    rows = order[different]  # every (person, place, label) once
    persons = int(owner[-1]) + 1 if len(owner) else 0
    ones = np.bincount(owner[rows][y[rows]], minlength=persons)
    clash = np.zeros(persons, dtype=bool)
    both = (np.diff(owner[rows]) == 0) & (np.diff(place[rows]) == 0)  # a 0, then a 1
    clash[owner[rows][1:][both]] = True
    hopeless = (ones > 1) | ((ones == 1) & clash)
    with_one = ones[owner[rows]] == 1
    wanted = ~hopeless[owner[rows]] & (y[rows] | ~with_one)
    chosen: Ints = rows[wanted]
    return chosen


def _listed(table: Table, x: npt.NDArray[np.generic], y: Truths, owner: Ints) -> Flat:
    """Persons with a mistake, for every row of the matrix."""
    errors = np.zeros(table.size, dtype=np.int64)
    if len(owner):
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        cells = x.astype(np.int64)
        block = max(1, _BLOCK // len(owner))
        for first in range(0, table.size, block):
            wrong = table.matrix[first : first + block][:, cells] != y
            errors[first : first + block] = np.logical_or.reduceat(wrong, starts, axis=1).sum(1)
    return Flat(errors=errors)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPersonsLearner(Mechanism[Persons, Hypothesis]):
    """Select one concept, weighing each by the persons on whom it errs.

    Privacy
    -------
    Requires  ``concept_class`` is public; ``selector`` is a selection of
              ``tacit.mechanisms.selection``.
    Ensures   the privacy of that selection at ``epsilon``, for whole persons.
    Proof     Theorem 1 of ``wrong_persons.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``clamped_persons``.

    Edge cases
    ----------
    Nobody, or nobody with more than one row: as the generic learner over records.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Persons, Theorem 1",
        statement="a person's rows count once: selecting by the persons with a mistake is private "
        "for whole persons at the cost of one record",
        proof=_PROOF,
    )

    concept_class: Points | Thresholds | Table
    rows: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    selector: str = "exponential"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", whole(self.rows, name="rows", least=1))
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))

    def _selection(self) -> Mechanism[Persons, int]:
        return SELECTORS[self.selector](
            score=WrongPersons(self.concept_class, self.rows),
            epsilon=self.epsilon,
            relation=self.relation,
        )

    def event(self) -> Event:
        return self._selection().event()

    def _release(self, data: Persons, *, rng: Sampler) -> Hypothesis:
        candidate = rng.part(self._selection(), data)  # [P1]
        return self.concept_class.hypothesis(candidate)  # [P2]


_PERSONS = persons_of(labelled(range(2)), most=2)
"""Everybody with up to two rows over two values."""


def _tiny(entry: Algorithm) -> Tiny:
    """Two persons exactly, over two values."""

    def made(epsilon: Fraction) -> Mechanism[Persons, Hypothesis]:
        privacy = Privacy(epsilon, unit="person", rows_per_unit=2)
        task = Task(Thresholds(size=2), privacy=privacy, accuracy=Accuracy("0.25", "0.25"))
        return entry.built(task, 2)

    crowd = (((0, 1), (1, 1)),) * 6
    return Tiny(
        make=made,
        records=_PERSONS,
        n=2,
        pairs=[(crowd, (((0, 0), (1, 0)), *crowd[1:]))],
        form=lambda persons: ListedPersons(Integers(size=2), persons),
    )


def _register(selector: str, name: str, summary: str) -> Algorithm:
    def bound(task: Task) -> SampleBound:
        independent = task.rows == "independent"
        return clamped_persons(
            size=task.concept_class.size or 1,
            rows=task.privacy.rows_per_unit if independent else 1,
            selector=selector,
            **task.asked("alpha", "beta", "epsilon", "relation"),
        )

    def build(task: Task, bound: SampleBound, size: object) -> WrongPersonsLearner:
        del size
        return WrongPersonsLearner(
            concept_class=task.concept_class,  # type: ignore[arg-type]  # one of the three below
            rows=task.privacy.rows_per_unit,
            epsilon=bound.choices["epsilon"],
            relation=task.privacy.relation,
            selector=selector,
        )

    return ALGORITHMS.add(
        Algorithm(
            name=name,
            summary=summary,
            applies=Applies(
                proper=True,
                classes=(Points, Thresholds, Table),
                settings=("realizable",),
                relations=(Relation.REPLACE_ONE, Relation.ADD_REMOVE),
                persons=True,
                ignores=True,
            ),
            claim=CLAMPED,
            bound=bound,
            build=build,
            tiny=_tiny,
        )
    )


WRONG_PERSONS = _register(
    "exponential",
    "wrong-persons",
    "draw a concept with weight exp(-rate * persons with a mistake)",
)
FLIPPED_PERSONS = _register(
    "permute-and-flip",
    "wrong-persons-flip",
    "flip a coin for each concept by its persons with a mistake; fewer persons for one draw",
)
