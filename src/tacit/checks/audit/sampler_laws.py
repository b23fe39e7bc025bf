"""The stated laws of all samplers, as branches of a tree, and how they are put in place.

The samplers of ``tacit.exact`` are proved and tested to have these laws.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, Protocol

import flint
import numpy as np
import numpy.typing as npt

from tacit.checks.audit import lazy_noise
from tacit.core import Mechanism, Rng, TacitError
from tacit.core.registry import mechanisms
from tacit.exact import (
    binomial,
    cells,
    coins,
    flips,
    gaussian,
    geometric,
    levels,
    many_coins,
    rising,
)
from tacit.exact.balls import Ball, at, ball
from tacit.mechanisms import amplification
from tacit.problems.points.hashes import Hash
from tacit.problems.points.representing_sets import RandomSets

MOST_WAYS = 1 << 12
_MOST_FLIPPED = 300
_WORD = 64


class NoLaw(TacitError):
    """The exact law of this mechanism is not known, or has too many branches to follow."""


class Branching(Protocol):
    """What laws need of a tree."""

    faint: Fraction
    arrays: str

    def choose(self, weights: Callable[[], Sequence[Ball]]) -> int: ...

    def below(self, bound: int) -> int: ...

    def public_coins(self) -> Rng: ...

    def part(self, mechanism: Any, data: Any, release: Callable[..., Any]) -> Any: ...


def _shares(weights: list[Ball]) -> list[Ball]:
    total = sum(weights, ball(0))
    return [weight / total for weight in weights]


def _level(tree: Branching, found: levels.Levels, *, rate: Fraction) -> int:
    pairs = list(zip(found.errors.tolist(), found.counts.tolist(), strict=True))
    least = pairs[0][0]
    return tree.choose(
        lambda: _shares(
            [int(count) * (-ball(rate) * (error - least)).exp() for error, count in pairs]
        )
    )


def _flip(tree: Branching, found: levels.Levels, *, rate: Fraction) -> int:
    """``P = p * integral over s of prod (1 - p_o s)`` over the other candidates' coins."""
    pairs = list(zip(found.errors.tolist(), found.counts.tolist(), strict=True))
    if sum(int(count) for _, count in pairs) > _MOST_FLIPPED:
        raise NoLaw("permute-and-flip among this many candidates is not written out")
    return tree.choose(lambda: _flipped(pairs, rate))


def _flipped(pairs: list[tuple[int, int]], rate: Fraction) -> list[Ball]:
    with at(4 * _MOST_FLIPPED):
        heads = [(-ball(rate) * (error - pairs[0][0])).exp() for error, _ in pairs]
        weights = []
        for own, (_, members) in enumerate(pairs):
            product = flint.arb_poly([1])
            for other, (_, count) in enumerate(pairs):
                product *= flint.arb_poly([1, -heads[other]]) ** (int(count) - (other == own))
            weights.append(int(members) * heads[own] * product.integral()(ball(1)))
    return weights


def _many_geometric(tree: Branching, scale: Fraction, count: int) -> npt.NDArray[Any]:
    drawn = [lazy_noise.geometric(tree, scale) for _ in range(count)]
    if tree.arrays == "open":
        return np.array(drawn, dtype=object)
    return np.array([int(noise) for noise in drawn], dtype=np.int64)


def _many_gaussian(tree: Branching, variance: Fraction, count: int) -> npt.NDArray[np.int64]:
    return np.array(
        [int(lazy_noise.gaussian(tree, variance)) for _ in range(count)], dtype=np.int64
    )


def _coin(tree: Branching, p: Fraction) -> bool:
    if p in (0, 1):
        return p == 1
    return tree.choose(lambda: [ball(1 - p), ball(p)]) == 1


def _many_coins(tree: Branching, p: Fraction, count: int) -> npt.NDArray[np.bool_]:
    return np.array([_coin(tree, p) for _ in range(count)], dtype=bool)


def _exp_coin(tree: Branching, x: Fraction) -> bool:
    return x == 0 or tree.choose(lambda: [1 - (-ball(x)).exp(), (-ball(x)).exp()]) == 1


def _binomial(tree: Branching, trials: int, p: Callable[[], Ball]) -> int:
    if trials > MOST_WAYS:
        raise NoLaw(f"{trials} coins have too many branches to follow")

    def weights() -> list[Ball]:
        heads = p()
        ways = [ball(int(flint.fmpz.bin_uiui(trials, k))) for k in range(trials + 1)]
        return [count * heads**k * (1 - heads) ** (trials - k) for k, count in enumerate(ways)]

    return tree.choose(weights)


def _cell(tree: Branching, weights: Any, *, balls: Callable[[], Any], **_: Any) -> int:
    del weights
    return tree.choose(lambda: _shares(list(balls())))


def _rising(tree: Branching, count: Callable[[int], int], *, rate: Fraction, top: int) -> int:
    if top > MOST_WAYS:
        raise NoLaw(f"{top} levels have too many branches to follow")

    def weights() -> list[Ball]:
        step = (-ball(rate)).exp()
        below = [count(level) * step**level for level in range(top)]
        # Levels beyond the top count as the top: a geometric series.
        return _shares([*below, count(top) * step**top / (1 - step)])

    return tree.choose(weights)


def _indices(tree: Branching, *, below: int, count: int) -> npt.NDArray[np.int64]:
    return np.array([tree.below(below) for _ in range(count)], dtype=np.int64)


_LAWS: list[tuple[Any, str, Callable[..., Any]]] = [
    (levels, "choose_level", _level),
    (flips, "flip_level", _flip),
    (geometric, "two_sided_geometric", lazy_noise.geometric),
    (geometric, "two_sided_geometrics", _many_geometric),
    (gaussian, "discrete_gaussian", lazy_noise.gaussian),
    (gaussian, "discrete_gaussians", _many_gaussian),
    (coins, "bernoulli", _coin),
    (coins, "bernoulli_exp", _exp_coin),
    (many_coins, "bernoullis", _many_coins),
    (binomial, "binomial", _binomial),
    (cells, "choose_cell", _cell),
    (rising, "rising_level", _rising),
    (amplification, "uniform_indices", _indices),
]


def _buckets(tree: Branching, bits: int) -> tuple[int, int]:
    """A multiplier and an offset that stand for all with their top ``bits`` bits.

    On the values 0 and 1 a hash is its two buckets, ``offset`` and ``offset + multiplier``
    cut to their top bits. Both are uniform and independent, whatever the lower bits; and
    where an offset is moved so that a value falls into bucket 0, the other value's bucket
    is uniform still. Given the buckets, all that is left of the hash is independent of the
    records, so that it tells nothing more.
    """
    pair = tree.below(1 << (2 * bits))
    return (pair >> bits) << (_WORD - bits), (pair & ((1 << bits) - 1)) << (_WORD - bits)


def _hash(tree: Branching, cls: Any, original: Any, **kwargs: Any) -> Any:
    bits: int = kwargs["bits"]
    if kwargs["domain"].size > 2 or 1 << (2 * bits) > MOST_WAYS:
        return original(cls, tree.public_coins(), **kwargs)
    multiplier, offset = _buckets(tree, bits)
    return Hash((multiplier,), offset, bits)


def _random_sets(tree: Branching, cls: Any, original: Any, **kwargs: Any) -> Any:
    bits, sets = kwargs["bits"], kwargs["sets"]
    if kwargs["domain"].size > 2 or 1 << (2 * bits * sets) > MOST_WAYS:
        return original(cls, tree.public_coins(), **kwargs)
    words = np.array([_buckets(tree, bits) for _ in range(sets)], dtype=np.uint64)
    return cls(kwargs["domain"], words[:, :1], words[:, 1], bits)


_DRAWN: list[tuple[Any, Callable[..., Any]]] = [(Hash, _hash), (RandomSets, _random_sets)]


def _unless(tree: type[Any], sampler: Any, law: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(sampler)
    def drawn(rng: Any, *args: Any, **kwargs: Any) -> Any:
        return (law if isinstance(rng, tree) else sampler)(rng, *args, **kwargs)

    return drawn


def _drawn(tree: type[Any], original: Any, law: Callable[..., Any]) -> Any:
    def draw(cls: Any, rng: Any, /, **kwargs: Any) -> Any:
        if isinstance(rng, tree):
            return law(rng, cls, original.__func__, **kwargs)
        return original.__func__(cls, rng, **kwargs)

    return classmethod(draw)


def _released(tree: type[Any], original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def release(self: Any, data: Any, *, rng: Any) -> Any:
        if isinstance(rng, tree):
            return rng.part(self, data, original)
        return original(self, data, rng=rng)

    return release


_IN_PLACE: list[type[Any]] = []


@contextmanager
def in_place(tree: type[Any]) -> Iterator[None]:
    """Inside, sources of the type ``tree`` branch; every other source draws as ever."""
    if tree in _IN_PLACE:
        yield
        return
    changed: list[tuple[Any, str, Any]] = []

    def put(owner: Any, name: str, value: Any) -> None:
        changed.append((owner, name, vars(owner)[name]))
        setattr(owner, name, value)

    releasing = {
        owner
        for cls in mechanisms()
        for owner in cls.__mro__
        if issubclass(owner, Mechanism) and owner is not Mechanism and "_release" in vars(owner)
    }
    swap = {
        getattr(module, name): _unless(tree, getattr(module, name), law)
        for module, name, law in _LAWS
    }
    for room in [room for name, room in sys.modules.items() if name.startswith("tacit.")]:
        for name, value in list(vars(room).items()):
            if callable(value) and getattr(value, "__hash__", None) and value in swap:
                put(room, name, swap[value])
    for cls, law in _DRAWN:
        put(cls, "draw", _drawn(tree, cls.__dict__["draw"], law))
    for owner in releasing:
        put(owner, "_release", _released(tree, owner.__dict__["_release"]))
    _IN_PLACE.append(tree)
    try:
        yield
    finally:
        _IN_PLACE.remove(tree)
        for owner, name, value in reversed(changed):
            setattr(owner, name, value)
