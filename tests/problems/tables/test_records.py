"""Which kinds of rules could pay: by public numbers, and by no number that a table set."""

from fractions import Fraction

import pytest

from tacit.bounds.upper.expected import expected_excess
from tacit.problems.tables.records import pays, pays_from

pytestmark = pytest.mark.exact

HALF = Fraction(1, 2)


@pytest.mark.parametrize("rate", [Fraction(1, 40), HALF, Fraction(5)])
@pytest.mark.parametrize("prior", [Fraction(1, 4), Fraction(1, 10**9), Fraction(1, 10**40)])
def test_a_kind_pays_from_the_first_number_on_at_which_it_promises_less_than_a_half(rate, prior):
    n = pays_from(prior, rate=rate)
    assert pays(prior, n=n, rate=rate)
    assert pays(prior, n=10 * n, rate=rate)
    assert n == 1 or not pays(prior, n=n - 1, rate=rate)
    given = {"rate": rate, "prior": prior, "least_prior": prior}
    assert expected_excess(n=n, **given) <= HALF
    assert n == 1 or expected_excess(n=n - 1, **given) > HALF


def test_nothing_is_left_out_where_the_number_of_records_is_not_known():
    assert pays(Fraction(1, 10**99), n=None, rate=Fraction(1, 1000))
    assert not pays(Fraction(1, 10**99), n=1000, rate=Fraction(1, 1000))
