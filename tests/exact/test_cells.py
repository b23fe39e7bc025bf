"""Tables of exponentials under threads that change flint's precision."""

import threading
from contextlib import contextmanager
from fractions import Fraction

import flint
import numpy as np
import pytest

from tacit.core import NumericalDoubt
from tacit.exact import levels
from tacit.exact.balls import at, ball
from tacit.exact.cells import _decays, decay_table


def worst(rate, table):
    """The largest relative error in units of 2**-52, by balls of 300 bits."""
    with at(300):
        errors = [
            abs(float((ball(Fraction(float(value))) / (-ball(rate * j)).exp() - 1).mid()))
            for j, value in enumerate(table.tolist())
        ]
    return max(errors) * 2**52


def test_other_threads_do_not_spoil_a_table():
    stop = threading.Event()

    def other():
        bits = 0
        while not stop.is_set():
            bits = (bits + 7) % 40
            with at(12 + bits):
                ball(Fraction(1, 3)).exp()

    threads = [threading.Thread(target=other) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        rates = [Fraction(k, 1009) for k in range(1, 40)]
        tables = [_decays(rate, 2000) for rate in rates]
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    for rate, table in zip(rates, tables, strict=True):
        some = np.unique(np.linspace(0, len(table) - 1, 40).astype(int))
        with at(300):
            errors = [
                abs(
                    float(
                        (ball(Fraction(float(table[j]))) / (-ball(rate * int(j))).exp() - 1).mid()
                    )
                )
                for j in some
            ]
        assert max(errors) * 2**52 < 2
    assert flint.ctx.prec == 53


def test_a_shorter_table_is_the_start_of_a_longer_one():
    rate = Fraction(5, 7907)
    first, wide, short = (decay_table(rate, longest) for longest in (600, 5000, 700))
    assert np.array_equal(first, wide[:601])
    assert np.array_equal(short, _decays(rate, 700))
    assert short.base is wide.base
    assert len(decay_table(rate, 10**9)) == int(700 / rate) + 1
    assert not short.flags.writeable


def test_a_precision_that_other_code_lowers_is_noticed_and_nothing_is_kept(monkeypatch):
    rate = Fraction(3, 7919)

    @contextmanager
    def meddled(bits):
        del bits
        with at(20):
            yield

    monkeypatch.setattr(levels, "at", meddled)
    with pytest.raises(NumericalDoubt):
        decay_table(rate, 50)
    monkeypatch.undo()
    assert worst(rate, decay_table(rate, 50)) < 2


def test_precision_is_put_back_after_an_error():
    with pytest.raises(ZeroDivisionError), at(200):
        _ = 1 // 0
    assert flint.ctx.prec == 53
