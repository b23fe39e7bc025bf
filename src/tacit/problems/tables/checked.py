"""A rule together with noisy counts: its mistakes, and what stands beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from tacit.core import (
    PLAIN,
    Claim,
    Composed,
    Drawer,
    Event,
    Found,
    Hypothesis,
    Labels,
    Measuring,
    Mechanism,
    Pure,
    Sampler,
)
from tacit.core.numbers import positive
from tacit.core.tally import Streamed
from tacit.mechanisms.calibration import count_scales
from tacit.mechanisms.persons import ForPersons
from tacit.problems.tables.rule_counts import Beside, RuleCounts
from tacit.tallies.few_cells import ByCells, few_cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A released rule, its mistakes on the records it was learned from, plus noise, and the
    other noisy numbers that were asked for.

    ``noisy_right``  where the number of records is private: how many are no mistakes, plus noise.
    """

    rule: Hypothesis
    noisy_mistakes: int
    noisy_right: int | None = None
    beside: tuple[int, ...] = ()

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """The rule in words."""
        del column
        return self.rule.describe(labels=labels)

    def predict(self, x: object) -> object:
        """The rule, applied."""
        return self.rule.predict(x)

    def to_dict(self) -> dict[str, object]:
        """The rule's own form."""
        return self.rule.to_dict()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedLearner(Mechanism[Any, Checked], Measuring):
    """Run a learner, then count its rule's mistakes on the same records, with noise.

    Of persons with several rows (``learner`` is ``ForPersons``) one row of each is counted.

    ``beside`` are further numbers of records in the same noisy vector: how many have the
    positive label (or each of ``values`` labels), a declared label, declared values in the columns
    that the rule reads. Where the number of records is private, those that the rule gets right are
    counted as well: with the mistakes they cost what these cost alone.

    Privacy
    -------
    Requires  ``learner`` is a mechanism on the same records, or ``ForPersons`` on the same persons.
    Ensures   its event composed with ``epsilon``-DP for the count, plus what ``beside`` spends.
    Proof     ``checked.proof.md``.
    Numerics  exact: integers and geometric noise.

    Edge cases
    ----------
    A noisy count may be negative or exceed the number of records: it is not clamped.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Checked, Theorem 1",
        statement="a learner followed by numbers of records, its rule's mistakes first, with "
        "geometric noise of scale w_j/epsilon_j, w_j being what a neighbour moves them by, costs "
        "the learner's event and the sum of epsilon_j",
        proof="problems/tables/checked.proof.md",
    )

    learner: Mechanism[Any, Hypothesis]
    epsilon: Fraction
    beside: tuple[Beside, ...] = ()
    values: int = 2
    _first: Event = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_first", self.learner.event())
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        for one in self.beside:
            positive(one.epsilon, name="epsilon")

    # -- what is public about the count: ``Measuring`` --------------------------------------

    @property
    def draws(self) -> int:
        return 1

    @property
    def drawer(self) -> Drawer | None:
        if isinstance(self.learner, ForPersons):
            # Several rows of each are drawn from as so many records: another number of them.
            return self._drawer if self.learner.rows == 1 else None
        return self._drawer

    def count(self, found: Found) -> Fraction:
        del found
        return self.epsilon

    def prior_of(self, found: Found) -> Fraction:
        return self._drawer.prior(found.rule)

    def drawn_from(self, found: Found) -> str:
        del found
        return self._drawer.drawn_from

    @property
    def _drawer(self) -> Drawer:
        """The learner that draws the rule from records, or from rows of persons."""
        draws = self.learner.inner if isinstance(self.learner, ForPersons) else self.learner
        assert isinstance(draws, Drawer)
        return draws

    def event(self) -> Event:
        relation = self._first.relation
        spent = sum((one.epsilon for one in self.beside), self.epsilon)
        return Composed(
            events=(self._first, Pure(epsilon=spent, relation=relation)), relation=relation
        )

    def label(self) -> str:
        return f"{self.learner.label()} and a count of its mistakes"

    def streams(self, n: int | None) -> bool:
        return self.learner.streams(n)

    def _release(self, data: Any, *, rng: Sampler) -> Checked:
        private = not self._first.relation.size_is_public
        whats = (*(["right"] if private else []), *(one.what for one in self.beside))
        if isinstance(data, Streamed) and isinstance(self.learner, ByCells) and self.streams(None):
            schema, declared = self.learner.placed_by, "labels" in whats
            data = few_cells(data, schema, values=self.values, declared=declared)  # [P4]
        rule = rng.part(self.learner, data)  # [P1]
        counts = RuleCounts(rule, whats, self.values)
        if isinstance(self.learner, ForPersons):
            data = data.at_most(1).sample  # [P3]
        found = counts.of(data)
        rest = ((one.epsilon, one.numbers) for one in self.beside)
        each = ((self.epsilon, 2 if private else 1), *rest)
        scales = count_scales(each, relation=self._first.relation)
        every = [
            scale for scale, (_, numbers) in zip(scales, each, strict=True) for _ in range(numbers)
        ]
        noisy = [
            number + rng.geometric(scale)  # [P2]
            for number, scale in zip(found, every, strict=True)
        ]
        return Checked(
            rule=rule,
            noisy_mistakes=noisy[0],
            noisy_right=noisy[1] if private else None,
            beside=tuple(noisy[1 + private :]),
        )
