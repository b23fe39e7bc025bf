"""Every sanitizer's exact law on tiny domains, for all neighbours, from its own code."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from tests.exact.sanitizer_laws import Paths, law_of_mechanism, renyi

from tacit.checks.testing import divergence, seeded
from tacit.classes import Parities, Points, Table, Thresholds
from tacit.core import Sample
from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.mechanisms import stability
from tacit.mechanisms.stable_prefix import StablePrefix
from tacit.problems.finite import blr_enumerated, fitted_histogram, multiplicative_weights
from tacit.problems.points import blr_points, proposition_30, sparse_histogram
from tacit.problems.points.point_sanitizers import PointTable
from tacit.problems.thresholds import blr_thresholds, noisy_tree, quantile_table, stable_quantiles

ONE = Fraction(1)


def substitutions(size, n):
    """Ordered data sets that differ at one position, each pair both ways."""
    for left in product(range(size), repeat=n):
        for place, other in product(range(n), range(size)):
            if other != left[place]:
                yield left, (*left[:place], other, *left[place + 1 :])


def _bins(value):
    return value


def laws(mechanism, size, n, *, whole=True, seen=lambda value: value.rows):
    """The law on every data set; ordered ones where positions matter."""
    found = {}
    for data in product(range(size), repeat=n):
        key = tuple(sorted(data)) if whole else data
        if key not in found:
            x = np.array(key, dtype=np.int64)
            # A bare histogram takes the column itself.
            sample = x if seen is _bins else Sample(x, None)
            found[key] = law_of_mechanism(mechanism, sample, seen=seen)
    return {
        data: found[tuple(sorted(data)) if whole else data]
        for data in product(range(size), repeat=n)
    }


def worst(found, size, n, epsilon):
    """The largest divergence over all neighbours, and the most that cutting can have added."""
    with at(256):
        most, cut = ball(0), ball(0)
        for left, right in substitutions(size, n):
            most = most.max(divergence(found[left][0], found[right][0], epsilon))
            cut = cut.max(ball(epsilon).exp() * found[right][1] + found[left][1])
        return most, cut


def check(found, size, n, *, epsilon, delta=Fraction(0), loose=Fraction(1, 4)):
    """Private at ``epsilon``, within what was cut; not private at a fraction of it."""
    most, cut = worst(found, size, n, epsilon)
    with at(256):
        slack = ball(Fraction(1, 10**5))
        assert cut < slack
        assert most < ball(delta) + cut + ball(Fraction(1, 10**20))
        too_little, _ = worst(found, size, n, epsilon * loose)
        assert too_little > ball(delta) + slack, "a smaller epsilon must be found out"


@pytest.mark.parametrize(("size", "n", "rows"), [(3, 2, 2), (4, 3, 2), (2, 4, 3), (5, 2, 1)])
def test_selected_threshold_tables(size, n, rows):
    mechanism = blr_thresholds.ThresholdSelection(domain=Integers(size=size), rows=rows, epsilon=2)
    found = laws(mechanism, size, n)
    check(found, size, n, epsilon=mechanism.event().epsilon)


@pytest.mark.parametrize(("size", "n", "rows"), [(3, 2, 2), (4, 3, 2), (2, 4, 3)])
def test_selected_point_tables(size, n, rows):
    mechanism = blr_points.PointSelection(domain=Integers(size=size), rows=rows, epsilon=2)
    found = laws(mechanism, size, n)
    check(found, size, n, epsilon=mechanism.event().epsilon)


@pytest.mark.parametrize(
    "concepts",
    [Table(np.array([[1, 0, 0], [0, 1, 1], [1, 0, 1]])), Parities(bits=2), Points(size=3)],
    ids=["table", "parities", "points"],
)
def test_listed_tables(concepts):
    mechanism = blr_enumerated.EnumeratedSelection(concepts=concepts, rows=2, epsilon=2)
    size = concepts.domain.size
    found = laws(mechanism, size, 3)
    check(found, size, 3, epsilon=mechanism.event().epsilon)


def test_both_ways_of_selecting_a_table_have_one_law():
    """Counting between staircases, or between limits, against listing every table."""
    domain, sample = Integers(size=4), Sample(np.array([0, 2, 2, 3, 3]), None)
    for concepts, counted in (
        (Thresholds(size=4), blr_thresholds.ThresholdSelection),
        (Points(size=4), blr_points.PointSelection),
    ):
        listed = blr_enumerated.EnumeratedSelection(concepts=concepts, rows=3, epsilon=ONE)
        mechanism = counted(domain=domain, rows=3, epsilon=ONE)
        fast, _ = law_of_mechanism(mechanism, sample)
        slow, _ = law_of_mechanism(listed, sample)
        assert set(fast) == set(slow)
        with at(256):
            for table, chance in fast.items():
                assert abs(chance - slow[table]) < ball(Fraction(1, 10**30))


@pytest.mark.parametrize("alpha", [Fraction(1, 3), Fraction(9, 10)])
def test_pure_point_tables(alpha):
    epsilon = Fraction(6)
    histogram = sparse_histogram.SparseHistogram(
        domain=Integers(size=3), epsilon=epsilon, threshold=1
    )
    table = PointTable(histogram=histogram, domain=Integers(size=3), n=2, alpha=alpha)
    found = laws(table, 3, 2)
    check(found, 3, 2, epsilon=epsilon)


def test_the_sparse_histogram_is_the_full_one():
    """Drawing risen empty bins directly has the law of noise on every bin."""
    scale, threshold = Fraction(1, 2), 1
    histogram = sparse_histogram.SparseHistogram(
        domain=Integers(size=3), epsilon=Fraction(4), threshold=threshold
    )
    fast, _ = law_of_mechanism(histogram, np.array([1, 1]), seen=_bins)

    def full(paths):
        noisy = [count + paths.geometric(scale) for count in (0, 2, 0)]
        return tuple((x, c) for x, c in enumerate(noisy) if c >= threshold)

    slow, _ = Paths().run(full)
    with at(256):
        for bins in set(fast) | set(slow):
            gap = fast.get(bins, ball(0)) - slow.get(bins, ball(0))
            assert abs(gap) < ball(Fraction(1, 10**10))


def test_stable_point_tables():
    epsilon, delta = Fraction(4), Fraction(1, 50)
    domain = Integers(size=3)
    histogram = stability.StabilityHistogram(domain=domain, epsilon=epsilon, delta=delta)
    table = PointTable(histogram=histogram, domain=domain, n=2, alpha=Fraction(1, 3))
    found = laws(table, 3, 2)
    check(found, 3, 2, epsilon=epsilon, delta=delta)


def test_proposition_30():
    epsilon, delta, n = Fraction(6), Fraction(1, 10), 4
    domain = Integers(size=3)
    histogram = proposition_30.PrintedHistogram(
        domain=domain, n=n, alpha=Fraction(99, 100), epsilon=epsilon, delta=delta
    )
    assert histogram.most_hidden == 0
    found = laws(histogram, 3, n, seen=_bins)
    check(found, 3, n, epsilon=epsilon, delta=delta)


def test_proposition_30_below_its_records_would_not_be_private():
    """What the constructor refuses does leak more than delta: the condition is needed."""
    epsilon, delta = Fraction(1), Fraction(1, 100)
    from tacit.core import NeedMoreRecords

    with pytest.raises(NeedMoreRecords):
        proposition_30.PrintedHistogram(
            domain=Integers(size=2), n=4, alpha=Fraction(9, 10), epsilon=epsilon, delta=delta
        )
    honest = proposition_30.PrintedHistogram(
        domain=Integers(size=2), n=100, alpha=Fraction(9, 10), epsilon=epsilon, delta=delta
    )
    object.__setattr__(honest, "n", 4)  # past the check, as no caller can
    found = laws(honest, 2, 2, seen=_bins)
    most, _ = worst(found, 2, 2, epsilon)
    with at(256):
        assert most > ball(delta)


TREES = {
    "one level of two": (1, 2, 1, None, Fraction(4)),
    "one level of four": (2, 4, 1, None, Fraction(4)),
    "two levels": (2, 2, 2, None, Fraction(8)),
    "two levels, divided where high": (2, 2, 2, 1, Fraction(8)),
}


@pytest.mark.parametrize("name", TREES)
def test_noisy_trees(monkeypatch, name):
    bits, branching, levels, divide, epsilon = TREES[name]
    mechanism = noisy_tree.NoisyTree(
        domain=Integers(bits=bits),
        branching=branching,
        levels=levels,
        divide=divide,
        epsilon=epsilon,
    )
    monkeypatch.setattr(noisy_tree.NoisyTree, "_noise", _left_siblings_only)
    n = 2 if bits == 1 else 1
    found = laws(mechanism, 1 << bits, n)
    check(found, 1 << bits, n, epsilon=epsilon)


def _left_siblings_only(self, rng, count):
    """The last child's noise enters no prefix; it is drawn only where it may divide the node."""
    may_divide = self.divide is not None and rng.place == 0
    drawn = [
        rng.geometric(2 * self.levels / self.epsilon)
        if may_divide or (place + 1) % self.branching
        else 0
        for place in range(count)
    ]
    return np.array(drawn, dtype=np.int64)


@pytest.mark.parametrize("changed", [-40, 7, 1000])
def test_the_last_childs_noise_enters_no_prefix(monkeypatch, changed):
    """What the test above leaves out does not matter."""
    mechanism = noisy_tree.NoisyTree(domain=Integers(bits=4), branching=4, levels=2, epsilon=ONE)
    sample = Sample(np.array([1, 5, 5, 14]), None)

    def release(last):
        def noise(self, rng, count):
            return np.array([last if p % 4 == 3 else p - 2 for p in range(count)], dtype=np.int64)

        monkeypatch.setattr(noisy_tree.NoisyTree, "_noise", noise)
        return mechanism._release(sample, rng=None)

    assert release(0) == release(changed)


@pytest.mark.parametrize(("size", "n", "depth"), [(2, 2, 1), (3, 2, 1), (2, 2, 2), (2, 3, 2)])
def test_quantile_tables(size, n, depth):
    mechanism = quantile_table.QuantileTable(
        domain=Integers(size=size), depth=depth, call=Fraction(1, depth)
    )
    assert mechanism.event().epsilon == 2
    found = laws(mechanism, size, n, whole=False)
    check(found, size, n, epsilon=Fraction(2), loose=Fraction(1, 10))


@pytest.mark.parametrize("window", [1, 2, 3, 4, 7])
def test_windows_of_fixed_size_change_by_one_record(window):
    """What stable quantiles hand to the interior point, for every change of a small part.

    The interior point itself is checked exactly where it lives; its event is for one
    substitution, so the window must not change by more.
    """
    seen = []

    class Recorder(StablePrefix):
        def _release(self, data, *, rng):
            seen.append(sorted(int(key) for key in data))
            return 0

    low, high = 3 << 64, 9 << 64
    inner = Recorder(
        domain=Integers(size=16 << 64),
        epsilon_length=1,
        epsilon_prefix=1,
        epsilon_side=1,
        delta="0.1",
        low=1,
        high=2,
    )
    mechanism = stable_quantiles.StableQuantiles(
        domain=Integers(size=16), depth=1, window=window, inner=inner
    )

    def windowed(keys):
        seen.clear()
        mechanism._cut(np.array(sorted(keys), dtype=object), low, high, rng=seeded(0))
        (found,) = seen
        assert len(found) == window
        return Counter(found)

    places = [(3 << 64) + 1, 4 << 64, 5 << 64, 6 << 64, (9 << 64) - 1]
    moved = 0
    for size in range(len(places)):
        for keys in combinations(places, size):
            before = windowed(keys)
            others = [key for key in places if key not in keys]
            changed = [(*keys, other) for other in others]
            changed += [(*keys[:i], other, *keys[i + 1 :]) for i in range(size) for other in others]
            for after in map(windowed, changed):
                assert sum((after - before).values()) <= 1
                moved += after != before
    assert moved


@pytest.mark.parametrize(
    "concepts",
    [Thresholds(size=2), Points(size=3), Table(np.array([[0, 1, 1], [1, 1, 0]]))],
    ids=["thresholds", "points", "table"],
)
def test_multiplicative_weights(concepts):
    """Two rounds, the fewest of which anything is seen: the average begins with no weights."""
    mechanism = multiplicative_weights.WeightedTable(
        concepts=concepts, rounds=2, rows=64, epsilon=Fraction(8)
    )
    size = concepts.domain.size
    found = laws(mechanism, size, 2)
    check(found, size, 2, epsilon=mechanism.event().epsilon)


@pytest.mark.parametrize(
    "concepts", [Thresholds(size=3), Points(size=3)], ids=["thresholds", "points"]
)
def test_fitted_histograms(concepts):
    mechanism = fitted_histogram.FittedHistogram(
        concepts=concepts, n=2, noise=1, rounds=20, rows=60, epsilon=Fraction(6)
    )
    size = concepts.domain.size
    found = laws(mechanism, size, 2)
    check(found, size, 2, epsilon=Fraction(6))


CONCENTRATED = {
    "tree": (
        noisy_tree.NoisyTree(domain=Integers(bits=1), branching=2, levels=1, rho=ONE),
        2,
    ),
    "quantiles": (
        quantile_table.QuantileTable(
            domain=Integers(size=2), depth=2, call=Fraction(1), accounting="zcdp"
        ),
        2,
    ),
    "weights": (
        multiplicative_weights.WeightedTable(
            concepts=Thresholds(size=2), rounds=2, rows=1 << 20, rho=Fraction(1, 2)
        ),
        2,
    ),
}


@pytest.mark.parametrize("name", CONCENTRATED)
def test_concentrated_privacy(name):
    """Renyi divergences of several orders stay below order times rho, and above a part of it."""
    mechanism, n = CONCENTRATED[name]
    found = laws(mechanism, 2, n, whole=False)
    rho = mechanism.event().rho
    with at(256):
        largest = ball(0)
        for order in (2, 3, 8):
            for left, right in substitutions(2, n):
                value = renyi(found[left][0], found[right][0], order)
                assert value < ball(rho * order) + ball(Fraction(1, 10**6))
                largest = largest.max(value / (ball(rho) * order))
        assert largest > ball(Fraction(1, 20)), "a much smaller rho must be found out"
