"""What the mistakes on each label say about cost, error and balanced error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.bounds.upper.noisy_count import NOISY_COUNT, certified_error
from tacit.core import BadInput, Known, Mechanism, Relation, Size, Task
from tacit.core.certificate import Certificate, Counted, Measured, OnLabel
from tacit.core.certify import Certifier, Facts, Outcome
from tacit.mechanisms.calibration import mistakes_moved, sizes_moved
from tacit.mechanisms.persons import ForPersons
from tacit.problems.tables.costs import Costed, CostLearner, balanced_costs
from tacit.problems.tables.drawn import planned_beside
from tacit.problems.tables.rule_counts import counted, of_values

_PLAIN_NAMES = ("the negative one", "the positive one")
"""What two labels are called that have no names."""


class Costly(Certifier):
    """Certify a draw by costs: the mistakes on each label, and bounds that hold all at once."""

    def __call__(self, task: Task, outcome: Outcome) -> Facts:
        """What was drawn from and, where mistakes were counted, what they say."""
        mechanism, found = outcome.mechanism, outcome.value
        assert isinstance(mechanism, CostLearner)
        if not task.count:
            return Facts(what=mechanism.drawer.drawn_from)
        if not isinstance(found, Costed):
            raise BadInput("the mistakes that were paid for are not stated")
        return Facts(
            what=mechanism.drawer.drawn_from, measured=_measured(task, mechanism, found, outcome)
        )

    def counting(
        self, task: Task, learner: Mechanism[Any, Any], size: Size, *, declared: bool
    ) -> CostLearner | ForPersons[Any]:
        """The draw, then the mistakes on each label and what is counted beside them.

        Of persons with several rows one row of each is counted, also where more are drawn from.
        """
        drawn = learner.inner if isinstance(learner, ForPersons) else learner
        assert isinstance(drawn, CostLearner)
        n = size.n if size.known is Known.PUBLIC else None
        beside, _ = planned_beside(task, n=n, declared=declared)
        counting = replace(drawn, n=n, epsilon=task.count, beside=beside)
        if not isinstance(learner, ForPersons):
            return counting
        if learner.rows == 1:
            return replace(learner, inner=counting)
        return replace(counting, learner=replace(learner, inner=drawn.with_its_costs()))

    def published(self, value: object) -> object:
        """The rule; its noisy numbers are in the certificate."""
        return value.rule if isinstance(value, Costed) else value

    def found(self, stated: Certificate, value: Any) -> object:
        """The rule with the noisy numbers that are stated."""
        if stated.measured is None:
            return value
        labels = stated.measured.labels
        return Costed(
            rule=value,
            each=tuple(one.noisy_mistakes for one in labels),
            sizes=tuple(one.size for one in labels if one.size is not None),
            beside=tuple(stated.measured.numbers),
        )


COSTLY = Costly()


def _measured(task: Task, mechanism: CostLearner, found: Costed, outcome: Outcome) -> Measured:
    """The noisy mistakes on each label, and bounds that hold all at once.

    Theorem 2 of ``costs.proof.md``: ``beta`` is split evenly over the mistakes of each label and,
    where these count alike, over the numbers of records of each.
    """
    n, prior = outcome.n, mechanism.prior_of(found)
    costs = mechanism.costs or balanced_costs(found.sizes)
    beta = task.accuracy.beta / (len(found.each) * (2 if found.sizes else 1))
    rates = label_rates(
        found.each,
        n=n,
        prior=prior,
        epsilon=mechanism.epsilon,
        relation=mechanism.relation,
        beta=beta,
    )
    names = task.answer_names if task.names or task.answers > 2 else _PLAIN_NAMES
    labels = tuple(
        OnLabel(
            label=names[place],
            cost=costs[place],
            noisy_mistakes=mistakes,
            rate=rates[place] if rates else None,
            size=found.sizes[place] if found.sizes else None,
        )
        for place, mistakes in enumerate(found.each)
    )
    beside, left_out = planned_beside(task, n=n, declared=outcome.declared)
    missing = (Counted(what=what, needed=needed) for what, needed in left_out.items())
    return Measured(
        noisy_mistakes=found.noisy_mistakes,
        epsilon=mechanism.epsilon,
        draws=1,
        prior=None if n is None else prior,
        error=mean_cost((1,) * len(costs), rates),
        claim=NOISY_COUNT,
        about=outcome.about,
        beside=(*counted(beside, found.beside, task), *missing),
        labels=labels,
        cost=mean_cost(costs, rates),
        balanced=_balanced(mechanism, found, rates, n=n, beta=beta),
        values=of_values(beside, found.beside, task),
    )


def label_rates(
    each: Sequence[int],
    *,
    n: int | None,
    prior: Fraction,
    epsilon: Fraction,
    relation: Relation,
    beta: Fraction,
) -> list[Fraction]:
    """Bounds on the share of records of each label that are mistakes, each but for ``beta``.

    None where the number of records is private.
    """
    if n is None:
        return []
    noise = epsilon / mistakes_moved(relation, len(each))
    return [
        certified_error(noisy_mistakes=one, n=n, prior=prior, epsilon=noise, beta=beta)
        for one in each
    ]


def mean_cost(costs: Sequence[int], rates: list[Fraction]) -> Fraction | None:
    """A bound on the mean cost: no record costs more than the greatest one."""
    if not rates:
        return None
    bound = sum((c * rate for c, rate in zip(costs, rates, strict=True)), Fraction(0))
    return min(bound, Fraction(max(costs)))


def _balanced(
    mechanism: CostLearner, found: Costed, rates: list[Fraction], *, n: int | None, beta: Fraction
) -> Fraction | None:
    """A bound on the mean, over the labels, of the error among their records."""
    if not found.sizes or n is None:
        return None
    spent, relation = mechanism.sizes_epsilon, mechanism.relation
    return balanced_error(found.sizes, rates, n=n, spent=spent, relation=relation, beta=beta)


def balanced_error(
    sizes: Sequence[int],
    rates: Sequence[Fraction],
    *,
    n: int,
    spent: Fraction,
    relation: Relation,
    beta: Fraction,
) -> Fraction:
    """A bound on the mean, over the labels, of the error among their records.

    ``sizes`` are the noisy numbers of records of each label, on which epsilon ``spent`` was spent.
    """
    # Of two labels one number was counted, which moves by 1; of more all of them.
    moved = 1 if len(sizes) == 2 else sizes_moved(relation)
    errors = []
    for size, rate in zip(sizes, rates, strict=True):
        others = certified_error(
            noisy_mistakes=n - size, n=n, prior=Fraction(1), epsilon=spent / moved, beta=beta
        )
        errors.append(Fraction(1) if rate >= 1 - others else rate / (1 - others))
    return sum(errors, Fraction(0)) / len(errors)
