"""Learn halfspaces and balls in any dimension when only the labels are private."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    ConceptClass,
    Condition,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Selection,
    Size,
    Task,
    tiny_task,
)
from tacit.core.numbers import positive, whole
from tacit.core.tiny import labelled
from tacit.domains.sphere import SCALE
from tacit.exact.arrays import Placed, Truths
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.selection import Exponential
from tacit.problems.reals import label_arrangement_upper as bounds
from tacit.problems.reals.arrangement import TooWide, Vectors, Whole, check_width
from tacit.problems.reals.arrangement_landscape import ArrangementLandscape, spanning
from tacit.problems.reals.halfspaces import Halfspaces
from tacit.problems.reals.surfaces import GridBalls, GridHalfspaces, Lifted, directions, lifted
from tacit.tallies.placed import placed


def space_of(concept_class: ConceptClass) -> tuple[str, tuple[int, ...]]:
    """How rows are lifted, and the largest size of a number in each lifted column."""
    if isinstance(concept_class, Halfspaces):
        return "directions", (SCALE,) * concept_class.columns
    if isinstance(concept_class, Lifted):
        return concept_class.space, concept_class.largest
    raise BadInput("this learner takes Halfspaces, GridHalfspaces or GridBalls")


def rule_of(concept_class: ConceptClass, vectors: Vectors) -> Hypothesis:
    """The rule that vectors decide, one after another."""
    if isinstance(concept_class, Lifted):
        return concept_class.surface(vectors)
    return directions(vectors, len(vectors[0]))


@dataclass(frozen=True, slots=True)
class WaysToLabel:
    """The score: mistakes of every way to label the records' points, which are public."""

    def __call__(self, data: tuple[Whole, Truths]) -> ArrangementLandscape:
        return spanning(*data)

    def spread(self, relation: Relation) -> int:
        """A label that flips moves each number of mistakes by one, up or down."""
        if relation is not Relation.LABEL:
            raise BadInput("ways to label the records are for relation='label'")
        return spread(relation)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelArrangementLearner(Mechanism[Sample, Hypothesis]):
    """Select among all ways in which halfspaces label the records' points, by mistakes.

    The released rule may show values of ``x``: under label privacy those are public. All records
    are held as the domain reads them (``tallies.placed``), and ``most`` of them are used.

    Privacy
    -------
    Requires  neighbours differ in one label; the features and their number are public.
    Ensures   the privacy of the exponential mechanism at ``epsilon`` under ``LABEL``.
    Proof     Theorem 2 of ``arrangement.proof.md``.
    Numerics  exact: sides are decided in whole numbers, mistakes are counted.

    Utility
    -------
    ``tacit.problems.reals.label_arrangement_upper``, for every law of the records.

    Edge cases
    ----------
    More than ``most`` records: ``most`` of them, drawn at random, are used. No records: a rule that
    unit vectors decide.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="CH11",
        locator="Theorem 26",
        statement="selecting by mistakes among all ways in which halfspaces label public points "
        "is epsilon-DP for the labels",
        proof="problems/reals/arrangement.proof.md",
    )

    concept_class: ConceptClass
    epsilon: Fraction
    most: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        whole(self.most, name="most", least=1)
        _, largest = space_of(self.concept_class)
        try:
            check_width(largest)
        except TooWide:
            raise BadInput(
                "rows of this class are too long for exact sides: take fewer columns or bits"
            ) from None

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=Relation.LABEL)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        space, _ = space_of(self.concept_class)
        rows, labels = some_of(*placed(data, self.concept_class.domain), self.most, rng=rng)
        points = lifted(space, rows)  # [P1]
        selection = Exponential(score=WaysToLabel(), epsilon=self.epsilon, relation=Relation.LABEL)
        chosen = rng.part(selection, (points, labels))  # [P2]
        ways = spanning(points, np.zeros(len(points), dtype=bool))  # [P3]
        return rule_of(self.concept_class, ways.vectors(chosen))


def some_of(x: Placed, y: Truths, most: int, *, rng: Sampler) -> tuple[Placed, Truths]:
    """All records if they are at most ``most``; else so many of them, drawn without replacement.

    They are numbered in ascending order of features, then labels, whatever order they came in.
    """
    if len(x) <= most:
        return x, y
    rows = x.reshape(len(x), -1)
    order = np.lexsort((y, *rows.T[::-1]))
    chosen: dict[int, None] = {}
    while len(chosen) < most:  # a number that was drawn before is drawn anew
        more = rng.indices(below=len(x), count=most - len(chosen))
        chosen.update(dict.fromkeys(more.tolist()))
    kept = order[np.sort(np.fromiter(chosen, dtype=np.int64, count=most))]
    return x[kept], y[kept]


def _samples(task: Task) -> SampleBound:
    _, largest = space_of(task.concept_class)
    return bounds.label_arrangement(
        width=len(largest), **task.asked("alpha", "beta", "epsilon", "setting")
    )


def _mechanism(task: Task, bound: SampleBound, _size: Size) -> LabelArrangementLearner:
    return LabelArrangementLearner(
        concept_class=task.concept_class,
        epsilon=bound.choices["epsilon"],
        most=bound.choices["most"],
    )


def _runs(task: Task) -> str | None:
    bound = _samples(task)
    _, largest = space_of(task.concept_class)
    try:
        check_width(largest)
    except TooWide:
        return "decides sides in whole numbers of 64 bits, which these columns exceed"
    if bound.n > bound.choices["most"]:
        return f"goes through all ways to label at most {bound.choices['most']} records"
    return None


ARRANGEMENT = ALGORITHMS.add(
    Algorithm(
        name="label-private-arrangement",
        summary="select among all ways in which halfspaces label the records; labels are private",
        applies=Applies(
            proper=True,
            classes=(Halfspaces, GridHalfspaces),
            relations=(Relation.LABEL,),
            because="goes by the features, so these must be public: relation='label'",
            further=(
                Condition(
                    "halfspaces in three columns or more, or with an offset",
                    lambda task: space_of(task.concept_class)[1] != (SCALE, SCALE),
                    "is for more columns than the plane's cover on the records",
                ),
            ),
        ),
        claim=bounds.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=lambda entry: tiny_task(
            entry,
            GridHalfspaces(bits=1, columns=1),
            Halfspaces(columns=3),
            records=labelled([(0,), (1,)]),
            usual=((1.0, 0.5, 0.25), 1),
            odd=((1.0, 0.5, 0.25), 0),
            relation="label",
        ),
        runs=_runs,
    )
)
SPHERES = ALGORITHMS.add(
    Algorithm(
        name="label-private-spheres",
        summary="the same for balls; the rule may be the outside of a ball, or a halfspace",
        applies=Applies(
            proper=False,
            classes=(GridBalls,),
            relations=(Relation.LABEL,),
            because="goes by the features, so these must be public: relation='label'",
        ),
        claim=bounds.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=lambda entry: tiny_task(
            entry,
            GridBalls(bits=1, columns=1),
            GridBalls(bits=3, columns=1),
            records=labelled([(0,), (1,)]),
            usual=((1,), 1),
            odd=((1,), 0),
            relation="label",
        ),
        runs=_runs,
    )
)
