"""Tests of ``tacit.exact.lazy``."""

import pytest

from tacit.checks.testing import seeded
from tacit.exact.lazy import Lazy

pytestmark = pytest.mark.exact


def test_a_lazy_uniform_keeps_its_bits():
    lazy = Lazy(seeded(9), prefix=5, length=3)
    lazy.extend(70)
    assert lazy.prefix >> 67 == 5
    lazy.extend(10)
    assert lazy.length == 70
