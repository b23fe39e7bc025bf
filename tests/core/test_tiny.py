"""Tiny instances: which neighbours they name, and which mechanism is sampled."""

from fractions import Fraction

from tacit.core.tiny import COARSE, FAINT, Tiny, divided, labelled


def made(name):
    return lambda epsilon: (name, epsilon)


def test_neighbours_differ_in_one_record_and_keep_the_rest():
    pairs = divided("a", "b", n=3, at=(1, 3), rest=("c",))
    assert pairs == [
        (("a", "b", "b", "c"), ("b", "b", "b", "c")),
        (("a", "a", "a", "c"), ("a", "a", "b", "c")),
    ]
    for left, right in pairs:
        assert sum(x != y for x, y in zip(left, right, strict=True)) == 1


def test_every_value_comes_with_every_label():
    assert labelled([5, 6]) == [(5, 0), (5, 1), (6, 0), (6, 1)]


def test_the_large_mechanism_is_the_sampled_one_where_there_is_one():
    one = Tiny(make=made("small"), records=(0, 1), n=2)
    assert one.large(Fraction(1)) == ("small", 1)
    both = Tiny(make=made("small"), records=(0, 1), n=2, sampled=made("large"))
    assert both.large(Fraction(1)) == ("large", 1)
    assert both.make(Fraction(1)) == ("small", 1)


def test_followed_exactly_it_is_sampled_as_before():
    pairs = divided(0, 1, n=2, at=(1,))
    tiny = Tiny(make=made("large"), sampled=made("large"), records=range(9), n=50, pairs=pairs)
    exact = tiny.exactly(made("small"), records=(0, 1), n=2)
    assert exact.large(Fraction(1)) == ("large", 1)
    assert exact.make(Fraction(1)) == ("small", 1)
    assert (exact.n, exact.neighbours(), exact.faint) == (2, pairs, COARSE)
    assert tiny.faint == FAINT
