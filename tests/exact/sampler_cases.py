"""Cases that several tests share: Every draw of the exact sampler is the function of its room that is proved to have its law."""

from fractions import Fraction

import numpy as np

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
