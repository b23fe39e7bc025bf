"""Example 5.7: inner and outer learner together are A_2; the inner one alone shows a record."""

from fractions import Fraction

import numpy as np
import pytest

from tacit.core import Sample
from tacit.domains.integers import Integers
from tacit.mechanisms.star_sampling import Starred
from tacit.problems.points.constant_sample import CONFLICT
from tacit.problems.points.outer_inner import inner_learner, outer_learner, tries
from tacit.testing import seeded

DOMAIN = Integers(size=8)
ALPHA = Fraction(2, 5)


def starred(x, y):
    return Starred(Sample(np.array(x), np.array(y)), np.ones(len(x), dtype=bool))


def test_the_two_together_are_the_private_try():
    made, rates = tries(DOMAIN, ALPHA)
    answers = set()
    for seed in range(200):
        data = starred([3] * 6 + [1] * 6, [1] * 6 + [seed % 2] * 6)
        rng = seeded(seed)
        point = inner_learner(
            data, domain=DOMAIN, pick=rates["pick"], silence=rates["silence"], rng=rng
        )
        two = outer_learner(point, domain=DOMAIN, rate=rates["rate"], rng=rng)
        assert two == made._release(data, rng=seeded(seed))
        answers.add(point)
    assert {3, CONFLICT} <= answers


@pytest.mark.exact
def test_the_inner_learner_is_not_private_and_the_outer_one_makes_it_so():
    made, rates = tries(DOMAIN, ALPHA)
    shown = {
        inner_learner(
            starred([5, 1], [1, 0]),
            domain=DOMAIN,
            pick=rates["pick"],
            silence=rates["silence"],
            rng=seeded(seed),
        )
        for seed in range(300)
    }
    hidden = {
        inner_learner(
            starred([6, 1], [1, 0]),
            domain=DOMAIN,
            pick=rates["pick"],
            silence=rates["silence"],
            rng=seeded(seed),
        )
        for seed in range(300)
    }
    # The point 5 comes from one of two neighbours only: no epsilon is enough.
    assert 5 in shown
    assert 5 not in hidden
    assert float(made.event().epsilon) <= np.log(1 + 8 / (4 - float(ALPHA))) + 1e-9
