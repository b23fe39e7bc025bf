"""Public reference distributions, and how smooth the data are against them.

A marginal ``D`` is ``kappa``-smooth against ``U`` if ``D(A) <= kappa U(A)`` for every
set ``A`` (CH11 Definition 6). The reference and ``kappa`` are public: knowledge from
before the data, never read off them. Privacy does not rest on either being right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction

from tacit.core import BadInput
from tacit.core.numbers import Number, exact, probability, show, show_rounded_up, whole
from tacit.core.respelled import respelled
from tacit.exact.balls import Ball, above, ball

_GRID = 1 << 30  # a kappa is rounded up to a multiple of 1/_GRID
SHAPES = ("cube", "sphere")


@respelled("columns", "kappa", "name", after=1, dimension="columns")
@dataclass(frozen=True, slots=True)
class Reference:
    """The uniform law on a cube (after scaling to public ranges) or on a sphere.

    ``kappa = None`` leaves the smoothness open: it is then as large as the number of
    records allows (CH11, first step of algorithms A_1 and A_1r).
    """

    shape: str
    _: KW_ONLY
    columns: int
    kappa: Fraction | None = Fraction(1)
    name: str = "uniform"

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise BadInput(f"shape must be one of {SHAPES}")
        least = 2 if self.shape == "sphere" else 1
        columns = whole(self.columns, name="columns", least=least)
        object.__setattr__(self, "columns", columns)
        if self.kappa is not None:
            kappa = exact(self.kappa, name="kappa")
            if kappa < 1:
                raise BadInput("kappa must be at least 1: densities have mean 1")
            object.__setattr__(self, "kappa", kappa)

    def __str__(self) -> str:
        where = f"the {self.columns}-dimensional {self.shape}"
        if self.kappa is None:
            return f"{self.name} on {where}, smoothness as the records allow"
        return f"{self.name} on {where}, kappa {show_rounded_up(self.kappa)}"


def _uniform(shape: str, columns: int, kappa: Number | None) -> Reference:
    most = None if kappa is None else exact(kappa, name="kappa")
    return Reference(shape, columns=columns, kappa=most)


@respelled("columns", dimension="columns")
def uniform_cube(*, columns: int = 1, kappa: Number | None = 1) -> Reference:
    """Every marginal of density at most ``kappa`` on the cube."""
    return _uniform("cube", columns, kappa)


@respelled("columns", dimension="columns")
def uniform_sphere(*, columns: int, kappa: Number | None = 1) -> Reference:
    """Every marginal of density at most ``kappa`` against the uniform law on the sphere."""
    return _uniform("sphere", columns, kappa)


def spike(eta: Number) -> Reference:
    """Half uniform on [0, 1], half uniform on some interval of length ``2 eta / 3``.

    CH11 Example 1: the density is at most ``1/2 + 3 / (4 eta)``, wherever the spike is.
    """
    width = probability(eta, name="eta")
    kappa = Fraction(1, 2) + Fraction(3, 4) / width
    return Reference("cube", columns=1, kappa=kappa, name="a spike")


@respelled("columns", dimension="columns")
def band(*, columns: int, gamma: Number) -> Reference:
    """Uniform on ``|u . x| <= gamma`` for some unknown unit vector ``u``.

    CH11 Example 2 with the exact measure: the printed ``kappa`` is negative for small
    ``gamma``.

    >>> print(band(columns=3, gamma="1/3"))
    a band 1/3 on the 3-dimensional sphere, kappa 3.00001
    """
    width = probability(gamma, name="gamma")
    n = whole(columns, name="columns", least=2)
    kappa = _inverse(lambda: _band(n, width))
    return Reference("sphere", columns=n, kappa=kappa, name=f"a band {show(width)}")


@respelled("columns", dimension="columns")
def caps(*, columns: int, gamma: Number) -> Reference:
    """Uniform on ``|u . x| > gamma`` for some unknown unit vector ``u``: CH11 Example 3.

    >>> print(caps(columns=3, gamma=0.9))
    caps 0.9 on the 3-dimensional sphere, kappa 10.0001
    """
    width = probability(gamma, name="gamma")
    n = whole(columns, name="columns", least=2)
    kappa = _inverse(lambda: 1 - _band(n, width))
    return Reference("sphere", columns=n, kappa=kappa, name=f"caps {show(width)}")


def _band(dimension: int, gamma: Fraction) -> Ball:
    # The square of one coordinate of a uniform unit vector is Beta(1/2, (n-1)/2).
    half = ball(Fraction(dimension - 1, 2))
    return ball(gamma * gamma).beta_lower(ball(Fraction(1, 2)), half, regularized=True)


def _inverse(measure: Callable[[], Ball]) -> Fraction:
    # Upwards: a larger kappa is a weaker assumption.
    high = above(lambda: 1 / measure())
    return Fraction(-(-high.numerator * _GRID // high.denominator), _GRID)
