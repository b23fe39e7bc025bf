"""One bit with private coins: what is found is checked answer by answer."""

from fractions import Fraction

from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.one_bit import settle
from tacit.theory.dimensions.witnesses import MoreThanOneBit


def test_too_many_concepts_for_a_small_error_are_told_apart_from_too_few():
    found = settle(read([[0, 0], [0, 1], [1, 1]]), Fraction(1, 10))
    assert isinstance(found, MoreThanOneBit)
    assert len(found.concepts) == 3


def test_concepts_without_an_order_need_more():
    every = [[x >> i & 1 for i in range(2)] for x in range(4)]
    found = settle(read(every), Fraction(49, 100))
    assert isinstance(found, MoreThanOneBit)
