"""Tests of ``tacit.checks.attacks.floating_point``."""

from fractions import Fraction as F

from tacit.checks.attacks import floating_point
from tacit.checks.attacks.faulty import FloatLaplace
from tacit.checks.testing import seeded
from tacit.mechanisms import Geometric


class Itself:
    unit = None

    def __call__(self, data):
        return (F(data),)

    def sensitivity(self, relation):
        return F(1)


def test_float_laplace_has_holes_and_ours_has_none():
    rng = seeded("holes")
    naive = FloatLaplace(1.0)
    found = floating_point.holes(
        lambda value: naive(value, rng=rng),
        possible=lambda output, value: floating_point.reachable(output, value, scale=1.0),
        runs=400,
    )
    assert found.impossible_for_own == 0, "the model of the sampler is complete"
    assert found.impossible_for_other > 150
    assert found.epsilon > 3

    ours = Geometric(query=Itself(), epsilon=F(1), grid=F(1, 1024))
    none = floating_point.holes(
        lambda value: float(ours._release(value, rng=rng)[0]),
        possible=lambda output, _: (F(output) * 1024).denominator == 1,
        runs=400,
    )
    assert (none.impossible_for_own, none.impossible_for_other, none.epsilon) == (0, 0, 0)
