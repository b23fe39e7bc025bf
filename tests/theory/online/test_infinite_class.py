"""Proposition 19: for any list of rules some concept of a large class confuses them all."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from tacit.classes import Points, Thresholds
from tacit.core import BadInput
from tacit.theory.online.infinite_class import average_bits, confused_concept


@pytest.mark.exact
@pytest.mark.parametrize("family", [Points(size=12), Thresholds(size=12)], ids=lambda f: f.name)
def test_every_short_list_of_rules_is_confused(family):
    concepts = [family.hypothesis(i) for i in range(family.size)]
    seen = 0
    for rules in combinations(concepts, 3):
        found = confused_concept(rules, concepts, points=12)
        pair = np.array([found.first, found.second])
        said = concepts[found.concept].predict(pair)
        assert said.tolist() == [True, False]
        # One of the two labels is wrong for each rule: error 1/2 on the law of the pair.
        assert all(int((rule.predict(pair) != said).sum()) == 1 for rule in rules)
        seen += 1
    assert seen >= 200


def test_a_class_within_the_list_confuses_nobody():
    points = Points(size=4)
    concepts = [points.hypothesis(i) for i in range(4)]
    with pytest.raises(BadInput, match="look at more"):
        confused_concept(concepts, concepts, points=4)


def test_lengths_grow_without_end():
    chance = average_bits(bits=1, epsilon=1, records=4, beta="1/2")
    assert 0 < chance < 1
    assert average_bits(bits=10**9, epsilon=1, records=4, beta="1/2") == 10**9 * chance
    assert average_bits(bits=8, epsilon=1, records=5, beta="1/2") < 8 * chance
    assert isinstance(chance, Fraction)
