"""Each attack succeeds on its specimen and fails on what corrects it."""

from fractions import Fraction as F

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from tacit.checks.attacks import distinguisher, floating_point, membership, packing, reconstruction
from tacit.checks.attacks.faulty import FloatLaplace, first_positive
from tacit.checks.attacks.tracing import trace_learner
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.core import ALGORITHMS, Accuracy, BadInput, Privacy, Sample, Task
from tacit.mechanisms import Geometric
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.points.pseudorandom import PseudorandomPoints
from tacit.problems.thresholds.independent_noise import IndependentNoiseLearner

BETA = F(1, 10)


class Itself:
    unit = None

    def __call__(self, data):
        return (F(data),)

    def sensitivity(self, relation):
        return F(1)


def test_float_laplace_has_holes_and_ours_has_none():
    rng = seeded("holes")
    naive = FloatLaplace(1.0)
    found = floating_point.holes(
        lambda value: naive(value, rng=rng),
        possible=lambda output, value: floating_point.reachable(output, value, scale=1.0),
        runs=400,
    )
    assert found.impossible_for_own == 0, "the model of the sampler is complete"
    assert found.impossible_for_other > 150
    assert found.epsilon > 3

    ours = Geometric(query=Itself(), epsilon=F(1), grid=F(1, 1024))
    none = floating_point.holes(
        lambda value: float(ours._release(value, rng=rng)[0]),
        possible=lambda output, _: (F(output) * 1024).denominator == 1,
        runs=400,
    )
    assert (none.impossible_for_own, none.impossible_for_other, none.epsilon) == (0, 0, 0)


def test_packing_breaks_a_proper_learner_with_too_few_records():
    rng = seeded("packing")
    ours = FiniteClassLearner(
        concept_class=Points(size=64), epsilon=F(1), selector="permute-and-flip"
    )
    few = packing.attack(ours, packing.points(size=64, n=3), epsilon=1, runs=600, rng=rng)
    assert few.fails(BETA)
    assert not few.not_private
    assert few.success[0] <= few.allowed

    task = Task(
        Points(size=64), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.1"), output="proper"
    )
    n = ALGORITHMS["points"].bound(task).n
    enough = packing.attack(ours, packing.points(size=64, n=n), epsilon=1, runs=600, rng=rng)
    assert not enough.fails(BETA)
    assert not enough.not_private


def test_packing_shows_that_an_accurate_learner_with_few_records_is_not_private():
    points = Points(size=64)
    found = packing.attack(
        lambda sample: first_positive(sample.x, sample.y, points),
        packing.points(size=64, n=3),
        epsilon=1,
        runs=600,
        rng=seeded("packing"),
    )
    assert found.not_private
    assert not found.fails(BETA)


@pytest.mark.parametrize("name", ["pure-point-table", "blr-points"])
def test_packed_tables_break_a_sanitizer_with_too_few_records(name):
    alpha = F(1, 4)
    job = Task(
        Points(size=64), privacy=Privacy(1), accuracy=Accuracy(alpha, "0.1"), goal="sanitize"
    )
    planned = ALGORITHMS[name].bound(job).n

    def found(n):
        return packing.attack(
            ALGORITHMS[name].built(job, n),
            packing.point_tables(size=64, n=n, alpha=alpha),
            epsilon=1,
            runs=150,
            rng=seeded(name),
        )

    few, enough = found(6), found(planned)
    assert few.fails(BETA)
    assert not few.not_private
    assert not enough.fails(BETA)
    assert not enough.not_private


def test_packed_tables_show_that_a_faithful_copy_of_few_records_is_not_private():
    class Copy:
        def __init__(self, sample):
            seen, counts = np.unique(sample.x, return_counts=True)
            self.rows = list(zip(seen.tolist(), counts.tolist(), strict=True))

    found = packing.attack(
        Copy,
        packing.point_tables(size=64, n=6, alpha=F(1, 10)),
        epsilon=1,
        runs=300,
        rng=seeded("copy"),
    )
    assert found.not_private
    assert not found.fails(BETA)


@pytest.mark.parametrize(("n", "fails"), [(3, True), (60, False)])
def test_packed_thresholds(n, fails):
    ours = FiniteClassLearner(concept_class=Thresholds(size=65), epsilon=F(1))
    found = packing.attack(
        ours, packing.thresholds(size=65, n=n), epsilon=1, runs=400, rng=seeded("thresholds")
    )
    assert found.fails(BETA) is fails
    assert not found.not_private


def test_a_proper_learner_tells_the_generator_from_chance():
    hidden = PseudorandomPoints(bits=24, seed_bits=8)
    rng = seeded("generator")

    def advantage(concepts):
        learner = FiniteClassLearner(concept_class=concepts, epsilon=F(1))
        return distinguisher.distinguish(learner, hidden, n=100, runs=80, rng=rng).advantage

    assert advantage(hidden) > F(4, 5)
    assert advantage(Points(bits=24)) == 0


def test_independent_noise_is_seen_through_unless_it_is_a_fair_coin():
    x = np.tile(np.arange(128), 6)
    data = Sample(x, (x >= 50).astype(int))

    def recovered(noise):
        learner = IndependentNoiseLearner(
            concept_class=Thresholds(size=128), epsilon=F(1), noise=noise
        )
        return reconstruction.attack(learner, data, runs=100, rng=seeded("blur"))

    clear = recovered(F(1, 200))
    assert clear.recovered >= 90
    assert clear.promised == F(49, 50)
    assert recovered(F(1, 2)).recovered <= 10


def test_membership_in_a_tree_that_remembers_and_one_that_does_not():
    generator = np.random.default_rng(1)
    x = generator.normal(size=(1200, 4))
    y = (x[:, 0] + generator.normal(size=1200) > 0).astype(int)
    sides = {"members": (x[:600], y[:600]), "outsiders": (x[600:], y[600:])}
    deep = DecisionTreeClassifier(random_state=0).fit(x[:600], y[:600])
    stump = DecisionTreeClassifier(max_depth=1, random_state=0).fit(x[:600], y[:600])
    assert membership.infer(deep, **sides).advantage > F(1, 5)
    assert membership.infer(stump, **sides).advantage == 0


def test_an_attack_says_what_it_needs():
    with pytest.raises(BadInput, match="needs k"):
        trace_learner(lambda x, y: y, k=5, n=4)
    with pytest.raises(BadInput, match="code must be"):
        trace_learner(lambda x, y: y, code="morse")
    with pytest.raises(BadInput, match="every record for every task"):
        trace_learner(lambda x, y: y[:, :1])
