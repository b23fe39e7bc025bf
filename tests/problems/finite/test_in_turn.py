"""Tests of ``tacit.problems.finite.in_turn``."""

import copy
import os
import pickle
from fractions import Fraction as F

import numpy as np
import pytest
from tests.tools.levels import accepts

from tacit.checks.audit import exact
from tacit.checks.audit.instances import named
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import BadInput, Sample
from tacit.exact.geometric_tails import mass
from tacit.mechanisms.calibration import firing_scales as scales
from tacit.problems.finite.in_turn import InTurn

ONE = F(1)


def opened(values, rng=None, *, size=4, **given):
    rule = {"corrections": 5, "threshold": 3, "step": F(1, 2), "epsilon": ONE} | given
    mechanism = InTurn(concepts=Points(size=size), **rule)
    return mechanism._release(Sample(np.array(values), None), rng=rng or seeded("in turn"))


@pytest.mark.exact
def test_what_a_reader_sees_is_private_and_a_quarter_more_is_caught():
    line = named("InTurn")
    pairs = [((0,) * 6, (0,) * 5 + (1,))]  # the worst one; the audit compares all

    def audited(epsilon):
        return exact(
            line.make(epsilon),
            line.records,
            line.n,
            epsilon=1,
            delta=0,
            pairs=pairs,
            form=lambda records: Sample(np.array(records), None),
            faint=line.faint,
        )

    fair, over = audited(ONE), audited(F(5, 4))
    assert not fair.violated
    assert fair.epsilon[0] > F(8, 10)
    assert over.violated


def test_noise_pays_for_one_threshold_and_for_every_correction():
    share = F(1, 3)
    bar, test = scales(7, share, epsilon=F(2), rho=None)
    assert 1 / bar + 7 * 2 / test == 2
    bar, test = scales(7, share, epsilon=None, rho=F(1, 2))
    once = 1 / bar + 2 / test
    assert F(999, 1000) * F(1, 2) < 7 * once**2 / 2 <= F(1, 2)


class Spied:
    """Draws as a seeded source, and remembers the scales that were asked for."""

    private = False

    def __init__(self, answers):
        self.answers, self.scales = list(answers), []

    def geometric(self, scale):
        self.scales.append(scale)
        return self.answers.pop(0) if self.answers else 0


def test_a_correction_draws_a_new_threshold_under_zcdp_only():
    wanted = np.array([True, False, False, False])
    for given in ({}, {"epsilon": None, "rho": ONE}):
        rng = Spied([0, 100, 0, 0, 0])
        talk = opened([0, 1, 2, 3] * 2, rng, **given)
        talk.ask(wanted)
        bar = talk._scales[0]
        assert talk.history == [1, 0]
        assert rng.scales.count(bar) == (2 if given else 1)


@pytest.mark.statistical
def test_a_test_fires_as_often_as_its_noise_says():
    # Six of eight records; the weights say two; the threshold is 3: it fires from an error of 3.
    rounds = 4000
    wanted = np.array([True, False, False, False])
    rule = {"corrections": 1, "threshold": 3, "epsilon": F(2), "share": F(1, 2)}
    fired = 0
    rng = seeded("in turn, a test")
    for _ in range(rounds):
        talk = opened([0] * 6 + [1] * 2, rng, **rule)
        talk.ask(wanted)
        fired += talk.history[0] == 1

    def chance(bar, test):
        weights = {z: float(mass(bar, z)) for z in range(-60, 61)}
        noise = {z: float(mass(test, z)) for z in range(-60, 61)}
        return sum(p * q for z, p in weights.items() for v, q in noise.items() if v + 4 >= 3 + z)

    bar, test = scales(1, F(1, 2), epsilon=F(2), rho=None)
    seen = [fired, rounds - fired]
    p = chance(bar, test)
    assert accepts(seen, [p, 1 - p])
    for wrong in (F(1, 2), F(2)):
        other = chance(wrong * bar, wrong * test)
        assert not accepts(seen, [other, 1 - other])


def test_without_corrections_left_no_noise_is_drawn_and_nothing_changes():
    rng = Spied([])
    talk = opened([0] * 8, rng, corrections=0)
    drawn = len(rng.scales)
    assert talk.ask(np.array([True, False, False, False])) == F(1, 4)
    assert len(rng.scales) == drawn
    assert (talk.left, talk.asked, talk.history) == (0, 1, [0])


def test_it_is_never_copied_written_or_told():
    talk = opened([0, 1, 2, 3])
    assert copy.copy(talk) is talk
    assert copy.deepcopy(talk) is talk
    with pytest.raises(TypeError, match="private counts"):
        pickle.dumps(talk)
    assert repr(talk) == "Corrected(0 answers, 5 left)"


def test_a_question_of_another_form_is_refused():
    talk = opened([0, 1, 2, 3])
    for wrong in (np.array([True]), np.array([1, 0, 0, 0])):
        with pytest.raises(BadInput, match="one true or false"):
            talk.ask(wrong)
    assert talk.history == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked on Unix only")
def test_a_forked_process_is_not_answered(monkeypatch):
    talk = opened([0, 1, 2, 3])
    monkeypatch.setattr("tacit.problems.finite.held_counts.here", lambda: (0, 0))
    with pytest.raises(BadInput, match="process that opened"):
        talk.ask(np.array([True, False, False, False]))


@pytest.mark.parametrize(
    "wrong", [{"rho": ONE}, {"epsilon": None}, {"share": 1}, {"threshold": 0}, {"corrections": -1}]
)
def test_bad_numbers_are_refused(wrong):
    with pytest.raises(BadInput):
        opened([0], **wrong)


def test_no_records_are_answered_with_zero():
    assert opened([]).ask(np.ones(4, dtype=bool)) == 0
