"""What has been charged so far, in running sums: one more event costs constant time."""

from __future__ import annotations

from fractions import Fraction

from tacit.accounting.budget import Budget
from tacit.accounting.composition import Sums, Total, total_of_counts
from tacit.accounting.cost import cost, weakest
from tacit.core import ADD_REMOVE, REPLACE_ONE, Event, Relation


class Charges:
    """Counts of atomic events, and their sums stated in both ways a total may need."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._relation: Relation | None = None
        self._counts: dict[Event, int] = {}
        self._native = Sums()  # as long as every event is ADD_REMOVE
        self._replaced = Sums()  # everything, stated for a substitution
        self._totals: dict[Fraction, Total] = {}

    def relation(self, event: Event | None = None) -> Relation | None:
        """The relation in which a total is stated, with ``event`` added if given."""
        if self._budget.relation is not None:
            return self._budget.relation
        seen = (self._relation, None if event is None else event.relation)
        return weakest(relation for relation in seen if relation is not None)

    def sums(self, event: Event | None = None) -> Sums:
        """The sums in that relation, with ``event`` added if given."""
        native = self.relation(event) is ADD_REMOVE
        sums = self._native if native else self._replaced
        return sums if event is None else self._plus(sums, event, native=native)

    def add(self, event: Event) -> None:
        """Take an event in."""
        if event.relation is ADD_REMOVE:
            self._native = self._plus(self._native, event, native=True)
        self._replaced = self._plus(self._replaced, event, native=False)
        self._relation = weakest(
            relation for relation in (self._relation, event.relation) if relation is not None
        )
        for leaf in event.parts or (event,):
            self._counts[leaf] = self._counts.get(leaf, 0) + 1
        self._totals.clear()

    def total(self, *, delta: Fraction) -> Total:
        """The smallest total that is proved, at most ``delta`` if possible."""
        if delta not in self._totals:
            self._totals[delta] = total_of_counts(
                self._counts,
                delta=delta,
                relation=self.relation(),
                budget=(self._budget.epsilon, self._budget.order),
            )
        return self._totals[delta]

    def _plus(self, sums: Sums, event: Event, *, native: bool) -> Sums:
        for leaf in event.parts or (event,):
            # LABEL and REPLACE_ONE events enter as they are; only ADD_REMOVE ones are converted.
            relation = REPLACE_ONE if leaf.relation is ADD_REMOVE else leaf.relation
            one = cost(leaf, relation=ADD_REMOVE if native else relation)
            sums = sums.plus(one, order=self._budget.order)
        return sums
