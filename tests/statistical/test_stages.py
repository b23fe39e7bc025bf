"""Thresholds drawn by stages against the law over all thresholds, and against wrong rates."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.statistical.levels import accepts

import tacit.problems.thresholds.thresholds as module
from tacit.classes import Thresholds
from tacit.core import Sample
from tacit.exact.stages import draw_exponential, draw_flip
from tacit.testing import flip_law, seeded

RATE = Fraction(1, 2)
SIZE = 1 << 18
RUNS = {"exponential": (draw_exponential, 15_000), "permute-and-flip": (draw_flip, 5_000)}


def _data():
    generator = np.random.default_rng(11)
    x = generator.integers(0, SIZE, 100)
    return x, np.where(generator.random(100) < 0.25, x < 150_000, x >= 150_000).astype(np.int64)


def _exponential(errors, counts, rate):
    weights = counts * np.exp(-float(rate) * (errors - errors.min()))
    return weights / weights.sum()


def _flip(errors, counts, rate):
    """The integral of ``N p / (1 - p s) * S(s)`` over a fine grid."""
    p = np.exp(-float(rate) * (errors - errors.min()))
    s = 1 - np.exp(-np.linspace(0, 30, 20_001) / counts[0])
    logs = sum(n * np.log1p(-q * s) for n, q in zip(counts, p, strict=True))
    law = [
        np.trapezoid(n * q / (1 - q * s) * np.exp(logs), s) for n, q in zip(counts, p, strict=True)
    ]
    return np.array(law) / sum(law)


LAWS = {"exponential": _exponential, "permute-and-flip": _flip}


def test_the_integral_is_the_law_of_few_candidates():
    errors, counts = np.array([0, 2, 3]), np.array([1, 2, 3])
    plain = flip_law([0, 2, 2, 3, 3, 3], RATE)
    wanted = [sum(float(plain[c]) for c in cells) for cells in ((0,), (1, 2), (3, 4, 5))]
    assert np.allclose(_flip(errors, counts, RATE), wanted, atol=1e-6)


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("bits", [0.1, 40])
def test_the_law_by_stages(name, bits, monkeypatch):
    monkeypatch.setattr(module, "_MANY_ROWS", 0)
    monkeypatch.setattr(module, "_MANY_WIDE_ROWS", 0)
    kinds = Thresholds(size=SIZE)
    x, y = _data()
    stages = list(replace(kinds.counted(Sample(x, y)), bits=bits).stages(RATE))
    assert (len(stages) > 1) == (bits < 1)
    whole = kinds.landscape(x.astype(np.uint64), y == 1).levels()
    draw, runs = RUNS[name]
    rng = seeded(f"stages {name} {bits}")
    cuts = np.array([draw(rng, stages, rate=RATE) for _ in range(runs)])
    order = np.argsort(x)
    below = np.searchsorted(x[order], cuts)
    walk = np.concatenate([[0], np.cumsum(np.where(y[order] == 1, 1, -1))]) + np.sum(y == 0)
    seen = np.bincount(np.searchsorted(whole.errors, walk[below]), minlength=len(whole.errors))
    counts = whole.counts.astype(np.float64)
    for factor, verdict in ((1, True), (Fraction(4, 5), False), (Fraction(6, 5), False)):
        assert accepts(seen, LAWS[name](whole.errors, counts, RATE * factor)) is verdict
    # And uniform among the candidates of one error.
    level = int(np.argmax(seen))
    here = cuts[walk[below] == whole.errors[level]]
    members = np.flatnonzero(np.isin(walk, whole.errors[level]))
    edges = np.concatenate([[-1], x[order], [SIZE]])
    sizes = [edges[m + 1] - edges[m] for m in members]
    hits = [np.count_nonzero(below[walk[below] == whole.errors[level]] == m) for m in members]
    assert sum(hits) == len(here)
    if len(members) > 1:
        assert accepts(hits, np.array(sizes) / sum(sizes))
