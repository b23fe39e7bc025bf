"""Cases that several tests share: Bounds on a grid: none below a lower one, monotone where they must be, rounded outward."""

from fractions import Fraction as F
from itertools import product

from tacit.core import ADD_REMOVE, REPLACE_ONE

BITS = (4, 16, 64, 1000)


ALPHAS = (F(1, 100), F(1, 10), F(45, 100))


BETAS = (F(1, 1000), F(1, 10), F(1, 2))


EPSILONS = (F(1, 20), F(1), F(4))


GRID = list(product(ALPHAS, BETAS, EPSILONS))


RELATIONS = (REPLACE_ONE, ADD_REMOVE)


def accuracy(alpha, beta, epsilon):
    return {"alpha": alpha, "beta": beta, "epsilon": epsilon}
