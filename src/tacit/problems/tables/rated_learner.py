"""A learner together with the rates of its rule's parts: one mechanism, one charge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from tacit.core import BadInput, Claim, Composed, Event, Hypothesis, Mechanism, Pure, Sampler, Task
from tacit.core.numbers import Number, exact, positive, whole
from tacit.core.tally import Streamed
from tacit.domains.marked import marks
from tacit.problems.several.rules import Rules
from tacit.problems.tables.leaf_rates import LeafRates
from tacit.problems.tables.rated_rule import RatedRule, RatedValues
from tacit.tallies.label_columns import HeldColumns, OneLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """What a learner released, and its rule with noisy numbers of all labels in each part, or its
    rules, each with its own.
    """

    found: object
    rated: RatedRule | RatedValues | Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedLearner(Mechanism[Any, Rated]):
    """Run a learner, then count each label in each part of its rule on the same records.

    ``rule_of`` reads the rule off what the learner released; it gives one of ``values`` labels.
    Of ``k`` label columns it reads as many rules, each counted with an equal part of epsilon.
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
        "counted, and times k for the rules of k label columns",
        proof="problems/tables/rated_learner.proof.md",
    )

    learner: Mechanism[Any, Any]
    rule_of: Callable[[Any], Any]
    epsilon: Fraction
    values: int = 2
    rows: int | None = None
    k: int = 1
    _first: Event = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_first", self.learner.event())
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        if self.rows is not None:
            whole(self.rows, name="rows", least=1)
        whole(self.k, name="k", least=1)

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

        Of records, or of the rows that are kept of persons, and of one of the label columns.
        """
        return LeafRates.of_rows(
            rule,
            epsilon=self.epsilon / self.k,
            relation=self._first.relation,
            rows=self.rows or 1,
            values=self.values,
        )

    def _release(self, data: Any, *, rng: Sampler) -> Rated:
        found = rng.part(self.learner, data)  # [P1]
        if self.rows is not None:
            data = data.at_most(self.rows).sample  # [P3]
        if self.k == 1:
            return Rated(found=found, rated=self._rated(self.rule_of(found), data, rng))
        each: list[Any] = [
            self._rated(rule, records, rng)  # [P4]
            for rule, records in zip(self.rule_of(found), self._columns(data), strict=True)
        ]
        return Rated(found=found, rated=Rules(rules=tuple(each)))

    def _rated(self, rule: Hypothesis, data: Any, rng: Sampler) -> RatedRule | RatedValues:
        rates = self.counting(rule)
        return rates.rated(rng.part(rates, data))  # [P2]

    def _columns(self, data: Any) -> Iterator[Any]:
        """The records with the labels of each column, one after the other."""
        if isinstance(data, Streamed):
            yield from (OneLabel(data, task) for task in range(self.k))
            return
        held = HeldColumns(data.x, marks(data, self.k))
        yield from (held.of_task(task) for task in range(self.k))


def read_rate_share(share: Number, task: Task) -> Fraction:
    """The part of epsilon that counts rates; refuses tasks whose rules have none."""
    read = exact(share, name="rate_share")
    if not 0 < read < 1:
        raise BadInput("rate_share must be above 0 and below 1")
    if task.other == "ignore":
        raise BadInput("rates are counted of all records: other='negative'")
    if any(len(one) > 2 for one in task.label_values):
        raise BadInput("rates of several labels are counted where each has two values")
    return read
