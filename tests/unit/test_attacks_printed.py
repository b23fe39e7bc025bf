"""Printed versions lose what the errata say, the corrected ones what they claim."""

import math

import pytest

from tacit.checks.attacks import printed
from tacit.cli import main


def test_the_printed_gap_test_is_broken_and_the_corrected_one_is_not():
    bad, good = printed.gap_test()
    assert bad.true == pytest.approx(0.36, abs=0.01)
    assert bad.broken
    assert 0 < good.true <= good.claimed
    assert not good.broken


def test_the_printed_sampler_is_broken_and_the_corrected_one_is_not():
    bad, good = printed.point_sampler()
    assert bad.true == pytest.approx(1.62, abs=0.005)
    assert bad.broken
    assert 0.5 < good.true <= 1 + 1e-9
    assert not good.broken
    assert printed.point_sampler(3, 3)[0].true == math.inf


def test_the_printed_lemma_promises_nothing():
    printed_one, corrected = printed.resampling()
    assert printed_one.claimed == 54
    assert printed_one.true == corrected.true == pytest.approx(0.19074, abs=1e-4)
    assert printed_one.true < corrected.claimed < 1


@pytest.mark.parametrize("name", ["a-dist", "lemma-3.4", "lemma-29"])
def test_the_command_shows_them(name, capsys):
    assert main(["attack", name]) == 0
    assert "as printed" in capsys.readouterr().out
