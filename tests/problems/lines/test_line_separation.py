"""Tests of ``tacit.problems.lines.line_separation``."""

from fractions import Fraction as F

import pytest
from tests.problems.several.bounds_theorems_cases import A, B, E

from tacit.problems.lines import line_separation
from tacit.problems.lines import lines_lower as lines

pytestmark = pytest.mark.exact


def test_lines_need_more_the_larger_the_prime():
    sizes = [lines.random_line(p=p, alpha=A, beta=B, epsilon=E).n for p in (101, 10007, 2**61 - 1)]
    assert sizes == sorted(set(sizes))
    split = [
        line_separation.separation(p=p, alpha=A, beta=B, epsilon=E, delta=F(1, 10**6))
        for p in (101, 2**61 - 1)
    ]
    assert split[0].n == split[1].n
    assert split[0].choices["pure"] < split[1].choices["pure"]
