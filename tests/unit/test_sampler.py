"""Every draw of the exact sampler is the function of its room that is proved to have its law."""

import inspect
from fractions import Fraction

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.core import Mechanism, Pure, Relation, Sampler
from tacit.exact.balls import ball
from tacit.exact.binomial import binomial
from tacit.exact.cells import choose_cell
from tacit.exact.coins import bernoulli, bernoulli_exp
from tacit.exact.flips import flip_level
from tacit.exact.gaussian import discrete_gaussian, discrete_gaussians
from tacit.exact.geometric import two_sided_geometric, two_sided_geometrics
from tacit.exact.indices import uniform_indices
from tacit.exact.landscape import Flat
from tacit.exact.levels import Levels, choose_level
from tacit.exact.many_coins import bernoullis
from tacit.exact.rising import rising_level
from tacit.exact.sampler import ExactSampler
from tacit.exact.stages import Stage, draw_exponential, draw_flip

LEVELS = Levels(np.array([0, 1, 3]), np.array([2, 5, 9]))
STAGES = [
    Stage(Flat(np.array([0, 1, 0])), Levels(np.array([1]), np.array([4]))),
    Stage(Flat(np.array([2, 1, 5, 3])), None),
]
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
WEIGHTS = {
    "relative": 1e-15,
    "absolute": 0.0,
    "balls": lambda: [ball(1), ball(2), ball(5)],
}
FLOATS = np.array([1.0, 2.0, 5.0])
DRAWS = {
    "coin": (bernoulli, (THIRD,), {}),
    "coins": (bernoullis, (THIRD, 20), {}),
    "exp_coin": (bernoulli_exp, (THIRD,), {}),
    "geometric": (two_sided_geometric, (Fraction(7, 2),), {}),
    "geometrics": (two_sided_geometrics, (Fraction(7, 2), 20), {}),
    "gaussian": (discrete_gaussian, (Fraction(9),), {}),
    "gaussians": (discrete_gaussians, (Fraction(9), 20), {}),
    "binomial": (binomial, (40, lambda: ball(THIRD)), {}),
    "indices": (uniform_indices, (), {"below": 7, "count": 20}),
    "level": (choose_level, (LEVELS,), {"rate": HALF}),
    "flip_level": (flip_level, (LEVELS,), {"rate": HALF}),
    "candidate": (draw_exponential, (STAGES,), {"rate": HALF}),
    "flip_candidate": (draw_flip, (STAGES,), {"rate": HALF}),
    "rising_level": (rising_level, (lambda level: level + 1,), {"rate": HALF, "top": 6}),
    "cell": (choose_cell, (FLOATS,), WEIGHTS),
}
OTHERS = {"part", "hash_words", "hash_rows", "bits", "below", "bytes", "private"}


def _asked() -> set[str]:
    return {name for name in dir(Sampler) if not name.startswith("_")}


def test_the_seam_and_its_implementation_offer_the_same():
    assert _asked() == {*DRAWS, *OTHERS}
    for name in _asked() - {"private"}:
        stated = list(inspect.signature(getattr(Sampler, name)).parameters.values())
        given = list(inspect.signature(getattr(ExactSampler, name)).parameters.values())
        assert [(one.name, one.kind) for one in stated] == [(one.name, one.kind) for one in given]


@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_is_the_proved_function_on_the_same_bits(name):
    function, arguments, named = DRAWS[name]
    seen = []
    for seed in range(40):
        drawn = getattr(seeded(seed), name)(*arguments, **named)
        stated = function(seeded(seed), *arguments, **named)
        assert np.array_equal(drawn, stated)
        seen.append(repr(drawn))
    assert len(set(seen)) > 1


def test_hash_words_are_uniform_words_of_the_source():
    words = seeded(5).hash_words(limbs=2, bits=3, size=1 << 40)
    rng = seeded(5)
    assert words == (rng.bits(64), rng.bits(64), rng.bits(64))
    rows = seeded(6).hash_rows(4, limbs=1, bits=3, size=10)
    assert rows.shape == (4, 2)
    assert rows.tobytes() == seeded(6).bytes(64)


class Inner(Mechanism):
    def event(self):
        return Pure(epsilon=Fraction(1), relation=Relation.REPLACE_ONE)

    def _release(self, data, *, rng):
        return (data, rng)


def test_a_part_is_run_with_the_same_sampler():
    rng = seeded(1)
    assert rng.part(Inner(), "records") == ("records", rng)
