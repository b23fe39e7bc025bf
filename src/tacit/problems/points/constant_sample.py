"""BBKN13 section 4.2: points from a number of records that does not grow with the domain.

A private try (the paper's A_2, or A_5 with short rules) looks at a few records, takes the
only point that fits them and blurs it; stars lower its epsilon; several tries on disjoint
records and a selection raise its confidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    MECHANISMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Event,
    Hypothesis,
    Mechanism,
    Pure,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
)
from tacit.core.numbers import probability
from tacit.core.tiny import divided
from tacit.domains.integers import Integers
from tacit.domains.labels import truth
from tacit.exact.arrays import Placed
from tacit.exact.balls import above, ball
from tacit.mechanisms.boosting import BoostConfidence, Stage
from tacit.mechanisms.calibration import pick_rate
from tacit.mechanisms.shuffled import Shuffled
from tacit.mechanisms.star_sampling import Starred, StarSampling
from tacit.problems.finite.constant import NEVER
from tacit.problems.finite.listed import TableRule
from tacit.problems.finite.listed_rules import ListedRules
from tacit.problems.finite.reasons import IN_PARTS
from tacit.problems.finite.staged import last_epsilon, share
from tacit.problems.points import constant_sample_upper as bounds
from tacit.problems.points.hashes import Hash, HashedPointRule
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import POINTS, TWO, on_points

_PROOF = "problems/points/constant_sample.proof.md"
_MOST_LISTED = 1 << 16
_WORD = 64
_GRID = 1 << 40

NOTHING, CONFLICT = -1, -2
"""What records can say instead of a point: all labels 0; not labelled by any point."""


def fitting_point(cells: Placed, labels: npt.NDArray[np.bool_]) -> int:
    """The only point that fits the records, ``NOTHING`` if no label is 1, or ``CONFLICT``."""
    ones = set(cells[labels].tolist())
    if not ones:
        return NOTHING
    if len(ones) > 1 or ones & set(cells[~labels].tolist()):
        return CONFLICT
    return int(ones.pop())


class Blur(Protocol):
    """How a point, or nothing, becomes a rule that could have come from others as well.

    ``odds`` bounds ``P(rule | point) / P(rule | NOTHING)``.
    """

    @property
    def odds(self) -> Fraction: ...

    def __call__(self, domain: Integers, point: int, *, rng: Sampler) -> Hypothesis: ...


@dataclass(frozen=True, slots=True)
class Flips:
    """The paper's A_1, step 3: flip the answer at every value with probability ``rate``."""

    rate: Fraction

    def __post_init__(self) -> None:
        rate = probability(self.rate, name="rate")
        if 2 * rate > 1:
            raise BadInput("rate must be at most 1/2")
        object.__setattr__(self, "rate", rate)

    @property
    def odds(self) -> Fraction:
        return (1 - self.rate) / self.rate

    def __call__(self, domain: Integers, point: int, *, rng: Sampler) -> TableRule:
        if domain.size > _MOST_LISTED:
            raise BadInput("independent flips need a domain of at most 2**16 values")
        values = rng.coins(self.rate, domain.size)
        if point >= 0:
            values[point] ^= True
        return TableRule(values=tuple(values.tolist()))


@dataclass(frozen=True, slots=True)
class HashedSet:
    """The paper's A_4, step 3': a random set of density ``2**-bits`` that holds the point.

    The family is exactly pairwise independent, so privacy is exact on every domain.
    """

    bits: int

    @property
    def odds(self) -> Fraction:
        return Fraction(1 << self.bits)

    def __call__(self, domain: Integers, point: int, *, rng: Sampler) -> HashedPointRule:
        drawn = Hash.draw(rng, domain=domain, bits=self.bits)
        if point >= 0:
            # Uniform among the offsets that send the point to bucket 0.
            limbs = enumerate(drawn.multipliers)
            image = sum(word * (point >> (32 * place) & 0xFFFFFFFF) for place, word in limbs)
            low = drawn.offset >> self.bits
            drawn = Hash(drawn.multipliers, (low - image) % (1 << _WORD), self.bits)
        return HashedPointRule(domain=domain, hash=drawn, bucket=0)


def noisy_point(
    domain: Integers,
    cells: Placed,
    labels: npt.NDArray[np.bool_],
    *,
    blur: Blur,
    rng: Sampler,
) -> Hypothesis | None:
    """The paper's A_1 (A_4 with short rules): learns points, but is not private by itself.

    ``None`` if no point explains the records.
    """
    point = fitting_point(cells, labels)
    return None if point == CONFLICT else blur(domain, point, rng=rng)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointTry(Mechanism[Starred, Hypothesis | None]):
    """One private try: stay silent, or blur the point that fits a few of the records.

    ``pick`` is each record's chance to be looked at and ``silence`` the chance to
    answer nothing (``None``) whatever the records say.

    Privacy
    -------
    Requires  a star is an entry like any other; the number of entries is public.
    Ensures   epsilon-DP for the substitution of one entry, with
              ``e^epsilon = 1 + pick/(1 - pick) * max(blur.odds, 1/silence)``.
    Proof     Theorem 1 of ``constant_sample.proof.md``.
    Numerics  exact; epsilon is rounded up.

    Edge cases
    ----------
    No records, or only stars: the blur of nothing. Labels that no point explains: ``None``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BBKN13",
        locator="Claim 4.3",
        statement="answering with a blurred point that fits a random part of the records, or "
        "nothing, is ln(1 + 8/(4 - alpha))-DP at the paper's rates, and learns with probability "
        "at least 3/8 from 32 ln 4/alpha^2 records",
        proof=_PROOF,
    )

    domain: Integers
    blur: Blur
    pick: Fraction
    silence: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "pick", probability(self.pick, name="pick"))
        object.__setattr__(self, "silence", probability(self.silence, name="silence"))

    @property
    def growth(self) -> Fraction:
        """``e^epsilon``."""
        return 1 + self.pick / (1 - self.pick) * max(self.blur.odds, 1 / self.silence)

    def event(self) -> Event:
        value = above(lambda: ball(self.growth).log())
        epsilon = Fraction(-int(-value * _GRID // 1), _GRID)
        return Pure(epsilon=epsilon, relation=Relation.REPLACE_ONE)

    def _release(self, data: Starred, *, rng: Sampler) -> Hypothesis | None:
        silent = rng.coins(self.silence, 1)[0]  # [P1]
        picked = rng.coins(self.pick, len(data)) & data.present  # [P2]
        cells = self.domain.coerce(data.sample.x)[picked]
        labels = truth(data.sample)[picked]
        if silent:
            return None
        return noisy_point(self.domain, cells, labels, blur=self.blur, rng=rng)  # [P3]


def paper_try(*, domain: Integers, alpha: Fraction) -> PointTry:
    """The paper's A_2: independent flips at ``alpha/8``, at its own rates."""
    eighth = alpha / 8
    return PointTry(domain=domain, blur=Flips(eighth), pick=alpha / 4, silence=eighth)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantPointLearner(Mechanism[Sample, Hypothesis]):
    """Tries on disjoint records with short rules (A_5), starred down to ``epsilon``; select one.

    Privacy
    -------
    Requires  the number of records is public.
    Ensures   ``epsilon``-DP for the substitution of one record.
    Proof     Theorem 2 of ``constant_sample.proof.md``.
    Numerics  exact; the hash family is exactly pairwise independent.

    Utility
    -------
    ``tacit.problems.points.constant_sample_upper``: BBKN13 Theorem 4.8.

    Edge cases
    ----------
    A silent try counts as the rule that is 0 everywhere.
    """

    CLAIM: ClassVar[Claim] = bounds.THEOREM_4_8

    domain: Integers
    bits: int
    tries: int
    records: int
    epsilon: Fraction
    selection_epsilon: Fraction

    def _boosted(self) -> BoostConfidence:
        one = PointTry(
            domain=self.domain,
            blur=HashedSet(self.bits),
            pick=pick_rate(bits=self.bits, epsilon=self.epsilon),
            silence=Fraction(1, 1 << self.bits),
        )
        stage = Stage(mechanism=StarSampling(inner=one, epsilon=self.epsilon), records=self.records)
        return BoostConfidence(
            stages=(stage,) * self.tries, gather=self._gather, epsilon=self.selection_epsilon
        )

    def _gather(self, found: tuple[Hypothesis | None, ...]) -> ListedRules:
        return ListedRules(self.domain, tuple(NEVER if rule is None else rule for rule in found))

    def event(self) -> Event:
        return self._boosted().event()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        return rng.part(self._boosted(), data)


def _samples(task: Task) -> SampleBound:
    return bounds.constant_points(
        alpha=task.accuracy.alpha, beta=task.accuracy.beta, epsilon=task.privacy.epsilon
    )


def _mechanism(task: Task, bound: SampleBound, size: Size) -> Shuffled[Hypothesis]:
    choices = bound.choices
    learner = ConstantPointLearner(
        domain=task.concept_class.domain,
        bits=choices["bits"],
        tries=choices["tries"],
        records=share(bound, choices["records"], size.n),
        epsilon=task.privacy.epsilon,
        selection_epsilon=last_epsilon(task, bound, size.n),
    )
    return Shuffled(inner=learner, domain=task.concept_class.domain)


def _tiny(entry: Algorithm) -> Tiny:
    return on_points(entry).exactly(
        lambda e: ConstantPointLearner(
            domain=TWO, bits=1, tries=1, records=2, epsilon=e, selection_epsilon=e
        ),
        records=POINTS,
        n=3,
        order="matters",
    )


CONSTANT_POINTS = ALGORITHMS.add(
    Algorithm(
        name="constant-points",
        summary="boost noisy tries whose rules are short hashes; records do not grow with the "
        "domain (kept beside hashed-points, which needs fewer)",
        applies=Applies(
            proper=False,
            classes=(Points,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE, Relation.LABEL),
            because=IN_PARTS,
        ),
        claim=bounds.THEOREM_4_8,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)


def _starred(records: tuple[Any, ...]) -> Starred:
    """Records of which ``None`` stands for a star."""
    present = np.array([record is not None for record in records], dtype=bool)
    shown = [(0, 0) if record is None else record for record in records]
    x, y = (np.array([record[part] for record in shown]) for part in (0, 1))
    return Starred(Sample(x, y), present)


_NEIGHBOURS = [
    *divided((0, 1), (1, 1), n=6, at=(6,)),
    *divided((0, 1), (0, 0), n=6, at=(6,)),
]

MECHANISMS.add(
    Tiny(
        name="PointTry",
        # e^epsilon = 1 + pick / (1 - pick) * 8 at these rates.
        make=lambda _epsilon: PointTry(
            domain=TWO, blur=Flips(Fraction(1, 9)), pick=Fraction(1, 6), silence=Fraction(1, 8)
        ),
        records=[*POINTS, None],
        n=3,
        pairs=_NEIGHBOURS,
        form=_starred,
    )
)
MECHANISMS.add(
    Tiny(
        name="StarSampling",
        make=lambda e: StarSampling(inner=paper_try(domain=TWO, alpha=Fraction(1)), epsilon=e / 2),
        records=POINTS,
        n=3,
        pairs=_NEIGHBOURS,
    )
)
