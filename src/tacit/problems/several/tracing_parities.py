r"""Agnostic parities, uniform distribution: every string is a user (BNS19 Proposition 51)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.lower.applies import ALL, privacy
from tacit.bounds.search import greatest
from tacit.core import (
    LOWER_BOUNDS,
    BadInput,
    Claim,
    LowerBound,
    Relation,
    SampleBound,
    Speaks,
    Task,
    theorem,
)
from tacit.core.numbers import positive, probability, whole
from tacit.mechanisms.calibration import resampled_delta, resampled_epsilon
from tacit.problems.parities.parities import Parities
from tacit.problems.several.fingerprints import impossible, replaced

BNS_51 = Claim(
    paper="BNS19",
    locator="Proposition 51",
    statement="agnostic k-learning of parities of d bits, alpha < 1/4, under the uniform "
    "distribution is impossible with n records if k is at least the length of a fingerprinting "
    "code for 2^d users and the privacy of n draws from them",
    proof="problems/several/tracing_parities.proof.md",
)
_MOST_BITS = 40


@theorem(
    BNS_51,
    kind="lower",
    setting="k parities, agnostic; uniform distribution or any; alpha < 1/4; every relation",
    formula=r"k\ge\mathrm{length}(2^d,\xi),\ "
    r"\xi<e^{-\epsilon'}\bigl(\tfrac{1-\beta}{2^d}-\delta'\bigr)",
)
def uniform_parities(
    *,
    bits: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records needed to learn ``k`` parities agnostically under the uniform distribution.

    >>> uniform_parities(bits=4, k=10**7, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...                  epsilon=Fraction(1)).n > 10
    True
    """
    if 4 * probability(alpha, name="alpha") >= 1:
        raise BadInput("the argument needs alpha below 1/4")
    step, lost = replaced(
        positive(epsilon, name="epsilon"),
        probability(delta, name="delta", zero="allowed"),
        relation,
    )
    n = _records(
        whole(bits, name="bits", least=1),
        whole(k, name="k", least=1),
        probability(beta, name="beta"),
        step,
        lost,
    )
    return SampleBound(n=n, claim=BNS_51, terms={"tracing a record": float(n)})


@lru_cache(maxsize=1024)
def _records(bits: int, k: int, beta: Fraction, epsilon: Fraction, delta: Fraction) -> int:
    if bits > _MOST_BITS:  # the shortest code is longer than any number of tasks
        return 1
    users = 1 << bits

    def fails(n: int) -> bool:
        if n > 64 * users:
            return False
        loss = resampled_epsilon(epsilon=epsilon, draws=n, records=users)
        left = resampled_delta(epsilon=epsilon, delta=delta, draws=n, records=users)
        return impossible(users=users, k=k, beta=beta, epsilon=loss, delta=left, code="any")

    return greatest(fails) + 1


def _bound(task: Task) -> SampleBound:
    family = task.concept_class
    assert isinstance(family, Parities)
    return uniform_parities(
        bits=family.domain.columns, k=task.k, **task.asked("alpha", "beta"), **privacy(task)
    )


LOWER_BOUNDS.add(
    LowerBound(
        name="tracing parities",
        applies=Speaks(
            classes=(Parities,),
            several=True,
            settings=("agnostic",),
            alpha=Fraction(1, 4),
            marginals=("any", "uniform"),
            relations=ALL,
        ),
        claim=BNS_51,
        records=_bound,
    )
)
