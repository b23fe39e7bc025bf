"""A witness for every theorem that has no learner of its own: tiny instances, checked exactly."""

from fractions import Fraction as F
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import ceil, cos, exp, log, pi, sqrt

import numpy as np
import pytest
from scipy.special import betainc
from scipy.stats import binom, hypergeom

from tacit.accounting.composition import total
from tacit.bounds.lower import communication, representations, shattered
from tacit.bounds.matrices import by_rank
from tacit.bounds.upper import generalization, selection, weights
from tacit.classes import Parities, Points
from tacit.core import Accuracy, BadInput, Privacy, Relation, Selection, Task
from tacit.planner import plan
from tacit.problems.finite import littlestone_upper as littlestone
from tacit.problems.finite import sanitizers_upper as sanitizers
from tacit.problems.finite import shapes_lower as shapes
from tacit.problems.lines import line_separation
from tacit.problems.lines import lines_lower as lines
from tacit.problems.parities import parities_lower as lower_parities
from tacit.problems.points import one_histogram_upper
from tacit.problems.points import points_upper as points
from tacit.problems.points import pseudorandom_lower as pseudorandom
from tacit.problems.points import pseudorandom_upper as seeds
from tacit.problems.protocols import communication_upper as protocols
from tacit.problems.reals import covers_lower as covers
from tacit.problems.several import fingerprints
from tacit.problems.several import several_upper as multitask
from tacit.problems.thresholds import thresholds_lower as lower_thresholds
from tacit.theory.dimensions import implied

A, B, E = F(1, 10), F(1, 10), F(1)


def tail(q, m):
    """``P(Z >= m)`` of the two-sided geometric law, ``m >= 1``."""
    return q**m / (1 + q)


# --- representations and shapes


def test_lemma_3_10_no_two_hypotheses_represent_eight_points():
    assert representations.representation_size(bits=3) == 3
    size, functions = 8, range(256)
    for pair in combinations(functions, 2):
        patterns = [tuple((h >> x) & 1 for h in pair) for x in range(size)]
        x, y = next((x, y) for x, y in combinations(range(size), 2) if patterns[x] == patterns[y])
        # The target is x, the distribution uniform on x and y: every hypothesis errs on half.
        assert all(((h >> x) & 1) == ((h >> y) & 1) for h in pair)


def test_theorem_3_6_is_its_formula():
    n = representations.minimal(size=1001, beta=F(1, 4), epsilon=F(1, 2)).n
    assert n == ceil(2 * log(1000 * 3))


def test_lemma_5_2_is_theorem_3_6_for_thresholds():
    got = lower_thresholds.one_border_each(size=1001, beta=F(1, 4), epsilon=F(1, 2)).n
    assert got == representations.minimal(size=1001, beta=F(1, 4), epsilon=F(1, 2)).n


def test_shapes_by_the_direct_argument():
    """What the printed reductions lose: they give 1 in the first row and 104 in the last."""
    light = {(64, 1): 748, (64, 2**32): 337, (256, 256): 3201, (1000, 256): 13328}
    switches = {(64, 1): 375, (64, 2**32): 169, (256, 256): 1603, (1000, 256): 6669}
    for (bits, few), n in light.items():
        assert shapes.light_answers(bits=bits, weight=few, alpha=A, epsilon=E).n == n
    for (bits, few), n in switches.items():
        assert shapes.few_switches(bits=bits, switches=few, alpha=A, epsilon=E).n == n
    # Not above what a proper learner needs, whose answers have one 1, at the same failure.
    asked = {"alpha": A / 2, "epsilon": E}
    upper = points.exact_tail(size=2**64, beta=F(1, 4), **asked).n
    assert shapes.light_answers(bits=64, weight=1, alpha=A, epsilon=E).n <= upper


def test_theorem_5_8_noise_stays_below_alpha():
    got = shapes.independent_noise(bits=20, alpha=F(1, 100), beta=F(1, 5), epsilon=E)
    least = lower_thresholds.rare_pair(
        domain_size=2**20, alpha=F(1, 100), beta=F(241, 1000), epsilon=E
    )
    assert got.n == least.n > 500
    with pytest.raises(BadInput):
        shapes.independent_noise(bits=20, alpha=F(1, 4), beta=F(1, 5), epsilon=E)
    # With more noise than that, so small an error is too unlikely.
    mu, size = 0.02, 2**12
    assert binom.cdf(int(0.01 * size), size, mu) < 0.8


def test_theorem_6_1_separates_efficient_from_inefficient():
    cheap = seeds.seeds(seed_bits=16, alpha=A, beta=B, epsilon=E).n
    assert cheap == points.exact_tail(size=2**16, alpha=A, beta=B, epsilon=E).n
    asked = {"alpha": A, "beta": B, "epsilon": E}
    dear = pseudorandom.efficient(bits=10**4, **asked).n
    assert dear > 10 * (10**4 * log(2) + log(9)) > cheap
    weaker = pseudorandom.efficient(bits=10**4, advantage=F(1, 10), **asked).n
    assert weaker < dear
    assert dear <= points.exact_tail(size=2**10000, **asked).n


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


def test_without_privacy_is_never_dearer_than_with_it():
    assert generalization.one_region(alpha=A, beta=F(1, 20)).n == 29
    for size in (2, 8, 2**16):
        for alpha, beta in product((F(1, 10), F(1, 3)), (F(1, 20), F(1, 3))):
            rows = implied.records(
                concepts=size, vc=1, littlestone=1, epsilon=E, alpha=alpha, beta=beta
            )
            assert rows[0].bound.n <= rows[1].bound.n


# --- lines, packings, messages


@pytest.mark.parametrize("alpha", [F(1, 50), F(1, 20), F(1, 10)])
def test_a_hypothesis_is_good_for_few_lines(alpha):
    p = 3
    plane = list(product(range(p), repeat=2))
    every = [{(x, (a * x + b) % p) for x in range(p)} for a in range(p) for b in range(p)]
    share = lines.share(p=p, alpha=alpha)
    for bits in range(2 ** (p * p)):
        ones = {plane[i] for i in range(p * p) if (bits >> i) & 1}
        good = 0
        for line in every:
            missed = F(len(line - ones), p)
            wrong = F(len(line ^ ones), p * p)
            good += (missed + wrong) / 2 <= alpha
        assert F(good, len(every)) <= share


def test_lines_need_more_the_larger_the_prime():
    sizes = [lines.random_line(p=p, alpha=A, beta=B, epsilon=E).n for p in (101, 10007, 2**61 - 1)]
    assert sizes == sorted(set(sizes))
    split = [
        line_separation.separation(p=p, alpha=A, beta=B, epsilon=E, delta=F(1, 10**6))
        for p in (101, 2**61 - 1)
    ]
    assert split[0].n == split[1].n
    assert split[0].choices["pure"] < split[1].choices["pure"]


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

    ratio = cap(pi * float(radius)) / cap(pi * float(radius) / 2) / 2
    got = covers.halfspace_packing(dimension=dimension, radius=radius)
    assert got == max(1, ceil((2 * cos(pi * float(radius) / 2)) ** (dimension - 1) / 2 - 1e-9))
    assert got <= max(1, ceil(ratio))
    # The printed size is refuted for large radii.
    if radius == F(9, 10):
        assert got < 2 ** (dimension - 2)


def test_messages_and_the_branch_that_supersedes_them():
    e = 1 / 3
    entropy = -(e * log(e) + (1 - e) * log(1 - e)) / log(2)
    assert communication.message_bits(littlestone=64, error=F(1, 3)) == ceil((1 - entropy) * 64)
    for d in (16, 64, 500):
        old = communication.through_messages(littlestone=d, alpha=A, beta=B, epsilon=E).n
        assert old <= shattered.branch(dimension=d, alpha=A, beta=B, epsilon=E).n
    assert communication.class_table(name="halfspaces", bits=4, dimension=3)["littlestone"] == 12


def test_protocols():
    k = protocols.copies(error=F(1, 100), rho=F(1, 50), failure=F(1, 20))
    assert F(1, 2) ** k <= F(1, 20) < F(1, 2) ** (k - 1)
    for t in (1, 2, 5, 8):
        exact = protocols.majority_error(runs=t, error=F(1, 3))
        assert abs(float(exact) - binom.sf(-(-t // 2) - 1, t, 1 / 3)) < 1e-12
    assert protocols.deterministic_error(rho=F(1, 4)) == (F(1, 4), F(1, 8))
    bits = protocols.representation_bits(message=7)
    error = protocols.majority_error(runs=5, error=F(1, 3))
    assert bits == 5 * 7 + 3
    assert (4 * error) ** 8 <= F(1, 4)
    got = protocols.records(bits=1, alpha=A, beta=B, epsilon=E)
    size = got.choices["copies"] << (got.choices["runs"] * 2)
    assert (
        got.n
        == selection.realizable(size=size, alpha=A, beta=B / 2, epsilon=E, rho=got.choices["rho"]).n
    )


# --- fingerprints


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
    assert fingerprints.tardos_length(users=10, xi=F(1, 100)) == 100 * 100 * 5
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


# --- uniform convergence, tables, trees, weights


def test_convergence_bounds_hold_for_one_concept():
    n = generalization.realizable_convergence(vc=1, alpha=A, beta=B).n
    assert n == ceil(640 * (log(640) + log(80)))
    assert binom.cdf(int(0.05 * n), n, 0.1) <= 0.1
    n = generalization.agnostic_convergence(vc=1, alpha=A, beta=B).n
    assert n == ceil(6400 * (log(60) + log(80)))
    assert binom.cdf(int(0.4 * n), n, 0.5) <= 0.1
    assert generalization.without_privacy(vc=1, alpha=A, beta=B).n == 562


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


def test_a_tree_at_the_planned_records():
    plan = weights.tree(bits=2, alpha=F(1, 5), beta=F(1, 10), epsilon=E)
    assert plan.choices["levels"] == 1
    # One level of four leaves: prefixes are sums of one, two or three of them.
    q = exp(-0.5)
    span = np.arange(-200, 201)
    noise = (1 - q) / (1 + q) * q ** np.abs(span)

    def fails(limit):
        # Probability that a walk of three steps leaves [-limit, limit].
        inside = np.abs(span) <= limit
        state = noise * inside
        for _ in range(2):
            state = np.convolve(state, noise, mode="same") * inside
        return 1 - state.sum()

    assert fails(int(0.2 * plan.n)) <= 0.1
    assert fails(int(0.2 * plan.n / 4)) > 0.1


@pytest.mark.parametrize("delta", [F(0), F(1, 10**6)])
def test_weights_answer_within_alpha_and_not_with_fewer(delta):
    size, domain = 100, 256
    plan = weights.multiplicative_weights(
        size=size, domain_size=domain, alpha=A, beta=B, epsilon=E, delta=delta
    )
    rounds = plan.choices["rounds"]
    if delta:
        rho = float(weights.concentrated(epsilon=E, delta=delta))
        e0 = sqrt(4 * rho / rounds)
        noise = sqrt(rounds / rho) * sqrt(2 * log(40 * rounds))
        assert rounds * (e0**2 / 8 + 1 / (2 * (rounds / rho))) <= rho * (1 + 1e-9)
    else:
        e0 = 1 / (2 * rounds)
        noise = log(40 * rounds / (1 + exp(-e0))) / e0
    selected = 2 / e0 * log(20 * size * rounds)

    def error(n):
        return selected / n + sqrt(log(domain) / (2 * rounds) + (noise / n) ** 2)

    assert error(plan.n) <= 0.1 * (1 + 1e-9) < error(plan.n * 0.99)


# --- several concepts


def test_shares_of_the_budget():
    assert multitask.share(epsilon=E, delta=F(0), k=10) == F(1, 10)
    delta = F(1, 10**6)
    each = multitask.share(epsilon=E, delta=delta, k=1000)
    rho = 1000 * float(each) ** 2 / 8
    orders = np.linspace(1.01, 200, 200_000)
    spent = rho * orders + np.log1p(-1 / orders) - np.log(float(delta) * orders) / (orders - 1)
    assert 0.999 < spent.min() <= 1 + 1e-6
    assert each > F(1, 1000)


@pytest.mark.parametrize("epsilon", [F(1, 10), F(1), F(8)])
@pytest.mark.parametrize("delta", [F(1, 10**9), F(1, 10**6), F(1, 10)])
def test_a_budget_holds_as_much_zcdp_as_some_order_proves(epsilon, delta):
    rho = float(weights.concentrated(epsilon=epsilon, delta=delta))
    room = -log(delta)
    assert rho >= (sqrt(room + float(epsilon)) - sqrt(room)) ** 2 * (1 - 1e-9)
    orders = 1 + np.geomspace(1e-3, 1e6, 400_000)
    spent = rho * orders + np.log1p(-1 / orders) - np.log(float(delta) * orders) / (orders - 1)
    assert spent.min() <= float(epsilon) * (1 + 1e-6)
    more = spent + 0.001 * rho * orders
    assert more.min() > float(epsilon)


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


def test_one_histogram_at_the_planned_records():
    alpha, beta, delta = F(1, 5), F(1, 10), F(1, 1000)
    plan = one_histogram_upper.one_histogram(alpha=alpha, beta=beta, epsilon=E, delta=delta)
    q, threshold = exp(-0.5), plan.choices["threshold"]

    def missed(n):
        # A value of probability alpha: P(count + noise < threshold), exactly.
        total = 0.0
        for count in range(n + 1):
            short = threshold - 1 - count
            below = tail(q, -short) if short < 0 else 1 - tail(q, short + 1)
            total += binom.pmf(count, n, float(alpha)) * below
        return total

    assert missed(plan.n) / float(alpha) <= beta
    assert missed(plan.n // 2) / float(alpha) > beta


def test_global_stability_is_astronomical():
    sizes = [
        littlestone.global_stability(littlestone=d, alpha=A, epsilon=E, delta=F(1, 10**6)).n
        for d in (1, 2, 3)
    ]
    assert sizes[0] > 10**8
    assert sizes[2] > 10**6 * sizes[1] > 10**9 * sizes[0] / 10**4


def test_matrices_by_rank():
    for rows, columns in ((2, 3), (3, 3)):
        counts = [0] * (min(rows, columns) + 1)
        for bits in product((0, 1), repeat=rows * columns):
            left = [sum(bits[r * columns + c] << c for c in range(columns)) for r in range(rows)]
            rank = 0
            while any(left):
                pivot = next(v for v in left if v)
                low = pivot & -pivot
                left = [v ^ pivot if v & low else v for v in left]
                rank += 1
            counts[rank] += 1
        assert tuple(counts) == by_rank(rows=rows, columns=columns)
    assert sum(by_rank(rows=5, columns=4)) == 2**20
