"""Clauses added one by one: every draw followed, all neighbours compared; never forced."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_grown_formulas_cases import learner

from tacit import Ledger
from tacit.checks.audit import exact, law
from tacit.checks.audit.outputs import key
from tacit.checks.testing import flip_law, seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput, Sample
from tacit.estimators import ConjunctionClassifier
from tacit.exact.balls import at, ball
from tacit.problems.tables import clauses
from tacit.problems.tables.grown_formulas import _joined

pytestmark = pytest.mark.exact

RECORDS = [(x, y) for x in (0, 1) for y in (0, 1)]


@pytest.mark.parametrize("form", ["cnf", "dnf"])
@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL, ADD_REMOVE])
def test_the_exact_loss_is_within_the_claim(form, relation, monkeypatch):
    monkeypatch.setattr(clauses, "MOST_CONCEPTS", 4)  # one clause of one truth value, no more
    grown = learner(form=form, relation=relation)
    assert [stage.size for stage in grown.stages] == [4, 4]
    found = exact(grown, RECORDS, 2)
    assert found.claimed_epsilon == 1
    assert not found.violated
    assert found.rest == 0
    assert found.epsilon[0] > Fraction(1, 2)
    assert exact(grown, RECORDS, 2, epsilon=found.epsilon[0] * Fraction(4, 5), delta=0).violated


def test_as_many_clauses_as_can_be_counted_come_first():
    three = complete([bool] * 3)
    assert [s.clauses for s in learner(schema=three, many=5, columns=3).stages] == [3, 1, 1]
    wide = complete([(0, 1)] * 30, bins=16)
    grown = learner(schema=wide, form="dnf", many=3, columns=2)
    assert [s.clauses for s in grown.stages] == [1, 1, 1]
    assert sum(grown.parts) == 1
    pairs = learner(schema=complete([(0, 1)] * 3, bins=16), many=4, columns=2)
    assert [s.clauses for s in pairs.stages] == [2, 1, 1]
    assert pairs.parts[0] > pairs.parts[1] == pairs.parts[2]
    assert pairs.least_prior == Fraction(1, pairs.stages[0].size * pairs.stages[1].size ** 2)
    chosen = learner(schema=three, many=4, columns=3, chosen=((0, 1, 2),))
    assert {stage.chosen for stage in chosen.stages} == {((0, 1, 2),)}


def test_public_limits_are_told():
    for change in ({"many": 9}, {"many": 0}, {"form": "xor"}, {"columns": 5}, {"epsilon": 0}):
        with pytest.raises(BadInput):
            learner(**change)
    with pytest.raises(BadInput, match="choose the sets"):
        learner(schema=complete([(0, 1)] * 3000, bins=16), many=4, columns=2)


def test_three_terms_over_six_columns_are_found_term_by_term():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 4, (4000, 6))
    high = x == 3
    y = (high[:, 0] & high[:, 1]) | (high[:, 2] & high[:, 3]) | (high[:, 4] & high[:, 5])
    ledger = Ledger.memory(epsilon=4)
    given = {
        "domain": [range(4)] * 6,
        "classes": (False, True),
        "form": "dnf",
        "epsilon": 4,
        "rng": seeded(5),
    }
    rule = ConjunctionClassifier(clauses=5, columns=2, ledger=ledger, **given).fit(x, y)
    assert len(ledger.entries) == 1
    assert rule.score(x, y) == 1
    assert rule.certificate_.comparators == ()
    assert rule.certificate_.error < 0.05
    assert "one draw each" in str(rule.certificate_)
    two = ConjunctionClassifier(clauses=2, columns=4, ledger=Ledger.memory(epsilon=4), **given)
    assert two.fit(x, y).score(x, y) < 0.96


def test_no_record_is_left_and_none_is_needed():
    for rows in (0, 1, 3):
        x, y = np.zeros((rows, 1), dtype=int), np.ones(rows, dtype=int)
        for form in ("cnf", "dnf"):
            rule = learner(form=form, many=6)._release(Sample(x, y), rng=seeded(rows))
            assert len(rule.predict(x)) == rows


@pytest.mark.parametrize("form", ["cnf", "dnf"])
def test_each_draw_is_by_the_mistakes_of_the_whole_formula(form, monkeypatch):
    """The law, from its definition: all records count, and no record is set aside."""
    monkeypatch.setattr(clauses, "MOST_CONCEPTS", 4)
    grown = learner(form=form, epsilon=3)
    cells, y = np.array([[0], [0], [1], [1], [1]], dtype=np.int32), np.array([1, 0, 1, 1, 0], bool)
    stages, rates = grown.stages, [part / 2 for part in grown.parts]

    def mistakes(rule):
        return int(np.sum(rule.of_cells(cells) != y))

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
