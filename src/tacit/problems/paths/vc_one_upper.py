r"""VC dimension 1: records for the learner that finds a depth, then a node."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product

from tacit.bounds.binomial import at_most
from tacit.bounds.search import least
from tacit.bounds.upper.histograms import stable_count
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.problems.thresholds.interior_point_upper import rank_window

CLAIM = Claim(
    paper="own",
    locator="Theorem 3 of problems/paths/vc_one.proof.md",
    statement="a class of VC dimension 1 whose tree has D depths is learned once "
    "P[Bin(n, alpha) <= h] + b_1 + b_2 <= beta: h - l ranks are searched for a depth, and l "
    "records at or below a node release it; the reduction to thresholds is that of arXiv "
    "2505.06581, the algorithm and constants are ours",
    proof="problems/paths/vc_one.proof.md",
)

_PARTS = 24
_FAILURES = (Fraction(1, 4), Fraction(1, 8), Fraction(1, 16))


@theorem(
    CLAIM,
    kind="upper",
    setting="any class of VC dimension 1; improper; realizable; approximate; all relations",
    formula=r"P[\mathrm{Bin}(n,\alpha)\le h]\le\beta-b_1-b_2,\quad "
    r"l=T-1+r(w/\epsilon_2,b_2),\ h-l=\tfrac{4}{\epsilon_1}\ln\tfrac{(D-1)(1-b_1)}{b_1}",
)
def vc_one(
    *,
    depths: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to learn a class of VC dimension 1 whose tree has ``depths`` depths.

    >>> vc_one(depths=1001, alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1),
    ...        delta=Fraction(1, 10**6)).n
    1820
    """
    return _vc_one(
        depths=whole(depths, name="depths", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        delta=probability(delta, name="delta"),
        relation=relation,
    )


def votes_relation(relation: Relation) -> Relation:
    """How the records that contradict the base rule move: a flipped label brings or takes one."""
    return Relation.REPLACE_ONE if relation is Relation.REPLACE_ONE else Relation.ADD_REMOVE


@lru_cache(maxsize=1024)
def _vc_one(
    *,
    depths: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation,
) -> SampleBound:
    votes = votes_relation(relation)

    def ranks(failures: tuple[Fraction, ...], share: int) -> tuple[int, int]:
        """The ranks between which a depth is searched, with this share of epsilon for it."""
        search = epsilon * share / _PARTS
        low = stable_count(
            beta=failures[1] * beta, epsilon=epsilon - search, delta=delta, relation=votes
        ).n
        window = rank_window(size=max(depths, 2), beta=failures[0] * beta, epsilon=search)
        return low, low + window

    best: tuple[int, int, int, int] | None = None
    for failures in product(_FAILURES, repeat=2):
        share = min(range(1, _PARTS), key=lambda part: ranks(failures, part)[1])
        low, high = ranks(failures, share)
        room = (1 - sum(failures)) * beta
        n = least(lambda m: at_most(n=m, p=alpha, count=high) <= room)  # noqa: B023
        if best is None or n < best[0]:
            best = (n, share, low, high)
    assert best is not None
    n, share, low, high = best
    search = epsilon * share / _PARTS
    return SampleBound(
        n=n,
        claim=CLAIM,
        terms={
            "a node": low / float(alpha),
            "its depth": (high - low) / float(alpha),
            "confidence": n - high / float(alpha),
        },
        choices={"epsilon_depth": search, "low": low, "high": high},
    )
