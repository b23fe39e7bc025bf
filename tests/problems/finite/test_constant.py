"""Tests of ``tacit.problems.finite.constant``."""

import json

import numpy as np
import pytest

from tacit.core import BadInput, hypothesis_from_dict
from tacit.domains.plane import Plane
from tacit.problems.finite.constant import NEVER, ConstantRule
from tacit.problems.lines.lines import LineRule, Lines, PairRule


def test_large_primes_and_bad_ones():
    p = 2**127 - 1
    rule = LineRule(domain=Plane(size=p), slope=p - 1, offset=5)
    x = 2**100
    assert rule.predict(np.array([[x, (5 - x) % p], [x, 4]], dtype=object)).tolist() == [
        True,
        False,
    ]
    assert Lines(size=p).size == p * p
    others = (PairRule(domain=Plane(size=p), x=3, y=p - 1), NEVER, ConstantRule(value=True))
    for one in (rule, *others):
        assert hypothesis_from_dict(json.loads(json.dumps(one.to_dict()))) == one
        assert one.describe()
    with pytest.raises(BadInput):
        Lines(size=15)
    with pytest.raises(BadInput):
        Plane(size=5).coerce([[1, 2, 3]])
