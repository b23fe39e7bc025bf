"""The laws behind audit.exact: noise followed as far as needed, parts, hashes, closed forms.

Each kind of law must also let a mechanism that is run beyond its claim be caught.
"""

from dataclasses import dataclass
from fractions import Fraction as F
from itertools import pairwise
from math import exp

import numpy as np
import pytest
from tests.checks.audit.audit_laws_cases import ONE, OVER, POINTS, TWO, near

from tacit.checks.audit import exact, law
from tacit.checks.audit.branching import branched, following
from tacit.checks.testing import exponential_law, flip_law, seeded
from tacit.classes import Points
from tacit.core import Approximate, Mechanism, Relation, Sample
from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.exact.landscape import Flat
from tacit.exact.levels import Levels
from tacit.exact.stages import Stage
from tacit.mechanisms import StabilityHistogram, StableMostFrequent
from tacit.mechanisms.star_sampling import Starred
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.points.constant_sample import HashedSet, PointTry
from tacit.problems.several.direct_sum import DirectSum
from tacit.problems.tables.best_of import BestOf
from tacit.problems.tables.checked import CheckedLearner

pytestmark = pytest.mark.exact


@dataclass(frozen=True, kw_only=True)
class Count(Mechanism):
    """How many ones, with noise; ``looks`` says what is done with the number."""

    noise: object
    epsilon: F = F(1)
    delta: F = F(0)
    looks: object = lambda number: number

    def event(self):
        return Approximate(epsilon=self.epsilon, delta=self.delta, relation=Relation.REPLACE_ONE)

    def _release(self, data, *, rng):
        return self.looks(int(np.sum(data)) + self.noise(rng))


def bell(rng):
    return rng.gaussian(F(3, 2))


def two_sided(rng):
    return rng.geometric(F(2))


LOOKS = {
    "threshold": lambda z: z >= 2,
    "clamp": lambda z: min(1.0, max(0.0, z / 4)) - 0.5,
    "parity": lambda z: int(z) % 2,
    "window": lambda z: "low" if z < -1 else "high" if z > 3 else int(z),
    "equal": lambda z: z == 1,
}


@pytest.mark.parametrize("noise", [bell, two_sided], ids=["gaussian", "geometric"])
@pytest.mark.parametrize("looks", LOOKS.values(), ids=LOOKS)
def test_lazy_noise_has_the_law_of_the_noise(noise, looks):
    """Against plain sums over every value of the noise, in floats."""
    data = np.array([1, 1, 0])
    found = law(Count(noise=noise, looks=looks), data)
    weight = {z: exp(-z * z / 3) if noise is bell else exp(-abs(z) / 2) for z in range(-90, 91)}
    expected = {}
    for z, w in weight.items():
        expected[looks(2 + z)] = expected.get(looks(2 + z), 0) + w / sum(weight.values())
    assert found.masses.keys() <= expected.keys()
    for output, chance in expected.items():
        assert float(found.masses.get(output, 0)) == pytest.approx(chance, abs=1e-11)


def gaussian_delta(variance, epsilon):
    """The least delta of a discrete Gaussian on a count, by a plain sum."""
    weight = [exp(-z * z / (2 * float(variance))) for z in range(-200, 202)]
    total, factor = sum(weight), exp(float(epsilon))
    return sum(max(0, a - factor * b) for a, b in pairwise(weight)) / total


def test_gaussian_noise_meets_its_claim_and_too_little_of_it_is_caught():
    variance, epsilon = F(2), F(1)
    delta = F(gaussian_delta(variance, epsilon)) * F(100001, 100000)

    def audited(over):
        used = variance / over**2
        noisy = Count(noise=lambda rng: rng.gaussian(used), epsilon=epsilon, delta=delta)
        return exact(noisy, [0, 1], 3, order="ignored")

    fair = audited(1)
    assert not fair.violated
    assert fair.epsilon[0] > F(99, 100)
    assert audited(OVER).violated


def test_parts_are_followed_as_if_they_were_written_out():
    data = Sample(np.array([0, 0, 1]), np.array([[1, 0], [0, 0], [1, 1]]))
    learner = FiniteClassLearner(concept_class=Points(size=2), epsilon=F(1, 2))
    both = law(DirectSum(learner=learner, domain=TWO, k=2), data)
    each = [law(learner, Sample(data.x, data.y[:, task])) for task in range(2)]
    for seen, chance in both.masses.items():
        rules = both.values[seen].rules
        product = ball(1)
        with at(160):
            for one, rule in zip(each, rules, strict=True):
                product *= next(m for k, m in one.masses.items() if one.values[k] == rule)
        assert near(chance, product)
    assert len(both.masses) == 4
    assert both.rest == 0


def hashed_point_masses(records):
    """The law of a try whose rule is a hashed set, by the two buckets of its hash."""
    chance, silence = F(1, 3), F(1, 4)
    one = PointTry(domain=TWO, blur=HashedSet(2), pick=chance, silence=silence)
    data = Sample(np.array([x for x, _ in records]), np.array([y for _, y in records]))
    return law(one, Starred.of(data)).masses


@pytest.mark.parametrize("point", [0, 1])
def test_a_hash_of_two_values_is_two_uniform_buckets(point):
    """Picked with chance 1/3 the record fixes its bucket to 0, the other stays uniform."""
    masses = hashed_point_masses([(point, 1)])
    assert near(masses.pop(None), ball(F(1, 4)))
    assert len(masses) == 16
    for (_, first, second, bits, bucket), chance in masses.items():
        assert (bits, bucket) == (2, 0)
        fixed = (first, second)[point] == 0
        assert near(chance, ball(F(3, 4) * (F(2, 3) / 16 + F(1, 3) / 4 * fixed)))


def test_a_real_hashed_set_falls_where_its_law_says():
    drawn = [
        HashedSet(2)(TWO, 1, rng=seeded(i)).hash(np.arange(2, dtype=np.uint64)).tolist()
        for i in range(400)
    ]
    assert all(second == 0 for _, second in drawn)
    counts = np.bincount([first for first, _ in drawn], minlength=4)
    assert counts.min() > 60


def test_the_top_of_three_values_in_closed_form():
    histogram = StabilityHistogram(domain=Integers(size=3), epsilon=F(4), delta=F(1, 4))
    mechanism = StableMostFrequent(histogram=histogram)
    data = np.array([0, 0, 0, 1, 1, 1, 2, 2])
    closed, followed = law(mechanism, data), branched(mechanism, data, faint=F(1, 1 << 30))
    with at(160):
        slack = followed.rest + closed.rest + ball(F(1, 1 << 100))
        assert slack < ball(F(1, 1000))
        assert near(sum(closed.masses.values(), ball(0)) + closed.rest, ball(1), F(1, 10**9))
        for output, chance in followed.masses.items():
            assert abs(closed.masses[output] - chance) <= slack


def best_of(epsilon):
    learner = FiniteClassLearner(concept_class=Points(size=2), epsilon=epsilon / 6)
    checked = CheckedLearner(learner=learner, epsilon=epsilon / 6)
    return BestOf(candidates=(checked, checked), epsilon=epsilon, tries=2)


def test_the_best_of_several_is_what_following_every_run_gives():
    data = Sample(np.array([0, 0, 1]), np.array([1, 1, 0]))
    mechanism = best_of(F(60))
    closed, followed = law(mechanism, data), branched(mechanism, data, faint=F(1, 1 << 14))
    with at(160):
        assert followed.rest < ball(F(1, 50))
        assert closed.rest < ball(F(1, 10**9))
        for output, chance in followed.masses.items():
            assert abs(closed.masses[output] - chance) <= followed.rest + closed.rest


def test_the_best_of_far_too_dear_runs_is_caught():
    assert not exact(best_of(ONE), POINTS[:2], 2, order="ignored").violated
    assert exact(best_of(F(8)), POINTS[:2], 2, order="ignored", epsilon=1).violated


@dataclass(frozen=True, kw_only=True)
class Toss(Mechanism):
    """A fair coin that counts how often it was run."""

    runs: list

    __hash__ = object.__hash__

    def event(self):
        return Approximate(epsilon=ONE, delta=F(1, 2), relation=Relation.REPLACE_ONE)

    def _release(self, data, *, rng):
        self.runs.append(data)
        return rng.coin(F(1, 2))


@dataclass(frozen=True, kw_only=True)
class Twice(Toss):
    """Two parts of which the second sees the first's output."""

    inner: Toss

    __hash__ = object.__hash__

    def _release(self, data, *, rng):
        first = rng.part(self.inner, data)
        return first, rng.part(self.inner, data if first else "other")


def test_a_part_is_worked_out_once_for_what_it_sees():
    toss = Toss(runs=[])
    found = law(Twice(runs=[], inner=toss), "records")
    assert {seen: float(mass) for seen, mass in found.masses.items()} == dict.fromkeys(
        [(True, True), (True, False), (False, True), (False, False)], 0.25
    )
    # Both ways of a coin, for either data that it sees.
    assert sorted(toss.runs) == ["other", "other", "records", "records"]


def test_laws_of_parts_are_kept_inside_and_forgotten_afterwards():
    toss = Toss(runs=[])
    twice = Twice(runs=[], inner=toss)
    with following():
        law(twice, "records")
        with following():
            law(twice, "records")
        law(twice, "records")
        assert len(toss.runs) == 4
    law(twice, "records")
    assert len(toss.runs) == 8


def test_nothing_of_the_package_changes_while_a_law_is_followed():
    before = {cls: cls._release for cls in (DirectSum, StableMostFrequent, BestOf)}
    with following():
        assert all(cls._release is own for cls, own in before.items())


STAGES = [
    Stage(Flat(np.array([0, 1])), Levels(np.array([1]), np.array([3]))),
    Stage(Flat(np.array([2, 1, 1])), None),
]


@pytest.mark.parametrize(
    ("draw", "stated"), [("candidate", exponential_law), ("flip_candidate", flip_law)]
)
def test_stages_have_the_law_of_all_their_candidates(draw, stated):
    @dataclass(frozen=True, kw_only=True)
    class Pick(Toss):
        def _release(self, data, *, rng):
            return getattr(rng, draw)(data, rate=F(1, 3))

    # Either stage numbers its own candidates from 0.
    expected = stated([0, 1, 2, 1, 1], F(1, 3))
    found = law(Pick(runs=[]), STAGES).masses
    for place, parts in {0: (0, 2), 1: (1, 3), 2: (4,)}.items():
        with at(200):
            together = sum((expected[part] for part in parts), ball(0))
        assert near(found[place], together)
