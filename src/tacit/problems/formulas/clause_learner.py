"""BBKN13 Observation 2.7: DNF formulas of few terms, learned as CNF by noisy counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.mechanisms.calibration import clause_sensitivity
from tacit.mechanisms.noise import Geometric
from tacit.problems.formulas import clauses_upper as bounds
from tacit.problems.formulas.k_term_dnf import CnfRule, KTermDnf
from tacit.tallies.distinct import distinct_labelled, fits_a_table


@dataclass(frozen=True, slots=True)
class FalseClauses:
    """For each clause, how many records of label 1 make it false."""

    formulas: KTermDnf
    unit: ClassVar[Fraction] = Fraction(1)

    def __call__(self, data: Sample) -> tuple[Fraction, ...]:
        values, _, ones = distinct_labelled(data, self.formulas.domain)
        return tuple(Fraction(int(n)) for n in self.formulas.false_counts(values, ones))

    def sensitivity(self, relation: Relation) -> Fraction:
        """A record of label 1 makes one clause false for each choice of variables."""
        return clause_sensitivity(
            variables=self.formulas.domain.columns, terms=self.formulas.terms, relation=relation
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseLearner(Mechanism[Sample, Hypothesis]):
    """Keep the clauses that, up to noise, hardly any record of label 1 makes false.

    Privacy
    -------
    Requires  the formulas are public.
    Ensures   ``epsilon``-DP under ``relation``.
    Proof     Theorem 1 of ``clause_learner.proof.md``.
    Numerics  exact: whole counts, geometric noise.

    Utility
    -------
    ``tacit.problems.formulas.clauses_upper``: BBKN13 Observation 2.7.

    Edge cases
    ----------
    No record of label 1: all clauses are likely to stay, and the rule is 0 everywhere.
    """

    CLAIM: ClassVar[Claim] = bounds.OBSERVATION_2_7

    formulas: KTermDnf
    threshold: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def _counts(self) -> Geometric[Sample]:
        return Geometric(
            query=FalseClauses(self.formulas),
            answers=self.formulas.clauses,
            epsilon=self.epsilon,
            relation=self.relation,
        )

    def event(self) -> Event:
        return self._counts().event()

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.formulas.domain.size)

    def _release(self, data: Sample, *, rng: Sampler) -> CnfRule:
        noisy = rng.part(self._counts(), data)  # [P1]
        kept = [place for place, count in enumerate(noisy) if count <= self.threshold]
        clauses = tuple(self.formulas.clause(place) for place in kept)
        return CnfRule(domain=self.formulas.domain, clauses=clauses)


def _samples(task: Task) -> SampleBound:
    formulas = task.concept_class
    assert isinstance(formulas, KTermDnf)
    return bounds.k_term_dnf(
        variables=formulas.domain.columns,
        terms=formulas.terms,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
    )


def _mechanism(task: Task, bound: SampleBound, _size: Size) -> ClauseLearner:
    formulas = task.concept_class
    assert isinstance(formulas, KTermDnf)
    return ClauseLearner(
        formulas=formulas,
        threshold=bound.choices["threshold"],
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    small, large = (KTermDnf(columns=variables, terms=1) for variables in (2, 4))
    larger = tiny_task(entry, small, large, records=(), usual=((1,) * 4, 1), odd=((0,) * 4, 1))
    return larger.exactly(
        lambda e: ClauseLearner(formulas=KTermDnf(columns=1, terms=1), threshold=1, epsilon=e),
        records=[((0,), 0), ((0,), 1), ((1,), 1)],
        n=4,
    )


CLAUSES = ALGORITHMS.add(
    Algorithm(
        name="k-cnf",
        summary="keep the clauses that positive records satisfy, by noisy counts",
        applies=Applies(proper=False, classes=(KTermDnf,), settings=("realizable",)),
        claim=bounds.OBSERVATION_2_7,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
