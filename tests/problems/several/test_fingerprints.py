"""Tests of ``tacit.problems.several.fingerprints``."""

from fractions import Fraction as F
from itertools import combinations_with_replacement, pairwise, product
from math import ceil, cos, exp, log, pi, sqrt

import numpy as np
import pytest
from scipy.special import betainc
from scipy.stats import hypergeom
from tests.problems.several.bounds_theorems_cases import A, B, E

from tacit.accounting.composition import total
from tacit.bounds.upper import selection
from tacit.classes import Parities, Points
from tacit.core import Accuracy, BadInput, Privacy, Relation, Selection, Task
from tacit.planner import plan
from tacit.problems.finite import sanitizers_upper as sanitizers
from tacit.problems.parities import parities_lower as lower_parities
from tacit.problems.reals import covers_lower as covers
from tacit.problems.several import fingerprints
from tacit.problems.several import several_upper as multitask

pytestmark = pytest.mark.exact


def test_too_few_equations_leave_several_parities():
    assert lower_parities.equations(bits=64, alpha=A, beta=B).n == 64
    assert lower_parities.equations(bits=5, alpha=A, beta=F(7, 10)).n == 4
    # d = 3: of all triples of strings and all masks, two equations never leave one mask.
    strings = list(product((0, 1), repeat=3))
    for first, second in product(strings, repeat=2):
        for mask in strings:
            left = [
                m
                for m in strings
                if all(
                    sum(a * b for a, b in zip(m, x, strict=True)) % 2
                    == sum(a * b for a, b in zip(mask, x, strict=True)) % 2
                    for x in (first, second)
                )
            ]
            assert len(left) >= 2


def test_the_floor_of_parities_does_not_fall_when_tasks_are_added():
    asked = {"bits": 64, "alpha": A, "beta": B, "epsilon": E, "delta": F(1, 10**6)}
    found = [lower_parities.relabelled(k=k, **asked).n for k in (1, 2, 3, 5, 10, 100)]
    assert found == sorted(found)
    task = Task(
        Parities(bits=64),
        privacy=Privacy(1, "1e-6"),
        accuracy=Accuracy(A, B),
        marginal="uniform",
        k=5,
    )
    assert plan(task).lower_bounds[0].n >= 64


def test_packings_are_closed_forms():
    assert covers.packed_thresholds(packing=1001, beta=F(1, 4), epsilon=F(1, 2)).n == ceil(
        2 * log(3000)
    )
    assert covers.packed_hypotheses(packing=1001, beta=F(1, 4), epsilon=F(1, 2)).n == 17
    assert covers.packed_ball(packing=2002, scale=F(1, 8), epsilon=E).n == ceil(log(1000))
    got = covers.doubling(
        dimension=50,
        least_dimension=50,
        vc=1,
        diameter=F(1),
        alpha=F(1, 10**6),
        epsilon=F(1, 10**4),
    )
    assert got.n == ceil(log(2**49 - 1) / (32e-10))
    with pytest.raises(BadInput):
        covers.doubling(
            dimension=50, least_dimension=50, vc=1, diameter=F(1), alpha=A, epsilon=F(1, 10**4)
        )


@pytest.mark.parametrize("radius", [F(1, 20), F(3, 10), F(1, 2), F(9, 10)])
@pytest.mark.parametrize("dimension", [3, 10])
def test_lemma_25_stays_below_the_ratio_of_caps(dimension, radius):
    def cap(angle):
        half = betainc((dimension - 1) / 2, 1 / 2, np.sin(min(angle, pi / 2)) ** 2) / 2
        return (
            half
            if angle <= pi / 2
            else 1 - betainc((dimension - 1) / 2, 1 / 2, np.sin(angle) ** 2) / 2
        )

    ratio = cap(pi * float(radius)) / cap(pi * float(radius) / 2)
    got = covers.halfspace_packing(dimension=dimension, radius=radius)
    assert got == max(1, ceil(2 * (2 * cos(pi * float(radius) / 2)) ** (dimension - 2) - 1e-9))
    assert got <= max(1, ceil(ratio))
    # The printed size is refuted for large radii.
    if radius == F(9, 10):
        assert got < 2 ** (dimension - 2)


def accused(counts, limit):
    """Boneh and Shaw's tracing, by the ones on each type of column."""
    return any(
        before < (before + after) / 2 - sqrt((before + after) * limit / 2)
        for before, after in pairwise(counts)
    )


@pytest.mark.parametrize("users", [1, 2])
def test_somebody_is_always_accused(users):
    limit = 1.5
    copies = int(users * (users + 1) * limit) + 1
    for middle in product(range(copies + 1), repeat=users - 1):
        assert accused((0, *middle, copies), limit)
    fewer = copies // 3
    assert not all(
        accused((0, *middle, fewer), limit)
        for middle in product(range(fewer + 1), repeat=users - 1)
    )


def test_the_innocent_are_seldom_accused():
    copies, limit = 20, 1.5
    for ones in range(2 * copies + 1):
        edge = ones / 2 - sqrt(ones * limit / 2)
        below = ceil(edge) - 1
        assert hypergeom.cdf(below, 2 * copies, copies, ones) <= exp(-limit) + 1e-12


def test_tracing_lengths():
    assert fingerprints.boneh_shaw_length(users=8, xi=F(1, 100)) == 9 * (int(72 * log(100)) + 1)
    for k in (10**3, 10**5):
        n = fingerprints.empirical(k=k, beta=B, epsilon=E).n
        xi = 0.9 / (n - 1) * exp(-1)
        assert n * (int(n * (n - 1) * log(1 / xi)) + 1) <= k
        xi = 0.9 / n * exp(-1)
        assert (n + 1) * (int((n + 1) * n * log(1 / xi)) + 1) > k
    # A PAC learner may err outside the data, so fewer records are surely needed.
    half = F(499, 1000)
    assert fingerprints.thresholds(k=10**5, alpha=half, beta=B, epsilon=E).n <= n
    asked = {"k": 10**9, "alpha": A, "beta": B, "epsilon": E}
    assert fingerprints.agnostic(**asked).n == fingerprints.agnostic_named(**asked).n
    # Remarks 44 and 48: about 1/(2 alpha) times as many.
    few = fingerprints.agnostic(k=10**9, beta=B, epsilon=E).n
    assert 4.5 * few < fingerprints.agnostic(**asked).n < 5.5 * few


def test_tracing_knows_how_many_values_there_are():
    asked = {"k": 10**6, "alpha": A, "beta": B, "epsilon": E}
    found = [fingerprints.thresholds(values=2**bits, **asked).n for bits in (2, 3, 4, 40)]
    assert found == sorted(found)
    assert found[0] < found[-1] == fingerprints.thresholds(**asked).n
    with pytest.raises(BadInput):
        fingerprints.thresholds(**{**asked, "alpha": F(1, 2)})


def _worst_failure(mistakes, rate):
    """The exponential mechanism's chance of an answer that is not best, over these data."""
    weights = [[exp(-rate * wrong) for wrong in row] for row in mistakes]
    return max(
        sum(w for w, wrong in zip(row, counts, strict=True) if wrong) / sum(row)
        for row, counts in zip(weights, mistakes, strict=True)
    )


def test_tracing_does_not_forbid_what_can_be_done():
    """The printed Theorem 43 does: it asks for 3 records where 2 are enough."""
    thresholds = [[x < t for x in range(4)] for t in range(5)]
    for epsilon, worst in ((20, 0.0002), (10, 0.03)):
        mistakes = [
            [sum(rule[x] != target[x] for x in data) for rule in thresholds]
            for target in thresholds
            for data in product(range(4), repeat=2)
        ]
        failure = _worst_failure(mistakes, epsilon / 2)
        assert failure < worst
        assert fingerprints.empirical(k=1, beta=B, epsilon=F(epsilon)).n <= 2
    # A coin that reads no data is right on two records with probability 1/4.
    assert fingerprints.empirical(k=1, beta=F(4, 5), epsilon=F(1, 100)).n <= 2


def test_no_bound_forbids_a_coin():
    """h and 1 - h cannot both err on more than 0.6: two coins succeed with probability 1/4."""
    task = Task(
        Points(bits=8),
        privacy=Privacy(F(1)),
        accuracy=Accuracy(F(3, 5), F(4, 5)),
        setting="agnostic",
        k=2,
    )
    assert max((floor.n for floor in plan(task).lower_bounds), default=1) <= 1


def test_a_table_at_the_planned_records():
    domain, alpha, beta, epsilon = 3, F(2, 5), F(1, 5), F(8)
    plan = sanitizers.table(
        queries="thresholds", domain_size=domain, alpha=alpha, beta=beta, epsilon=epsilon
    )
    rows, n = plan.choices["rows"], plan.n
    tables = list(combinations_with_replacement(range(domain), rows))
    assert n <= 30

    def prefix(data):
        return np.array([sum(x <= t for x in data) / len(data) for t in range(domain)])

    for data in combinations_with_replacement(range(domain), n):
        errors = np.array([np.abs(prefix(data) - prefix(t)).max() for t in tables])
        scores = np.exp(-4.0 * np.ceil(n * errors - 1e-9))
        assert scores[errors > float(alpha)].sum() / scores.sum() <= beta
    assert (
        sanitizers.finite_class_table(
            size=5, domain_size=9, alpha=alpha, beta=beta, epsilon=epsilon
        ).n
        > n
    )


def test_shares_of_the_budget():
    assert multitask.share(epsilon=E, delta=F(0), k=10) == F(1, 10)
    delta = F(1, 10**6)
    each = multitask.share(epsilon=E, delta=delta, k=1000)
    rho = 1000 * float(each) ** 2 / 8
    orders = np.linspace(1.01, 200, 200_000)
    spent = rho * orders + np.log1p(-1 / orders) - np.log(float(delta) * orders) / (orders - 1)
    assert 0.999 < spent.min() <= 1 + 1e-6
    assert each > F(1, 1000)


@pytest.mark.parametrize(("k", "used"), [(10, 0.92), (100, 0.99), (1000, 0.999)])
def test_shares_use_up_the_budget_as_the_ledger_counts_it(k, used):
    delta = F(1, 10**6)
    each = multitask.share(epsilon=E, delta=delta, k=k)
    event = Selection(epsilon=each, relation=Relation.REPLACE_ONE)
    spent = total([event] * k, delta=delta).epsilon
    assert used <= spent <= 1


def test_direct_sums_pay_for_every_concept():
    one = multitask.direct_sum(size=2**16, k=1, alpha=A, beta=B, epsilon=E).n
    assert one == selection.agnostic(size=2**16, alpha=A, beta=B, epsilon=E).n
    many = multitask.direct_sum(size=2**16, k=40, alpha=A, beta=B, epsilon=E).n
    assert many == selection.agnostic(size=2**16, alpha=A, beta=B / 40, epsilon=E / 40).n
    hashed = multitask.hashed_points(k=40, alpha=A, beta=B, epsilon=E, setting="realizable").n
    exact = multitask.direct_sum(
        size=2**64, k=40, alpha=A, beta=B, epsilon=E, setting="realizable"
    ).n
    assert hashed < exact


def test_tables_pay_once():
    asked = {"alpha": A, "beta": B, "epsilon": E, "delta": F(1, 10**6)}
    for bound in (
        lambda k: multitask.sanitized_points(k=k, **asked),
        lambda k: multitask.sanitized_thresholds(domain_size=2**16, k=k, **asked),
        lambda k: multitask.several(size=2**20, domain_size=2**8, vc=1, k=k, **asked),
    ):
        sizes = [bound(k).n for k in (1, 10, 1000)]
        assert sizes == sorted(sizes)
        assert sizes[2] < 100 * sizes[0]
