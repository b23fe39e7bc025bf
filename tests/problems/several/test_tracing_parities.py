"""BNS19 Proposition 51: agnostic parities under the uniform distribution."""

from fractions import Fraction as F

import pytest

from tacit import Accuracy, Privacy, Task
from tacit.classes import Parities
from tacit.core import ALGORITHMS, LOWER_BOUNDS, BadInput
from tacit.problems.several.fingerprints import impossible
from tacit.problems.several.tracing_parities import uniform_parities

ASKED = {"alpha": F(1, 10), "beta": F(1, 10), "epsilon": F(1), "delta": F(1, 10**6)}


def test_many_tasks_need_as_many_records_as_strings():
    found = [uniform_parities(bits=d, k=10**12, **ASKED).n for d in (2, 3, 4, 6, 12)]
    assert all(n > 2**d for n, d in zip(found, (2, 3, 4, 6, 12), strict=True))
    assert found == sorted(found)


def test_few_tasks_say_nothing():
    assert uniform_parities(bits=6, k=100, **ASKED).n == 1
    assert uniform_parities(bits=64, k=10**9, **ASKED).n == 1


def test_more_privacy_needs_more():
    found = [
        uniform_parities(bits=3, k=10**6, **(ASKED | {"epsilon": epsilon, "delta": 0})).n
        for epsilon in (F(2), F(1), F(1, 2), F(1, 10))
    ]
    assert found == sorted(found)


def test_the_argument_needs_a_small_error():
    with pytest.raises(BadInput, match="below 1/4"):
        uniform_parities(bits=3, k=10**6, **(ASKED | {"alpha": F(1, 4)}))
    assert not impossible(users=8, k=2, beta=F(1, 10), epsilon=F(1), delta=F(0), code="any")


@pytest.mark.parametrize("relation", ["replace-one", "add-remove", "label"])
def test_it_stands_in_the_plan_and_below_every_upper_bound(relation):
    for bits, k in ((2, 10**4), (3, 10**5)):
        job = Task(
            Parities(bits=bits),
            privacy=Privacy(1, "1e-6", relation),
            accuracy=Accuracy("0.1", "0.1"),
            setting="agnostic",
            marginal="uniform",
            k=k,
        )
        entry = LOWER_BOUNDS["tracing parities"]
        assert entry.why_not(job) is None
        assert 2**bits < entry.records(job).n <= ALGORITHMS["direct-sum"].bound(job).n


def test_it_is_silent_where_labels_are_perfect():
    job = Task(Parities(bits=3), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.1"), k=10**6)
    assert LOWER_BOUNDS["tracing parities"].why_not(job) is not None
