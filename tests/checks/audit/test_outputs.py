"""Tests of ``tacit.checks.audit.outputs``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.problems.tables.table_grown_formulas_cases import learner

from tacit.checks.audit import law
from tacit.checks.audit.outputs import key
from tacit.checks.testing import flip_law
from tacit.core import Sample
from tacit.domains import Schema
from tacit.exact.balls import at, ball
from tacit.problems.tables import clauses
from tacit.problems.tables.checked import Checked
from tacit.problems.tables.grown_formulas import _joined
from tacit.problems.tables.trees import TreeRule

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


def test_noisy_numbers_that_come_in_a_list_beside_a_rule_are_told_apart():
    rule = TreeRule(schema=Schema.of({"age": (0, 9)}), root=True)
    counted = [
        Checked(rule=rule, noisy_mistakes=3, beside=beside) for beside in [(), (5, 1), (5, 2)]
    ]
    assert len({key(one) for one in counted}) == 3
    assert key(counted[1]) == key(Checked(rule=rule, noisy_mistakes=3, beside=(5, 1)))
