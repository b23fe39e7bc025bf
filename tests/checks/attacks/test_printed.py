"""Printed versions lose what the errata say, the corrected ones what they claim."""

import math
from fractions import Fraction as F
from itertools import combinations_with_replacement
from math import inf, log

import numpy as np
import pytest

from tacit.audit import law
from tacit.checks.attacks import printed
from tacit.checks.attacks.faulty import PrintedPointSampler
from tacit.classes import Points
from tacit.cli import main
from tacit.core import Sample
from tacit.problems.finite.finite_class import FiniteClassLearner


def test_the_printed_gap_test_is_broken_and_the_corrected_one_is_not():
    bad, good = printed.gap_test()
    assert bad.true == pytest.approx(0.36, abs=0.01)
    assert bad.broken
    assert 0.5 * good.claimed < good.true <= good.claimed  # different leaders cost all of delta
    assert not good.broken


def test_the_printed_sampler_is_broken_and_the_corrected_one_is_not():
    bad, good = printed.point_sampler()
    assert bad.true == pytest.approx(1.62, abs=0.005)
    assert bad.broken
    assert 0.5 < good.true <= 1 + 1e-9
    assert not good.broken
    assert printed.point_sampler(3, 3)[0].true == math.inf


def test_the_printed_lemma_promises_nothing():
    printed_one, corrected = printed.resampling()
    assert printed_one.claimed == 54
    assert printed_one.true == corrected.true == pytest.approx(0.19074, abs=1e-4)
    assert printed_one.true < corrected.claimed < 1


@pytest.mark.parametrize("name", ["a-dist", "lemma-3.4", "lemma-29"])
def test_the_command_shows_them(name, capsys):
    assert main(["attack", name]) == 0
    assert "as printed" in capsys.readouterr().out


def _true_epsilon(size, n, laws):
    records = [(x, y) for x in range(size) for y in (0, 1)]
    found = {data: laws(data) for data in combinations_with_replacement(records, n)}
    worst = 0.0
    for data, chances in found.items():
        for at in range(n):
            for other in records:
                near = found[tuple(sorted((*data[:at], *data[at + 1 :], other)))]
                for p, q in zip(chances, near, strict=True):
                    if p > 1e-12:
                        worst = max(worst, log(p / q) if q > 1e-12 else inf)
    return worst


def _printed(size):
    sampler = PrintedPointSampler(size, F(1))
    return lambda data: [float(p) for p in sampler.law(*zip(*data, strict=True))]


@pytest.mark.exact
def test_a2_the_printed_point_sampler_sums_to_one_and_is_not_private():
    chances = _printed(4)(((0, 1), (1, 0), (1, 0)))
    assert sum(chances) == pytest.approx(1)
    assert _true_epsilon(4, 3, _printed(4)) == pytest.approx(1.62, abs=0.005)
    assert _true_epsilon(3, 3, _printed(3)) == inf


@pytest.mark.exact
def test_a2_the_corrected_one_is():
    learner = FiniteClassLearner(concept_class=Points(size=3), epsilon=F(1))

    def laws(data):
        x, y = zip(*data, strict=True)
        found = law(learner, Sample(np.array(x), np.array(y))).masses
        return [float(mass) for _, mass in sorted(found.items(), key=lambda pair: repr(pair[0]))]

    assert _true_epsilon(3, 2, laws) <= 1.000001
