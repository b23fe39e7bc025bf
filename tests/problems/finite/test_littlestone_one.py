"""Littlestone dimension 1: what surprises name, and the learner's privacy exactly."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from tests.tools.b20_laws import top_law

from tacit.checks.testing import exact_delta
from tacit.classes import Points, Table
from tacit.core import BadInput, Relation
from tacit.exact.balls import ball
from tacit.exact.geometric_tails import at_least
from tacit.problems.finite.littlestone_one import LittlestoneOneLearner, dimension_is_one, surprises

pytestmark = pytest.mark.exact

STAR = Table([[1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1]])

ONE = Table([[1, 1, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1]])

CLASSES = {"points": Points(size=3), "two points": Points(size=2), "table": ONE}


def littlestone(rows, points):
    """The dimension by its definition."""
    if len(rows) < 2:
        return len(rows) - 1
    splits = [[{r for r in rows if r[x] == y} for y in (0, 1)] for x in range(points)]
    real = [split for split in splits if all(split)]
    return max(1 + min(littlestone(part, points) for part in split) for split in real)


def test_dimension_one_is_recognised():
    for columns in (1, 2, 3):
        rows = list(product((0, 1), repeat=columns))
        for size in range(1, 1 << len(rows)):
            chosen = [row for place, row in enumerate(rows) if size >> place & 1]
            truth = littlestone({tuple(row) for row in chosen}, columns) <= 1
            assert dimension_is_one(Table(chosen)) == truth
    assert not dimension_is_one(STAR)
    with pytest.raises(BadInput, match="Littlestone dimension 1"):
        LittlestoneOneLearner(concept_class=STAR, epsilon=Fraction(1), delta=Fraction(1, 10))


@pytest.mark.parametrize("name", CLASSES)
def test_a_surprise_names_the_only_concept_that_remains(name):
    concepts = CLASSES[name]
    size = concepts.domain.size
    rules = [concepts.hypothesis(c) for c in range(concepts.size)]
    answers = [rule.predict(np.arange(size)).tolist() for rule in rules]
    known = surprises(concepts)
    expected = known.expected().predict(np.arange(size)).tolist()
    for x, y in product(range(size), (False, True)):
        votes = known.votes(np.array([x], dtype=np.uint64), np.array([y])).tolist()
        if expected[x] == y:
            assert votes == []
            continue
        remaining = {tuple(a) for a in answers if a[x] == y}
        assert len(remaining) <= 1
        assert {tuple(answers[v]) for v in votes} == remaining


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("name", CLASSES)
def test_learner_over_all_neighbours(name, relation):
    concepts = CLASSES[name]
    records = [(x, y) for x in range(concepts.domain.size) for y in (0, 1)]
    for delta in (Fraction(1, 10), Fraction(1, 10**6)):
        learner = LittlestoneOneLearner(
            concept_class=concepts, epsilon=Fraction(1), delta=delta, relation=relation
        )

        def votes(data):
            x = np.array([record[0] for record in data], dtype=np.uint64)
            y = np.array([record[1] for record in data], dtype=bool)
            return tuple(sorted(surprises(concepts).votes(x, y).tolist()))

        laws = cache(lambda seen, m=learner: top_law(m._votes().histogram, seen))
        for n in (1, 3):
            found = exact_delta(
                lambda data, laws=laws: laws(votes(data)),
                records,
                n,
                epsilon=Fraction(1),
                relation=relation,
            )
            assert 0 < found <= ball(delta)
        # A threshold one lower would release a lone vote too often.
        histogram = learner._votes().histogram
        assert at_least(histogram.scale, histogram.threshold - 2) > ball(delta)
