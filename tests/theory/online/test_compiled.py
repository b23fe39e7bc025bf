"""Private learners made into online learners, and uniform against non-uniform learning."""

from fractions import Fraction
from math import ceil, comb, exp, log, log1p

import numpy as np
import pytest
from scipy.optimize import linprog

from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.core import ALGORITHMS, Accuracy, BadInput, Privacy, Sample, Task
from tacit.domains.integers import Integers
from tacit.theory.online import (
    ConservativeHedge,
    Contrarian,
    Fixed,
    experts_needed,
    hashes_needed,
    panel,
    play,
    point_experts,
    private_to_online,
)

NUMBERS = {
    "epsilon": "1/2",
    "records": 10,
    "alpha": "1/4",
    "beta": "1/2",
    "points": 2**16,
    "concepts": 2**16,
    "failure": "1/20",
}


def plainly(*, epsilon, records, alpha, beta, points, concepts, failure):
    """The fixed point of the theory, in floats: sequences of points, both tails."""
    chance = (1 - float(Fraction(beta))) * exp(-float(Fraction(epsilon)) * records)
    slack = (0.5 - float(Fraction(alpha))) / 2
    n = 1
    while True:
        support = ceil(log(2 * n) / (2 * slack**2))
        wanted = ceil((support * log(points) + log(concepts / float(Fraction(failure)))) / chance)
        if wanted <= n:
            return n
        n = wanted


def test_the_number_of_experts_is_a_fixed_point_and_below_the_plain_one():
    needed = experts_needed(**NUMBERS)
    assert needed.wrong == Fraction(3, 8)
    assert needed.count * exp(-needed.support / 32) < 1
    supports = comb(2**16 + needed.support - 1, needed.support)
    chance = 0.5 * exp(-5)
    assert needed.count == ceil((log(supports) + log(2**16 * 20)) / -log1p(-chance))
    assert needed.count < plainly(**NUMBERS) < 2.1 * needed.count
    assert plainly(**NUMBERS) == 1581006  # theory: about a million


@pytest.mark.parametrize(
    ("change", "factor"),
    [({"records": 11}, exp(0.5)), ({"epsilon": 1}, exp(5)), ({"beta": "3/4"}, 2)],
)
def test_experts_grow_exponentially_with_epsilon_times_records(change, factor):
    before, after = experts_needed(**NUMBERS).count, experts_needed(**(NUMBERS | change)).count
    assert factor < after / before < 1.6 * factor


def test_counting_sequences_instead_of_multisets_is_only_larger():
    huge = NUMBERS | {"points": 2**4000, "concepts": 1}
    assert experts_needed(**huge).count <= plainly(**huge)
    assert experts_needed(**(NUMBERS | {"records": 60})).count > 10**15


@pytest.mark.parametrize("bad", [{"alpha": "1/2"}, {"epsilon": 0}, {"points": 0}, {"failure": 1}])
def test_numbers_that_make_no_sense_are_refused(bad):
    with pytest.raises(BadInput):
        experts_needed(**(NUMBERS | bad))


def least_wrong(matrix, target):
    """The least weight with which the best mixture of rows is wrong everywhere (a small LP)."""
    wrong = (np.unique(matrix, axis=0) != target).astype(float)
    rows, columns = wrong.shape
    found = linprog(
        [0] * rows + [1],
        A_ub=np.hstack([wrong.T, -np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1] * rows + [0]],
        b_eq=[1],
    )
    return found.fun


TASK = Task(
    Points(size=3), privacy=Privacy("1/16"), accuracy=Accuracy("1/4", "3/4"), output="proper"
)


def test_a_private_learner_becomes_an_online_learner():
    made = private_to_online(TASK, ALGORITHMS["permute-and-flip"], rng=seeded("compile"))
    assert made.runs == 598
    assert made.rules.size == 3  # equal rules count once
    for target in range(3):
        labels = [int(x == target) for x in range(3)]
        fresh = ConservativeHedge(made.rules, wrong="3/8")
        game = play(fresh, Contrarian(fresh, range(3), labels), rounds=fresh.bound + 1)
        assert game.mistakes <= made.learner.bound


def test_the_drawn_rules_keep_the_promise_of_the_theorem():
    task = Task(Thresholds(size=3), privacy=Privacy("1/16"), accuracy=Accuracy("1/4", "3/4"))
    made = private_to_online(task, ALGORITHMS["thresholds"], rng=seeded("promise"))
    points = np.arange(3)
    matrix = np.array([rule.predict(points) for rule in made.rules.rules])
    for cut in range(4):
        assert least_wrong(matrix, points >= cut) <= 3 / 8 + 1e-9
    assert least_wrong(matrix[:1], ~matrix[0]) == pytest.approx(1)  # and the check can fail


def test_an_adversary_that_settles_beforehand_needs_fewer_runs():
    """Three points of class size 3, or one round."""
    once = private_to_online(TASK, ALGORITHMS["permute-and-flip"], rounds=1, rng=seeded(1))
    assert once.runs < 598


def test_what_cannot_be_compiled_is_refused_in_words():
    flip = ALGORITHMS["permute-and-flip"]
    with pytest.raises(BadInput, match="runs"):
        private_to_online(TASK.with_(beta="1/100"), flip)
    with pytest.raises(BadInput, match="replace-one"):
        private_to_online(TASK.with_(relation="add-remove"), flip)
    with pytest.raises(BadInput, match="does not apply"):
        private_to_online(TASK, ALGORITHMS["thresholds"])
    with pytest.raises(BadInput, match="dummy"):
        private_to_online(TASK, flip, dummy=Sample([0], [0]))


def collisions(experts, points):
    cells = experts.domain.coerce(points)
    table = np.array([chosen(cells) for chosen in experts.hashes])
    return (table[:, :, None] == table[:, None, :]).mean(axis=0)


def test_buckets_are_experts_for_points_over_any_domain():
    domain = Integers(bits=10)
    experts = point_experts(domain, rng=seeded("buckets"))
    hashes, bits = hashes_needed(pairs=1024 * 1023 // 2)
    assert (len(experts.hashes), experts.buckets) == (hashes, 1 << bits)
    together = collisions(experts, np.arange(1024))
    np.fill_diagonal(together, 0)
    assert together.max() <= 3 / 8
    learner = ConservativeHedge(panel(experts))
    others = [x for x in range(0, 1024, 7) if x != 777]
    adversary = Contrarian(learner, [777, *others], [1] + [0] * len(others))
    game = play(learner, adversary, rounds=learner.bound + 1)
    assert 1 <= game.mistakes <= learner.bound


def test_too_few_hashes_do_not_represent_points():
    experts = point_experts(Integers(bits=10), rounds=1, failure="1/2", rng=seeded("few"))
    together = collisions(experts, np.arange(1024))
    np.fill_diagonal(together, 0)
    assert together.max() > 3 / 8


def test_points_over_64_bits_online():
    experts = point_experts(Integers(bits=64), rounds=300, rng=seeded("wide"))
    assert experts.size <= 1000  # theory: a few hundred for an oblivious adversary
    learner = ConservativeHedge(panel(experts))
    secret = 2**63 + 12345
    examples = [(secret, 1) if t % 10 == 3 else (t * 10**17, 0) for t in range(100)]
    assert play(learner, Fixed(examples)).mistakes <= learner.bound


def test_hashes_are_refused_where_none_will_do():
    with pytest.raises(BadInput, match="wrong"):
        hashes_needed(pairs=10, wrong="1/1000")
