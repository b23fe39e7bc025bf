"""Tests of ``tacit.bounds.lower.representations``."""

from fractions import Fraction as F
from itertools import combinations
from math import ceil, log

import pytest

from tacit.bounds.lower import representations
from tacit.checks.optimal import Question, optimal
from tacit.core import BadInput
from tacit.problems.thresholds import thresholds_lower as lower_thresholds
from tacit.theory.dimensions import representation
from tacit.theory.dimensions.named import points

pytestmark = pytest.mark.exact


def test_lemma_3_10_no_two_hypotheses_represent_eight_points():
    assert representations.representation_size(bits=3) == 3
    size, functions = 8, range(256)
    for pair in combinations(functions, 2):
        patterns = [tuple((h >> x) & 1 for h in pair) for x in range(size)]
        x, y = next((x, y) for x, y in combinations(range(size), 2) if patterns[x] == patterns[y])
        # The target is x, the distribution uniform on x and y: every hypothesis errs on half.
        assert all(((h >> x) & 1) == ((h >> y) & 1) for h in pair)


def test_theorem_3_6_is_its_formula():
    n = representations.minimal(size=1001, beta=F(1, 4), epsilon=F(1, 2)).n
    assert n == ceil(2 * log(1000 * 3))


def test_lemma_5_2_is_theorem_3_6_for_thresholds():
    got = lower_thresholds.one_border_each(size=1001, beta=F(1, 4), epsilon=F(1, 2)).n
    assert got == representations.minimal(size=1001, beta=F(1, 4), epsilon=F(1, 2)).n


def test_a_quarter_of_the_error_asks_for_four_times_the_records():
    asked = {"size": 2**20, "error": F(1, 4), "failure": F(1, 4), "beta": F(1, 10), "epsilon": F(1)}
    few = representations.random_representation(alpha=F(1, 4), **asked).n
    assert few == ceil(log(F(9, 10) / (1 - 0.25 ** (1 / (2**19 - 1)))))
    many = representations.random_representation(alpha=F(1, 16), **asked).n
    assert 4 * few <= many <= 6 * few


def test_theorem_6_is_below_the_best_private_learner():
    least = representation(points(3), alpha=F(1, 4), beta=F(1, 4)).least
    assert least == 3
    concepts = tuple(tuple(x == p for x in range(3)) for p in range(3))
    held = 0
    for n, epsilon in ((1, F(1, 10)), (2, F(1, 20)), (3, F(1, 40))):
        best = optimal(
            Question(
                concepts=concepts, n=n, epsilon=epsilon, alpha=F(1, 4), grid=F(1, 8), proper=False
            )
        )
        for beta in (F(1, 20), F(1, 10), F(3, 20)):
            needed = representations.random_representation(
                size=least,
                error=F(1, 4),
                failure=F(1, 4),
                alpha=F(1, 4),
                beta=beta,
                epsilon=epsilon,
            )
            if needed.n > n:
                held += 1
                assert best.too_few(beta)
    assert held >= 5


def test_a_class_with_few_hypotheses_says_nothing():
    asked = {
        "error": F(1, 4),
        "failure": F(1, 4),
        "alpha": F(1, 8),
        "beta": F(1, 10),
        "epsilon": F(1),
    }
    assert representations.random_representation(size=2, **asked).n == 1
    with pytest.raises(BadInput, match="at most the error"):
        representations.random_representation(size=9, **{**asked, "alpha": F(1, 2)})
