"""Tests of ``tacit.checks.audit.outputs``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.problems.tables.table_grown_formulas_cases import learner

from tacit.checks.audit import law
from tacit.checks.audit.outputs import key
from tacit.checks.testing import flip_law
from tacit.core import Sample
from tacit.exact.balls import at, ball
from tacit.problems.tables import clauses
from tacit.problems.tables.grown_formulas import _joined

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("form", ["cnf", "dnf"])
def test_each_draw_is_by_the_mistakes_of_the_whole_formula(form, monkeypatch):
    """The law, from its definition: all records count, and no record is set aside."""
    monkeypatch.setattr(clauses, "MOST_CONCEPTS", 4)
    grown = learner(form=form, epsilon=3)
    cells, y = np.array([[0], [0], [1], [1], [1]], dtype=np.int32), np.array([1, 0, 1, 1, 0], bool)
    stages, rates = grown.stages, [part / 2 for part in grown.parts]

    def mistakes(rule):
        return int(np.sum(rule.holds(cells) != y))

    wanted = {}
    firsts = [stages[0].hypothesis(c) for c in range(stages[0].size)]
    for first, p in flip_law([mistakes(rule) for rule in firsts], rates[0]).items():
        joined = [_joined(firsts[first], stages[1].hypothesis(c)) for c in range(stages[1].size)]
        for second, q in flip_law([mistakes(rule) for rule in joined], rates[1]).items():
            place = key(joined[second])
            with at(256):
                wanted[place] = wanted.get(place, ball(0)) + p * q
    found = law(grown, Sample(cells, y))
    assert set(found.masses) == set(wanted)
    assert found.rest == 0
    with at(256):
        for place, mass in wanted.items():
            assert abs(found.masses[place] - mass) < ball(Fraction(1, 10**25))
