"""From the sample to its distribution and back: BNS19 Theorems 12 and 28.

An *empirical* learner errs on a share alpha of the records it is given, whatever they
are. ``empirical`` makes one of any algorithm (Theorem 28); ``EMPIRICAL`` and ``RESAMPLED``
are empirical learners of a finite class that Theorem 12 makes PAC learners again.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.bounds.upper import conversions, selection
from tacit.bounds.upper.histograms import lead
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    BadInput,
    Mechanism,
    Relation,
    SampleBound,
    Task,
)
from tacit.mechanisms.amplification import Resampled
from tacit.problems.finite.applies import refusal
from tacit.problems.finite.finite_class import EXPONENTIAL, FiniteClassLearner


def empirical(algorithm: Algorithm) -> Algorithm:
    """The algorithm that draws records with replacement and runs ``algorithm`` on them.

    Its promise is about the records themselves: with probability ``1 - beta`` the rule errs
    on at most a share alpha of them (agnostic: alpha more than the best concept does).
    It is not in the registry, since plans promise errors on the distribution. ``algorithm``
    runs under ``REPLACE_ONE``, also where only labels are private: what is drawn instead of
    a record has other features.
    """

    def samples(task: Task) -> SampleBound:
        inner = algorithm.samples(_whole_records(task))
        outer = conversions.to_empirical(n=inner.n, epsilon=task.privacy.epsilon)
        return replace(outer, choices={"draws": inner.n})

    def mechanism(task: Task, n: int) -> Mechanism[Any, Any]:
        wanted, records = samples(task).choices["draws"], max(1, n)
        draws = _affordable(wanted, records=records, epsilon=task.privacy.epsilon)
        inner = algorithm.mechanism(_whole_records(task), draws)
        return Resampled(inner=inner, draws=draws, records=records)

    def refuses(task: Task) -> str | None:
        if not task.privacy.relation.size_is_public:
            return "draws from the records by position, so their number must be public"
        return algorithm.refuses(_whole_records(task))

    return Algorithm(
        name=f"empirical-{algorithm.name}",
        summary=f"{algorithm.name} on records drawn with replacement; accurate on the sample",
        when=algorithm.when,
        proper=algorithm.proper,
        claim=conversions.TO_EMPIRICAL,
        refuses=refuses,
        samples=samples,
        mechanism=mechanism,
    )


def _whole_records(task: Task) -> Task:
    return task.with_(relation=Relation.REPLACE_ONE)


def _affordable(draws: int, *, records: int, epsilon: Fraction) -> int:
    """The most draws, up to ``draws``, that cost no more than ``epsilon`` in all."""
    low, high = 1, draws
    while low < high:
        middle = (low + high + 1) // 2
        spent = conversions.resampled_epsilon(epsilon=epsilon, draws=middle, records=records)
        low, high = (middle, high) if spent <= epsilon else (low, middle - 1)
    return low


def _refuses(task: Task) -> str | None:
    reason = refusal(task, proper=True)
    if reason is None and getattr(task.concept_class, "vc", None) is None:
        return "needs a class whose VC dimension is known"
    return reason


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
    rate = task.privacy.epsilon / selection.spread(task.privacy.relation)
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
        when="finite classes of known VC dimension, proper, every relation",
        proper=True,
        claim=conversions.TO_PAC,
        refuses=_refuses,
        samples=_on_the_sample,
        mechanism=lambda task, _n: FiniteClassLearner(
            concept_class=task.concept_class,
            epsilon=task.privacy.epsilon,
            relation=task.privacy.relation,
        ),
    )
)


def _inner_task(task: Task) -> Task:
    return task.with_(alpha=task.accuracy.alpha / 2, beta=task.accuracy.beta / 2)


def _resampled_bound(task: Task) -> SampleBound:
    """The PAC selection at half the error and failure, made empirical, made PAC again."""
    outer = _INNER.samples(_inner_task(task))
    after = _generalisation(task)
    return SampleBound(
        n=max(outer.n, after.n),
        claim=conversions.TO_EMPIRICAL,
        terms={"accuracy on the sample": float(outer.n), "generalisation": float(after.n)},
        printed=max(9 * outer.choices["draws"], after.printed or 0),
        choices=outer.choices,
    )


def _refuses_resampled(task: Task) -> str | None:
    return _refuses(task) or _INNER.refuses(task)


_INNER = empirical(EXPONENTIAL)

RESAMPLED = ALGORITHMS.add(
    Algorithm(
        name="resampled-selection",
        summary="select by mistakes on records drawn with replacement, and generalise",
        when="finite classes of known VC dimension, proper, replace-one or label",
        proper=True,
        claim=conversions.TO_EMPIRICAL,
        refuses=_refuses_resampled,
        samples=_resampled_bound,
        mechanism=lambda task, n: _INNER.mechanism(_inner_task(task), n),
    )
)
