"""CH11 Theorem 27 with our constants, on laws so small that the failure is computed exactly.

Every sample is listed with its probability; the law of the draw is exact; the sum is
compared with the bound. Tight cases show that the bound could not be much smaller.
"""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations, combinations_with_replacement, product
from math import e, factorial, log, prod, sqrt

import numpy as np
import pytest
from tests.problems.reals.ch11_bounds_cases import TENTH, TWENTIETH, _ours

from tacit.bounds.upper import selection
from tacit.checks.testing import exponential_law
from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds
from tacit.core import Accuracy, BadInput, Privacy, Task, claims
from tacit.exact.balls import at, ball
from tacit.planner import plan
from tacit.problems.reals.label_covers_upper import label_private, log_failure, theorem_27
from tacit.problems.reals.label_private_cover import LabelPrivateCoverLearner

# Places, their masses, and the label that the target gives each.
LINE = ([[0.1], [0.4], [0.6], [0.9]], [F(1, 20), F(9, 20), F(9, 20), F(1, 20)])

PLANE = ([[1, 0], [0, 1], [-1, -1]], [F(1, 3), F(1, 3), F(1, 3)])

CASES = {
    "thresholds": (RealThresholds(), LINE, [0, 0, 1, 1]),
    "thresholds, all ones": (RealThresholds(), LINE, [1, 1, 1, 1]),
    "intervals": (RealIntervals(), LINE, [0, 1, 0, 0]),
    "plane": (Halfspaces(columns=2), PLANE, [1, 0, 0]),
}


def _samples(records, n):
    """Every multiset of n records with its probability; a record is (place, label, mass)."""
    for chosen in combinations_with_replacement(range(len(records)), n):
        counts = Counter(chosen)
        ways = factorial(n) // prod(factorial(count) for count in counts.values())
        chance = ways * prod(records[i][2] ** count for i, count in counts.items())
        yield [records[i] for i in chosen], chance


def _failure(concept_class, law, labels, *, alpha, rate, n, reach, flip):
    places, masses = law
    points = np.array(places, dtype=float)
    truth = np.array(labels, dtype=bool)
    records = [
        (place, truth[place] ^ wrong, mass * (flip if wrong else 1 - flip))
        for (place, mass), wrong in product(enumerate(masses), (False, True))
        if flip or not wrong
    ]

    def excess(rule):
        apart = rule.predict(points) != truth
        return (1 - 2 * flip) * sum(m for m, differs in zip(masses, apart, strict=True) if differs)

    total = ball(0)
    with at(128):
        for sample, chance in _samples(records, n):
            x = concept_class.domain.coerce(points[[place for place, _, _ in sample]])
            y = np.array([label for _, label, _ in sample])
            cover = concept_class.cover_on(x, reach)
            errors = cover.landscape(x, y).errors.tolist()
            law_of_draw = exponential_law(errors, rate)
            bad = [i for i in range(cover.size) if excess(cover.hypothesis(i)) > alpha]
            total += ball(chance) * sum((law_of_draw[i] for i in bad), ball(0))
    return float(total)


@pytest.mark.exact
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("reach", [0, 2])
@pytest.mark.parametrize("rate", [F(1, 2), F(4)])
def test_realizable_failure_is_within_the_bound(case, reach, rate):
    concept_class, law, labels = CASES[case]
    alpha, n = F(3, 10), 7
    exact = _failure(
        concept_class, law, labels, alpha=alpha, rate=rate, n=n, reach=reach, flip=F(0)
    )
    log_bound = log_failure(
        concept_class, setting="realizable", alpha=alpha, rate=rate, n=n, reach=reach
    )
    assert 0 < exact <= min(1, float(log_bound.exp()))


@pytest.mark.exact
@pytest.mark.parametrize("case", ["thresholds", "plane"])
@pytest.mark.parametrize("flip", [F(1, 10), F(1, 4)])
def test_agnostic_failure_is_within_the_bound(case, flip):
    concept_class, law, labels = CASES[case]
    alpha, n = F(1, 5), 4
    exact = _failure(concept_class, law, labels, alpha=alpha, rate=F(1, 4), n=n, reach=0, flip=flip)
    log_bound = log_failure(
        concept_class, setting="agnostic", alpha=alpha, rate=F(1, 4), n=n, reach=0
    )
    assert 0 < exact <= min(1, float(log_bound.exp()))


@pytest.mark.exact
def test_a_bound_below_one_is_respected_and_not_idle():
    # Two places: the wrong rule is the constant 0, and the bound is within a factor 30.
    law = ([[0.2], [0.8]], [F(1, 5), F(4, 5)])
    alpha, n, rate = F(3, 5), 12, F(2)
    exact = _failure(RealThresholds(), law, [0, 1], alpha=alpha, rate=rate, n=n, reach=0, flip=F(0))
    bound = float(
        log_failure(
            RealThresholds(), setting="realizable", alpha=alpha, rate=rate, n=n, reach=0
        ).exp()
    )
    assert exact < bound < 1
    # The worst law has its wrong rule just above alpha.
    tight = ([[0.2], [0.8]], [F(399, 1000), F(601, 1000)])
    worse = _failure(
        RealThresholds(), tight, [0, 1], alpha=alpha, rate=rate, n=n, reach=0, flip=F(0)
    )
    assert exact < worse < bound < 30 * worse


def test_extreme_numbers_have_bounds_too():
    tiny = F(1, 10**400)
    assert _ours(RealThresholds(), beta=tiny).n > _ours(RealThresholds()).n
    assert _ours(RealThresholds(), epsilon=tiny).n > 10**400
    assert (
        label_private(
            RealThresholds(), setting="realizable", alpha=TENTH, beta=tiny, epsilon=F(1)
        ).n
        > 10**4
    )


def test_the_radius_is_near_the_best():
    # Exhaustive over all finenesses, by the selection bound itself.
    thresholds = RealThresholds()
    every = [
        selection.realizable(
            size=cells,
            alpha=TENTH,
            beta=TWENTIETH,
            epsilon=F(1),
            rho=thresholds.cover_radius(cells),
        ).n
        for cells in range(6, 400)
    ]
    assert _ours(thresholds).n <= min(every) + 1


def test_a_cover_too_large_is_refused_in_words():
    with pytest.raises(BadInput, match="fewer columns"):
        _ours(Halfspaces(columns=12))
    with pytest.raises(BadInput, match="fewer columns"):
        label_private(
            RealBoxes(columns=5), setting="realizable", alpha=TENTH, beta=TWENTIETH, epsilon=F(1)
        )


@pytest.mark.parametrize(
    "family", [RealThresholds(), RealIntervals(), RealBoxes(columns=2), Halfspaces(columns=2)]
)
@pytest.mark.parametrize("setting", ["realizable", "agnostic"])
def test_label_privacy_beats_its_printed_constants(family, setting):
    bound = label_private(family, setting=setting, alpha=F(1, 5), beta=TWENTIETH, epsilon=F(1))
    assert bound.n < bound.printed
    assert bound.claim.cite == "CH11 Theorem 27"
    assert 0 <= bound.choices["radius"] < F(1, 5)
    harder = label_private(family, setting=setting, alpha=F(1, 5), beta=TWENTIETH, epsilon=F(1, 10))
    assert harder.n > bound.n


def test_theorem_27_condition_is_met_at_n_and_not_before():
    given = {"vc": 2, "size": 500, "alpha": F(1, 8), "beta": F(1, 9), "epsilon": F(1, 3)}

    def met(m, eta):
        em = (8 * 2 * log(2 * e * m / 2) + 4 * log(16 * 9)) / m
        t = 2 * log(2 * 500 * 9) / (m / 3)
        a = (sqrt(em) + sqrt(em + 4 * (eta + sqrt(eta * em) + em + 1 / 32 + t))) / 2
        return a * a <= eta + 1 / 8

    for eta in (F(0), F(1, 4)):
        n = theorem_27(**given, eta=eta).n
        assert met(n, float(eta))
        assert not met(n - 1, float(eta))


def test_rules_on_records_are_no_more_than_counted():
    generator = np.random.default_rng(8)
    for family in (RealThresholds(), RealIntervals(), RealBoxes(columns=2), Halfspaces(columns=2)):
        x = family.domain.coerce(generator.random((9, family.columns)) - 0.5)
        assert 1 < family.cover_on(x, 0).size <= family.rules_on(9)
        # Every rule is decided by at most `support` records: leaving out others keeps it.
        whole = {family.cover_on(x, 0).hypothesis(i) for i in range(family.cover_on(x, 0).size)}
        parts = set()
        for few in combinations(range(9), min(family.support, 4)):
            part = family.cover_on(x[list(few)], 0)
            parts |= {part.hypothesis(i) for i in range(part.size)}
        assert whole <= parts


@pytest.mark.parametrize("setting", ["realizable", "agnostic"])
@pytest.mark.parametrize(
    ("family", "alpha"),
    [
        (RealThresholds(), F(1, 10)),
        (RealThresholds(), F(1, 500)),
        (RealIntervals(), F(1, 10)),
        (RealBoxes(columns=2), F(1, 5)),
        (RealBoxes(columns=2), F(9, 10)),
        (Halfspaces(columns=2), F(1, 10)),
    ],
)
def test_more_records_than_planned_do_not_hurt(family, alpha, setting):
    bound = label_private(family, setting=setting, alpha=alpha, beta=TWENTIETH, epsilon=F(1))
    learner = LabelPrivateCoverLearner(
        concept_class=family, radius=bound.choices["radius"], epsilon=bound.choices["epsilon"]
    )
    last = log(TWENTIETH)
    for times in (1, 2, 5, 30, 1000):
        n = times * bound.n
        chance = log_failure(
            family,
            setting=setting,
            alpha=alpha,
            rate=learner.epsilon / 2,
            n=n,
            reach=learner._reach(n),
        )
        assert float(chance) <= last
        last = float(chance)
    one_less = {"setting": setting, "alpha": alpha, "rate": learner.epsilon / 2, "n": bound.n - 1}
    reach = int(bound.choices["radius"] * (bound.n - 1))
    assert float(log_failure(family, **one_less, reach=reach)) > log(TWENTIETH) - 0.2


@pytest.mark.parametrize(
    ("family", "setting", "n"),
    [
        (RealThresholds(), "realizable", 190),
        (RealThresholds(), "agnostic", 1991),
        (RealIntervals(), "realizable", 332),
        (Halfspaces(columns=2), "realizable", 372),
    ],
)
def test_label_privacy_figures(family, setting, n):
    bound = label_private(family, setting=setting, alpha=TENTH, beta=TENTH, epsilon=F(1))
    assert bound.n == n
    assert bound.printed > 20 * n


def test_all_five_theorems_are_cited():
    cited = {claim.cite for claim in claims() if claim.paper == "CH11"}
    assert {f"CH11 Theorem {k}" for k in (7, 8, 9, 26, 27)} <= cited


def _planned(columns, setting="realizable"):
    accuracy, privacy = Accuracy("0.1", "0.05"), Privacy(1, relation="label")
    family = RealBoxes(columns=columns)
    return plan(Task(family, privacy=privacy, accuracy=accuracy, setting=setting))


def test_covers_that_cannot_be_listed_are_planned_and_not_run():
    found = _planned(3)
    assert found.best.name == "label-private-cover-of-any-size"
    assert found.best.n == 1072
    assert found.runnable is None
    assert "it lists a cover of about 2^57 rules" in found.summary()
    assert _planned(2).runnable.name == "label-private-cover"


def test_a_cover_of_any_size_never_needs_more_records():
    for setting in ("realizable", "agnostic"):
        for family in (
            RealThresholds(),
            RealBoxes(columns=1),
            RealBoxes(columns=2),
            Halfspaces(columns=2),
        ):
            asked = {"alpha": F(1, 5), "beta": F(1, 10), "epsilon": F(1), "setting": setting}
            free = label_private(family, cover="any", **asked)
            assert free.n <= label_private(family, **asked).n
            reach = int(free.choices["radius"] * free.n)
            rate = free.choices["epsilon"] / 2
            at_it = {"alpha": F(1, 5), "rate": rate, "reach": reach, "setting": setting}
            assert float(log_failure(family, n=free.n, **at_it).exp()) <= F(1, 10)
