"""Records that a proper learner of a listed class needs: a rare value tells the targets apart."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.lower.applies import privacy
from tacit.bounds.lower.packing import Budget, spread_out
from tacit.core import (
    LOWER_BOUNDS,
    Claim,
    Condition,
    LowerBound,
    Relation,
    SampleBound,
    Task,
    theorem,
)
from tacit.core.applies import Speaks
from tacit.core.numbers import probability, whole
from tacit.problems.finite.listed import Table

_MOST_STEPS = 1 << 28
"""Classes with more concepts times values squared than this are not searched."""

RARE_VALUE = Claim(
    paper="own",
    locator="listed classes, rare value",
    statement="a proper learner of a listed class needs n with (N - 1) phi(n) <= z - 1 + beta, "
    "K ~ Bin(n, alpha), where among the concepts that agree on one value N further values are "
    "uncommon to some and at most z of them to one: BBKN13 Lemma 3.9 for every table",
    proof="problems/finite/rare_value_lower.proof.md",
)


@theorem(
    RARE_VALUE,
    kind="lower",
    setting="listed classes; proper; realizable and agnostic; pure or approximate; records",
    formula=r"(N-1)\,\varphi(n)\le z-1+\beta,\quad K\sim\mathrm{Bin}(n,\alpha)",
)
def rare_value(
    *,
    values: int,
    shared: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records needed where ``values`` rare values are targets and one concept serves ``shared``.

    >>> rare_value(values=63, shared=1, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...            epsilon=Fraction(1)).n
    90
    """
    count = whole(values, name="values", least=0)
    alpha, beta = probability(alpha, name="alpha"), probability(beta, name="beta")
    n = 1
    if count > 1 and alpha < Fraction(1, 2):
        room = (whole(shared, name="shared", least=1) - 1 + beta) / (count - 1)
        budget = Budget.of(epsilon=epsilon, delta=delta, relation=relation)
        n = spread_out(room=room, p=alpha, beta=beta, budget=budget)
    return SampleBound(n=n, claim=RARE_VALUE, terms={"telling rare values apart": float(n)})


@lru_cache(maxsize=256)
def uncommon(table: Table, beta: Fraction) -> tuple[int, int]:
    """``(N, z)`` for the value and label whose concepts leave the least room.

    Among the concepts that give one value one label, another value is uncommon to those that
    differ from most of them there.

    >>> uncommon(Table([[0, 0, 1], [0, 1, 0], [1, 0, 0]]), Fraction(1, 10))
    (2, 1)
    """
    best, least = (0, 1), Fraction(1)
    for x in range(table.matrix.shape[1]):
        for label in (False, True):
            rows = table.matrix[table.matrix[:, x] == label]
            odd = rows != (2 * rows.sum(axis=0) > len(rows))
            count = int(odd.any(axis=0).sum()) if len(rows) else 0
            if count > 1:
                shared = int(odd.sum(axis=1).max())
                room = (shared - 1 + beta) / (count - 1)
                if room < least:
                    best, least = (count, shared), room
    return best


def _records(task: Task) -> SampleBound:
    beta = task.accuracy.beta
    values, shared = uncommon(task.of(Table), beta)
    alpha = task.accuracy.alpha
    return rare_value(values=values, shared=shared, alpha=alpha, beta=beta, **privacy(task))


def _searched(task: Task) -> bool:
    concepts, values = task.of(Table).matrix.shape
    return bool(concepts * values * values <= _MOST_STEPS)


LOWER_BOUNDS.add(
    LowerBound(
        name="rare value",
        applies=Speaks(
            classes=(Table,),
            proper=True,
            alpha=Fraction(1, 2),
            further=(Condition("a listed class that can be searched", _searched),),
        ),
        claim=RARE_VALUE,
        records=_records,
    )
)
