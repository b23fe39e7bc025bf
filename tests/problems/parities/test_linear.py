"""Parities: elimination against brute force, votes and secret subsamples exactly."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from tests.problems.parities.bns19_parities_cases import arrays, attempt_law, parity, solutions
from tests.tools.b20_laws import BITS, gap_law

from tacit.checks.testing import divergence, exact_epsilon, law_of, neighbours
from tacit.core import Relation, Sample
from tacit.domains import Bits
from tacit.exact.balls import at, ball
from tacit.mechanisms.calibration import giving_up, subsample_rate
from tacit.problems.parities.linear import solve, solve_at_random
from tacit.problems.parities.parities import Parities
from tacit.problems.parities.parity_learner import ParityVotes

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_elimination_finds_all_solutions(bits):
    records = [(x, y) for x in range(1 << bits) for y in (0, 1)]
    for n in range(4):
        for data in combinations_with_replacement(records, n):
            found = solve(*arrays(data), bits)
            spanned = []
            if found is not None:
                for chosen in product((0, 1), repeat=len(found.free)):
                    mask = found.solution
                    for take, vector in zip(chosen, found.free, strict=True):
                        mask ^= vector * take
                    spanned.append(mask)
            assert sorted(spanned) == solutions(data, bits)


def test_a_random_solution_is_uniform():
    for data in ([], [(3, 1)], [(3, 1), (4, 0)], [(1, 1), (1, 0)]):
        law, left = law_of(lambda rng, d=data: solve_at_random(*arrays(d), 3, rng=rng))
        wanted = solutions(data, 3)
        assert left == 0
        assert law == {m: Fraction(1, len(wanted)) for m in wanted} or (not wanted and None in law)


def test_landscape_counts_mistakes():
    concepts = Parities(bits=3)
    for data in ([], [(5, 1)], [(x, (x * 5 + 1) & 1) for x in range(8)] * 2, [(7, 0), (7, 1)]):
        x, y = arrays(data)
        wrong = [sum(parity(m, a) != b for a, b in data) for m in range(8)]
        assert concepts.landscape(x, y).errors.tolist() == wrong
        for mask in range(8):
            predicted = concepts.hypothesis(mask).predict(x)
            assert predicted.tolist() == [bool(parity(mask, a)) for a, _ in data]
    assert "too many" in Parities(bits=64).too_many


@pytest.mark.parametrize(("bits", "rows", "blocks"), [(1, 1, 4), (1, 2, 2), (2, 2, 2)])
def test_votes_over_all_neighbours_at_every_position(bits, rows, blocks):
    for epsilon, delta in product(
        (Fraction(1, 2), Fraction(2)), (Fraction(1, 10), Fraction(1, 1000))
    ):
        learner = ParityVotes(
            domain=Bits(columns=bits), rows=rows, blocks=blocks, epsilon=epsilon, delta=delta
        )
        records = [(x, y) for x in range(1 << bits) for y in (0, 1)]
        block = list(product(records, repeat=rows))
        # One record lies in one block: what the others vote is the same next door.
        says = {b: tuple(learner.votes(Sample(*arrays(b)))) for b in block}
        moves = {
            (says[b], says[(*b[:i], r, *b[i + 1 :])])
            for b in block
            for i in range(rows)
            for r in records
        }
        rest = {
            tuple(v for vote in votes for v in vote)
            for votes in product(set(says.values()), repeat=blocks - 1)
        }
        worst = ball(0)
        for others, (old, new) in product(rest, moves):
            laws = [gap_law(learner._test(), [*others, *vote]) for vote in (old, new)]
            worst = worst.max(divergence(*laws, epsilon))
        assert 0 < worst <= ball(delta)


@pytest.mark.parametrize("bits", [1, 2])
def test_secret_subsamples_are_pure_and_more_would_not_be(bits):
    records = [(x, y) for x in range(1 << bits) for y in (0, 1)]

    def worst(n, epsilon, **parts):
        laws, found = {}, ball(0)
        for left, right in neighbours(records, n, Relation.REPLACE_ONE):
            for data in (left, right):
                if data not in laws:
                    laws[data] = attempt_law(data, bits=bits, **parts)
            found = found.max(exact_epsilon(laws[left], laws[right]))
        return found

    with at(BITS):
        for epsilon in (Fraction(1, 4), Fraction(1), Fraction(3)):
            rate, lost = subsample_rate(epsilon), giving_up(epsilon)
            for n in (1, 3):
                assert worst(n, epsilon, rate=rate, lost=lost) <= ball(epsilon)
            more = rate + Fraction(1, 1000)
            assert worst(1, epsilon, rate=more, lost=lost) > ball(epsilon)
            less = lost - Fraction(1, 100)
            assert worst(1, epsilon, rate=rate, lost=less) > ball(epsilon)
