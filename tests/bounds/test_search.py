"""Bisection against looking at every number."""

import pytest

from tacit.bounds.search import crossing, greatest, least, least_near


@pytest.mark.parametrize("border", [1, 2, 3, 17, 64, 65, 1000])
def test_the_border_is_found_from_either_side(border):
    assert least(lambda n: n >= border) == border
    assert least(lambda n: n >= border, most=2000) == border
    assert greatest(lambda n: n <= border) == border
    assert crossing(lambda n: border - n, most=2000) == border


@pytest.mark.parametrize("border", [1, 2, 3, 17, 64, 65, 1000])
@pytest.mark.parametrize("guess", [-3.0, 0.2, 1, 16.5, 17, 64, 66, 999.1, 1e5])
def test_a_guess_does_not_change_the_border(border, guess):
    assert least_near(lambda n: n >= border, guess) == border


def test_a_good_guess_takes_two_questions():
    asked = []
    assert least_near(lambda n: asked.append(n) or n >= 700, 699.4) == 700
    assert asked == [700, 699]


def test_the_most_is_the_answer_where_nothing_smaller_holds():
    assert least(lambda n: False, most=12) == 12
    assert crossing(lambda n: 1.0, most=12) == 12


def test_what_is_known_is_not_asked():
    asked = []
    assert greatest(lambda n: asked.append(n) or n <= 9, least=7) == 9
    assert min(asked) > 7


def test_a_curved_fall_is_crossed_in_few_questions():
    asked = []
    border = crossing(lambda n: asked.append(n) or 1e6 / n**2 - 0.37, most=10**9)
    assert 1e6 / border**2 <= 0.37 < 1e6 / (border - 1) ** 2
    assert len(asked) <= 80
