"""Tardos' fingerprinting code with the symmetric score, at the lengths that can be certified."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import flint
import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from tacit.bounds.search import least
from tacit.checks.attacks.chance import uniforms
from tacit.core import NumericalDoubt, Rng
from tacit.core.numbers import probability, whole
from tacit.exact.balls import Ball, at, ball

Bits = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

_NODES = 120
_BITS = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """A number of columns and why it is enough: parameters whose error bounds were checked.

    ``innocent``  bounds the chance that a given user who did not take part is accused.
    ``missed``    bounds the chance that all ``coalition`` users together raise no score
                  above ``limit``, whatever feasible word they choose.
    """

    coalition: int
    columns: int
    cutoff: Fraction
    limit: Fraction
    innocent_rate: Fraction
    coalition_rate: Fraction
    innocent: Fraction
    missed: Fraction


@dataclass(frozen=True, slots=True)
class _Search:
    """Both error bounds on a grid of rates for one cut-off: floats that guide, not certify."""

    cutoff: float
    coalition: int
    innocent: float
    missed: float
    rates: Floats
    growth: Floats
    coalition_rates: Floats
    log_growth: Floats

    @classmethod
    def of(cls, cutoff: float, coalition: int, innocent: float, missed: float) -> _Search:
        largest = math.sqrt((1 - cutoff) / cutoff)
        x = np.geomspace(1e-3, 20, 400)
        slow = np.geomspace(1e-4, 1.0, 300) / math.sqrt(coalition)
        return cls(
            cutoff,
            coalition,
            innocent,
            missed,
            x / largest,
            (np.expm1(x) - x) / x**2,
            slow,
            _log_growth(slow, coalition, cutoff),
        )

    def limit(self, columns: int) -> tuple[float, float]:
        """The least accusation limit for this error of the innocent, and the rate proving it."""
        needed = math.log(1 / self.innocent) / self.rates + columns * self.growth * self.rates
        best = int(np.argmin(needed))
        return float(needed[best]), float(self.rates[best])

    def exponent(self, columns: int, limit: float) -> tuple[float, float]:
        """The least exponent of the coalition's bound, and the rate that attains it."""
        all_of_them = self.coalition_rates * self.coalition * limit + columns * self.log_growth
        best = int(np.argmin(all_of_them))
        return float(all_of_them[best]), float(self.coalition_rates[best])

    def columns(self) -> int:
        """The least number of columns, as far as the grid tells."""
        goal = math.log(self.missed)

        def enough(columns: int) -> bool:
            return self.exponent(columns, self.limit(columns)[0])[0] <= goal

        return least(enough)


def _log_growth(rates: Floats, coalition: int, cutoff: float) -> Floats:
    """``ln B(rate)`` per column, for ``p = sin^2 r`` with ``r`` uniform between the cut-offs."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    edge = math.asin(math.sqrt(cutoff))
    p = np.sin(edge + (math.pi / 2 - 2 * edge) * (nodes + 1) / 2) ** 2
    total = np.zeros(len(rates))
    for ones in range(coalition + 1):
        # By logarithms: the number of ways alone is beyond machine numbers from 67 users on.
        ways = math.lgamma(coalition + 1) - math.lgamma(ones + 1)
        ways -= math.lgamma(coalition - ones + 1)
        chance = ways + ones * np.log(p) + (coalition - ones) * np.log1p(-p)
        lean = np.outer(rates, (ones - coalition * p) / np.sqrt(p * (1 - p)))
        # Sums, not products of matrices: tiny ones are slower with many threads.
        with np.errstate(over="ignore"):  # a rate so large is never the best
            up, down = (
                (np.exp(chance + sign * lean) * weights / 2).sum(axis=1) for sign in (-1, 1)
            )
        total += up if ones == coalition else down if ones == 0 else np.maximum(up, down)
    return np.log(total)


@lru_cache(maxsize=64)
def length(*, coalition: int, innocent: Fraction, missed: Fraction) -> Length:
    """Columns after which ``coalition`` users cannot hide: searched with floats, then certified.

    >>> length(coalition=3, innocent=Fraction(1, 60), missed=Fraction(1, 20)).columns
    403
    """
    coalition = whole(coalition, name="coalition", least=1)
    innocent = probability(innocent, name="innocent")
    missed = probability(missed, name="missed")

    def search(log_cutoff: float) -> _Search:
        return _Search.of(math.exp(log_cutoff), coalition, float(innocent), float(missed))

    best = minimize_scalar(
        lambda at_cutoff: search(float(at_cutoff)).columns(),
        bounds=(math.log(0.01 / coalition), math.log(0.4 / coalition)),
        method="bounded",
        options={"maxiter": 16},
    )
    found_search, count = search(float(best.x)), int(best.fun)
    for _ in range(64):
        found = _certify(found_search, count, innocent, missed)
        if found is not None:
            return found
        count += max(1, count // 500)
    raise NumericalDoubt("a code length could not be certified; use larger errors")


def _certify(search: _Search, columns: int, innocent: Fraction, missed: Fraction) -> Length | None:
    coalition = search.coalition
    limit, innocent_rate = search.limit(columns)
    # A limit that is a little too high is safe for the innocent; the coalition pays for it.
    numbers = [Fraction(x) for x in (search.cutoff, limit * (1 + 1e-9), innocent_rate)]
    coalition_rate = Fraction(search.exponent(columns, float(numbers[1]))[1])
    with at(_BITS):
        first = innocent_error(columns, *numbers)
        second = coalition_error(columns, coalition, numbers[0], numbers[1], coalition_rate)
        if not (first <= ball(innocent) and second <= ball(missed)):
            return None
    return Length(
        coalition=coalition,
        columns=columns,
        cutoff=numbers[0],
        limit=numbers[1],
        innocent_rate=numbers[2],
        coalition_rate=coalition_rate,
        innocent=innocent,
        missed=missed,
    )


def sound(*, columns: int, users: int, innocent: Fraction) -> Length:
    """A limit under which the innocent are safe with so many columns; a coalition may hide."""
    columns, users = whole(columns, name="columns", least=1), whole(users, name="users", least=1)
    innocent = probability(innocent, name="innocent")
    cutoff = 0.08 / users
    x = np.geomspace(1e-3, 20, 400)
    rates = x / math.sqrt((1 - cutoff) / cutoff)
    needed = math.log(1 / innocent) / rates + columns * (np.expm1(x) - x) / x**2 * rates
    best = int(np.argmin(needed))
    numbers = [Fraction(float(n)) for n in (cutoff, needed[best] * (1 + 1e-9), rates[best])]
    with at(_BITS):
        if not innocent_error(columns, *numbers) <= ball(innocent):
            raise NumericalDoubt("a limit could not be certified; use a larger error")
    return Length(
        coalition=0,
        columns=columns,
        cutoff=numbers[0],
        limit=numbers[1],
        innocent_rate=numbers[2],
        coalition_rate=Fraction(0),
        innocent=innocent,
        missed=Fraction(1),
    )


def innocent_error(columns: int, cutoff: Fraction, limit: Fraction, rate: Fraction) -> Ball:
    """``exp(-bZ + L h(bM) b^2)``: an innocent's steps have mean 0, variance 1, size at most M."""
    largest = ((1 - ball(cutoff)) / ball(cutoff)).sqrt()
    x = ball(rate) * largest
    growth = (x.expm1() - x) / (x * x)
    return (-ball(rate) * ball(limit) + columns * growth * ball(rate) * ball(rate)).exp()


def coalition_error(
    columns: int, coalition: int, cutoff: Fraction, limit: Fraction, rate: Fraction
) -> Ball:
    """``exp(acZ) B(a)^L`` with the integrals of ``B`` enclosed by balls."""
    total = ball(0)
    for ones in range(coalition + 1):
        # Where all agree the word must agree; elsewhere the coalition takes the worse sign.
        signs = (-1,) if ones == coalition else (1,) if ones == 0 else (-1, 1)
        worst = ball(0)
        for sign in signs:
            worst = worst.max(_moment(ones, coalition, cutoff, sign * rate))
        total += math.comb(coalition, ones) * worst
    exponent = ball(rate) * coalition * ball(limit) + columns * total.log()
    return exponent.exp()


def _moment(ones: int, coalition: int, cutoff: Fraction, rate: Fraction) -> Ball:
    """``E[p^k (1-p)^(c-k) exp(rate (k - cp) / sqrt(p(1-p)))]`` over the law of ``p``."""

    def density(radians: Any, _analytic: Any) -> Any:
        s, c = radians.sin(), radians.cos()
        lean = flint.acb(ball(rate)) * (ones - coalition * s * s) / (s * c)
        return s ** (2 * ones) * c ** (2 * (coalition - ones)) * lean.exp()

    left = ball(cutoff).sqrt().asin()
    right = flint.arb.pi() / 2 - left
    inside = flint.acb.integral(density, flint.acb(left.mid()), flint.acb(right.mid())).real
    # The true ends lie within the radii of these; the integrand is at most this there.
    most = (abs(ball(rate)) * coalition / (left.sin() * left.cos())).exp()
    slack = ((left.rad() + right.rad()) * most).upper()
    return (inside + flint.arb(0, slack)) / (right - left)


@dataclass(frozen=True, slots=True)
class Tardos:
    """A codebook and the secret that traces: the chance of a 1 in each column.

    Every user who did not take part is accused with probability at most ``innocent``,
    whatever the word; if the word is feasible for at most ``coalition`` users who did,
    nobody is accused with probability at most ``missed``.
    """

    certified: Length
    words: Bits
    chances: Floats

    @property
    def length(self) -> int:
        return len(self.chances)

    @property
    def users(self) -> int:
        return len(self.words)

    def scores(self, word: Bits) -> Floats:
        """The symmetric score of every user."""
        return score(self.words, np.asarray(word, dtype=bool), self.chances)

    def trace(self, word: Bits) -> int | None:
        """The user with the largest score, if that is above the limit."""
        scores = self.scores(word)
        top = int(np.argmax(scores))
        return top if scores[top] > float(self.certified.limit) else None


def score(bits: object, answers: object, chances: Floats) -> Floats:
    """``sum (X - p) / sqrt(p (1 - p)) (2w - 1)``; answers ``w`` may be probabilities."""
    steps = (np.asarray(bits, dtype=float) - chances) / np.sqrt(chances * (1 - chances))
    summed: Floats = (steps * (2 * np.asarray(answers, dtype=float) - 1)).sum(axis=-1)
    return summed


def generate(*, users: int, certified: Length, rng: Rng) -> Tardos:
    """Draw a codebook of the certified length."""
    users = whole(users, name="users", least=1)
    edge = math.asin(math.sqrt(float(certified.cutoff)))
    chances = np.sin(edge + (math.pi / 2 - 2 * edge) * uniforms(rng, certified.columns)) ** 2
    return Tardos(certified, uniforms(rng, users, certified.columns) < chances, chances)
