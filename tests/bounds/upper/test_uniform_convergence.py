"""Relative deviations: what they say on thresholds, and that the numbers are monotone."""

from fractions import Fraction as F

import numpy as np
import pytest

from tacit.bounds.upper.uniform_convergence import lemma_16, lemma_17, lemma_23
from tacit.core import BadInput


@pytest.mark.statistical
def test_thresholds_deviate_no_more_than_said():
    n, beta = 200, F(1, 10)
    e = float(lemma_16(n=n, ways=2 * n + 1, beta=beta))
    rng = np.random.default_rng(1)
    cuts = np.linspace(0, 1, 201)
    above = below = 0
    for _ in range(200):
        seen = (rng.random(n)[:, None] < cuts).mean(axis=0)
        above += bool((seen > cuts + np.sqrt(cuts * e) + e + 1e-12).any())
        below += bool((cuts > seen + np.sqrt(cuts * e) + 1e-12).any())
    assert above <= 20
    assert below <= 20
    # A tenth of the stated slack is not enough: the test can fail.
    tight = e / 400
    seen = (rng.random(n)[:, None] < cuts).mean(axis=0)
    assert (np.abs(seen - cuts) > np.sqrt(cuts * tight) + tight).any()


@pytest.mark.statistical
def test_packings_of_thresholds_look_as_they_are():
    r = F(1, 20)
    n = lemma_23(vc=1, radius=r).n
    assert (
        lemma_17(n=n, vc=1, beta=F(1, 4))
        <= r / 2
        < lemma_17(n=n - 1, vc=1, beta=F(1, 4)) * F(101, 100)
    )
    rng = np.random.default_rng(2)
    cuts = np.linspace(0, 1, 101)
    good = 0
    for _ in range(20):
        seen = (rng.random(n)[:, None] < cuts).mean(axis=0)
        apart = np.abs(seen[:, None] - seen)
        truth = np.abs(cuts[:, None] - cuts)
        one = (truth[apart > 2 * float(r)] > float(r)).all()
        two = (apart[truth > 6 * float(r)] > 4 * float(r)).all()
        three = (apart[truth <= 12 * float(r)] <= 16 * float(r)).all()
        good += bool(one and two and three)
    assert good >= 10


def test_numbers_are_monotone_and_refuse_nonsense():
    assert lemma_16(n=100, ways=10, beta=F(1, 10)) > lemma_16(n=200, ways=10, beta=F(1, 10))
    assert lemma_23(vc=1, radius=F(1, 10)).n < lemma_23(vc=2, radius=F(1, 10)).n
    assert lemma_23(vc=1, radius=F(9, 10)).n < lemma_23(vc=1, radius=F(1, 10)).n
    with pytest.raises(BadInput, match="half the VC"):
        lemma_17(n=1, vc=5, beta=F(1, 10))
    with pytest.raises(BadInput, match="between 0 and 1"):
        lemma_23(vc=1, radius=F(2))
