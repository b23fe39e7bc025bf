"""Parts are summed or compared as balls, and only the answer is rounded."""

from fractions import Fraction

import pytest

from tacit.bounds.formula import largest, ln, numbers, total
from tacit.core import BadInput, Claim
from tacit.exact.balls import ball

CLAIM = Claim(paper="own", locator="a test", statement="nothing", proof="none")

PARTS = {"first": lambda: ball(Fraction(3, 2)), "second": lambda: ball(Fraction(7, 4))}


def test_a_sum_is_rounded_up_once():
    bound = total(claim=CLAIM, parts=PARTS, choices={"rate": 1})
    assert (bound.n, bound.terms, bound.choices) == (4, {"first": 1.5, "second": 1.75}, {"rate": 1})


def test_the_largest_part_decides():
    assert largest(claim=CLAIM, parts=PARTS).n == 2


def test_at_least_one_record_is_needed_and_the_printed_number_stands_beside():
    bound = total(claim=CLAIM, parts={"none": lambda: ball(0)}, printed=lambda: ln(8) / ln(2))
    assert bound.n == 1
    assert bound.printed in (3, 4)  # a ball around 3 may reach beyond it


def test_parameters_are_read_by_name():
    assert numbers(alpha="0.1", epsilon=2) == (Fraction(1, 10), Fraction(2))
    for name, value in [("alpha", 2), ("beta", 0), ("epsilon", -1), ("delta", 1)]:
        with pytest.raises(BadInput, match=name):
            numbers(**{name: value})
