"""Any rule within a quarter of a parity is rounded to it."""

import numpy as np
import pytest

from tacit.classes import Parities
from tacit.core import BadInput
from tacit.problems.parities.nearest_parity import nearest_parity


class Flipped:
    """A parity that is wrong on given inputs."""

    def __init__(self, parity, wrong):
        self.parity, self.wrong = parity, wrong

    def predict(self, x):
        places = np.asarray(x) @ (1 << np.arange(np.asarray(x).shape[1] - 1, -1, -1))
        return self.parity.predict(x) ^ np.isin(places, self.wrong)


@pytest.mark.parametrize("bits", [2, 4, 6])
def test_fewer_than_a_quarter_of_errors_are_undone(bits):
    rng = np.random.default_rng(bits)
    parities = Parities(bits=bits)
    for mask in range(parities.size):
        wrong = rng.permutation(parities.size)[: (parities.size - 1) // 4]
        rule = Flipped(parities.hypothesis(mask), wrong)
        assert nearest_parity(rule, bits) == parities.hypothesis(mask)
    # Half of the inputs wrong: another parity is nearer.
    other = parities.hypothesis(1)
    assert nearest_parity(Flipped(other, []), bits) != parities.hypothesis(0)


def test_many_bits_are_refused():
    with pytest.raises(BadInput, match="at most"):
        nearest_parity(Parities(bits=40).hypothesis(1), 40)
