"""The exact law of a mechanism: every draw becomes a branch with the weight its sampler states.

The samplers of ``tacit.exact`` are proved and tested to have their stated laws. Here they
are replaced by those laws, so that what is enumerated is the mechanism around them: all of
its code runs, once for every way its draws can fall.
"""

from __future__ import annotations

import functools
import hashlib
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import numpy.typing as npt

from tacit.audit.outputs import key
from tacit.classes.hashed_points import Hash
from tacit.classes.representing_sets import RandomSets
from tacit.core import Mechanism, Rng, TacitError
from tacit.exact import binomial, cells, coins, flips, geometric, levels, many_coins, rising
from tacit.exact.balls import Ball, at, ball
from tacit.exact.entropy import CounterRng
from tacit.exact.geometric_tails import mass, reach
from tacit.learners.hashed_points import HashedPointLearner
from tacit.learners.protocol import ProtocolLearner
from tacit.learners.random_sets import RandomSetLearner
from tacit.mechanisms import amplification

BITS = 160
FAINT = Fraction(1, 1 << 44)
MOST = 100_000
_MOST_FLIPPED = 300
_MOST_WAYS = 1 << 12


_END: ContextVar[float] = ContextVar("end of the time for laws", default=math.inf)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Inside, laws that are not finished after so many seconds in all are given up."""
    token = _END.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _END.reset(token)


class NoLaw(TacitError):
    """The exact law of this mechanism is not known, or has too many branches to follow."""


@dataclass(frozen=True, slots=True)
class Law:
    """How likely each output is, as balls; ``rest`` bounds what was not followed up.

    ``coins`` is ``"fixed"`` if the law is conditional on one drawing of public coins.
    """

    masses: dict[Any, Ball]
    rest: Ball
    coins: str = "none"


class _Branch(Exception):
    def __init__(self, weights: Sequence[Ball]) -> None:
        super().__init__()
        self.weights = weights


class Tree:
    """Stands in for the source of randomness: answers from a script, then branches."""

    private = False

    def __init__(self, script: tuple[int, ...], *, faint: Fraction, public: int | None) -> None:
        self._script = iter(script)
        self.faint = faint
        self._public = public
        self.coins = "none"

    def choose(self, weights: Sequence[Ball]) -> int:
        """The number of a branch; the weights add up to at most 1."""
        answer = next(self._script, None)
        if answer is None:
            raise _Branch(weights)
        return answer

    def below(self, bound: int) -> int:
        if bound == 1:
            return 0
        if bound > _MOST_WAYS:
            raise NoLaw(f"a uniform draw among {bound} has too many branches to follow")
        return self.choose([ball(1) / bound] * bound)

    def bits(self, count: int) -> int:
        return self.below(1 << count) if count > 0 else 0

    def bytes(self, count: int) -> bytes:
        raise NoLaw(f"{count} raw bytes are drawn by a sampler whose law is not listed")

    def public_coins(self) -> Rng:
        """The same coins in every branch and for every data set, if they are public."""
        if self._public is None:
            raise NoLaw("its privacy rests on the coins of a hash, which are too many to follow")
        self.coins = "fixed"
        return CounterRng(hashlib.sha256(f"tacit.audit:{self._public}".encode()).digest())


def _shares(weights: list[Ball]) -> list[Ball]:
    total = sum(weights, ball(0))
    return [weight / total for weight in weights]


def _level(tree: Tree, found: levels.Levels, *, rate: Fraction) -> int:
    pairs = list(zip(found.errors.tolist(), found.counts.tolist(), strict=True))
    least = pairs[0][0]
    return tree.choose(
        _shares([int(count) * (-ball(rate) * (error - least)).exp() for error, count in pairs])
    )


def _flip(tree: Tree, found: levels.Levels, *, rate: Fraction) -> int:
    """``P = p * integral over s of prod (1 - p_o s)`` over the other candidates' coins."""
    pairs = list(zip(found.errors.tolist(), found.counts.tolist(), strict=True))
    if sum(int(count) for _, count in pairs) > _MOST_FLIPPED:
        raise NoLaw("permute-and-flip among this many candidates is not written out")
    with at(4 * _MOST_FLIPPED):
        heads = [(-ball(rate) * (error - pairs[0][0])).exp() for error, _ in pairs]
        weights = []
        for own, (_, members) in enumerate(pairs):
            product = flint.arb_poly([1])
            for other, (_, count) in enumerate(pairs):
                product *= flint.arb_poly([1, -heads[other]]) ** (int(count) - (other == own))
            weights.append(int(members) * heads[own] * product.integral()(ball(1)))
    return tree.choose(weights)


def _noise(tree: Tree, scale: Fraction) -> int:
    """Noise up to where the tails are fainter than ``faint``; the tails are not followed."""
    last = reach(scale, tree.faint)
    return tree.choose([mass(scale, z) for z in range(-last, last + 1)]) - last


def _many_noises(tree: Tree, scale: Fraction, count: int) -> npt.NDArray[np.int64]:
    return np.array([_noise(tree, scale) for _ in range(count)], dtype=np.int64)


def _coin(tree: Tree, p: Fraction) -> bool:
    if p in (0, 1):
        return p == 1
    return tree.choose([ball(1 - p), ball(p)]) == 1


def _many_coins(tree: Tree, p: Fraction, count: int) -> npt.NDArray[np.bool_]:
    return np.array([_coin(tree, p) for _ in range(count)], dtype=bool)


def _exp_coin(tree: Tree, x: Fraction) -> bool:
    heads = (-ball(x)).exp()
    return x == 0 or tree.choose([1 - heads, heads]) == 1


def _binomial(tree: Tree, trials: int, p: Callable[[], Ball]) -> int:
    if trials > _MOST_WAYS:
        raise NoLaw(f"{trials} coins have too many branches to follow")
    heads = p()
    chance = [ball(int(flint.fmpz.bin_uiui(trials, k))) for k in range(trials + 1)]
    return tree.choose(
        [choose * heads**k * (1 - heads) ** (trials - k) for k, choose in enumerate(chance)]
    )


def _cell(tree: Tree, weights: Any, *, balls: Callable[[], Any], **_: Any) -> int:
    del weights
    return tree.choose(_shares(list(balls())))


def _rising(tree: Tree, count: Callable[[int], int], *, rate: Fraction, top: int) -> int:
    if top > _MOST_WAYS:
        raise NoLaw(f"{top} levels have too many branches to follow")
    step = (-ball(rate)).exp()
    weights = [count(level) * step**level for level in range(top)]
    # Levels beyond the top count as the top: a geometric series.
    return tree.choose(_shares([*weights, count(top) * step**top / (1 - step)]))


def _indices(tree: Tree, *, below: int, count: int) -> npt.NDArray[np.int64]:
    return np.array([tree.below(below) for _ in range(count)], dtype=np.int64)


_LAWS: list[tuple[Any, str, Callable[..., Any]]] = [
    (levels, "choose_level", _level),
    (flips, "flip_level", _flip),
    (geometric, "two_sided_geometric", _noise),
    (geometric, "two_sided_geometrics", _many_noises),
    (coins, "bernoulli", _coin),
    (coins, "bernoulli_exp", _exp_coin),
    (many_coins, "bernoullis", _many_coins),
    (binomial, "binomial", _binomial),
    (cells, "choose_cell", _cell),
    (rising, "rising_level", _rising),
    (amplification, "uniform_indices", _indices),
]
_PUBLIC: list[Any] = [Hash, RandomSets]
_PUBLIC_COINS = (HashedPointLearner, ProtocolLearner, RandomSetLearner)
"""Learners that publish their hash functions, and are private whatever these are."""


def _unless_a_tree(sampler: Any, law: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(sampler)
    def drawn(rng: Any, *args: Any, **kwargs: Any) -> Any:
        return (law if isinstance(rng, Tree) else sampler)(rng, *args, **kwargs)

    return drawn


def _public_draw(original: Any) -> Any:
    def draw(cls: Any, rng: Any, /, **kwargs: Any) -> Any:
        coins_of = rng.public_coins() if isinstance(rng, Tree) else rng
        return original.__func__(cls, coins_of, **kwargs)

    return classmethod(draw)


@contextmanager
def laws_for_samplers() -> Iterator[None]:
    """Inside, a ``Tree`` branches; every other source draws as ever."""
    changed: list[tuple[Any, str, Any]] = []
    swap = {}
    for module, name, law in _LAWS:
        sampler = getattr(module, name)
        swap[sampler] = _unless_a_tree(sampler, law)
    rooms = [room for name, room in sys.modules.items() if name.startswith("tacit.")]
    for room in rooms:
        for name, value in list(vars(room).items()):
            if callable(value) and getattr(value, "__hash__", None) and value in swap:
                changed.append((room, name, value))
                setattr(room, name, swap[value])
    for cls in _PUBLIC:
        changed.append((cls, "draw", cls.__dict__["draw"]))
        cls.draw = _public_draw(cls.__dict__["draw"])
    try:
        yield
    finally:
        for owner, name, value in changed:
            setattr(owner, name, value)


def branched(
    mechanism: Mechanism[Any, Any],
    data: Any,
    *,
    faint: Fraction = FAINT,
    most: int = MOST,
    public: int = 0,
) -> Law:
    """The law of ``mechanism`` on ``data``, by following every draw.

    Paths fainter than ``faint`` are left, as are more than ``most``: what they weigh is
    ``rest``. ``public`` numbers the drawing of public coins.
    """
    coins_are_public = isinstance(getattr(mechanism, "learner", mechanism), _PUBLIC_COINS)
    masses: dict[Any, Ball] = {}
    followed, coins_used = ball(0), "none"
    runs = 0
    with at(BITS), laws_for_samplers():
        paths: list[tuple[tuple[int, ...], Ball]] = [((), ball(1))]
        while paths:
            script, weight = paths.pop()
            tree = Tree(script, faint=faint, public=public if coins_are_public else None)
            runs += 1
            if runs > most:
                raise NoLaw(f"more than {most} branches")
            if runs % 16 == 1 and time.monotonic() > _END.get():
                raise NoLaw("not finished in the time it was given")
            try:
                output = key(mechanism._release(data, rng=tree))
            except _Branch as branch:
                for answer, share in enumerate(branch.weights):
                    heavy = weight * share
                    if not heavy < ball(faint):
                        paths.append(((*script, answer), heavy))
                continue
            coins_used = tree.coins
            masses[output] = masses.get(output, ball(0)) + weight
            followed += weight
        missing = 1 - followed
        rest = missing.max(ball(0)).upper()
        # Rounding alone, if nothing was left: the ball then holds zero.
        return Law(masses, ball(0) if rest < ball(Fraction(1, 1 << 120)) else rest, coins_used)
