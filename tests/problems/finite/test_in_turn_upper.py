"""Tests of ``tacit.problems.finite.in_turn_upper``: the worst reader at the planned number."""

from fractions import Fraction as F
from math import log

import numpy as np
import pytest
from scipy.stats import beta as beta_law

from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import BadInput, Sample
from tacit.problems.finite.in_turn import InTurn
from tacit.problems.finite.in_turn_upper import in_turn, noisy_answers, shape
from tacit.problems.finite.noisy_answers import NoisyAnswers

ALPHA, BETA, EPSILON, SIZE, K = F(1, 4), F(1, 5), F(1), 8, 20
PLAIN = {"alpha": ALPHA, "beta": BETA, "epsilon": EPSILON}


def records(n, law):
    counts = np.floor(np.array(law) / sum(law) * n).astype(int)
    counts[0] += n - counts.sum()
    return counts, Sample(np.repeat(np.arange(len(law)), counts), None)


def corrected(bound, n, data, rng):
    threshold, step = shape(bound=bound, alpha=ALPHA, n=n)
    names = ("corrections", "share", "epsilon", "rho")
    given = {name: bound.choices[name] for name in names}
    rule = InTurn(concepts=Points(size=SIZE), threshold=threshold, step=step, **given)
    return rule._release(data, rng=rng)


def failed(bound, n, law, rng):
    """Whether the worst reader, who knows the records and the weights, gets a bad answer."""
    counts, data = records(n, law)
    talk = corrected(bound, n, data, rng)
    used = 0
    for _ in range(K):
        wanted = counts / n > talk._weights  # the set on which the weights err most
        error = abs(talk.ask(wanted) - F(int(counts[wanted].sum()), n))
        if error > ALPHA:
            return True, used
        used = bound.choices["corrections"] - talk.left
    return False, used


LAWS = ([1, 0, 0, 0, 0, 0, 0, 0], [8, 4, 2, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0, 0])


@pytest.mark.statistical
@pytest.mark.parametrize("delta", [F(0), F(1, 1000)])
def test_the_worst_reader_is_answered_at_the_planned_number(delta):
    bound = in_turn(questions=K, domain_size=SIZE, delta=delta, **PLAIN)
    rng = seeded("in turn, planned")
    runs = 60
    found = [failed(bound, bound.n, LAWS[i % 3], rng) for i in range(runs)]
    bad = sum(fail for fail, _ in found)
    # No more than beta, even at the upper end of a 99.9 % interval.
    assert beta_law.ppf(0.999, bad + 1, runs - bad) <= BETA
    assert max(used for _, used in found) > 0, "a reader who never finds an error shows nothing"


@pytest.mark.statistical
def test_far_fewer_records_are_not_enough():
    bound = in_turn(questions=K, domain_size=SIZE, **PLAIN)
    rng = seeded("in turn, too few")
    few = bound.n // 40
    assert sum(failed(bound, few, LAWS[0], rng)[0] for _ in range(20)) > 10


def test_corrections_are_as_few_as_the_divergence_allows():
    for delta in (F(0), F(1, 10**6)):
        bound = in_turn(questions=1000, domain_size=256, delta=delta, **PLAIN)
        u, w, n = bound.choices["corrections"], bound.choices["noise"], bound.n
        gap = float(ALPHA) - (2 * w + 1) / n
        assert 2 * (u + 1) * gap**2 > log(256)
        assert u <= 5 * log(256) / (2 * float(ALPHA) ** 2)


def test_it_grows_with_the_logarithm_of_the_questions_and_needs_more_without_delta():
    few, many = (in_turn(questions=k, domain_size=64, **PLAIN).n for k in (10, 10**9))
    assert few < many < 4 * few
    small = {"alpha": F(1, 20), "beta": F(1, 20), "epsilon": F(1)}
    pure = in_turn(questions=10, domain_size=64, **small)
    assert in_turn(questions=10, domain_size=64, delta=F(1, 10**6), **small).n < pure.n


def test_beyond_its_floats_it_says_so():
    with pytest.raises(BadInput, match="is proved up to"):
        in_turn(questions=1, domain_size=4, alpha=F(1, 10**5), beta=BETA, epsilon=EPSILON)


@pytest.mark.statistical
@pytest.mark.parametrize("delta", [F(0), F(1, 10**6)])
def test_noise_on_each_answer_keeps_its_promise_and_half_the_records_do_not(delta):
    bound = noisy_answers(questions=K, delta=delta, **PLAIN)
    rng, runs = seeded("noisy answers"), 400
    given = {name: bound.choices[name] for name in ("epsilon", "rho")}
    rule = NoisyAnswers(concepts=Points(size=2), questions=K, **given)
    wanted = np.array([True, False])

    def bad(n):
        count = 0
        for _ in range(runs):
            talk = rule._release(Sample(np.repeat([0, 1], [n // 2, n - n // 2]), None), rng=rng)
            count += any(abs(talk.ask(wanted) - F(n // 2, n)) > ALPHA for _ in range(K))
        return count

    enough, few = bad(bound.n), bad(bound.n // 2)
    # The union over the answers is nearly attained: at the planned number the chance is near beta.
    assert beta_law.ppf(0.001, enough, runs - enough + 1) <= BETA
    assert beta_law.ppf(0.001, few, runs - few + 1) > BETA
