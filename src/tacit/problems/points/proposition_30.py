"""BNS19 Proposition 30 as printed, with the condition on ``n`` under which it is private."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

from tacit.core import (
    ALGORITHMS,
    MECHANISMS,
    Algorithm,
    Applies,
    Approximate,
    Claim,
    Event,
    Mechanism,
    NeedMoreRecords,
    Relation,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
)
from tacit.core.numbers import positive, probability, whole
from tacit.core.tiny import COARSE, DELTA, divided
from tacit.domains.integers import Integers
from tacit.mechanisms.calibration import printed_distance, printed_private
from tacit.mechanisms.stability import Bins
from tacit.problems.finite.reasons import TABLES_NEED
from tacit.problems.points import point_tables_upper as point_tables
from tacit.problems.points.point_sanitizers import PointTable
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import TWO
from tacit.tallies.distinct import distinct


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedHistogram(Mechanism[object, Bins]):
    """Values above a quarter of ``alpha n`` whose noisy count exceeds half of it.

    Privacy
    -------
    Requires  ``P[Z >= floor(alpha n/2) - floor(alpha n/4)] <= delta`` for the noise ``Z``;
              a public condition, checked when the mechanism is made.
    Ensures   ``(epsilon, delta)``-DP under ``REPLACE_ONE``.
    Proof     Theorem 1 of ``proposition_30.proof.md``.
    Numerics  exact; the condition is rounded to the safe side.

    Edge cases
    ----------
    Too few records for privacy: ``NeedMoreRecords``, before anything is charged.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Proposition 30",
        statement="counts above alpha n/4, released with noise of scale 2/epsilon if above "
        "alpha n/2, are (epsilon, delta)-private once n is about (8/(alpha epsilon)) "
        "ln(1/(2 delta)); below that they are not",
        proof="problems/points/proposition_30.proof.md",
    )

    domain: Integers
    n: int
    alpha: Fraction
    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", whole(self.n, name="n", least=0))
        object.__setattr__(self, "alpha", probability(self.alpha, name="alpha"))
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))
        needed = printed_distance(epsilon=self.epsilon, delta=self.delta)
        if self.most_unlisted - self.most_hidden < needed:  # [P1]
            enough = printed_private(alpha=self.alpha, epsilon=self.epsilon, delta=self.delta)
            raise NeedMoreRecords(
                f"Proposition 30 is private from {enough} records on at these alpha, epsilon and "
                "delta; use stable-point-table, which is private for any number"
            )

    @property
    def most_hidden(self) -> int:
        """Counts up to this are answered with 0, without noise."""
        return floor(self.alpha * self.n / 4)

    @property
    def most_unlisted(self) -> int:
        """Noisy counts up to this are answered with 0."""
        return floor(self.alpha * self.n / 2)

    def event(self) -> Event:
        return Approximate(epsilon=self.epsilon, delta=self.delta, relation=Relation.REPLACE_ONE)

    def _release(self, data: object, *, rng: Sampler) -> Bins:
        values, counts = distinct(data, self.domain)
        shown = counts > self.most_hidden  # [P2]
        values, counts = values[shown], counts[shown]
        noisy = counts + rng.geometrics(2 / self.epsilon, len(counts))  # [P3]
        kept = noisy > self.most_unlisted  # [P4]
        pairs = zip(values[kept].tolist(), noisy[kept].tolist(), strict=True)
        return tuple((int(value), int(count)) for value, count in pairs)


def _bound(task: Task) -> SampleBound:
    return point_tables.printed(
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
    )


def _mechanism(task: Task, _bound: SampleBound, size: Size) -> PointTable:
    domain, alpha = task.concept_class.domain, task.accuracy.alpha
    histogram = PrintedHistogram(
        domain=domain, n=size.n, alpha=alpha, epsilon=task.privacy.epsilon, delta=task.privacy.delta
    )
    return PointTable(histogram=histogram, domain=domain, n=size.n, alpha=alpha)


def _printed(epsilon: Fraction) -> PrintedHistogram:
    """As few records as its printed condition allows here."""
    alpha = Fraction(49, 100)
    return PrintedHistogram(domain=TWO, n=58, alpha=alpha, epsilon=epsilon, delta=DELTA)


MECHANISMS.add(
    Tiny(
        name="PrintedHistogram",
        make=_printed,
        records=(0, 1),
        n=58,
        only=divided(0, 1, n=58, at=(29, 48)),
        faint=COARSE,
    )
)


def _tiny(_entry: Algorithm) -> Tiny:
    alpha = Fraction(49, 100)
    return Tiny(
        make=lambda e: PointTable(histogram=_printed(e), domain=TWO, n=58, alpha=alpha),
        records=(0, 1),
        n=58,
        only=divided(0, 1, n=58, at=(52, 50, 36, 29)),
        unlabelled=True,
        faint=COARSE,
    )


PRINTED_POINTS = ALGORITHMS.add(
    Algorithm(
        name="proposition-30",
        summary="the point sanitizer as the paper prints it, with its true condition on n",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=(Points,),
            delta=True,
        ),
        claim=point_tables.PRINTED,
        bound=_bound,
        build=_mechanism,
        tiny=_tiny,
    )
)
