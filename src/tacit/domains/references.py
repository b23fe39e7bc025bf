"""Public reference distributions, and how smooth the data are against them.

A marginal ``D`` is ``kappa``-smooth against ``U`` if ``D(A) <= kappa U(A)`` for every
set ``A`` (CH11 Definition 6). The reference and ``kappa`` are public: knowledge from
before the data, never read off them. Privacy does not rest on either being right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import BadInput
from tacit.core.numbers import Number, exact, probability, show, show_rounded_up, whole
from tacit.exact.balls import Ball, above, ball

_GRID = 1 << 30
SHAPES = ("cube", "sphere")


@dataclass(frozen=True, slots=True)
class Reference:
    """The uniform law on a cube (after scaling to public ranges) or on a sphere.

    ``kappa = None`` leaves the smoothness open: it is then as large as the number of
    records allows (CH11, first step of algorithms A_1 and A_1r).
    """

    shape: str
    dimension: int
    kappa: Fraction | None = Fraction(1)
    name: str = "uniform"

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise BadInput(f"shape must be one of {SHAPES}")
        least = 2 if self.shape == "sphere" else 1
        dimension = whole(self.dimension, name="dimension", least=least)
        object.__setattr__(self, "dimension", dimension)
        if self.kappa is not None:
            kappa = exact(self.kappa, name="kappa")
            if kappa < 1:
                raise BadInput("kappa must be at least 1: densities have mean 1")
            object.__setattr__(self, "kappa", kappa)

    def __str__(self) -> str:
        where = f"the {self.dimension}-dimensional {self.shape}"
        if self.kappa is None:
            return f"{self.name} on {where}, smoothness as the records allow"
        return f"{self.name} on {where}, kappa {show_rounded_up(self.kappa)}"


def uniform_cube(dimension: int = 1, *, kappa: Number | None = 1) -> Reference:
    """Every marginal of density at most ``kappa`` on the cube."""
    return Reference("cube", dimension, None if kappa is None else exact(kappa, name="kappa"))


def uniform_sphere(dimension: int, *, kappa: Number | None = 1) -> Reference:
    """Every marginal of density at most ``kappa`` against the uniform law on the sphere."""
    return Reference("sphere", dimension, None if kappa is None else exact(kappa, name="kappa"))


def spike(eta: Number) -> Reference:
    """Half uniform on [0, 1], half uniform on some interval of length ``2 eta / 3``.

    CH11 Example 1: the density is at most ``1/2 + 3 / (4 eta)``, wherever the spike is.
    """
    width = probability(eta, name="eta")
    return Reference("cube", 1, Fraction(1, 2) + Fraction(3, 4) / width, "a spike")


def band(dimension: int, *, gamma: Number) -> Reference:
    """Uniform on ``|u . x| <= gamma`` for some unknown unit vector ``u``.

    CH11 Example 2 with the exact measure: the printed ``kappa`` is negative for small
    ``gamma``.

    >>> print(band(3, gamma="1/3"))
    a band 1/3 on the 3-dimensional sphere, kappa 3.00001
    """
    width = probability(gamma, name="gamma")
    n = whole(dimension, name="dimension", least=2)
    return Reference("sphere", n, _inverse(lambda: _band(n, width)), f"a band {show(width)}")


def caps(dimension: int, *, gamma: Number) -> Reference:
    """Uniform on ``|u . x| > gamma`` for some unknown unit vector ``u``: CH11 Example 3.

    >>> print(caps(3, gamma=0.9))
    caps 0.9 on the 3-dimensional sphere, kappa 10.0001
    """
    width = probability(gamma, name="gamma")
    n = whole(dimension, name="dimension", least=2)
    return Reference("sphere", n, _inverse(lambda: 1 - _band(n, width)), f"caps {show(width)}")


def _band(dimension: int, gamma: Fraction) -> Ball:
    # The square of one coordinate of a uniform unit vector is Beta(1/2, (n-1)/2).
    half = ball(Fraction(dimension - 1, 2))
    return ball(gamma * gamma).beta_lower(ball(Fraction(1, 2)), half, regularized=True)


def _inverse(measure: Callable[[], Ball]) -> Fraction:
    # Upwards: a larger kappa is a weaker assumption.
    high = above(lambda: 1 / measure())
    return Fraction(-(-high.numerator * _GRID // high.denominator), _GRID)
