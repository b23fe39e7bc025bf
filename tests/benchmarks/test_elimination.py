"""Marginals by taking away columns, against all cells listed."""

import importlib
import random
from pathlib import Path

import benchmarks.synthetic
import numpy as np
import pytest


@pytest.fixture
def law_of(monkeypatch):
    """``Law``, imported as ``quick_mbi.py`` does: its environment has no package of benchmarks."""
    monkeypatch.syspath_prepend(Path(benchmarks.synthetic.__file__).parent)
    return importlib.import_module("elimination").Law


def potentials(law, theta):
    for clique, start, length in zip(law.cliques, law.starts, law.lengths, strict=True):
        yield clique, theta[start : start + length].reshape([law.sizes[a] for a in clique])


def listed(law, theta):
    """The whole law: columns in the order of ``sizes``."""
    names = list(law.sizes)
    whole = np.zeros([law.sizes[a] for a in names])
    for clique, values in potentials(law, theta):
        order = sorted(range(len(clique)), key=lambda i: names.index(clique[i]))
        whole += values.transpose(order)[tuple(slice(None) if a in clique else None for a in names)]
    whole = np.exp(whole - whole.max())
    return whole / whole.sum()


def marginal(whole, names, columns):
    return np.einsum(whole, list(range(len(names))), [names.index(a) for a in columns])


def random_cliques(draw, names):
    pairs = {tuple(draw.sample(names, 2)) for _ in range(draw.randint(4, 16))}
    return [*sorted(pairs), *((a,) for a in names if not any(a in pair for pair in pairs))]


def test_marginals_and_pairs_are_those_of_the_listed_law(law_of):
    draw, kinds, pairs = random.Random(1), set(), 0
    for trial in range(40):
        sizes = {f"c{i}": draw.randint(4, 9) for i in range(draw.randint(3, 6))}
        names = list(sizes)
        law = law_of(random_cliques(draw, names), sizes)
        theta = np.random.default_rng(trial).normal(0, 20, law.length)
        whole = listed(law, theta)
        for clique, found in potentials(law, law.marginals(theta, 7)):
            assert np.abs(found - 7 * marginal(whole, names, clique)).max() < 1e-12
        law.check(theta, 7)
        kinds |= {type(one).__name__ for one in law._operations}
        kept = tuple(draw.sample(names, 2))
        of_pair = law_of([*law.cliques, *((a,) for a in kept)], sizes, kept)
        of_pair.forward(np.append(theta, np.zeros(sum(sizes[a] for a in kept))))
        assert np.abs(of_pair.joint(kept) - marginal(whole, names, kept)).max() < 1e-12
        given = np.array([[draw.randrange(sizes[kept[0]])] for _ in range(9)])
        rows = of_pair.rows(kept[:1], given, kept[1])
        wanted = marginal(whole, names, kept)[given[:, 0]]
        rows, wanted = (some / some.sum(axis=1, keepdims=True) for some in (rows, wanted))
        assert np.abs(rows - wanted).max() < 1e-9
        pairs += 1
    assert kinds == {"Product", "Matrices"}
    assert pairs == 40


def test_parts_of_single_columns_that_cancel_do_not_matter(law_of):
    law = law_of([("a", "b"), ("b", "c")], {"a": 3, "b": 4, "c": 5})
    theta = np.random.default_rng(0).normal(0, 1, law.length)
    plain = law.marginals(theta, 1)
    moved = theta.copy()
    drift = np.array([-4000, 0, 900, 3000])
    (_, first), (_, second) = potentials(law, moved)
    first += drift
    second -= drift[:, None]
    assert np.abs(law.marginals(moved, 1) - plain).max() < 1e-11
    law.check(moved, 1)


def test_a_law_that_doubles_cannot_hold_is_refused(law_of):
    law = law_of([("a", "b"), ("b", "c"), ("a", "c")], {"a": 2, "b": 2, "c": 2})
    theta = np.zeros(law.length)
    (_, ab), (_, bc), (_, ac) = potentials(law, theta)
    for unlike in (ab, bc, ac):  # no three of two values are all different
        unlike += np.diag([-900.0, -900.0])
    with pytest.raises(FloatingPointError), np.errstate(all="ignore"):
        law.check(theta, 1)
