"""Every draw of the exact sampler is the function of its room that is proved to have its law."""

from fractions import Fraction

import numpy as np
import pytest
from tests.exact.sampler_cases import DRAWS

from tacit.checks.testing import seeded
from tacit.core import Mechanism, Pure, Relation


@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_is_the_proved_function_on_the_same_bits(name):
    function, arguments, named = DRAWS[name]
    seen = []
    for seed in range(40):
        drawn = getattr(seeded(seed), name)(*arguments, **named)
        stated = function(seeded(seed), *arguments, **named)
        assert np.array_equal(drawn, stated)
        seen.append(repr(drawn))
    assert len(set(seen)) > 1


def test_hash_words_are_uniform_words_of_the_source():
    words = seeded(5).hash_words(limbs=2, bits=3, size=1 << 40)
    rng = seeded(5)
    assert words == (rng.bits(64), rng.bits(64), rng.bits(64))
    rows = seeded(6).hash_rows(4, limbs=1, bits=3, size=10)
    assert rows.shape == (4, 2)
    assert rows.tobytes() == seeded(6).bytes(64)


class Inner(Mechanism):
    def event(self):
        return Pure(epsilon=Fraction(1), relation=Relation.REPLACE_ONE)

    def _release(self, data, *, rng):
        return (data, rng)


def test_a_part_is_run_with_the_same_sampler():
    rng = seeded(1)
    assert rng.part(Inner(), "records") == ("records", rng)
