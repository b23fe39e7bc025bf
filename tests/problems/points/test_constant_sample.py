"""Tests of ``tacit.problems.points.constant_sample``."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.problems.points.bbkn13_points_cases import ALPHA

from tacit.checks.testing import seeded
from tacit.core import BadInput, hypothesis_from_dict
from tacit.domains.integers import Integers
from tacit.problems.points.constant_sample import (
    CONFLICT,
    NOTHING,
    Flips,
    HashedSet,
    fitting_point,
    paper_try,
)


@pytest.mark.parametrize("bits", [16, 64, 65, 1000])
def test_short_rules_hold_their_point_and_come_back_from_a_file(bits):
    rng = seeded(bits)
    for _ in range(20):
        point = rng.bits(bits)
        rule = HashedSet(5)(Integers(bits=bits), point, rng=rng)
        assert rule.predict(np.array([point], dtype=object))[0]
        text = json.dumps(rule.to_dict())
        assert len(text.encode()) <= 2048
        back = hypothesis_from_dict(json.loads(text))
        values = np.array([rng.bits(bits) for _ in range(50)], dtype=object)
        assert (back.predict(values) == rule.predict(values)).all()


def test_fitting_point_by_brute_force():
    for n in range(4):
        for data in product(product(range(3), (0, 1)), repeat=n):
            x = np.array([x for x, _ in data], dtype=np.uint64)
            y = np.array([label == 1 for _, label in data], dtype=bool)
            fits = [j for j in range(3) if all((v == j) == label for v, label in data)]
            found = fitting_point(x, y)
            if not y.any():
                assert found == NOTHING
            else:
                assert found == (fits[0] if fits else CONFLICT)


def test_flips_are_bounded_and_need_a_small_domain():
    with pytest.raises(BadInput):
        Flips(Fraction(3, 4))
    with pytest.raises(BadInput):
        Flips(Fraction(1, 4))(Integers(bits=30), 3, rng=seeded(0))
    assert paper_try(domain=Integers(size=4), alpha=ALPHA).growth == 1 + Fraction(8) / (4 - ALPHA)
