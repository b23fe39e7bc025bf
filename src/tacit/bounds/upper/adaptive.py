"""What k selections of equal range cost together, exactly: the worst adaptive sequence.

``adaptive.proof.md`` proves the recursion and that the grid only errs upwards.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, sqrt

import numpy as np
import numpy.typing as npt

from tacit.bounds.tails import float_above
from tacit.core import Claim, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.compiled import compiled

Floats = npt.NDArray[np.float64]

_UP = 1 + 1e-14  # more than the rounding of a few float operations
_REACH = 7  # standard deviations of the losses that are followed
_COARSE, _FINE = 32, 150
_FINEST = 10**6  # an epsilon is a multiple of 1/_FINEST
_MOST = 40  # an exponent beyond which the rounding is not proved

ADAPTIVE = Claim(
    paper="own",
    locator="Adaptive composition, Theorem 1",
    statement="k steps of bounded range e, each chosen with knowledge of the earlier outputs, are "
    "(epsilon, delta)-DP for delta = f_k(1), where f_0(R) = max(R - exp(epsilon), 0) and "
    "f_(j+1)(R) is the largest mean of f_j(R l) over two-point l in [exp(t - e), exp(t)] of mean "
    "1; no smaller delta holds for all of them",
    proof="bounds/upper/adaptive.proof.md",
)


@compiled()
def _steps(f: Floats, above: Floats, chance: Floats, k: int, m: int) -> float:
    """``f_k`` at the place of ``R = 1`` from ``f_0`` on a grid of ``ln R``, rounded up.

    ``above`` is ``exp(x) - exp(last x)`` on the ``m + 1`` places after the grid; ``chance[i]`` is
    not below the chance of the upper end ``(i + 1) h``. The place of ``R = 1`` is ``m`` cells
    after that of the grid's first index kept in ``chance[m]``.
    """
    size = len(f)
    wide = np.empty(size + 2 * (m + 1))
    place = int(chance[m])
    for _ in range(k):
        wide[: m + 1] = f[0]
        wide[m + 1 : m + 1 + size] = f
        for i in range(m + 1):
            wide[m + 1 + size + i] = (f[size - 1] + above[i]) * (1 + 1e-14)
        for g in range(size):
            best = wide[m + 1 + g]
            for i in range(m):
                low = wide[g + 1 + i]
                high = wide[m + 2 + g + i]
                value = (low + chance[i] * (high - low) * (1 + 1e-14)) * (1 + 1e-14)
                best = max(best, value)
            f[g] = best
    return float(f[place])


@theorem(
    ADAPTIVE,
    kind="upper",
    setting="k selections of equal range, fixed beforehand; adaptive; all relations",
    formula=r"f_{j+1}(R)=\max_{0\le t\le e}\,[q_t f_j(Re^t)+(1-q_t)f_j(Re^{t-e})],\quad"
    r"\delta=f_k(1)",
)
def adaptive_delta(*, k: int, each: Fraction, epsilon: Fraction, steps: int = _FINE) -> Fraction:
    """The delta at ``epsilon`` of ``k`` selections of range ``each``, rounded up.

    >>> float(adaptive_delta(k=1, each=Fraction(1), epsilon=Fraction(1)))
    0.0
    """
    k, m = whole(k, name="k", least=1), whole(steps, name="steps", least=1)
    each, epsilon = positive(each, name="each"), positive(epsilon, name="epsilon")
    if k * each <= epsilon:
        return Fraction(0)
    h = float_above(each) * _UP / m
    far = _REACH * float(each) * sqrt(k) / 2 + 2 * float(each)
    if float(epsilon) + far > _MOST:
        return Fraction(1)  # beyond what the rounding of the exponentials is proved for
    left = ceil(far / h)
    right = ceil((float(epsilon) + far) / h)
    x = np.arange(-left, right + 1, dtype=np.float64) * h
    limit = exp(float(epsilon)) * (1 - 1e-14)
    f = np.maximum(np.exp(x) * _UP - limit, 0.0)
    ends = (right + np.arange(1, m + 2)) * h
    above = np.maximum(np.exp(ends) * _UP - np.exp(right * h) / _UP, 0.0)
    t = np.arange(1, m + 1) * h
    down = (m + 1) * h
    # (1 - e^(t - w)) / (e^t - e^(t - w)) = (e^-t - e^-w) / (1 - e^-w), with w the wider range.
    chance = np.expm1(down - t) / np.expm1(down) * _UP * _UP
    found = _steps(f, above, np.append(np.minimum(chance, 1.0), float(left)), k, m)
    return min(Fraction(found * (1 + 1e-9)), Fraction(1))


@lru_cache(maxsize=64)
def adaptive_share(*, epsilon: Fraction, delta: Fraction, k: int) -> Fraction:
    """The largest equal range of ``k`` selections that are ``(epsilon, delta)``-DP together.

    Rounded down to a millionth; never below ``epsilon / k``.

    >>> round(float(adaptive_share(epsilon=Fraction(1), delta=Fraction(1, 10**6), k=100)), 3)
    0.047
    """
    epsilon = positive(epsilon, name="epsilon")
    delta = probability(delta, name="delta", zero="allowed")
    least = epsilon / whole(k, name="k", least=1)
    if not delta or k == 1:
        return least
    low, high = int(least * _FINEST), int(epsilon * _FINEST)
    while high - low > max(1, low // 250):
        middle = (low + high) // 2
        if _pays(middle, epsilon=epsilon, delta=delta, k=k, steps=_COARSE):
            low = middle
        else:
            high = middle
    # A finer grid allows a few parts in a hundred more.
    few, many, step = 0, 8, max(1, low // 250)
    while many - few > 1:
        middle = (few + many) // 2
        if _pays(low + middle * step, epsilon=epsilon, delta=delta, k=k, steps=_FINE):
            few = middle
        else:
            many = middle
    return max(Fraction(low + few * step, _FINEST), least)


def _pays(parts: int, *, epsilon: Fraction, delta: Fraction, k: int, steps: int) -> bool:
    each = Fraction(parts, _FINEST)
    return adaptive_delta(k=k, each=each, epsilon=epsilon, steps=steps) <= delta
