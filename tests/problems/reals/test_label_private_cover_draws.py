"""CH11's learners at exactly the planned number of records, on laws made to be hard.

Every law is within the smoothness that the task states (A_1, A_1r) or arbitrary (A_2). The
tests also fail on purpose: with far fewer records, or with a marginal that is not smooth.
"""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.tools.levels import SIGNIFICANCE
from tests.tools.long import long_ones

from tacit import Accuracy, Privacy, Sample, Task, plan
from tacit.checks.testing import seeded
from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds
from tacit.core import ALGORITHMS
from tacit.domains import band, caps, spike, uniform_cube, uniform_sphere

pytestmark = pytest.mark.statistical

TRIALS = 150

BETA = 0.1


def task(
    concepts, alpha, *, marginal="any", setting="realizable", relation="replace-one", epsilon=1
):
    return Task(
        concepts,
        privacy=Privacy(epsilon, relation=relation),
        accuracy=Accuracy(alpha, BETA),
        setting=setting,
        marginal=marginal,
    )


class Steps:
    """A column with a piecewise constant density on [0, 1]."""

    def __init__(self, *pieces):
        self.edges = np.array([0.0, *(end for end, _ in pieces)])
        self.masses = np.array([mass for _, mass in pieces])
        assert self.edges[-1] == 1
        assert abs(self.masses.sum() - 1) < 1e-12
        self.totals = np.concatenate([[0], np.cumsum(self.masses)])

    def densest(self):
        return (self.masses / np.diff(self.edges)).max()

    def draw(self, n, generator):
        return np.interp(generator.random(n), self.totals, self.edges)

    def below(self, value):
        return float(np.interp(value, self.edges, self.totals))


def around(centre, density, mass):
    """Mass ``2 mass`` at the given density around ``centre``, the rest at both ends."""
    reach, rest = mass / density, (1 - 2 * mass) / 2
    return Steps(
        (rest / density, rest),
        (centre - reach, 0),
        (centre + reach, 2 * mass),
        (1 - rest / density, 0),
        (1, rest),
    )


UNIFORM = Steps((1, 1))


def failures(job, draw, label, error, *, flip=0.0, n=None, trials=TRIALS, name=None):
    """How often the learner's rule errs by more than alpha (above the best)."""
    algorithm = plan(job).best.algorithm if name is None else ALGORITHMS[name]
    assert algorithm.why_not(job) is None
    n = n or algorithm.bound(job).n
    mechanism = algorithm.built(job, n)
    generator, rng = np.random.default_rng(5), seeded("ch11")
    failed = 0
    for _ in range(trials):
        x = draw(n, generator)
        y = label(x) ^ (generator.random(n) < flip)
        rule = mechanism._release(Sample(x, y), rng=rng)
        failed += (1 - 2 * flip) * error(rule) > float(job.accuracy.alpha)
    return failed


def good(failed, trials=TRIALS):
    return binomtest(failed, trials, BETA, alternative="greater").pvalue > SIGNIFICANCE


def _threshold(law, target):
    return (
        lambda n, generator: law.draw(n, generator)[:, None],
        lambda x: x[:, 0] >= target,
        lambda rule: abs(law.below(min(rule.cut, 1.0)) - law.below(target)),
    )


KAPPA = 6

LINES = {
    "uniform": (UNIFORM, 0.5),
    "dense around the target": (around(0.37, KAPPA, 0.11), 0.37),
    "two clumps": (Steps((0.4, 0.0), (0.6, 0.45), (0.75, 0.0), (1, 0.55)), 0.5),
    "a far target": (Steps((0.9, 0.5), (1, 0.5)), 0.999),
}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("setting", ["realizable", "agnostic"])
def test_thresholds_with_a_public_reference(name, setting):
    law, target = LINES[name]
    assert law.densest() <= KAPPA * (1 + 1e-9)
    job = task(RealThresholds(), 0.1, marginal=uniform_cube(kappa=KAPPA), setting=setting)
    flip = 0.3 if setting == "agnostic" else 0.0
    assert good(failures(job, *_threshold(law, target), flip=flip))


@pytest.mark.parametrize("relation", ["add-remove", "label"])
def test_thresholds_under_the_other_relations(relation):
    law, target = LINES["dense around the target"]
    job = task(RealThresholds(), 0.1, marginal=uniform_cube(kappa=KAPPA), relation=relation)
    assert good(failures(job, *_threshold(law, target), name="public-reference-realizable"))


def test_the_spike_of_example_1_is_learned_and_not_by_who_assumes_uniformity():
    eta = F(1, 400)
    density = float(spike(eta).kappa)
    centre, half = 0.5017, float(eta) / 3
    law = Steps(
        (centre - half, (centre - half) / 2),
        (centre + half, density * 2 * half),
        (1, (1 - centre - half) / 2),
    )
    job = task(RealThresholds(), 0.1, marginal=spike(eta))
    assert good(failures(job, *_threshold(law, centre)))
    wrong = task(RealThresholds(), 0.1, marginal=uniform_cube())
    assert not good(failures(wrong, *_threshold(law, centre)))


def test_smoothness_found_from_the_records():
    law, target = LINES["dense around the target"]
    job = task(RealThresholds(), 0.1, marginal=uniform_cube(kappa=None))
    enough = plan(task(RealThresholds(), 0.1, marginal=uniform_cube(kappa=KAPPA))).best.n
    # Nobody told the learner kappa; these records bear almost as much.
    assert good(failures(job, *_threshold(law, target), n=enough + 30))


def test_too_few_records_fail():
    law, target = LINES["dense around the target"]
    job = task(RealThresholds(), 0.1, marginal=uniform_cube(kappa=KAPPA))
    assert not good(failures(job, *_threshold(law, target), n=12))


def _box(laws, target):
    def draw(n, generator):
        return np.column_stack([law.draw(n, generator) for law in laws])

    def label(x):
        return np.all([(c >= a) & (c < b) for c, (a, b) in zip(x.T, target, strict=True)], axis=0)

    def measure(sides):
        lengths = [law.below(b) - law.below(a) for law, (a, b) in zip(laws, sides, strict=False)]
        return np.prod(np.maximum(lengths, 0.0)) if sides else 0.0

    def error(rule):
        both = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(rule.sides, target, strict=False)]
        return measure(rule.sides) + measure(target) - 2 * measure(both)

    return draw, label, error


INTERVALS = {
    "uniform": (UNIFORM, (0.2031, 0.7103)),
    "dense at the ends": (
        Steps((0.25, 0.0), (0.35, 0.4), (0.65, 0.2), (0.75, 0.4), (1, 0.0)),
        (0.3, 0.7),
    ),
    "barely wider than alpha": (UNIFORM, (0.4567, 0.5789)),
    "empty": (Steps((0.2, 0.8), (1, 0.2)), (0.5, 0.5)),
}


@pytest.mark.parametrize("name", INTERVALS)
@pytest.mark.parametrize("setting", ["realizable", "agnostic"])
def test_intervals_with_a_public_reference(name, setting):
    law, target = INTERVALS[name]
    assert law.densest() <= 4 * (1 + 1e-9)
    job = task(RealIntervals(), 0.1, marginal=uniform_cube(kappa=4), setting=setting)
    flip = 0.25 if setting == "agnostic" else 0.0
    assert good(failures(job, *_box([law], (target,)), flip=flip))


BOXES = {
    "uniform": ((UNIFORM, UNIFORM), ((0.1, 0.8), (0.33, 0.91))),
    "dense corner": (
        (Steps((0.5, 0.7), (1, 0.3)), Steps((0.5, 0.7), (1, 0.3))),
        ((0.0, 0.5), (0.1, 0.6)),
    ),
    "everything": ((UNIFORM, Steps((0.9, 0.9), (1, 0.1))), ((0.0, 2.0), (0.0, 2.0))),
}


@pytest.mark.parametrize("name", long_ones(BOXES, "dense corner", "everything"))
def test_boxes_with_a_public_reference(name):
    laws, target = BOXES[name]
    job = task(RealBoxes(columns=2), 0.4, marginal=uniform_cube(columns=2, kappa=2))
    assert np.prod([law.densest() for law in laws]) <= 2
    trials = 25
    assert good(failures(job, *_box(laws, target), trials=trials), trials)


def _sphere(n, generator):
    return generator.normal(size=(n, 3))


def _within(keep):
    def draw(n, generator):
        rows = np.empty((0, 3))
        while len(rows) < n:
            more = generator.normal(size=(4 * n, 3))
            share = np.abs(more[:, 2]) / np.linalg.norm(more, axis=1)
            rows = np.concatenate([rows, more[keep(share)]])
        return rows[:n]

    return draw


AXIS = np.array([0.0, 0.0, 1.0])

CORNER = np.array([1.0, 1 / 3, 1 / 3])  # the corner of a central cell of many grids

SPHERES = {
    "uniform": (uniform_sphere(columns=3), _sphere, CORNER),
    "a band across the boundary": (
        band(columns=3, gamma="1/4"),
        _within(lambda share: share <= 0.25),
        AXIS,
    ),
    "a band along the boundary": (
        band(columns=3, gamma="1/4"),
        _within(lambda share: share <= 0.25),
        CORNER,
    ),
    "caps": (
        caps(columns=3, gamma="3/4"),
        _within(lambda share: share > 0.75),
        np.array([1.0, 0.0, 0.1]),
    ),
}


@pytest.mark.parametrize("name", SPHERES)
def test_halfspaces_with_a_public_reference(name):
    reference, draw, target = SPHERES[name]
    fresh = draw(40_000, np.random.default_rng(99))
    truth = fresh @ target >= 0
    job = task(Halfspaces(columns=3), 0.2, marginal=reference)
    trials = 60
    failed = failures(
        job,
        draw,
        lambda x: x @ target >= 0,
        lambda rule: (rule.predict(fresh) != truth).mean(),
        trials=trials,
    )
    assert good(failed, trials)


def test_halfspaces_agnostic_in_the_plane():
    target = np.array([0.6, -0.8])

    def error(rule):
        return np.arccos(np.clip(target @ rule.normal / np.hypot(*rule.normal), -1, 1)) / np.pi

    def draw(n, generator):
        return generator.normal(size=(n, 2))

    job = task(Halfspaces(columns=2), 0.15, marginal="uniform", setting="agnostic")
    assert good(failures(job, draw, lambda x: x @ target >= 0, error, flip=0.3))
    assert not good(failures(job, draw, lambda x: x @ target >= 0, error, flip=0.3, n=20))


ANYWHERE = {
    "uniform": (UNIFORM, 0.5),
    "a millionth wide": (Steps((0.5, 0.05), (0.500001, 0.9), (1, 0.05)), 0.5000003),
    "three places": (None, 0.5),
}


class Places:
    """A column with three values only."""

    values, masses = np.array([0.2, 0.4999999, 0.5]), np.array([0.2, 0.4, 0.4])

    def draw(self, n, generator):
        return generator.choice(self.values, size=n, p=self.masses)

    def below(self, value):
        return float(self.masses[self.values < value].sum())


@pytest.mark.parametrize("name", ANYWHERE)
@pytest.mark.parametrize("setting", ["realizable", "agnostic"])
def test_thresholds_with_public_features_and_any_marginal(name, setting):
    law, target = ANYWHERE[name]
    law = law or Places()
    job = task(RealThresholds(), 0.2, relation="label", setting=setting)
    draw, label, _ = _threshold(law, target)
    flip = 0.25 if setting == "agnostic" else 0.0

    def error(rule):
        return abs(law.below(rule.cut) - law.below(target))

    assert good(failures(job, draw, label, error, flip=flip, name="label-private-cover"))


@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_with_public_features(name):
    law, target = INTERVALS[name]
    job = task(RealIntervals(), 0.2, relation="label")
    trials = 60
    assert good(
        failures(job, *_box([law], (target,)), name="label-private-cover", trials=trials), trials
    )


RAYS = {
    "uniform": lambda n, generator: generator.normal(size=(n, 2)),
    "nearly one direction": lambda n, generator: np.column_stack(
        [np.ones(n), generator.normal(size=n) * 1e-4]
    ),
    "few directions": lambda n, generator: generator.integers(-2, 3, size=(n, 2)),
}


@pytest.mark.parametrize("name", RAYS)
def test_halfspaces_in_the_plane_with_public_features(name):
    target = np.array([0.1e-4, 1.0])
    fresh = RAYS[name](40_000, np.random.default_rng(98))
    domain = Halfspaces(columns=2).domain
    truth = domain.coerce(fresh) @ target >= 0
    job = task(Halfspaces(columns=2), 0.2, relation="label")
    trials = 60
    failed = failures(
        job,
        RAYS[name],
        lambda x: domain.coerce(x) @ target >= 0,
        lambda rule: (rule.predict(fresh) != truth).mean(),
        name="label-private-cover",
        trials=trials,
    )
    assert good(failed, trials)


def test_public_features_still_need_labels():
    law, target = ANYWHERE["a millionth wide"]
    job = task(RealThresholds(), 0.1, relation="label")
    draw, label, error = _threshold(law, target)
    assert not good(failures(job, draw, label, error, name="label-private-cover", n=8))
