"""Tests of ``tacit.page.zoo``."""

from __future__ import annotations

import pytest

from tacit.page import zoo
from tacit.theory.dimensions.named import FORMULAS


@pytest.mark.parametrize(("family", "size"), [("points", 4), ("thresholds", 7), ("parities", 3)])
def test_values_are_those_of_the_formulas_with_accepted_witnesses(family, size):
    known = FORMULAS[family]
    for name, formula in (("vc", known.vc), ("littlestone", known.littlestone)):
        found = zoo.dimension(family, size, name)
        assert found.value == str(formula(size))
        assert found.witnesses
        assert all(one.refused is None for one in found.witnesses)
        assert any(one.picture and "<style" not in one.picture for one in found.witnesses)


def test_every_dimension_is_described():
    from tacit.cli.dims import searches

    assert set(zoo.WORDS) == set(searches(alpha="1/3", beta="1/3", time_limit=1.0))
