"""At the planned number of records all queries are within alpha, on data made to break it."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from tests.tools.levels import SIGNIFICANCE

from tacit.checks.testing import seeded
from tacit.classes import Parities, Points, Table, Thresholds
from tacit.core import ALGORITHMS, Accuracy, Privacy, Sample, Task
from tacit.problems.finite.queries import queries_of

pytestmark = pytest.mark.statistical

ALPHA, BETA = Fraction(1, 10), Fraction(1, 5)

RUNS = 24

PURE, APPROXIMATE = Privacy(1), Privacy(1, Fraction(1, 10**6))

LOOSE = Privacy(8, Fraction(1, 10**6))


def sup_error(table, concepts, x):
    """The largest error over every query of the class."""
    n, rows = len(x), len(table)
    if concepts.name == "thresholds":
        values = np.array([value for value, _ in table.rows], dtype=x.dtype)
        counts = np.cumsum([0, *(count for _, count in table.rows)])
        data = np.sort(x)
        worst = 0.0
        for side in ("left", "right"):
            at = np.concatenate([data, values])
            truth = np.searchsorted(data, at, side=side) / n
            answer = counts[np.searchsorted(values, at, side=side)] / rows
            worst = max(worst, float(np.abs(truth - answer).max()))
        return worst
    if concepts.domain.size > 1 << 20:
        truth = dict(zip(*np.unique(x, return_counts=True), strict=True))
        released = dict(table.rows)
        return max(
            abs(truth.get(v, 0) / n - released.get(v, 0) / rows) for v in {*truth, *released}
        )
    queries, size = queries_of(concepts), concepts.domain.size
    made = np.zeros(size, dtype=np.int64)
    made[[value for value, _ in table.rows]] = [count for _, count in table.rows]
    seen = np.bincount(x.astype(np.int64), minlength=size)
    return float(np.abs(queries.totals(seen) / n - queries.totals(made) / rows).max())


def adversaries(size, n):
    """Constant, split at the ends, at a carry of all digits, spread, spiked, just above alpha."""
    generator = np.random.default_rng(n)
    top, middle = size - 1, size // 2
    kind = np.uint64
    spread = (np.arange(n, dtype=object) * top // max(1, n - 1)).astype(kind)
    heavy = int(ALPHA * n) + 1
    ten = (np.arange(n) // heavy).astype(kind) * kind(max(1, size // 11))
    return {
        "constant": np.full(n, top, dtype=kind),
        "two ends": np.where(np.arange(n) % 2, kind(0), kind(top)),
        "a carry": np.where(np.arange(n) % 2, kind(middle), kind(middle - 1)),
        "spread": spread,
        "spikes": np.minimum(generator.geometric(0.3, n).astype(kind), kind(top)),
        "just above alpha": np.minimum(ten, kind(top)),
    }


def failures(name, concepts, privacy, *, n=None, runs=RUNS):
    """Runs in which some query errs by more than alpha, over all adversaries in turn."""
    task = Task(concepts, privacy=privacy, accuracy=Accuracy(ALPHA, BETA), goal="sanitize")
    algorithm = ALGORITHMS[name]
    assert algorithm.why_not(task) is None
    records = algorithm.bound(task).n if n is None else n
    data = list(adversaries(concepts.domain.size, records).values())
    mechanism = algorithm.built(task, records)
    failed = 0
    for run in range(runs):
        x = data[run % len(data)]
        table = mechanism._release(Sample(x, None), rng=seeded(f"{name} {run}"))
        failed += sup_error(table, concepts, x) > ALPHA
    return failed


PLANNED = [
    ("tree-thresholds", Thresholds(bits=8), PURE),
    ("tree-thresholds", Thresholds(bits=32), PURE),
    ("gaussian-tree-thresholds", Thresholds(bits=8), APPROXIMATE),
    ("gaussian-tree-thresholds", Thresholds(bits=64), APPROXIMATE),
    ("blr-thresholds", Thresholds(bits=8), PURE),
    ("blr-thresholds", Thresholds(bits=64), PURE),
    ("quantile-thresholds", Thresholds(bits=8), PURE),
    ("quantile-thresholds", Thresholds(bits=40), PURE),
    ("zcdp-quantile-thresholds", Thresholds(bits=16), APPROXIMATE),
    ("stable-quantile-thresholds", Thresholds(bits=48), LOOSE),
    ("pure-point-table", Points(bits=8), PURE),
    ("pure-point-table", Points(bits=64), PURE),
    ("stable-point-table", Points(bits=64), APPROXIMATE),
    ("proposition-30", Points(bits=64), APPROXIMATE),
    ("blr-points", Points(bits=6), PURE),
    ("blr-enumerated", Table(np.array([[1, 0, 0, 1], [1, 1, 0, 0], [0, 1, 1, 1]])), PURE),
    ("multiplicative-weights", Table(np.tri(6, dtype=bool)), PURE),
    ("gaussian-multiplicative-weights", Parities(bits=4), APPROXIMATE),
    ("fitted-histogram", Parities(bits=8), PURE),
    ("fitted-histogram", Table(np.random.default_rng(0).random((60, 90)) < 0.5), PURE),
]


@pytest.mark.parametrize(
    ("name", "concepts", "privacy"), PLANNED, ids=lambda v: getattr(v, "name", str(v))[:30]
)
def test_at_the_planned_records(name, concepts, privacy):
    failed = failures(name, concepts, privacy)
    # So many failures would be rarer than the level if the bound held.
    assert stats.binom.sf(failed - 1, RUNS, float(BETA)) > SIGNIFICANCE


@pytest.mark.parametrize(
    ("name", "concepts", "privacy", "n"),
    [
        ("tree-thresholds", Thresholds(bits=8), PURE, 40),
        ("tree-thresholds", Thresholds(bits=32), PURE, 600),
        ("blr-thresholds", Thresholds(bits=64), PURE, 150),
        ("quantile-thresholds", Thresholds(bits=40), PURE, 300),
        ("pure-point-table", Points(bits=64), PURE, 60),
        ("stable-point-table", Points(bits=64), APPROXIMATE, 25),
        ("multiplicative-weights", Table(np.tri(6, dtype=bool)), PURE, 300),
        ("fitted-histogram", Parities(bits=8), PURE, 100),
    ],
    ids=lambda v: getattr(v, "name", str(v))[:30],
)
def test_far_fewer_records_fail(name, concepts, privacy, n):
    """The test above can fail: with a small part of the records it would."""
    failed = failures(name, concepts, privacy, n=n)
    assert stats.binom.sf(failed - 1, RUNS, float(BETA)) < SIGNIFICANCE
