"""Mironov's attack: which doubles a noisy sum can be tells what the noise was added to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.checks.attacks.confidence import Counts, epsilon_below
from tacit.checks.attacks.faulty import laplace_noise
from tacit.core.numbers import exact, probability, whole

_AROUND = 24
_UNIT = 2.0**-53


def reachable(output: float, value: float, *, scale: float) -> bool:
    """Whether ``value`` plus inverted double-precision Laplace noise can be ``output``.

    The uniform numbers are the multiples of ``2**-53`` in (0, 1]; only a few of them give
    noise near ``output - value``, and those are all tried.
    """
    guess = np.exp(-abs(output - value) / scale) / _UNIT
    # Many uniforms round to one sum where the noise is small against the value.
    spread = _AROUND + int(min(1e6, 4 * np.spacing(max(abs(value), abs(output))) / scale * guess))
    near = np.round(guess) + np.arange(-spread, spread + 1)
    uniform = near[(near >= 1) & (near <= 2.0**53)] * _UNIT
    noise = laplace_noise(uniform, np.zeros(len(uniform)), scale)
    return bool(np.any(value + noise == output) or np.any(value - noise == output))


def finest_bit(output: float) -> int:
    """The place of the last bit of a double that is set: 0 for odd numbers, -1 for halves.

    >>> finest_bit(3.0), finest_bit(0.75), finest_bit(0.0)
    (0, -2, 1024)
    """
    if output == 0 or not np.isfinite(output):
        return 1024
    denominator = Fraction(output).denominator
    if denominator > 1:
        return 1 - denominator.bit_length()
    whole_number = int(output)
    return (whole_number & -whole_number).bit_length() - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Holes:
    """How often an output of one value could not have come from the other.

    ``epsilon`` is a certain lower bound: an output that one value makes often and the
    other never is worth any epsilon.
    """

    runs: int
    impossible_for_other: int
    impossible_for_own: int
    epsilon: Fraction


def holes(
    mechanism: Callable[[float], float],
    *,
    possible: Callable[[float, float], bool],
    value: float = 0.0,
    other: float = 1.0,
    runs: int = 2000,
    delta: object = 0,
    level: object = "1/1000",
) -> Holes:
    """Run ``mechanism`` on two neighbouring values and ask which outputs are telling.

    ``possible(output, value)`` says whether the output can come from the value, as
    ``reachable`` does for inverted Laplace noise. The event is: impossible for ``other``.
    """
    runs = whole(runs, name="runs", least=1)
    own = [float(mechanism(value)) for _ in range(runs)]
    others = [float(mechanism(other)) for _ in range(runs)]
    told = sum(not possible(output, other) for output in own)
    false = sum(not possible(output, other) for output in others)
    wrong = sum(not possible(output, value) for output in own)
    counts = Counts(here=told, runs_here=runs, there=false, runs_there=runs)
    return Holes(
        runs=runs,
        impossible_for_other=told,
        impossible_for_own=wrong,
        epsilon=epsilon_below(
            counts, delta=exact(delta, name="delta"), level=probability(level, name="level")
        ),
    )
