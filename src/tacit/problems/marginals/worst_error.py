"""From a noisy count of the worst error to what holds for every answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tacit.core import ZCDP, BadInput, Claim, Event, Pure
from tacit.core.certificate import MarginalError
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.queries import TableQueries

WORST_ERROR = Claim(
    paper="own",
    locator="Synthetic tables, Theorem 2",
    statement="with probability at least 1 - beta every answer is within (noisy worst error + t) "
    "/ records, where the noise is below -t with probability at most beta",
    proof="problems/marginals/sanitizer.proof.md",
)


def budget_of(cost: Event) -> Budget:
    """The budget whose event this is."""
    match cost:
        case ZCDP():
            return Budget(amount=cost.rho, concentrated=True, relation=cost.relation)
        case Pure():
            return Budget(amount=cost.epsilon, concentrated=False, relation=cost.relation)
        case _:
            raise BadInput("the worst error is counted with epsilon or with rho")


def worst_error(noisy_worst: int, *, records: int, cost: Event, beta: Fraction) -> Fraction:
    """The share of records by which no answer errs more, with probability ``1 - beta``.

    >>> from tacit.core import REPLACE_ONE
    >>> cost = Pure(epsilon=Fraction(1, 10), relation=REPLACE_ONE)
    >>> worst_error(90, records=1000, cost=cost, beta=Fraction(1, 20))
    Fraction(113, 1000)
    """
    margin = budget_of(cost).margin(beta)
    return min(Fraction(1), Fraction(max(0, noisy_worst + margin), records))


def named_errors(queries: TableQueries, errors: Sequence[int]) -> tuple[MarginalError, ...]:
    """The noisy error of each set of columns, by their names; none if none was paid for."""
    if not errors:
        return ()
    return tuple(
        MarginalError(columns=tuple(queries.schema.names[c] for c in part), noisy=noisy)
        for part, noisy in zip(queries.parts, errors, strict=True)
    )
