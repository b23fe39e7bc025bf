"""Compiled and plain ways to count runs and to split blocks agree."""

import numpy as np
import pytest

from tacit.tallies import blocks as module
from tacit.tallies.blocks import Blocks, Occurring, distinct_labelled, distinct_packed


@pytest.fixture(params=[1, 1 << 60], ids=["compiled", "plain"])
def way(request, monkeypatch):
    monkeypatch.setattr(module, "_MANY", request.param)
    return request.param


@pytest.mark.parametrize("values", [1, 5, 2**40, 2**63], ids=str)
@pytest.mark.parametrize("n", [0, 1, 2, 300])
def test_runs(way, values, n):
    rng = np.random.default_rng(n)
    x = rng.integers(0, values, n, dtype=np.uint64)
    y = rng.random(n) < 0.4
    found, inside = distinct_packed(x, y)
    wanted, counts = distinct_labelled(x, y)
    assert np.array_equal(found, wanted)
    assert np.array_equal(inside, counts)
    assert inside.sum() == n


@pytest.mark.parametrize("after", [True, False])
@pytest.mark.parametrize("end", [2**20, 2**64 - 1], ids=["middle", "last word"])
def test_split(monkeypatch, after, end):
    rng = np.random.default_rng(3)
    starts = np.array([7, 1000, 5000, end - 40], dtype=np.uint64)
    sizes = np.array([90, 1, 700, 41], dtype=np.uint64)
    values = np.array([7, 20, 96, 5003, 5600, end - 40, end], dtype=np.uint64)
    inside = rng.integers(1, 5, (2, len(values)))
    before = np.cumsum(rng.integers(0, 50, (2, len(starts))), axis=1)
    occurring = Occurring(Blocks(starts, sizes, before, np.zeros_like(before)), values, inside)
    found = []
    for many in (1, 1 << 60):
        monkeypatch.setattr(module, "_MANY", many)
        found.append(occurring.split(after=after))
    for compiled, plain in zip(*found, strict=True):
        for name in ("starts", "sizes", "before", "inside"):
            assert np.array_equal(getattr(compiled, name), getattr(plain, name)), name
    runs, empty = found[0]
    # Together they are the parents' values, each once.
    assert sum(map(int, runs.sizes)) + sum(map(int, empty.sizes)) == sum(map(int, sizes))
