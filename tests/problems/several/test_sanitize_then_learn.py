"""One table for all symmetric differences of a listed class, then k selections."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from tests.problems.several.multitask_generic_table_cases import INTERVALS, NAME, job

from tacit import Ledger, Privacy, Sample, learn, plan
from tacit.accounting import total
from tacit.checks.testing import seeded
from tacit.classes import Table, Thresholds
from tacit.core import ALGORITHMS
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.several.sanitize_then_learn import MOST_CELLS, divided, symmetric_differences

TINY = Table([[0, 0, 0], [0, 1, 1], [1, 1, 0], [0, 1, 1]])


@pytest.mark.parametrize("concepts", [TINY, INTERVALS, Table([[1, 0, 1]])])
def test_differences_are_those_of_all_pairs_once(concepts):
    found = [tuple(row) for row in symmetric_differences(concepts).matrix.tolist()]
    rows = concepts.matrix
    wanted = {tuple((one ^ other).tolist()) for one in rows for other in rows}
    assert set(found) == wanted
    assert len(found) == len(wanted)


@pytest.mark.parametrize("concepts", [TINY, INTERVALS])
def test_candidates_are_one_concept_for_each_restriction(concepts):
    size = concepts.domain.size
    for values in combinations(range(size), 2):
        kept = divided(concepts, SyntheticTable.of(concepts.domain, [*values, values[0]]))
        every = {tuple(row) for row in concepts.matrix[:, values].tolist()}
        found = [tuple(kept.hypothesis(c).predict(list(values))) for c in range(kept.size)]
        assert set(found) == every
        assert len(found) == len(every)
    assert divided(concepts, SyntheticTable(domain=concepts.domain, rows=())).size == 1


def test_kept_concepts_count_their_mistakes_and_keep_their_numbers():
    kept = divided(TINY, SyntheticTable.of(TINY.domain, [0, 2]))
    assert kept.kept == (0, 1, 2)
    x, y = np.array([0, 1, 2, 2]), np.array([True, True, False, True])
    rules = [kept.hypothesis(candidate) for candidate in range(kept.size)]
    assert [rule.concept for rule in rules] == [0, 1, 2]
    errors = kept.landscape(x, y).errors.tolist()
    assert errors == [int((rule.predict(x) != y).sum()) for rule in rules] == [3, 2, 1]


@pytest.mark.parametrize(
    ("concepts", "sanitizer"), [(TINY, "blr-enumerated"), (INTERVALS, "fitted-histogram")]
)
@pytest.mark.parametrize("delta", ["0", "1e-6"])
def test_it_costs_what_was_granted_and_learns(concepts, sanitizer, delta):
    task = job(concepts, delta=delta)
    bound = ALGORITHMS[NAME].bound(task)
    assert bound.choices["sanitizer"] == sanitizer
    generator = np.random.default_rng(2)
    x = generator.integers(0, concepts.domain.size, bound.n)
    targets = generator.integers(0, concepts.size, 4)
    clean = concepts.matrix[targets].T[x]
    noisy = clean ^ (generator.random(clean.shape) < 0.1)
    release = learn(task, (x, noisy), algorithm=NAME, ledger=Ledger.memory(2, delta), rng=seeded(1))
    cost = total([release.event], delta=delta)
    assert cost.epsilon <= 2
    assert cost.delta <= Fraction(delta)
    wrong = (release.value.predict(x) ^ clean).mean(axis=0)
    assert np.all(wrong < 0.3)
    for rule in release.value:
        assert tuple(concepts.matrix[rule.concept].tolist()) == rule.values


def test_without_records_it_does_not_learn():
    """The check above can fail: the selections alone, on too few records, are poor."""
    task = job(INTERVALS, k=20)
    generator, mechanism = np.random.default_rng(3), ALGORITHMS[NAME].built(task, 12)
    x = np.arange(12)
    clean = INTERVALS.matrix[generator.integers(0, INTERVALS.size, 20)].T[x]
    rules = mechanism._release(Sample(x, clean), rng=seeded(3))
    assert np.any((rules.predict(x) ^ clean).mean(axis=0) > 0.3)


def test_the_table_is_paid_once():
    parts = [ALGORITHMS[NAME].bound(job(INTERVALS, k=k)).terms for k in (2, 1000)]
    assert parts[0]["table"] == parts[1]["table"]
    assert parts[0]["selections"] < parts[1]["selections"]


def test_refusals_are_in_words():
    large = Table(np.eye(1 + round(MOST_CELLS ** (1 / 3)), dtype=bool))
    for task, words in [
        (job(large), "symmetric differences"),
        (job(Thresholds(size=8)), "is made for table"),
        (job(TINY, k=1), "several tasks"),
        (job(TINY, privacy=Privacy(1, relation="label")), "not private"),
    ]:
        assert words in ALGORITHMS[NAME].why_not(task)
    assert NAME in {option.name for option in plan(job(TINY)).options}
