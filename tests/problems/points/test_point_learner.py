"""Heavy values, then one gap test for all their labels: exact laws, and use at its records."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from types import SimpleNamespace

import numpy as np
import pytest
from tests.tools.b20_laws import BITS

from tacit import Accuracy, Ledger, Privacy, Sample, Task, learn, plan
from tacit.accounting import total
from tacit.checks.testing import divergence, neighbours, seeded
from tacit.classes import Points
from tacit.core import ALGORITHMS, Relation
from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.exact.geometric_tails import at_least, mass
from tacit.mechanisms.gap_test import leader
from tacit.problems.points.point_learner import Agreement, PointLearner
from tacit.problems.points.several_points import LabelledCells

pytestmark = pytest.mark.exact

RECORDS = [(x, y) for x in range(2) for y in range(2)]

SETTINGS = [(Fraction(8), Fraction(1, 10)), (Fraction(2), Fraction(2, 5))]

SHOWN = 6

"""Noisy counts beyond so many are one outcome: from there on the odds no longer change."""


def sample(data, k=1):
    x = np.array([value for value, _ in data], dtype=np.uint64)
    bits = [[labels >> j & 1 for j in range(k)] for _, labels in data]
    return Sample(x, np.array(bits, dtype=bool).reshape(len(data), k))


def learner(epsilon, delta, level=1, k=1, size=2):
    return PointLearner(domain=Integers(size=size), k=k, level=level, epsilon=epsilon, delta=delta)


def heavy_law(mechanism, data):
    """Which values are heavy, with noisy counts cut from ``SHOWN`` on."""
    histogram = mechanism._histogram()
    least = max(mechanism.level, histogram.threshold)
    law = {(): ball(1)}
    for value, count in sorted(Counter(x for x, _ in data).items()):
        shown = {seen: mass(histogram.scale, seen - count) for seen in range(least, least + SHOWN)}
        shown[least + SHOWN] = at_least(histogram.scale, least + SHOWN - count)
        hidden = 1 - sum(shown.values(), ball(0))
        law = {
            **{done: chance * hidden for done, chance in law.items()},
            **{
                (*done, (value, seen)): chance * more
                for done, chance in law.items()
                for seen, more in shown.items()
            },
        }
    return law


def second_law(test, data):
    best, lead = leader(test.score(sample(data)))
    chance = at_least(test.scale, test.threshold - lead)
    return {best: chance, None: 1 - chance}


def law(mechanism, data):
    """Heavy values and the released candidate: more than the rules tell."""
    joint = {}
    with at(BITS):
        for heavy, chance in heavy_law(mechanism, data).items():
            second = second_law(mechanism._test(heavy), data) if heavy else {None: ball(1)}
            for chosen, more in second.items():
                joint[heavy, chosen] = chance * more
    return joint


def pairs(n):
    """Neighbours up to the order of the records, which no step looks at."""
    found = {
        (tuple(sorted(left)), tuple(sorted(right)))
        for left, right in neighbours(RECORDS, n, Relation.REPLACE_ONE)
    }
    assert found
    return sorted(found)


def worst_of(law_of, n, epsilon):
    laws = {}
    worst = ball(0)
    for left, right in pairs(n):
        for data in (left, right):
            if data not in laws:
                laws[data] = law_of(data)
        worst = worst.max(divergence(laws[left], laws[right], epsilon))
    return worst


@pytest.mark.parametrize(("epsilon", "delta"), SETTINGS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_two_steps_together_are_private(epsilon, delta, n):
    for level in (1, 4):
        mechanism = learner(epsilon, delta, level=level)
        assert worst_of(lambda data, run=mechanism: law(run, data), n, epsilon) <= ball(delta)


@pytest.mark.parametrize(("epsilon", "delta"), SETTINGS)
@pytest.mark.parametrize("values", [(0,), (1,), (0, 1)])
def test_the_second_step_is_private_for_any_fixed_values(epsilon, delta, values):
    """Also on data in which these values are not heavy, or do not occur."""
    test = learner(epsilon, delta)._test(tuple((value, 9) for value in values))

    def one(data):
        with at(BITS):
            return second_law(test, data)

    for n in (1, 2, 3, 4):
        assert worst_of(one, n, epsilon / 2) <= ball(delta / 2)


def test_the_printed_second_step_is_not_private():
    """The check has power: noise and threshold for a lead that moves by 1 only."""
    epsilon, delta = SETTINGS[0]
    half, lost = epsilon / 2, delta / 2
    score = Agreement(LabelledCells(Integers(size=2), 1), (0,))
    printed = SimpleNamespace(score=score, scale=1 / half, threshold=1)

    def one(data):
        with at(BITS):
            return second_law(printed, data)

    # ln(1/delta')/epsilon' is below 1, so the least whole lead that passes is 1.
    assert -float(half) * 1 < np.log(float(lost)) < 0
    assert worst_of(one, 4, half) > ball(lost)


def test_the_first_step_fails_with_a_lower_threshold():
    epsilon, delta = SETTINGS[0]
    true = learner(epsilon, delta)
    histogram = true._histogram()
    bold = SimpleNamespace(
        level=1,
        _histogram=lambda: SimpleNamespace(
            scale=histogram.scale, threshold=histogram.threshold - 1
        ),
    )

    def one(data):
        with at(BITS):
            return heavy_law(bold, data)

    assert worst_of(one, 3, epsilon / 2) > ball(delta / 2)


@pytest.mark.parametrize("k", [1, 2])
def test_the_lead_is_over_all_vectors_of_label_vectors(k):
    every = [(x, y) for x in range(2) for y in range(2**k)]
    for values in [(0,), (0, 1)]:
        score = Agreement(LabelledCells(Integers(size=2), k), values)
        for data in combinations_with_replacement(every, 5):
            counts = Counter(data)
            scores = {
                vectors: min(counts[pair] for pair in zip(values, vectors, strict=True))
                for vectors in product(range(2**k), repeat=len(values))
            }
            top, runner_up = sorted(scores.values(), reverse=True)[:2]
            best, lead = leader(score(sample(data, k)))
            assert lead == top - runner_up
            assert scores[tuple(score.vectors(best))] == top


def test_the_code_follows_the_law():
    mechanism = learner(Fraction(8), Fraction(1, 10))
    data = [(0, 1)] * 3 + [(1, 0)]
    wanted = Counter()
    for (heavy, chosen), chance in law(mechanism, data).items():
        rule = mechanism.rules(heavy, chosen)[0]
        wanted[rule.to_dict().get("point")] += float(chance.mid())
    runs, rng = 4000, seeded(7)
    seen = Counter(
        mechanism._release(sample(data), rng=rng)[0].to_dict().get("point") for _ in range(runs)
    )
    assert set(seen) <= set(wanted)
    for point, chance in wanted.items():
        spread = (chance * (1 - chance) / runs) ** 0.5
        assert abs(seen[point] / runs - chance) <= 6 * spread + 1e-12
    assert 0.05 < wanted["0"] < 0.95


def test_nothing_heavy_no_records_or_no_clear_labels_is_all_zeros():
    mechanism = learner(Fraction(1), Fraction(1, 10**6), level=60, k=3, size=2**64)
    split = [(5, 0b101)] * 200 + [(5, 0b010)] * 200
    clear = [(5, 0b101)] * 400
    for data in ([], [(5, 7)] * 3, split):
        rules = mechanism._release(sample(data, 3), rng=seeded(1))
        assert not rules.predict([5, 6]).any()
    rules = mechanism._release(sample(clear, 3), rng=seeded(1))
    assert rules.predict([5]).tolist() == [[True, False, True]]


def test_the_heaviest_value_with_the_label_is_chosen():
    mechanism = learner(Fraction(1), Fraction(1, 10), k=2, size=8)
    rules = mechanism.rules(((3, 50), (6, 80)), 0b11_01)  # value 3 has 01, value 6 has 11
    assert [rule.to_dict()["point"] for rule in rules] == ["6", "6"]


def task(k):
    return Task(Points(bits=64), privacy=Privacy(1, "1e-6"), accuracy=Accuracy("0.1", "0.1"), k=k)


def bad_runs(k, n, trials=20):
    """Nine values of probability just above alpha: every one must be found."""
    generator, rng = np.random.default_rng(k), seeded(k)
    values = np.arange(9, dtype=np.uint64) * np.uint64(10**18)
    mechanism = ALGORITHMS["point-learner"].built(task(k), n)
    bad = 0
    for _ in range(trials):
        targets, drawn = generator.integers(0, 9, k), generator.integers(0, 9, n)
        rules = mechanism._release(Sample(values[drawn], drawn[:, None] == targets), rng=rng)
        bad += bool((rules.predict(values) ^ (np.arange(9)[:, None] == targets)).any())
    return bad


@pytest.mark.parametrize("k", [2, 50])
def test_it_learns_at_its_records_and_not_at_half(k):
    n = ALGORITHMS["point-learner"].bound(task(k)).n
    # Twenty runs, each bad with probability 0.1 at most: 10 bad ones have probability 1e-5.
    assert bad_runs(k, n) < 10
    assert bad_runs(k, n // 2) >= 10


def test_it_costs_what_was_granted_and_more_records_than_one_histogram():
    job = task(3)
    option = next(option for option in plan(job).options if option.name == "point-learner")
    x = np.arange(option.n) % 9
    release = learn(
        job,
        (x, x[:, None] == np.arange(3)),
        algorithm="point-learner",
        ledger=Ledger.memory(1, "1e-6"),
        rng=seeded(2),
    )
    cost = total([release.event], delta="1e-6")
    assert cost.epsilon <= 1
    assert cost.delta <= Fraction(1, 10**6)
    assert plan(job).best.name == "several-points-proper-histogram"
    assert option.n > plan(job).best.n
