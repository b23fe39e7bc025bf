"""Whether a budget has room for an event, and what is said where it has none."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.about import About
from tacit.accounting.budget import Budget
from tacit.accounting.charges import Charges
from tacit.accounting.cost import implies
from tacit.core import LABEL, BudgetRefused, Event, leaves
from tacit.core.numbers import show, show_rounded_down, show_rounded_up
from tacit.core.task_fields import RECORD


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """What one more event may cost; ``None`` is no limit.

    ``epsilon`` is always free for a pure event. It can be less than the limit minus
    what is spent, for the limit must hold even if costs are chosen after seeing outputs.
    ``delta`` is what approximate events have left over.
    """

    epsilon: Fraction | None
    delta: Fraction | None

    def to_dict(self) -> dict[str, str | None]:
        """A JSON-ready form; numbers are exact strings."""
        return {
            "epsilon": None if self.epsilon is None else show(self.epsilon),
            "delta": None if self.delta is None else show(self.delta),
        }

    def __str__(self) -> str:
        if self.epsilon is None:
            return "no limit"
        delta = f", delta = {show_rounded_down(self.delta)}" if self.delta else ""
        return f"epsilon = {show_rounded_down(self.epsilon)}{delta}"


def remaining(budget: Budget, charges: Charges) -> Remaining:
    """What the budget leaves for one more event."""
    sums = charges.sums()
    used = budget.used(sums)
    if budget.epsilon is None or used is None:
        return Remaining(epsilon=None, delta=None)
    return Remaining(epsilon=budget.epsilon - used, delta=budget.delta - sums.delta)


def refuse(event: Event, about: About, *, budget: Budget, charges: Charges) -> None:
    """Raise ``BudgetRefused`` where the budget does not admit ``event`` after ``charges``."""
    _check_terms(event, about, budget)
    if budget.relation is not None and not implies(event.relation, budget.relation):
        raise BudgetRefused(
            f"this ledger is kept for {budget.relation.value} neighbours, and an event under "
            f"{event.relation.value} promises nothing about them; nothing was charged"
        )
    sums = charges.sums(event)
    if budget.allows(sums):
        return
    used = budget.used(sums)
    raise BudgetRefused(
        f"the budget ({budget.describe()}) has no room for {_asked(event)}: "
        + (
            f"the total would be epsilon = {show_rounded_up(used)}"
            if used is not None
            else f"no total with delta at most {show(budget.delta)} would be known"
        )
        + f"; spent so far: {charges.total(delta=budget.delta)}; "
        f"left: {remaining(budget, charges)}; nothing was charged"
    )


def refuse_mixed(event: Event, *, budget: Budget, charges: Charges) -> None:
    """Keep label privacy apart where no relation is pinned: one such event would restate the
    whole total as a promise about labels only.
    """
    seen = charges.relation()
    if budget.relation is None and seen is not None and (LABEL in (seen, event.relation)):
        if seen is event.relation:
            return
        raise BudgetRefused(
            f"this ledger holds releases under {seen.value}, and one under "
            f"{event.relation.value} cannot be added up with them: what they promise together "
            "would speak of labels only. Use another ledger, or pin this one: "
            "relation='label'; nothing was charged"
        )


def _check_terms(event: Event, about: About, budget: Budget) -> None:
    """Refuse what is promised for other records, or to less than the ledger promises."""
    if budget.relation is None and budget.epsilon is not None and event.relation is LABEL:
        raise BudgetRefused(
            "this ledger's limit is about whole records, and an event under label promises "
            "nothing about their features: use a ledger with relation='label'; nothing was "
            "charged"
        )
    if about.data_set and budget.data_set and about.data_set != budget.data_set:
        raise BudgetRefused(
            f"this ledger is kept for the data set {budget.data_set!r}, not for "
            f"{about.data_set!r}; nothing was charged"
        )
    # Promises about persons and about records do not follow from each other. A ledger that
    # names no data set (one in memory) declares no unit and counts what comes.
    declared = budget.unit != RECORD or budget.data_set
    if declared and budget.unit != about.unit:
        wanted = "with" if budget.unit != RECORD else "without"
        column = budget.unit if budget.unit != RECORD else about.unit
        raise BudgetRefused(
            f"this ledger protects each {budget.unit}, and a release that protects each "
            f"{about.unit} is another promise: release {wanted} --unit {column}, or use a ledger "
            f"made with `tacit budget create --unit {about.unit}`; nothing was charged"
        )


def _asked(event: Event) -> str:
    parts = leaves(event)
    what = event.describe() if len(parts) <= 3 else f"{len(parts)} steps composed"
    return f"{what} ({event.relation.value})"
