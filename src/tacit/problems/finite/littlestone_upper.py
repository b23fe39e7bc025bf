"""Every class of finite Littlestone dimension: global stability, with its published constants."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.formula import numbers
from tacit.core import Claim, Relation, SampleBound, Status, theorem
from tacit.core.numbers import whole
from tacit.mechanisms.calibration import release_threshold

CLAIM = Claim(
    paper="B20",
    locator="Theorem 1",
    statement="a class of Littlestone dimension d is learned by about 2T/eta runs of a learner on "
    "m = 2^(2^(d+2)+1) 4^(d+1) ceil(2^(d+2)/alpha) records whose answer is stable with probability "
    "eta = 1/((d+1) 2^(2^d+1)); the constants are quoted, not re-derived (use Littlestone "
    "dimension 1's own bound where it applies)",
    status=Status.CITED,
)


@theorem(
    CLAIM,
    kind="upper",
    setting="Littlestone dimension d; any answer; realizable; approximate",
    formula=r"m=2^{2^{d+2}+1}4^{d+1}\lceil2^{d+2}/\alpha\rceil,\ "
    r"\eta=\tfrac1{(d+1)2^{2^d+1}},\ n\approx\tfrac{2T}\eta m",
)
def global_stability(
    *,
    littlestone: int,
    alpha: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """The order of magnitude that the general theorem gives; never a practical number.

    >>> global_stability(littlestone=1, alpha=Fraction(1, 10), epsilon=Fraction(1),
    ...                  delta=Fraction(1, 10**6)).choices["records per run"]
    655360
    """
    alpha, epsilon, delta = numbers(alpha=alpha, epsilon=epsilon, delta=delta)
    d = whole(littlestone, name="littlestone", least=0)
    each = 2 ** (2 ** (d + 2) + 1) * 4 ** (d + 1) * -(-(2 ** (d + 2)) // alpha)
    votes = (d + 1) * 2 ** (2**d + 1)
    threshold = release_threshold(epsilon=epsilon, delta=delta, relation=relation)
    runs = 2 * threshold * votes
    return SampleBound(
        n=int(each * runs),
        claim=CLAIM,
        terms={"records per run": float(each), "runs": float(runs)},
        choices={"records per run": int(each), "runs": runs},
    )
