"""Lines modulo a prime: free of the prime with approximate privacy, not with pure privacy."""

from __future__ import annotations

from fractions import Fraction

from tacit.core import Claim, SampleBound, theorem
from tacit.core.numbers import whole
from tacit.problems.lines.lines_lower import random_line
from tacit.problems.lines.lines_upper import lines

CLAIM = Claim(
    paper="FX14",
    locator="Theorem 3",
    statement="lines modulo a prime are learned with (eps, delta)-privacy from a number of records "
    "that does not depend on the prime, while pure privacy needs records that grow with it",
    proof="problems/lines/line_learner.proof.md",
)


@theorem(
    CLAIM,
    kind="upper",
    setting="lines; improper; realizable; approximate, compared with pure",
    formula=r"n_{\epsilon,\delta}=O(1)\ \text{in}\ p,\quad "
    r"n_{\epsilon}\ge\tfrac1\epsilon\ln\tfrac{p(1-\beta)}\kappa",
)
def separation(
    *, p: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction
) -> SampleBound:
    """Records with ``delta``; ``choices["pure"]`` is what any purely private learner needs."""
    p = whole(p, name="p", least=2)
    approximate = lines(alpha=alpha, beta=beta, epsilon=epsilon, delta=delta)
    pure = random_line(p=p, alpha=alpha, beta=beta, epsilon=epsilon)
    return SampleBound(
        n=approximate.n, claim=CLAIM, terms=approximate.terms, choices={"pure": pure.n}
    )
