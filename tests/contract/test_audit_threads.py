"""Audits in several threads at once say what each says alone: nothing they use is shared."""

import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import flint
import numpy as np
import pytest

from tacit.checks.audit.instances import everything
from tacit.checks.audit.registered import audit_exactly
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import Sample
from tacit.problems.finite.finite_class import FiniteClassLearner

THREADS, AUDITS = 8, 50

QUICK = (
    "Geometric",
    "Exponential",
    "PermuteAndFlip",
    "MostFrequent, permute-and-flip",
    "InteriorPoint",
    "GapTest",
    "BoostConfidence",
    "hashed-points",
    "permute-and-flip",
    "points",
)

SLOWER = {"BoostConfidence", "hashed-points", "InteriorPoint"}

"""These take a tenth of a second each: every thread runs them, but not fifty times."""

CLOSE = Fraction(1, 10**30)

"""Balls are as narrow as alone or narrower: flint has one precision for all threads."""


@pytest.fixture(scope="module")
def lines():
    found = {line.name: line for line in everything() if line.name in QUICK}
    assert set(found) == set(QUICK)
    return found


def audit(line):
    found, why_not = audit_exactly(line, epsilon=Fraction(1), seconds=600)
    assert found is not None, why_not
    return found


def same(here, there):
    ends = zip(here.epsilon, there.epsilon, strict=True)
    return (
        all(abs(a - b) < CLOSE for a, b in ends)
        and abs(here.rest - there.rest) < CLOSE
        and (here.worst, here.pairs, here.coins) == (there.worst, there.pairs, there.coins)
    )


@pytest.fixture
def restless():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def in_threads(lines, *, threads, audits):
    """Which audits, started in every thread in another order, do not say what they say alone."""
    alone = {name: audit(line) for name, line in lines.items()}
    names = list(lines)

    def work(number):
        order = [names[(number + step) % len(names)] for step in range(audits)]
        return [(name, same(audit(lines[name]), alone[name])) for name in order]

    with ThreadPoolExecutor(threads) as pool:
        done = [one for told in pool.map(work, range(threads)) for one in told]
    assert len(done) == threads * audits
    return [name for name, agreed in done if not agreed]


@pytest.mark.usefixtures("restless")
def test_audits_in_threads_say_what_they_say_alone(lines):
    before = flint.ctx.prec
    quick = {name: line for name, line in lines.items() if name not in SLOWER}
    assert in_threads(quick, threads=THREADS, audits=AUDITS) == []
    assert in_threads(lines, threads=2, audits=len(lines)) == []
    assert flint.ctx.prec == before


@pytest.mark.usefixtures("restless")
def test_a_release_beside_an_audit_is_the_release(lines):
    learner = FiniteClassLearner(concept_class=Points(size=64), epsilon=Fraction(1))
    data = Sample(np.arange(50) % 64, (np.arange(50) == 7).astype(int))

    def releases(_):
        return [seeded(i).part(learner, data).describe() for i in range(60)]

    alone = releases(None)
    with ThreadPoolExecutor(4) as pool:
        beside = [pool.submit(audit, lines[name]) for name in ("Geometric", "PermuteAndFlip")]
        drawn = list(pool.map(releases, range(2)))
        for one in beside:
            assert not one.result().violated
    assert drawn == [alone, alone]
    assert len(set(alone)) > 1
