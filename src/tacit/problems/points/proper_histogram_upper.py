r"""Proper points with delta: a frequent positive value, else a point at random."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from tacit.bounds.search import least
from tacit.bounds.tails import noisy_short
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.mechanisms.calibration import release_threshold, spread

_PROOF = "problems/points/proper_histogram.proof.md"

ONE = Claim(
    paper="own",
    locator="Theorem 2 of problems/points/proper_histogram.proof.md",
    statement="proper points, realizable, (epsilon, delta): n records suffice once "
    "P[Bin(n, alpha - g) + noise < T] + 1/(g |X|) <= beta for some g, on any domain",
    proof=_PROOF,
)
SEVERAL = Claim(
    paper="BNS19",
    locator="Theorem 40",
    statement="k proper points, realizable, (epsilon, delta): n records suffice once "
    "floor(1/(alpha-g)) P[Bin(n, alpha-g) + noise < T] + 1/(g |X|) <= beta for some g, whatever k "
    "is; the printed algorithm may answer the zero function, which is no point",
    proof=_PROOF,
)


def _least(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation,
    values: Callable[[Fraction], int],
) -> tuple[int, Fraction]:
    scale = spread(relation) / epsilon
    limit = release_threshold(epsilon=epsilon, delta=delta, relation=relation)
    best: tuple[int, Fraction] | None = None
    since = 0
    for halvings in range(2, 64):
        light = alpha / 2**halvings
        left = beta - 1 / (light * size)
        if left <= 0:
            break
        p, times = alpha - light, values(alpha - light)

        def suffices(n: int, p: Fraction = p, times: int = times, left: Fraction = left) -> bool:
            return times * Fraction(noisy_short(n=n, p=p, scale=scale, limit=limit)) <= left

        n = least(suffices, most=None if best is None else best[0])
        if best is None or n < best[0]:
            best, since = (n, light), 0
        elif (since := since + 1) == 4:
            break
    if best is None:
        raise BadInput("the domain is too small for a point at random to be light")
    return best


@theorem(
    ONE,
    kind="upper",
    setting="points; proper; realizable; approximate; all relations",
    formula=r"P[\mathrm{Bin}(n,\alpha-\gamma)+\mathrm{DLap}(w/\epsilon)<T]"
    r"+\tfrac1{\gamma|X|}\le\beta",
)
def one(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records for a point of error at most ``alpha``, whatever the domain above some size.

    >>> one(size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1),
    ...     delta=Fraction(1, 10**6)).n
    380
    """
    return _bound(
        whole(size, name="size", least=1),
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
        probability(delta, name="delta"),
        relation,
        several=False,
    )


@theorem(
    SEVERAL,
    kind="upper",
    setting="k points; proper; realizable; approximate; whole records; any k",
    formula=r"\lfloor\tfrac1{\alpha-\gamma}\rfloor P[\mathrm{Bin}(n,\alpha-\gamma)+"
    r"\mathrm{DLap}(w/\epsilon)<T]+\tfrac1{\gamma|X|}\le\beta",
)
def several(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records for any number of points at once, each of error at most ``alpha``.

    >>> several(size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 10), epsilon=Fraction(1),
    ...         delta=Fraction(1, 10**6)).n
    430
    """
    return _bound(
        whole(size, name="size", least=1),
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
        probability(delta, name="delta"),
        relation,
        several=True,
    )


@lru_cache(maxsize=1024)
def _bound(
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation,
    *,
    several: bool,
) -> SampleBound:
    n, light = _least(
        size=size,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        delta=delta,
        relation=relation,
        values=(lambda p: int(1 / p)) if several else (lambda _: 1),
    )
    terms = {"a frequent value is found": float(n)}
    claim = SEVERAL if several else ONE
    return SampleBound(n=n, claim=claim, terms=terms, choices={"light": light})
