"""Tests of ``tacit.problems.thresholds.stable_cut_upper``."""

from fractions import Fraction as F
from itertools import product

import pytest

from tacit.core import Relation
from tacit.problems.thresholds import stable_cut_upper as bounds

pytestmark = pytest.mark.exact

ASKED = {"alpha": F(1, 10), "beta": F(1, 20), "epsilon": F(1), "delta": F(1, 10**6)}


def test_the_records():
    found = [bounds.stable_cut(size=2**bits + 1, **ASKED).n for bits in (256, 1000, 4096)]
    assert [a <= b for a, b in zip(found, (2703, 2837, 2988), strict=True)] == [True] * 3
    gone = bounds.stable_cut(size=2**1000, relation=Relation.ADD_REMOVE, **ASKED).n
    assert gone <= 2013
    assert bounds.stable_cut(size=1, **ASKED).n == 1
    for epsilon, delta, beta in product((F(1, 10), F(8)), (F(1, 10**9), F(1, 5)), (F(1, 3),)):
        asked = {**ASKED, "epsilon": epsilon, "delta": delta, "beta": beta}
        shape = bounds.stable_cut(size=100, **asked).choices["shape"]
        assert shape.scale + shape.block + shape.cut == epsilon
        assert shape.low >= 1
        assert shape.most >= shape.high
