"""Explicit formulas: exact numbers in, balls through, a number of records out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from tacit.core import Claim, SampleBound
from tacit.core.numbers import positive, probability
from tacit.exact.balls import Ball, at, ball, ceiling

_PROBABILITIES = ("alpha", "beta", "rho")


def numbers(**given: object) -> tuple[Fraction, ...]:
    """Public parameters, read and checked by name, in the order given."""
    return tuple(_read(name, value) for name, value in given.items())


def _read(name: str, value: object) -> Fraction:
    if name == "delta":
        return probability(value, name=name)
    reader = probability if name in _PROBABILITIES else positive
    return reader(value, name=name)


def ln(value: Fraction | int) -> Ball:
    """``ln value`` as a ball."""
    return ball(value).log()


def total(
    *,
    claim: Claim,
    parts: Mapping[str, Callable[[], Ball]],
    printed: Callable[[], Ball] | None = None,
    choices: Mapping[str, object] | None = None,
) -> SampleBound:
    """The sum of named parts, rounded up."""

    def records() -> Ball:
        return sum((part() for part in parts.values()), ball(0))

    return _bound(records, claim=claim, parts=parts, printed=printed, choices=choices)


def largest(
    *,
    claim: Claim,
    parts: Mapping[str, Callable[[], Ball]],
    printed: Callable[[], Ball] | None = None,
    choices: Mapping[str, object] | None = None,
) -> SampleBound:
    """The largest of several requirements, each rounded up."""

    def records() -> Ball:
        values = [part() for part in parts.values()]
        best = values[0]
        for value in values[1:]:
            best = best.max(value)
        return best

    return _bound(records, claim=claim, parts=parts, printed=printed, choices=choices)


def _bound(
    records: Callable[[], Ball],
    *,
    claim: Claim,
    parts: Mapping[str, Callable[[], Ball]],
    printed: Callable[[], Ball] | None,
    choices: Mapping[str, object] | None,
) -> SampleBound:
    with at(64):
        terms = {name: float(part()) for name, part in parts.items()}
    return SampleBound(
        n=max(1, ceiling(records)),
        claim=claim,
        terms=terms,
        printed=None if printed is None else ceiling(printed),
        choices=choices or {},
    )
