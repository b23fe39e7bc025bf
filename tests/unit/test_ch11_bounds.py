"""The numbers of CH11 Theorems 8, 9 and 27, printed and ours."""

from contextlib import suppress
from fractions import Fraction as F
from itertools import combinations
from math import e, log, sqrt

import numpy as np
import pytest

from tacit.bounds.upper import selection
from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput, claims
from tacit.problems.reals.covers_upper import best_kappa, public_reference, theorem_8, theorem_9
from tacit.problems.reals.label_covers_upper import label_private, log_failure, theorem_27
from tacit.problems.reals.label_private_cover import LabelPrivateCoverLearner

TENTH, TWENTIETH = F(1, 10), F(1, 20)


def _ours(
    family,
    *,
    setting="realizable",
    kappa=F(1),
    alpha=TENTH,
    beta=TWENTIETH,
    epsilon=F(1),
    relation=REPLACE_ONE,
):
    return public_reference(
        family,
        setting=setting,
        kappa=kappa,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        relation=relation,
    )


@pytest.mark.parametrize(("epsilon", "n"), [(F(1), 205), (F(1, 2), 354), (F(1, 10), 1569)])
def test_thresholds_need_what_the_theory_says(epsilon, n):
    assert _ours(RealThresholds(), epsilon=epsilon).n == n


def test_the_printed_constants_stand_beside():
    bound = _ours(RealThresholds())
    assert bound.printed == 18915
    assert _ours(RealThresholds(), setting="agnostic").printed == 7566
    assert _ours(RealIntervals()).printed is None  # no finite doubling dimension
    assert bound.claim.cite == "CH11 Theorem 9"
    assert _ours(RealThresholds(), setting="agnostic").claim.cite == "CH11 Theorem 8"


def test_the_universal_constants_hold_for_the_printed_form():
    # C (1/(eps alpha) + 1/alpha^2)(d ln(kappa/alpha) + ln(1/beta)) with C = 40, and 1000.
    for alpha in (F(1, 2), F(1, 10), F(1, 1000)):
        for beta in (F(1, 2), F(1, 100)):
            for epsilon in (F(1, 10), F(1)):
                for kappa in (F(1), F(50)):
                    for d in (F(1), F(7)):
                        logs = float(d) * log(kappa / alpha) + log(1 / beta)
                        given = {
                            "doubling": d,
                            "kappa": kappa,
                            "alpha": alpha,
                            "beta": beta,
                            "epsilon": epsilon,
                        }
                        form = (1 / (epsilon * alpha) + 1 / alpha**2) * F(logs)
                        assert theorem_8(**given).n <= 40 * form + 1
                        assert theorem_9(**given).n <= 1000 * F(logs) / (epsilon * alpha) + 1


@pytest.mark.parametrize(
    "family", [RealThresholds(), RealIntervals(), Halfspaces(2), Halfspaces(3)]
)
@pytest.mark.parametrize("setting", ["realizable", "agnostic"])
def test_bounds_move_the_right_way(family, setting):
    base = _ours(family, setting=setting).n
    assert _ours(family, setting=setting, kappa=F(4)).n > base
    assert _ours(family, setting=setting, alpha=F(1, 20)).n > base
    assert _ours(family, setting=setting, beta=F(1, 1000)).n > base
    assert _ours(family, setting=setting, epsilon=F(1, 10)).n > base
    assert _ours(family, setting=setting, relation=ADD_REMOVE).n <= base
    assert _ours(family, setting=setting, relation=LABEL).n == base
    assert _ours(family, setting=setting, epsilon=F(100)).n <= base


def test_the_spent_epsilon_never_exceeds_the_given_one():
    for setting in ("realizable", "agnostic"):
        for relation in (REPLACE_ONE, ADD_REMOVE, LABEL):
            assert (
                _ours(RealThresholds(), setting=setting, relation=relation).choices["epsilon"] <= 1
            )


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


@pytest.mark.parametrize("family", [RealThresholds(), Halfspaces(3)])
def test_kappa_from_the_records_is_the_largest_they_bear(family):
    least = _ours(family).n
    found = []
    for n in (10, least, 2 * least, 4 * least):
        kappa = best_kappa(
            family, records=n, setting="realizable", alpha=TENTH, beta=TWENTIETH, epsilon=F(1)
        )
        assert kappa >= 1
        found.append(kappa)
        if n >= least:
            assert _ours(family, kappa=kappa).n <= n
            # Unless the cover would be too large to write out.
            with suppress(BadInput):
                assert _ours(family, kappa=kappa * F(6, 5)).n > n
    assert found[0] == found[1] == 1 < found[2] < found[3]


def test_a_cover_too_large_is_refused_in_words():
    with pytest.raises(BadInput, match="fewer columns"):
        _ours(Halfspaces(12))
    with pytest.raises(BadInput, match="fewer columns"):
        label_private(RealBoxes(5), setting="realizable", alpha=TENTH, beta=TWENTIETH, epsilon=F(1))


@pytest.mark.parametrize("family", [RealThresholds(), RealIntervals(), RealBoxes(2), Halfspaces(2)])
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
    for family in (RealThresholds(), RealIntervals(), RealBoxes(2), Halfspaces(2)):
        x = family.domain.coerce(generator.random((9, family.dimension)) - 0.5)
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
        (RealBoxes(2), F(1, 5)),
        (RealBoxes(2), F(9, 10)),
        (Halfspaces(2), F(1, 10)),
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
        (Halfspaces(2), "realizable", 372),
    ],
)
def test_label_privacy_figures(family, setting, n):
    bound = label_private(family, setting=setting, alpha=TENTH, beta=TENTH, epsilon=F(1))
    assert bound.n == n
    assert bound.printed > 20 * n


def test_all_five_theorems_are_cited():
    cited = {claim.cite for claim in claims() if claim.paper == "CH11"}
    assert {f"CH11 Theorem {k}" for k in (7, 8, 9, 26, 27)} <= cited
