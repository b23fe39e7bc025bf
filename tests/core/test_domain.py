"""Every domain that users declare keeps to the protocol."""

import numpy as np
import pytest

from tacit.core.domain import Domain
from tacit.domains import Bits, Categories, Integers

DOMAINS = [Bits(columns=8), Integers(size=9), Categories(["a", "b"])]


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: type(domain).__name__)
def test_it_has_a_width_a_size_words_and_a_place_for_everything(domain):
    assert isinstance(domain, Domain)
    assert domain.width >= 1
    assert domain.size > 1
    assert domain.describe()
    odd = [None, float("nan"), "zebra", 10**30, -1]
    assert len(domain.coerce(np.array(odd, dtype=object))) == len(odd)


def test_what_lacks_a_size_is_no_domain():
    assert not isinstance(object(), Domain)
