"""The exact law of a sampler, by following every answer that its randomness can give.

Shares no code with ``tacit.checks.audit``, which computes exact laws for users: a mistake in one
is not hidden by the same mistake in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TypeVar

from tacit.core import Sampler
from tacit.exact.sampler import ExactSampler

T = TypeVar("T", bound=Hashable)


class _Branch(Exception):
    """The script has run out at a choice among ``arity`` equally likely answers."""

    def __init__(self, arity: int) -> None:
        super().__init__(arity)
        self.arity = arity


class _Replay(ExactSampler):
    """Answers from a script; at its end the sampler is left, to be run again with each answer."""

    private = False

    def __init__(self, script: tuple[int, ...]) -> None:
        self._script = iter(script)

    def below(self, bound: int) -> int:
        answer = next(self._script, None) if bound > 1 else 0
        if answer is None:
            raise _Branch(bound)
        return answer

    def bits(self, count: int) -> int:
        return self.below(1 << count)

    def bytes(self, count: int) -> bytes:
        return self.bits(8 * count).to_bytes(count, "big")


def law_of(
    draw: Callable[[Sampler], T], *, least: Fraction = Fraction(1, 10**6)
) -> tuple[dict[T, Fraction], Fraction]:
    """How likely each result certainly is, and the probability that was not followed up.

    Paths that are less likely than ``least`` are left; what they would have given belongs
    to some result, so each true probability exceeds its entry by at most the second number.

    >>> law_of(lambda rng: rng.below(3) == 0)
    ({True: Fraction(1, 3), False: Fraction(2, 3)}, Fraction(0, 1))
    """
    masses: dict[T, Fraction] = {}
    left = Fraction(0)
    open_paths: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while open_paths:
        script, mass = open_paths.pop()
        if mass < least:
            left += mass
            continue
        try:
            result = draw(_Replay(script))
        except _Branch as branch:
            share = mass / branch.arity
            open_paths.extend(
                ((*script, answer), share) for answer in reversed(range(branch.arity))
            )
        else:
            masses[result] = masses.get(result, Fraction(0)) + mass
    return masses, left
