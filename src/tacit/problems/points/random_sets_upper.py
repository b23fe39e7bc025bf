r"""Points by sets that represent them: how many sets, and how many records.

Independent sets of density ``q = 2**-bits`` in which any two values fall independently
fail to represent all points of a domain of size ``T`` to within ``a`` with probability at most
``T**2 f**k``, ``f = 1 - q + q e^(-s a)(1 - q + q e^s)`` for every ``s > 0``
(``problems/points/random_sets.proof.md``), so ``k = O(ln T / a**2)`` sets are enough. Lines of a
plane need no randomness but are ``ceil(1/a) sqrt(T)`` many.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import exp, expm1, log, log1p

from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.domains.integers import Integers
from tacit.exact.balls import Ball, ball, ceiling
from tacit.problems.points.representing_sets import PlaneLines

_PROOF = "problems/points/random_sets.proof.md"
MOST_SETS = 1 << 20
"""The most sets that are drawn and gone through."""
_SHARES = tuple(Fraction(i, 32) for i in range(4, 31))
_CLOSE = 1.1
_SLOPES = tuple(2 ** (i / 4) for i in range(1, 41))

LEMMA_4_1 = Claim(
    paper="BBKN13",
    locator="Lemma 4.1",
    statement="k = ceil(ln(T^2/eta) / -ln f) pairwise independent random sets represent all points "
    "of a domain of size T to within a, except with probability eta; k = O(ln(T/eta)/a^2)",
    proof=_PROOF,
)
THEOREM_4_2 = Claim(
    paper="BBKN13",
    locator="Theorem 4.2",
    statement="improper points, realizable: n_R(|H| = k, rho = a) records suffice to select one "
    "of the k sets of Lemma 4.1; the number grows like the logarithm of the number of bits",
    proof=_PROOF,
)
SECTION_4_1 = Claim(
    paper="BBKN13",
    locator="Section 4.1",
    statement="improper points, realizable: n_R(|H| = r p, rho = 1/r) records suffice to select "
    "one of the lines of r slopes modulo a prime p >= sqrt(T)",
    proof=_PROOF,
)


def printed_sets(*, bits: int, error: Fraction) -> int:
    """The size of the class in the paper's own proof: ``8 e d (1 + ceil(1/a))**2``, d >= 16.

    >>> printed_sets(bits=64, error=Fraction(1, 20))
    613767
    """
    slack = (1 + -(-error.denominator // error.numerator)) ** 2
    return ceiling(lambda: 8 * ball(1).exp() * ball(bits * slack))


@theorem(
    LEMMA_4_1,
    kind="fact",
    setting="points; every distribution at once",
    formula=r"k=\Big\lceil\frac{\ln(T^2/\eta)}{-\ln f}\Big\rceil,\quad "
    r"f=\min_s\, 1-q+q e^{-sa}(1-q+q e^{s}),\ q=2^{-b}",
)
def sets_needed(*, size: int, error: Fraction, eta: Fraction, bits: int) -> int:
    """How many random sets of density ``2**-bits`` represent ``size`` points to within ``error``.

    >>> sets_needed(size=2**64, error=Fraction(1, 20), eta=Fraction(1, 1000), bits=6)
    253964
    """
    size = max(2, whole(size, name="size", least=1))
    error, eta = probability(error, name="error"), probability(eta, name="eta")
    density = Fraction(1, 1 << bits)
    if density >= error:
        raise BadInput("sets that represent to within an error must be thinner than it")
    tilt = _tilt(float(density), float(error))

    def needed() -> Ball:
        q, s = ball(density), ball(tilt)
        f = 1 - q + q * (-s * ball(error)).exp() * (1 - q + q * s.exp())
        return ball(size * size / eta).log() / -f.log()

    return ceiling(needed)


def _tilt(q: float, a: float) -> Fraction:
    # Minimises e^(-s a)(1 - q + q e^s); any value proves the bound, this one proves it best.
    return Fraction(log(a * (1 - q) / (q * (1 - a)))).limit_denominator(1 << 20)


def _best_width(*, log_pairs: float, a: float) -> int:
    # Floats only propose the density; `sets_needed` then counts.
    def estimate(bits: int) -> float:
        q = 0.5**bits
        s = log(a * (1 - q) / (q * (1 - a)))
        return log_pairs / -log1p(q * (exp(-s * a) * (1 + q * expm1(s)) - 1))

    first = int(-log(a) / log(2)) + 1
    return min(range(first, first + 5), key=estimate)


@theorem(
    THEOREM_4_2,
    kind="upper",
    setting="points; improper; realizable; pure; all relations",
    formula=r"\min_{b,a,\eta} n_R(k(b,a,\eta), \alpha, \beta-\eta, \rho=a)",
)
def random_sets(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    most: int | None = None,
) -> SampleBound:
    """Records to learn a point function by a class of random sets that represents them all.

    ``most`` limits the number of sets, to what a computer can go through.

    >>> [random_sets(size=1 << bits, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...              epsilon=Fraction(1)).n < 700 for bits in (8, 64, 1000)]
    [True, True, True]
    """
    return _random_sets(
        size=whole(size, name="size", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
        most=most,
    )


@lru_cache(maxsize=1024)
def _random_sets(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
    most: int | None,
) -> SampleBound:
    eta = beta / 64
    log_pairs = 2 * log(max(2, size)) + log(1 / eta)
    best: SampleBound | None = None
    for share in _SHARES:
        error = share * alpha
        bits = _best_width(log_pairs=log_pairs, a=float(error))
        sets = sets_needed(size=size, error=error, eta=eta, bits=bits)
        if most is not None and sets > most:
            continue
        inner = selection.realizable(
            size=sets, alpha=alpha, beta=beta - eta, epsilon=epsilon, relation=relation, rho=error
        )
        if best is None or inner.n < best.n:
            choices = {"sets": sets, "bits": bits, "error": error, **inner.choices}
            best = SampleBound(n=inner.n, claim=THEOREM_4_2, terms=inner.terms, choices=choices)
    if best is None:
        raise BadInput("alpha is too small, or the domain too large, for 2**20 random sets")
    return best


@theorem(
    SECTION_4_1,
    kind="upper",
    setting="points; improper; realizable; pure; all relations",
    formula=r"\min_{r} n_R(rp, \alpha, \beta, \rho=1/r),\quad p\ge\max\{\sqrt T,r\}\text{ prime}",
)
def plane_lines(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to learn a point function by the lines of a plane."""
    return _plane_lines(
        size=whole(size, name="size", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
    )


@lru_cache(maxsize=1024)
def _plane_lines(
    *, size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, relation: Relation
) -> SampleBound:
    root = 1 << (size - 1).bit_length() // 2

    def bound(slopes: int, lines: int) -> SampleBound:
        return selection.realizable(
            size=lines,
            alpha=alpha,
            beta=beta,
            epsilon=epsilon,
            relation=relation,
            rho=Fraction(1, slopes),
        )

    # The root only ranks the choices; the number of lines is then counted. Time grows with
    # the slopes, so the fewest are taken that come close to the fewest records.
    tries = sorted({int(more / alpha) + 1 for more in _SLOPES})
    costs = [bound(slopes, slopes * max(root, slopes)).n for slopes in tries]
    close = min(costs) * _CLOSE
    slopes = next(s for s, n in zip(tries, costs, strict=True) if n <= close)
    inner = bound(slopes, PlaneLines(domain=Integers(size=size), slopes=slopes).size)
    return SampleBound(
        n=inner.n,
        claim=SECTION_4_1,
        terms=inner.terms,
        choices={"slopes": slopes, **inner.choices},
    )
