"""Tests of ``tacit.problems.lines.lines_lower``."""

from fractions import Fraction as F
from itertools import product

import pytest

from tacit.problems.lines import lines_lower as lines

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("alpha", [F(1, 50), F(1, 20), F(1, 10)])
def test_a_hypothesis_is_good_for_few_lines(alpha):
    p = 3
    plane = list(product(range(p), repeat=2))
    every = [{(x, (a * x + b) % p) for x in range(p)} for a in range(p) for b in range(p)]
    share = lines.share(p=p, alpha=alpha)
    for bits in range(2 ** (p * p)):
        ones = {plane[i] for i in range(p * p) if (bits >> i) & 1}
        good = 0
        for line in every:
            missed = F(len(line - ones), p)
            wrong = F(len(line ^ ones), p * p)
            good += (missed + wrong) / 2 <= alpha
        assert F(good, len(every)) <= share
