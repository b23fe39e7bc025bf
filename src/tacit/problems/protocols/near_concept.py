"""Learn agnostically with a representation: weigh a hypothesis with the best concept near it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    ConceptClass,
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
    Tiny,
    tiny_task,
)
from tacit.core.numbers import positive, whole
from tacit.core.tiny import labelled
from tacit.exact.landscape import Flat
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.selection import Exponential
from tacit.problems.finite.listed import TableRule
from tacit.problems.protocols import near_concept_upper as bounds
from tacit.problems.protocols.found import Majorities, Represented
from tacit.problems.protocols.found_upper import MOST_RULES, majority_error
from tacit.tallies.distinct import distinct_labelled
from tacit.theory.dimensions.vc_dimension import vc

Rows = npt.NDArray[np.bool_]
_COPIES = range(1, 17)
_MOST_RUNS = 41


@dataclass(frozen=True, slots=True)
class NearConcept:
    """The score of a hypothesis: the fewest records on which a concept differs from it or errs.

    A record counts 0 or 1 for each pair of a hypothesis and a concept, so these numbers move as
    mistakes do, and so does the least of them.
    """

    concepts: Rows
    hypotheses: Rows

    def __call__(self, data: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]) -> Flat:
        zeros, ones = (part.astype(np.float64) for part in data)
        both = (self.hypotheses * ones) @ self.concepts.T
        neither = (~self.hypotheses * zeros) @ (~self.concepts).T
        right = (both + neither).max(axis=1)
        return Flat(errors=(zeros.sum() + ones.sum() - right).astype(np.int64))

    def spread(self, relation: Relation) -> int:
        return spread(relation)


@dataclass(frozen=True, slots=True, kw_only=True)
class NearConceptLearner(Mechanism[Sample, Hypothesis]):
    """Draw a representation, then select a hypothesis by the best concept near it.

    Privacy
    -------
    Requires  the class and what was found for it are public; coins are drawn first.
    Ensures   the privacy of the exponential mechanism at ``epsilon``, for all coins.
    Proof     Theorem 1 of ``near_concept.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.protocols.near_concept_upper``.

    Edge cases
    ----------
    No records: a uniform hypothesis.
    """

    CLAIM: ClassVar[Claim] = bounds.CLAIM

    represented: Represented
    runs: int
    copies: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))
        whole(self.runs, name="runs", least=1)
        whole(self.copies, name="copies", least=1)

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=self.relation)

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - counts of any number
        return True

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        made = Majorities(self.represented, self.runs)
        drawn = [made.rows(made.coins(rng)) for _ in range(self.copies)]  # [P1]
        hypotheses = np.concatenate(drawn)
        values, *counted = distinct_labelled(data, self.represented.domain)
        zeros, ones = np.zeros((2, self.represented.domain.size), dtype=np.int64)
        zeros[values.astype(np.int64)], ones[values.astype(np.int64)] = counted
        score = NearConcept(self.represented.base.matrix, hypotheses)
        selection = Exponential(score=score, epsilon=self.epsilon, relation=self.relation)
        chosen = rng.part(selection, (zeros, ones))  # [P2]
        return TableRule(values=tuple(hypotheses[chosen].tolist()))


def _ways(represented: Represented) -> Iterator[tuple[int, int, int, Fraction, Fraction]]:
    """Majorities of so many, so many copies, hypotheses in all, their error, how often none."""
    rho, miss, count = represented.strength
    if rho == 1:
        return
    if miss:
        for copies in _COPIES:
            yield 1, copies, copies * count, rho, miss**copies
        return
    for runs in range(1, _MOST_RUNS, 2):
        yield runs, 1, count**runs, majority_error(runs=runs, error=rho), Fraction(0)


def _of(concept_class: ConceptClass) -> Represented:
    assert isinstance(concept_class, Represented)
    return concept_class


def _samples(task: Task) -> SampleBound:
    represented = _of(task.concept_class)
    base = represented.base
    dimension = int(vc(base).most)
    best: SampleBound | None = None
    for runs, copies, size, rho, miss in _ways(represented):
        if rho >= task.accuracy.alpha or miss >= task.accuracy.beta:
            continue
        with suppress(BadInput):
            found = bounds.near_concept(
                hypotheses=size,
                rho=rho,
                vc=dimension,
                concepts=base.size,
                alpha=task.accuracy.alpha,
                beta=task.accuracy.beta - miss,
                **task.asked("epsilon", "relation"),
            )
            if best is None or found.n < best.n:
                choices = {"runs": runs, "copies": copies, "size": size}
                best = SampleBound(n=found.n, claim=found.claim, terms=found.terms, choices=choices)
    if best is None:
        raise BadInput(
            "what was found errs too much for alpha, or is a protocol without hypotheses of small "
            "error: look for a representation of less error"
        )
    return best


def _runs(task: Task) -> str | None:
    size = _samples(task).choices["size"]
    return None if size <= MOST_RULES else f"lists about 2^{size.bit_length() - 1} hypotheses"


def _mechanism(task: Task, bound: SampleBound, _size: Size) -> NearConceptLearner:
    return NearConceptLearner(
        represented=_of(task.concept_class),
        runs=bound.choices["runs"],
        copies=bound.choices["copies"],
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    tiny = Represented.tiny()
    return tiny_task(
        entry,
        tiny,
        tiny,
        records=labelled(range(2)),
        usual=(0, 1),
        odd=(1, 1),
        setting="agnostic",
    )


NEAR_CONCEPT = ALGORITHMS.add(
    Algorithm(
        name="near-concept",
        summary="select from a representation by the best concept near each hypothesis: its size "
        "costs privacy only, the VC dimension sampling",
        applies=Applies(proper=False, classes=(Represented,), settings=("agnostic",)),
        claim=bounds.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
        runs=_runs,
    )
)
