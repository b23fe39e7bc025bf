"""From the front doors, too, no record changes how another one is read."""

import pytest

from tacit.domains import Integers
from tacit.estimators import ThresholdClassifier
from tacit.sources.samples import as_sample

BIG = 2**63 + 1


@pytest.mark.parametrize("other", [-1, 0.5, "x", None, True])
def test_learning_from_lists(other):
    domain = Integers(bits=64)
    sample = as_sample(([BIG, other], [True, "x"]), domain=domain)
    assert int(domain.coerce(sample.x)[0]) == BIG
    assert sample.y[0] is True


@pytest.mark.parametrize("other", [-1, 0.5, None, True])
def test_estimators_from_lists(other):
    column, _, _ = ThresholdClassifier(domain=Integers(bits=64))._records([[BIG], [other]])
    assert int(Integers(bits=64).coerce(column)[0]) == BIG
