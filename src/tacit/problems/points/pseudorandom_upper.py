"""Points at pseudorandom positions: cheap to learn, but not efficiently."""

from __future__ import annotations

from fractions import Fraction

from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import whole
from tacit.problems.points import points_upper as points

CLAIM = Claim(
    paper="BBKN13",
    locator="Theorem 6.1 (upper)",
    statement="2^l points at pseudorandom positions are learned properly, with unbounded "
    "computation, from the records that points of l bits need",
    proof="problems/points/points_upper.proof.md",
)


@theorem(
    CLAIM,
    kind="upper",
    setting="points at 2^l pseudorandom positions; proper, inefficient; realizable; pure",
    formula=r"n\ \text{of BBKN13 Lemma 3.4 with}\ |C|=2^{\ell}",
)
def seeds(
    *,
    seed_bits: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Selection over the ``2**seed_bits`` concepts themselves."""
    inner = points.exact_tail(
        size=1 << whole(seed_bits, name="seed_bits", least=1),
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        relation=relation,
    )
    return SampleBound(n=inner.n, claim=CLAIM, terms=inner.terms, choices=inner.choices)
