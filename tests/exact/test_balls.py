"""Certified arithmetic: always outward, never a guess."""

import os
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import flint
import pytest

from tacit.core import NumericalDoubt
from tacit.exact.balls import above, at, ball, below, ceiling, certainly_less, enclose, exp, log


@pytest.mark.parametrize(
    "value", [Fraction(1, 3), Fraction(-22, 7), Fraction(10**40 + 1, 7**30), 5]
)
@pytest.mark.parametrize("bits", [2, 16, 53, 300])
def test_enclosures_hold_the_number_at_any_precision(value, bits):
    low, high = enclose(lambda: ball(value), bits=bits)
    assert low <= value <= high
    assert high - low <= abs(Fraction(value)) / 2 ** (bits - 3)


@pytest.mark.parametrize("bits", [8, 64, 256])
def test_rounding_is_outward_for_transcendental_numbers(bits):
    low, high = below(exp(1), bits=bits), above(exp(1), bits=bits)
    tight_low, tight_high = enclose(exp(1), bits=2000)
    assert low < tight_low < tight_high < high


def test_an_integer_is_exact_however_long():
    big = 3**2000 + 1
    with at(10):
        assert ball(big).is_exact()
    assert enclose(lambda: ball(big) * 1, bits=10)[0] <= big


def test_ceiling_is_never_below():
    assert ceiling(log(10)) == 3
    assert ceiling(lambda: ball(7)) == 7
    assert ceiling(lambda: ball(Fraction(-5, 2))) == -2
    # exp(log 2) is 2, which no precision can certify: one more is the safe answer.
    assert ceiling(lambda: ball(2).log().exp()) == 3


def test_comparisons_are_certain_or_refused():
    assert certainly_less(exp(1), lambda: ball(Fraction(2719, 1000)))
    assert not certainly_less(exp(1), lambda: ball(Fraction(2718, 1000)))
    close = Fraction(1) + Fraction(1, 1 << 3000)
    assert certainly_less(lambda: ball(1), lambda: ball(close))
    with pytest.raises(NumericalDoubt):
        certainly_less(exp(1), exp(1))


def test_what_has_no_value_is_refused():
    with pytest.raises(NumericalDoubt):
        enclose(lambda: ball(0).log())


def test_precision_is_put_back():
    before = flint.ctx.prec
    with at(777):
        assert flint.ctx.prec == 777
    assert flint.ctx.prec == before
    with pytest.raises(ZeroDivisionError), at(99):
        raise ZeroDivisionError
    assert flint.ctx.prec == before


def test_no_thread_has_fewer_bits_because_of_another():
    """flint's precision is one for all threads: blocks that overlap keep the greatest."""
    inside, leave, seen = threading.Event(), threading.Event(), []

    def other():
        with at(300):
            inside.set()
            leave.wait(10)
            seen.append(flint.ctx.prec)

    before = flint.ctx.prec
    thread = threading.Thread(target=other)
    with at(200):
        thread.start()
        assert inside.wait(10)
        assert flint.ctx.prec == 300
        with at(40):
            assert flint.ctx.prec == 300
        with at(500):
            assert flint.ctx.prec == 500
        assert flint.ctx.prec == 300
    # This thread's block is over, the other's is not.
    leave.set()
    thread.join(10)
    assert seen == [300]
    assert flint.ctx.prec == before


def test_many_threads_never_see_too_few_bits():
    def work(bits):
        for _ in range(300):
            with at(bits):
                assert flint.ctx.prec >= bits
                with at(bits + 64):
                    assert flint.ctx.prec >= bits + 64
                assert flint.ctx.prec >= bits
        return bits

    before, switch = flint.ctx.prec, sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(work, range(60, 940, 110))) == list(range(60, 940, 110))
    finally:
        sys.setswitchinterval(switch)
    assert flint.ctx.prec == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_forgets_the_other_threads_blocks():
    inside, leave = threading.Event(), threading.Event()

    def other():
        with at(300):
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    assert inside.wait(10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of threads
        child = os.fork()
    if child == 0:
        with at(77):
            os._exit(0 if flint.ctx.prec == 77 else 1)
    leave.set()
    thread.join(10)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
