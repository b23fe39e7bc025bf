"""How smooth one law is against another: the least ``kappa`` with ``D(A) <= kappa U(A)``.

CH11 Definition 6. On finitely many values, or for densities that are constant on the same
pieces, it is the largest ratio; for other laws these functions bound it from above. All of it is
public knowledge: never compute ``kappa`` from private records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from tacit.core import BadInput
from tacit.core.numbers import Number, exact, positive
from tacit.exact.balls import Ball, above, ball

_GRID = 1 << 30


def listed(law: Mapping[object, Number], reference: Mapping[object, Number]) -> Fraction:
    """The ``kappa`` of a law on finitely many values against another, exactly.

    >>> listed({"a": "3/4", "b": "1/4"}, {"a": "1/2", "b": "1/4", "c": "1/4"})
    Fraction(3, 2)
    """
    masses, base = _law(law, name="law"), _law(reference, name="reference")
    if any(mass and not base.get(value) for value, mass in masses.items()):
        raise BadInput("no kappa is enough: the law has a value that the reference never has")
    return max(mass / base[value] for value, mass in masses.items() if mass)


def pieces(cuts: Sequence[Number], shares: Sequence[Number]) -> Fraction:
    """The ``kappa`` of a law against the uniform one on a range that ``cuts`` divide.

    The law is uniform inside each piece and has these shares of it: a public histogram.

    >>> pieces([0, 20, 65, 100], ["0.2", "0.6", "0.2"])
    Fraction(4, 3)
    """
    ends = [exact(cut, name="cuts") for cut in cuts]
    if len(ends) != len(shares) + 1 or any(low >= high for low, high in pairwise(ends)):
        raise BadInput("cuts must rise, and be one more than the shares")
    masses = _law(dict(enumerate(shares)), name="shares")
    wide = ends[-1] - ends[0]
    return max(
        mass * wide / (high - low)
        for mass, (low, high) in zip(masses.values(), pairwise(ends), strict=True)
    )


def normal(*, mean: Number, deviation: Number, low: Number, high: Number) -> Fraction:
    """Not below the ``kappa`` of a normal law, cut off outside a range, against the uniform one.

    >>> float(normal(mean=50, deviation=20, low=0, high=100))  # doctest: +ELLIPSIS
    2.0197...
    """
    spread = positive(deviation, name="deviation")
    ends = exact(low, name="low"), exact(high, name="high")
    centre = exact(mean, name="mean")
    if ends[0] >= ends[1]:
        raise BadInput("low must be below high")
    top = min(max(centre, ends[0]), ends[1])

    def below(value: Fraction) -> Ball:
        return (ball((value - centre) / spread) / ball(2).sqrt()).erf() / 2

    def ratio() -> Ball:
        peak = (-ball(((top - centre) / spread) ** 2) / 2).exp()
        peak = peak / ((8 * ball(1).atan()).sqrt() * ball(spread))
        return peak * ball(ends[1] - ends[0]) / (below(ends[1]) - below(ends[0]))

    return _up(above(ratio))


def together(*kappas: Number) -> Fraction:
    """The ``kappa`` of independent columns against independent ones: the product.

    >>> together(2, "3/2")
    Fraction(3, 1)
    """
    total = Fraction(1)
    for kappa in kappas:
        total *= _at_least_one(kappa)
    return total


def mixed(parts: Sequence[tuple[Number, Number]]) -> Fraction:
    """Not below the ``kappa`` of a mixture of laws, each with its share and its own ``kappa``.

    >>> mixed([("1/2", 1), ("1/2", 9)])
    Fraction(5, 1)
    """
    shares = _law(dict(enumerate(share for share, _ in parts)), name="shares")
    kappas = [_at_least_one(kappa) for _, kappa in parts]
    return sum(
        (share * kappa for share, kappa in zip(shares.values(), kappas, strict=True)), Fraction(0)
    )


def through(first: Number, second: Number) -> Fraction:
    """Not below the ``kappa`` of D against U, from D against V and V against U: the product.

    >>> through(2, 3)
    Fraction(6, 1)
    """
    return _at_least_one(first) * _at_least_one(second)


def _law(law: Mapping[object, Number], *, name: str) -> dict[object, Fraction]:
    masses = {value: exact(mass, name=name) for value, mass in law.items()}
    if any(mass < 0 for mass in masses.values()) or sum(masses.values()) != 1:
        raise BadInput(f"the probabilities of {name} must be at least 0 and sum to 1")
    return masses


def _at_least_one(kappa: Number) -> Fraction:
    value = exact(kappa, name="kappa")
    if value < 1:
        raise BadInput("kappa must be at least 1: densities have mean 1")
    return value


def _up(value: Fraction) -> Fraction:
    # A larger kappa is a weaker assumption.
    return Fraction(-(-value.numerator * _GRID // value.denominator), _GRID)
