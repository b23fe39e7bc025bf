"""How many records suffice to answer questions that come one by one."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.core import Accuracy, BadInput, ConceptClass, Privacy, Relation, SampleBound
from tacit.core.numbers import whole
from tacit.problems.finite.in_turn_upper import in_turn, noisy_answers
from tacit.problems.finite.multiplicative_weights import CLASSES
from tacit.problems.finite.queries import too_large
from tacit.problems.finite.reasons import TABLES_NEED

NOISE = "noise on each answer"
CORRECTED = "corrected weights"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to answer: ``name``, and the bound of its records."""

    name: str
    bound: SampleBound

    @property
    def n(self) -> int:
        """Records that suffice."""
        return self.bound.n


def ways(
    values: ConceptClass, questions: int, *, privacy: Privacy, accuracy: Accuracy
) -> tuple[Way, ...]:
    """All ways to answer so many questions about sets of ``values``, fewest records first."""
    number = whole(questions, name="questions", least=1)
    if type(values) not in CLASSES:
        raise BadInput(
            "questions are about the values of Points, Thresholds, Parities or a Table, such as "
            "Points(size=121)"
        )
    if privacy.relation is not Relation.REPLACE_ONE:
        raise BadInput(f"answering questions one by one {TABLES_NEED}: relation='replace-one'")
    if privacy.unit is not None:
        raise BadInput("answering questions one by one protects records: leave out unit=")
    reason = too_large(values)
    if reason is not None:
        raise BadInput(f"answering questions one by one {reason}")
    numbers = {"alpha": accuracy.alpha, "beta": accuracy.beta, "epsilon": privacy.epsilon}
    found = [Way(NOISE, noisy_answers(questions=number, delta=privacy.delta, **numbers))]
    try:
        size = values.domain.size
        bound = in_turn(questions=number, domain_size=size, delta=privacy.delta, **numbers)
        found.append(Way(CORRECTED, bound))
    except BadInput:
        pass  # more records than its proof speaks of
    return tuple(sorted(found, key=lambda way: way.n))
