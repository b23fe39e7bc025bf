"""Representation dimension, deterministic and probabilistic (BBKN13, FX14 section 2)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tacit.core.numbers import Number, probability
from tacit.theory.dimensions import deterministic, probabilistic
from tacit.theory.dimensions.incidence import Incidence, read
from tacit.theory.dimensions.measured import Clock, Measured, OutOfTime, Progress, silent
from tacit.theory.dimensions.witnesses import RandomRepresentation, Representation, Witness

_FIXED_SECONDS = 10.0
_WRITTEN_OUT = 256
"""That a class represents itself is not written out for more concepts than this."""


def representation(
    concept_class: object,
    *,
    alpha: Number,
    beta: Number | None = None,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Measured:
    """The log2 of the fewest hypotheses that represent the class to within ``alpha``.

    Without ``beta``: one fixed set must hold, for every concept and law of points, a
    hypothesis of error at most ``alpha``. With ``beta``: a random set must, with
    probability at least ``1 - beta``. ``least`` and ``most`` count hypotheses. The first
    witness is the representation, the second (if any) the proof that one hypothesis
    fewer is not enough; both are exact. When ``time_limit`` seconds run out, or more
    hypotheses than the search handles are needed, the result is an interval.

    >>> from tacit.theory.dimensions.named import points
    >>> representation(points(8), alpha="1/3").least
    6
    >>> representation(points(3), alpha="1/4", beta="1/4").least
    3
    """
    error = probability(alpha, name="alpha")
    clock = Clock(time_limit)
    table = read(concept_class)
    if beta is None:
        return _fixed(table, error, clock, progress)
    return _random(table, error, probability(beta, name="beta"), clock, progress)


def _fixed(table: Incidence, alpha: Fraction, clock: Clock, progress: Progress) -> Measured:
    def find(size: int) -> Witness:
        return deterministic.find(table, alpha=alpha, size=size, clock=clock)

    own = len(table.distinct)
    size, upper, lower = _climb(find, min(own - 1, deterministic.LARGEST), progress)
    if upper is None and own <= _WRITTEN_OUT:
        upper = deterministic.itself(table, alpha=alpha)
    return _measured(f"DRDim({alpha})", size, own, upper, lower, clock)


def _random(
    table: Incidence, alpha: Fraction, beta: Fraction, clock: Clock, progress: Progress
) -> Measured:
    # a fixed representation is a random one: it limits what has to be searched
    fixed = _fixed(table, alpha, Clock(min(clock.left / 2, _FIXED_SECONDS)), silent)

    def find(size: int) -> Witness:
        return probabilistic.find(table, alpha=alpha, beta=beta, size=size, clock=clock)

    size, upper, lower = _climb(find, min(fixed.most - 1, probabilistic.LARGEST), progress)
    whole = fixed.witness
    if upper is None and isinstance(whole, Representation):
        upper = probabilistic.constant(whole, beta=beta)
    return _measured(f"PRDim({alpha}, {beta})", size, fixed.most, upper, lower, clock)


def _climb(
    find: Callable[[int], Witness], last: int, progress: Progress
) -> tuple[int, Witness | None, Witness | None]:
    """The least size not refuted, its representation if found, the last refutation."""
    lower: Witness | None = None
    size = 1
    try:
        while size <= last:
            found = find(size)
            if found.side == "upper":
                return size, found, lower
            lower = found
            size += 1
            progress(found.says())
    except OutOfTime:
        pass
    return size, None, lower


def _measured(
    quantity: str,
    size: int,
    trivial: int,
    upper: Witness | None,
    lower: Witness | None,
    clock: Clock,
) -> Measured:
    most = trivial
    if isinstance(upper, Representation):
        most = len(upper.hypotheses)
    if isinstance(upper, RandomRepresentation):
        most = max(len(part) for part in upper.sets)
    return Measured(
        quantity=quantity,
        least=size,
        most=max(most, size),
        unit="hypotheses",
        witnesses=tuple(found for found in (upper, lower) if found is not None),
        seconds=clock.seconds,
        logarithmic=True,
        upper_by="the class represents itself" if upper is None else "witness",
    )
