"""Tests of ``tacit.problems.reals.covers_upper``."""

from contextlib import suppress
from fractions import Fraction as F
from math import log

import pytest
from tests.problems.reals.ch11_bounds_cases import TENTH, TWENTIETH, _ours

from tacit.classes import Halfspaces, RealIntervals, RealThresholds
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput
from tacit.problems.reals.covers_upper import best_kappa, theorem_8, theorem_9


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
    "family", [RealThresholds(), RealIntervals(), Halfspaces(columns=2), Halfspaces(columns=3)]
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


@pytest.mark.parametrize("family", [RealThresholds(), Halfspaces(columns=3)])
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
