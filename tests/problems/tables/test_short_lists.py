"""Tests of ``tacit.problems.tables.short_lists``."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from tests.complete import complete

from tacit.checks.testing import exact_epsilon, flip_law, neighbours
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput
from tacit.exact.balls import at, ball
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.tables.short_lists import FewCuts, Totals

pytestmark = pytest.mark.exact

MIXED = complete([(0, 1), ("a", "b", "c"), bool, range(3)], bins=20)


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    words = np.array(["a", "b", "c", "other"])
    rows = [
        (rng.random(), words[rng.integers(4)], bool(rng.integers(2)), int(rng.integers(3)))
        for _ in range(n)
    ]
    return rows, rng.integers(0, 2, n).astype(bool)


@pytest.mark.parametrize("listed", [FewCuts(MIXED), Totals(MIXED)], ids=lambda c: c.name)
def test_landscapes_are_the_mistakes_of_their_rules(listed):
    x, y = table(31)
    errors = listed.landscape(MIXED.coerce(x), y).errors
    assert len(errors) == listed.size
    seen = set()
    for candidate, error in enumerate(errors.tolist()):
        rule = listed.hypothesis(candidate)
        assert error == np.sum(rule.predict(x) != y)
        seen.add(str(rule.to_dict()))
    assert len(seen) == listed.size


def test_the_lists_are_short_and_hold_the_constants():
    x, _ = table(9)
    few, totals = FewCuts(MIXED), Totals(MIXED)
    assert [cut.cell for cut in few.cuts if cut.column == 0] == [2, 4, 7, 9, 12, 14, 17]
    assert few.size == 2 * (1 + 7 + 3 + 1 + 2)
    assert totals.size == 16
    for listed in (few, totals):
        answers = [listed.hypothesis(one).predict(x) for one in range(listed.size)]
        assert any(a.all() for a in answers)
        assert any(not a.any() for a in answers)


def test_totals_need_levels():
    with pytest.raises(BadInput, match="numeric or boolean"):
        Totals(complete([("a", "b", "c")]))


@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL, ADD_REMOVE])
@pytest.mark.parametrize("kind", [FewCuts, Totals])
def test_privacy_by_enumerating_neighbours(kind, relation):
    listed = kind(complete([bool, range(3)]))
    learner = FiniteClassLearner(
        concept_class=listed, epsilon=Fraction(1), relation=relation, selector="permute-and-flip"
    )
    records = [((0, 0), 0), ((0, 0), 1), ((1, 2), 1), ((1, 0), 0)]

    @cache
    def law(rows):
        x = np.array([row for row, _ in rows], dtype=np.int32).reshape(-1, 2)
        y = np.array([label for _, label in rows], dtype=bool)
        return flip_law(listed.landscape(x, y).errors.tolist(), learner._selection.rate)

    worst = ball(0)
    with at(256):
        for left, right in neighbours(records, 3, relation):
            worst = worst.max(exact_epsilon(law(left), law(right)))
        assert worst < 1 + ball(Fraction(1, 1 << 200))
        assert worst > ball(Fraction(1, 5))
