"""Who computes a certificate anew: only kinds that this version knows."""

import pytest

from tacit.core import BadInput
from tacit.core.recipe import rebuilds, rebuilt


class Stated:
    def __init__(self, recipe):
        self.recipe = recipe


@pytest.mark.parametrize(
    "recipe", [None, {}, {"kind": 3}, {"kind": "os"}, {"kind": ["task"]}, {"kind": "made here"}]
)
def test_a_kind_that_is_not_known_is_refused_and_nothing_is_imported(recipe):
    rebuilds("made here")(lambda stated, value: stated)
    with pytest.raises(BadInput, match="does not know"):
        rebuilt(Stated(recipe), None)
