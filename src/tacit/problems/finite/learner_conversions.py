"""From the sample to its distribution and back: BNS19 Theorems 12 and 28.

An *empirical* learner errs on a share alpha of the records it is given, whatever they
are. ``empirical`` makes one of any algorithm (Theorem 28); ``EMPIRICAL`` and ``RESAMPLED``
are empirical learners of a finite class that Theorem 12 makes PAC learners again.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tacit.bounds.upper import conversions
from tacit.bounds.upper.histograms import lead
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Approximate,
    BadInput,
    Condition,
    Dimensioned,
    Event,
    Pure,
    Relation,
    SampleBound,
    Selection,
    Size,
    Task,
    leaves,
    privacy_event,
)
from tacit.core.mechanism import SomeMechanism
from tacit.domains.bits import Bits
from tacit.domains.integers import Integers
from tacit.domains.lattice import Lattice
from tacit.domains.plane import Plane
from tacit.mechanisms.amplification import Resampled
from tacit.mechanisms.calibration import resampled_epsilon, spread
from tacit.problems.finite.finite_class import EXPONENTIAL, FiniteClassLearner
from tacit.problems.points.tiny_points import on_points
from tacit.problems.several.shares import equal_share
from tacit.problems.tables.drawn import DRAWN

_STAY = (Integers, Bits, Plane, Lattice)
"""Domains whose values stay when they are placed again."""


def empirical(algorithm: Algorithm) -> Algorithm:
    """The algorithm that draws records with replacement and runs ``algorithm`` on them.

    Its promise is about the records themselves: with probability ``1 - beta`` the rule errs
    on at most a share alpha of them (agnostic: alpha more than the best concept does).
    It is not in the registry, since plans promise errors on the distribution. ``algorithm``
    runs under ``REPLACE_ONE``, also where only labels are private: what is drawn instead of
    a record has other features.
    """

    def samples(task: Task) -> SampleBound:
        inner = algorithm.bound(_whole_records(task))
        outer = conversions.to_empirical(n=inner.n, epsilon=task.privacy.epsilon)
        return replace(outer, choices={"draws": inner.n})

    def mechanism(task: Task, bound: SampleBound, size: Size) -> SomeMechanism:
        wanted, records = bound.choices["draws"], max(1, size.n)
        draws = _affordable(wanted, records=records, epsilon=task.privacy.epsilon)
        inner = algorithm.built(_whole_records(task), draws)
        domain = task.concept_class.domain
        return Resampled(
            inner=inner,
            draws=draws,
            records=records,
            together=in_all(inner.event(), task),
            domain=domain if isinstance(domain, _STAY) else None,
            k=task.k,
        )

    return Algorithm(
        name=f"empirical-{algorithm.name}",
        summary=f"{algorithm.name} on records drawn with replacement; accurate on the sample",
        claim=conversions.TO_EMPIRICAL,
        applies=replace(
            algorithm.applies,
            relations=(Relation.REPLACE_ONE, Relation.LABEL),
            because="draws from the records by position, so their number must be public",
        ),
        bound=samples,
        build=mechanism,
        tiny=algorithm.tiny,
    )


def in_all(event: Event, task: Task) -> Pure | Approximate | None:
    """The task's epsilon and delta if the parts of ``event`` keep them together; ``None`` for one
    part, which says itself what it costs.

    Selections of equal range cost what ``equal_share`` says for what the other parts leave of
    both numbers; the others' costs add.
    """
    parts = leaves(event)
    if len(parts) == 1:
        return None
    epsilon, delta = task.privacy.epsilon, task.privacy.delta
    ranges: list[Fraction] = []
    for part in parts:
        if isinstance(part, Selection):
            ranges.append(part.epsilon)
        elif isinstance(part, Pure | Approximate):
            epsilon -= part.epsilon
            delta -= part.delta if isinstance(part, Approximate) else 0
        else:
            raise BadInput("drawing with replacement is accounted for pure and approximate DP")
    kept = epsilon >= 0 and delta >= 0
    if ranges and kept:
        kept = epsilon > 0 and max(ranges) <= equal_share(
            epsilon=epsilon, delta=delta, k=len(ranges)
        )
    if not kept:
        raise BadInput("the parts of this algorithm are not shown to keep the task's privacy")
    stated = privacy_event(
        epsilon=task.privacy.epsilon, delta=task.privacy.delta, relation=event.relation
    )
    assert isinstance(stated, Pure | Approximate)
    return stated


def _whole_records(task: Task) -> Task:
    return task.with_(relation=Relation.REPLACE_ONE)


def _affordable(draws: int, *, records: int, epsilon: Fraction) -> int:
    """The most draws, up to ``draws``, that cost no more than ``epsilon`` in all."""
    low, high = 1, draws
    while low < high:
        middle = (low + high + 1) // 2
        spent = resampled_epsilon(epsilon=epsilon, draws=middle, records=records)
        low, high = (middle, high) if spent <= epsilon else (low, middle - 1)
    return low


KNOWN_VC = Condition(
    "a class whose VC dimension is known", lambda task: isinstance(task.concept_class, Dimensioned)
)


def _generalisation(task: Task) -> SampleBound:
    return conversions.to_pac(
        vc=task.concept_class.vc,  # type: ignore[attr-defined]
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta / 2,
        setting=task.setting,
    )


def _on_the_sample(task: Task) -> SampleBound:
    """Selection by mistakes, right on every sample: no more than ``n alpha / 2`` above the best."""
    if task.concept_class.size is None:
        raise BadInput("this algorithm needs a finite class")
    rate = task.privacy.epsilon / spread(task.privacy.relation)
    extra = lead(wrong=task.concept_class.size - 1, beta=task.accuracy.beta / 2, rate=rate)
    share = task.accuracy.alpha / 2
    records = max(1, -(-extra // share))
    after = _generalisation(task)
    return SampleBound(
        n=max(int(records), after.n),
        claim=conversions.TO_PAC,
        terms={"accuracy on the sample": float(records), "generalisation": float(after.n)},
        printed=max(int(records), after.printed or 0),
    )


EMPIRICAL = ALGORITHMS.add(
    Algorithm(
        name="empirical-selection",
        summary="select by mistakes, accurately on every sample, and generalise from it",
        applies=Applies(proper=True, further=(KNOWN_VC,)),
        claim=conversions.TO_PAC,
        bound=_on_the_sample,
        build=lambda task, _bound, _size: FiniteClassLearner(
            concept_class=task.concept_class,
            epsilon=task.privacy.epsilon,
            relation=task.privacy.relation,
        ),
        certify=DRAWN,
        tiny=on_points,
    )
)


def _inner_task(task: Task) -> Task:
    return task.with_(alpha=task.accuracy.alpha / 2, beta=task.accuracy.beta / 2)


def _resampled_bound(task: Task) -> SampleBound:
    """The PAC selection at half the error and failure, made empirical, made PAC again."""
    outer = _INNER.bound(_inner_task(task))
    after = _generalisation(task)
    return SampleBound(
        n=max(outer.n, after.n),
        claim=conversions.TO_EMPIRICAL,
        terms={"accuracy on the sample": float(outer.n), "generalisation": float(after.n)},
        printed=max(9 * outer.choices["draws"], after.printed or 0),
        choices=outer.choices,
    )


_INNER = empirical(EXPONENTIAL)

RESAMPLED = ALGORITHMS.add(
    Algorithm(
        name="resampled-selection",
        summary="select by mistakes on records drawn with replacement, and generalise",
        applies=Applies(
            proper=True,
            relations=_INNER.applies.relations,
            because=_INNER.applies.because,
            further=(KNOWN_VC,),
        ),
        claim=conversions.TO_EMPIRICAL,
        bound=_resampled_bound,
        build=lambda task, _bound, size: _INNER.built(_inner_task(task), size.n),
        tiny=on_points,
    )
)
