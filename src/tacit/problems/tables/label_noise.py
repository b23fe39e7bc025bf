"""The noise on numbers of records of several labels, and what noisy mistakes bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tacit.bounds.upper.noisy_count import certified_by_gaussian, certified_error
from tacit.bounds.upper.weights import concentrated
from tacit.core import Sampler
from tacit.core.certificate import OneOfSeveral, Several
from tacit.mechanisms.calibration import several_counts_variance
from tacit.problems.tables.cost_bounds import mean_cost


@dataclass(frozen=True, slots=True, kw_only=True)
class CountNoise:
    """The noise on each of several numbers: Gaussian of a ``variance``, or geometric of scale
    ``1/epsilon``.
    """

    variance: Fraction | None = None
    epsilon: Fraction | None = None

    @property
    def square(self) -> Fraction:
        """At least the mean of its square."""
        if self.epsilon is not None:
            return 2 / self.epsilon**2
        assert self.variance is not None
        return self.variance

    @property
    def number(self) -> Fraction:
        """The variance or the epsilon, whichever it has."""
        told = self.variance if self.epsilon is None else self.epsilon
        assert told is not None
        return told

    def drawn(self, rng: Sampler, count: int) -> list[int]:
        """So many draws."""
        if self.epsilon is not None:
            return [int(z) for z in rng.geometrics(1 / self.epsilon, count)]
        return [int(z) for z in rng.gaussians(self.number, count)]

    def at_most(self, noisy: int, *, n: int, prior: Fraction, beta: Fraction) -> Fraction:
        """A bound on the share of records that a noisy number of ``n`` stands for."""
        if self.epsilon is not None:
            return certified_error(
                noisy_mistakes=noisy, n=n, prior=prior, epsilon=self.epsilon, beta=beta
            )
        return certified_by_gaussian(
            noisy_mistakes=noisy, n=n, prior=prior, variance=self.number, beta=beta
        )


def count_noise(part: tuple[Fraction, Fraction], *, moved: int) -> CountNoise:
    """The noise that this epsilon and delta pay for, on numbers that move by ``moved`` in all.

    Each of them moves by 1 at most. A variance is rounded up to a whole number, so that it stays
    readable; without a delta noise is geometric.
    """
    epsilon, delta = part
    if not delta:
        return CountNoise(epsilon=epsilon / moved)
    rho = concentrated(epsilon=epsilon, delta=delta)
    return CountNoise(variance=Fraction(-(-several_counts_variance(counts=moved, rho=rho) // 1)))


def noise_of(found: Several) -> tuple[CountNoise, CountNoise | None] | None:
    """The noise on mistakes and on numbers of records that is stated, if any is."""
    if (found.variance is None) == (found.epsilon is None):
        return None
    sizes = None
    if found.sizes is not None:
        sizes = CountNoise(variance=found.sizes)
        if found.variance is None:
            sizes = CountNoise(epsilon=found.sizes)
    return CountNoise(variance=found.variance, epsilon=found.epsilon), sizes


def bounded(
    found: OneOfSeveral,
    *,
    noise: CountNoise,
    sizes: CountNoise | None,
    n: int,
    beta: Fraction,
) -> OneOfSeveral:
    """The label with the bounds that its noisy numbers give, all at once but for ``beta``.

    Theorem 3 of ``side_by_side.proof.md``. Where mistakes have costs, ``beta`` is split evenly over
    those on records of each value and, where values count alike, the numbers of records of each.
    """
    assert found.prior is not None
    if not found.values:
        error = noise.at_most(found.noisy_mistakes, n=n, prior=found.prior, beta=beta)
        return replace(found, error=error)
    each = beta / (len(found.values) * (1 if sizes is None else 2))
    rates = [
        noise.at_most(one.noisy_mistakes, n=n, prior=found.prior, beta=each) for one in found.values
    ]
    values = [replace(one, rate=rate) for one, rate in zip(found.values, rates, strict=True)]
    balanced = None
    if sizes is not None:
        told = [one.size for one in found.values if one.size is not None]
        balanced = _balanced(told, rates, noise=sizes, n=n, beta=each)
    return replace(
        found,
        values=tuple(values),
        error=mean_cost((1,) * len(rates), rates),
        cost=mean_cost([one.cost for one in found.values], rates),
        balanced=balanced,
    )


def _balanced(
    sizes: Sequence[int],
    rates: Sequence[Fraction],
    *,
    noise: CountNoise,
    n: int,
    beta: Fraction,
) -> Fraction:
    """A bound on the mean, over the values, of the error among their records.

    Theorem 2 of ``costs.proof.md``, with the noise of these numbers.
    """
    errors = []
    for size, rate in zip(sizes, rates, strict=True):
        others = noise.at_most(n - size, n=n, prior=Fraction(1), beta=beta)
        errors.append(Fraction(1) if rate >= 1 - others else rate / (1 - others))
    return sum(errors, Fraction(0)) / len(errors)
