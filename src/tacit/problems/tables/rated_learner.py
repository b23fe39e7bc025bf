"""A learner together with the rates of its rule's parts: one mechanism, one charge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from tacit.core import BadInput, Claim, Composed, Event, Hypothesis, Mechanism, Pure, Sampler, Task
from tacit.core.numbers import Number, exact, positive, whole
from tacit.mechanisms.persons import ForPersons
from tacit.problems.tables.leaf_rates import LeafRates
from tacit.problems.tables.rated_rule import RatedRule, RatedValues


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """What a learner released, and its rule with noisy numbers of all labels in each part."""

    found: object
    rated: RatedRule | RatedValues


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedLearner(Mechanism[Any, Rated]):
    """Run a learner, then count each label in each part of its rule on the same records.

    ``rule_of`` reads the rule off what the learner released; it gives one of ``values`` labels.
    ``rows`` is how many rows of each person are counted at most; ``None`` counts records.

    Privacy
    -------
    Requires  ``learner`` is a mechanism on the same records or, with ``rows``, on the same persons.
    Ensures   its event composed with ``epsilon``-DP for the numbers, for whole persons with
              ``rows``.
    Proof     ``rated_learner.proof.md``.
    Numerics  exact: integers and geometric noise.

    Edge cases
    ----------
    As ``LeafRates``: a part without records has noise alone.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Rated learner, Theorem 1",
        statement="a learner followed by the numbers of all labels in each part of its rule, "
        "with geometric noise of scale w/epsilon, costs the learner's event and epsilon, w = 2 "
        "(replace-one, label) or 1 (add-remove), times m where at most m rows of each person are "
        "counted",
        proof="problems/tables/rated_learner.proof.md",
    )

    learner: Mechanism[Any, Any]
    rule_of: Callable[[Any], Any]
    epsilon: Fraction
    values: int = 2
    rows: int | None = None
    _first: Event = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_first", self.learner.event())
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        if self.rows is not None:
            whole(self.rows, name="rows", least=1)

    def event(self) -> Event:
        relation = self._first.relation
        rates = Pure(epsilon=self.epsilon, relation=relation)
        return Composed(events=(self._first, rates), relation=relation)

    def label(self) -> str:
        return f"{self.learner.label()} and rates of its rule's parts"

    def streams(self, n: int | None) -> bool:
        return self.learner.streams(n)

    def counting(self, rule: Hypothesis) -> LeafRates:
        """What counts the labels in the parts of a rule that the learner released.

        Of records, or of the rows that are kept of persons.
        """
        return LeafRates.of_rows(
            rule,
            epsilon=self.epsilon,
            relation=self._first.relation,
            rows=self.rows or 1,
            values=self.values,
        )

    def _release(self, data: Any, *, rng: Sampler) -> Rated:
        found = rng.part(self.learner, data)  # [P1]
        rates = self.counting(self.rule_of(found))
        if self.rows is None:
            numbers = rng.part(rates, data)  # [P2]
        else:
            relation = self._first.relation
            persons = ForPersons(inner=rates, rows=self.rows, relation=relation)
            numbers = rng.part(persons, data)  # [P3]
        return Rated(found=found, rated=rates.rated(numbers))


def read_rate_share(share: Number, task: Task) -> Fraction:
    """The part of epsilon that counts rates; refuses tasks whose rules have none."""
    read = exact(share, name="rate_share")
    if not 0 < read < 1:
        raise BadInput("rate_share must be above 0 and below 1")
    if task.other == "ignore":
        raise BadInput("rates are counted of all records: other='negative'")
    if task.k > 1:
        raise BadInput("rates are counted of one label: learn the labels one by one")
    return read
