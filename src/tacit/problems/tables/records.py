"""How many records one draw over a table's rules needs, and how much of epsilon it spends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from tacit.bounds.upper import selection, stages
from tacit.bounds.upper.expected import expected_excess
from tacit.bounds.upper.noisy_count import MOST_SHARE, count_share
from tacit.core import Drawer, Known, SampleBound, Size, Task
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import spread
from tacit.problems.tables.rule_counts import MOST_BESIDE, Beside, plan_beside, wanted_counts


class OverTable:
    """Rules over a table: a part of epsilon counts a released rule's mistakes."""

    schema: Schema

    def count_share(self, *, n: int | None, epsilon: Fraction) -> Fraction:
        """The part that public numbers call for; a fifteenth where ``n`` is not known."""
        return count_share(n=n, epsilon=epsilon)

    def most_aside(self, share: Fraction | None) -> Fraction:
        """The part of epsilon that counts may take at most, whatever the number of records is."""
        most = MOST_SHARE if share is None else share
        return most + MOST_BESIDE if most else most

    def beside_cost(
        self, *, n: int | None, epsilon: Fraction, beta: Fraction, declared: bool, values: int
    ) -> Fraction:
        """The epsilon of all numbers that are counted beside the mistakes."""
        beside, _ = self.beside(n=n, epsilon=epsilon, beta=beta, declared=declared, values=values)
        return sum((one.epsilon for one in beside), Fraction(0))

    def beside(
        self, *, n: int | None, epsilon: Fraction, beta: Fraction, declared: bool, values: int = 2
    ) -> tuple[tuple[Beside, ...], Mapping[str, int]]:
        """What is counted beside the mistakes, and what it would need where it is not."""
        wanted = wanted_counts(self.domain, declared=declared, values=values)
        return plan_beside(wanted, n=n, epsilon=epsilon, beta=beta, values=values)

    @property
    def domain(self) -> Schema:
        """The public columns."""
        return self.schema


def pays(least_prior: Fraction, *, n: int | None, rate: Fraction) -> bool:
    """Whether a kind of rules could pay in one draw: it is left out where it could on no table.

    On average over ``n`` records a rule of this prior that never errs must be promised no more
    than the half that a constant label never exceeds: Theorem 3 of ``expected.proof.md``. Where
    ``n`` is not known nothing is left out.
    """
    if n is None:
        return True
    excess = expected_excess(n=n, rate=rate, prior=least_prior, least_prior=least_prior)
    return excess <= Fraction(1, 2)


def pays_from(least_prior: Fraction, *, rate: Fraction) -> int:
    """The number of records from which on a kind of rules could pay: ``pays`` rises with it."""
    high = 1
    while not pays(least_prior, n=high, rate=rate):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if pays(least_prior, n=middle, rate=rate) else (middle, high)
    return high


def one_draw(
    task: Task,
    *,
    prior: Fraction,
    least_prior: Fraction,
    selector: str = "exponential",
    gentle: bool = True,
) -> SampleBound:
    """Records for one draw to come within ``alpha`` of the best comparator of ``prior``.

    ``choices["epsilon"]`` is what the theorem behind ``n`` spends; ``choices["whole_from"]``
    the records from which all of epsilon may be spent, and the promise still holds. Without
    ``gentle`` only draws that spend everything are looked at.
    """
    asked = task.asked("alpha", "beta", "epsilon", "relation")
    size = -(-1 // prior)
    if task.setting == "realizable":
        bound = selection.realizable(size=size, selector=selector, **asked)
        return _with(bound, bound.n)
    rate = task.privacy.epsilon / spread(task.privacy.relation)
    whole = stages.whole_budget(
        prior=prior,
        least_prior=least_prior,
        rate=rate,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
    )
    choices = {"epsilon": task.privacy.epsilon, "selector": selector, "whole_from": whole.n}
    whole = replace(whole, choices=choices)
    if not gentle or not task.privacy.relation.size_is_public:
        return whole
    slower = selection.agnostic(size=size, selector=selector, **asked)
    return whole if whole.n <= slower.n else _with(slower, whole.n)


def _with(bound: SampleBound, whole_from: int) -> SampleBound:
    return replace(bound, choices={**bound.choices, "whole_from": whole_from})


def to_spend(task: Task, bound: SampleBound, size: Size) -> Fraction:
    """All of epsilon, but where only a gentler draw keeps what the plan promises.

    A gentler draw is proved from ``bound.n`` records on, the whole budget from
    ``choices["whole_from"]`` on. With fewer than ``bound.n`` nothing is promised, and all serves.
    """
    between = bound.n <= size.n < bound.choices["whole_from"]
    if size.known is Known.PUBLIC and between:
        gentle: Fraction = bound.choices["epsilon"]
        return gentle
    return task.privacy.epsilon


def known(size: Size) -> int | None:
    """The number of records where it is known; ``None`` where it is private."""
    return None if size.known is Known.PLANNED else size.n


def several_draws(task: Task, learners: Sequence[Drawer]) -> SampleBound:
    """Records that suffice for whichever of these learners is built; each spends everything."""
    bounds = [
        stages.staged(
            extra=learner.lost(task.accuracy.beta / 2),
            least_prior=learner.least_prior,
            alpha=task.accuracy.alpha,
            beta=task.accuracy.beta,
        )
        for learner in learners
    ]
    return max(bounds, key=lambda bound: bound.n)
