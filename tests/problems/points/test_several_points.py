"""Multi-task learners on tiny domains: all neighbours, exact laws."""

from collections import Counter
from fractions import Fraction

import pytest
from tests.problems.points.multitask_privacy_cases import labels, sample
from tests.tools.b20_laws import BITS

from tacit.checks.testing import divergence, exact_epsilon, exponential_law, neighbours
from tacit.classes import Table, Thresholds
from tacit.core import Relation, Sample
from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.points.several_points import LabelledCells, PointsHistogram
from tacit.problems.several.direct_sum import DirectSum

pytestmark = pytest.mark.exact


def direct_sum_law(mechanism, data):
    """The product of the tasks' exponential laws."""
    law = {(): ball(1)}
    given = sample(data, mechanism.k)
    with at(BITS):
        for task in range(mechanism.k):
            selection = mechanism.learner._selection
            landscape = selection.score(Sample(given.x, given.y[:, task]))
            candidates = range(mechanism.learner.concept_class.size)
            errors = [None] * len(candidates)
            levels = landscape.levels()
            for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
                for rank in range(int(count)):
                    errors[landscape.member(error, rank)] = error
            one = exponential_law(errors, selection.rate)
            law = {
                (*done, choice): mass * more
                for done, mass in law.items()
                for choice, more in one.items()
            }
    return law


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("concepts", [Thresholds(size=2), Table([[0, 1], [1, 0], [1, 1]])])
def test_direct_sum_costs_at_most_k_times_one(concepts, relation):
    epsilon = Fraction(1, 2)
    learner = FiniteClassLearner(concept_class=concepts, epsilon=epsilon, relation=relation)
    mechanism = DirectSum(learner=learner, domain=concepts.domain, k=2)
    records = [(x, y) for x in range(2) for y in labels(2)]
    worst = ball(0)
    for left, right in neighbours(records, 2, relation):
        one, other = direct_sum_law(mechanism, left), direct_sum_law(mechanism, right)
        worst = worst.max(exact_epsilon(one, other))
    assert worst <= ball(2 * epsilon)
    assert worst > ball(epsilon)  # two tasks do cost more than one
    assert len(mechanism.event().events) == 2


def test_a_pair_is_written_one_to_one():
    cells = LabelledCells(Integers(size=3), 2)
    records = [(x, y) for x in range(3) for y in labels(2)]
    spelled = cells.coerce(sample(records, 2)).tolist()
    assert len(set(spelled)) == len(records)
    for number, (value, vector) in zip(spelled, records, strict=True):
        assert cells.open(number) == (value, vector[0] + 2 * vector[1])


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
def test_points_histogram_is_private(relation):
    epsilon, delta = Fraction(1), Fraction(1, 20)
    mechanism = PointsHistogram(
        domain=Integers(size=2), k=1, epsilon=epsilon, delta=delta, relation=relation
    )
    histogram = mechanism._histogram()
    records = [(x, y) for x in range(2) for y in labels(1)]

    def law(data):
        pairs = histogram.domain.coerce(sample(data, 1)).tolist()
        return subset_law(histogram, pairs)

    laws = {}
    for left, right in neighbours(records, 3, relation):
        for data in (left, right):
            laws.setdefault(data, None)
            laws[data] = laws[data] or law(data)
        assert divergence(laws[left], laws[right], epsilon) <= ball(delta)


def subset_law(histogram, pairs):
    """Which values a stability histogram lists, with counts cut at a few above threshold."""
    from tacit.exact.geometric_tails import at_least, mass

    counts = Counter(pairs)
    law = {(): ball(1)}
    with at(BITS):
        for value, count in sorted(counts.items()):
            cells = {
                seen: mass(histogram.scale, seen - count)
                for seen in range(histogram.threshold, histogram.threshold + 6)
            }
            cells["more"] = at_least(histogram.scale, histogram.threshold + 6 - count)
            hidden = 1 - sum(cells.values(), ball(0))
            law = {
                **{done: chance * hidden for done, chance in law.items()},
                **{
                    (*done, (value, seen)): chance * more
                    for done, chance in law.items()
                    for seen, more in cells.items()
                },
            }
    return law


def test_points_histogram_fails_with_a_lower_threshold():
    """The check has power: one less than the threshold is not private."""
    epsilon, delta = Fraction(1), Fraction(1, 20)
    mechanism = PointsHistogram(domain=Integers(size=2), k=1, epsilon=epsilon, delta=delta)

    class Bold:
        scale = mechanism._histogram().scale
        threshold = mechanism._histogram().threshold - 1

    worst = ball(0)
    for left, right in neighbours([0, 1], 3, Relation.REPLACE_ONE):
        gap = divergence(subset_law(Bold, left), subset_law(Bold, right), epsilon)
        worst = worst.max(gap)
    assert worst > ball(delta)


def test_the_heaviest_pairs_give_the_rules():
    bins = ((0b001_01, 9), (0b110_10, 20), (0b100_11, 50))
    rules = LabelledCells(Integers(size=4), 3).rules(bins).rules
    assert [rule.to_dict().get("point") for rule in rules] == ["1", "2", "3"]
