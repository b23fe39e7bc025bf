"""Tests of ``tacit.core.task_fields``."""

from fractions import Fraction

import numpy as np
import pytest

from tacit.core import BadInput
from tacit.core.task_fields import read_costs, read_label_costs, read_share, read_unit


def test_costs_of_each_label_are_two_whole_numbers():
    assert read_label_costs([[1, 20], [0, 3]], k=2) == ((1, 20), (0, 3))
    assert read_label_costs((), k=5) == ()
    for wrong, said in (
        ([[1, 2]], "each of the 2 labels"),
        ([[1, 2], [1]], "each of the 2 labels"),
        ([[0, 0], [1, 1]], "one of them above 0"),
        ([[1, 101], [1, 1]], "up to 100"),
    ):
        with pytest.raises(BadInput, match=said):
            read_label_costs(wrong, k=2)


def test_costs_are_pairs_of_any_kind_and_what_is_none_is_refused_in_words():
    for told in ([("no", 1), ("yes", 3)], np.array([["no", "1"], ["yes", "3"]])):
        assert read_costs(told, ("no", "yes")) == (("no", 1), ("yes", 3))
    for wrong in (np.array([1, 5]), [1, 5], 5, "yes", False):
        with pytest.raises(BadInput, match="costs must be whole numbers by label"):
            read_costs(wrong, ("no", "yes"))


def test_a_label_may_cost_nothing_if_another_costs_something():
    assert read_costs({"yes": 0}, ("no", "yes")) == (("no", 1), ("yes", 0))
    for names, told in ((("no", "yes"), {"no": 0, "yes": 0}), ((), {"yes": 0})):
        with pytest.raises(BadInput, match="one of them above 0"):
            read_costs(told, names)


def test_other_fields_are_read_as_before():
    assert read_costs({"yes": 3}, ("no", "yes")) == (("no", 1), ("yes", 3))
    assert read_share("1/4") == Fraction(1, 4)
    assert read_unit(None) is None
    with pytest.raises(BadInput, match="name of a column"):
        read_unit(" ")


def test_a_label_is_named_once_among_costs():
    with pytest.raises(BadInput, match="name one label twice"):
        read_costs({1: 2, "1": 3}, ())
