"""The contract of every BBKN13 and FX14 mechanism, as instances, on hostile records."""

from fractions import Fraction

import numpy as np
import pytest

from tacit import Accuracy, Privacy, Sample, Task
from tacit.checks.testing.contract import check_mechanism
from tacit.classes import Points, Thresholds
from tacit.core import ALGORITHMS, claims
from tacit.domains.integers import Integers
from tacit.mechanisms.star_sampling import Starred
from tacit.problems.formulas.k_term_dnf import KTermDnf
from tacit.problems.lines.lines import Lines
from tacit.problems.points.constant_sample import paper_try

SECRET = 8_675_309
ONE_COLUMN = {
    "constant-points": Points(bits=64),
    "random-sets": Points(bits=10),
    "plane-lines": Points(bits=64),
    "heavy-to-proper": Points(bits=10),
    "protocol-equality": Points(bits=1000),
    "independent-noise": Thresholds(bits=8),
    "noise-reconstruction": Thresholds(bits=8),
    "interval-switch": Thresholds(bits=8),
    "protocol-greater-than": Thresholds(bits=8),
    "lines": Lines(size=9_999_991),
    "k-cnf": KTermDnf(columns=5, terms=2),
}


def samples():
    return [
        Sample(np.array([SECRET, 3, 5]), np.array([1, 0, 1])),
        Sample(np.array([], dtype=np.int64), np.array([], dtype=np.int64)),
        Sample(np.array([SECRET] * 6), np.zeros(6, dtype=int)),
        Sample(np.array([SECRET] * 6), np.array([0, 1] * 3)),
        Sample([SECRET, None, "x", float("nan"), -1, 2**80], [1, None, "no", float("inf"), 1, 0]),
        Sample(np.array([np.inf, -np.inf, np.nan, SECRET]), np.array([True, False, True, True])),
    ]


@pytest.mark.parametrize("name", ONE_COLUMN)
def test_the_learners(name):
    entry = ALGORITHMS[name]
    task = Task(
        ONE_COLUMN[name],
        privacy=Privacy("0.5", "1e-6" if name == "lines" else 0),
        accuracy=Accuracy("0.4", "0.2"),
        output="proper" if entry.proper else "improper",
    )
    assert entry.why_not(task) is None
    mechanism = entry.built(task, entry.bound(task).n)
    check_mechanism(mechanism, samples(), secret=str(SECRET))


def test_a_try_on_starred_records():
    one = paper_try(domain=Integers(size=50), alpha=Fraction(1, 4))
    starred = [Starred.of(sample) for sample in samples()]
    assert all(repr(data) == "Starred(private)" for data in starred)
    check_mechanism(one, starred, secret=str(SECRET))


def test_the_theorems_are_cited():
    cited = {claim.cite for claim in claims()}
    beimel = (
        "Theorem 3.2, Lemma 3.4, Lemma 4.1, Theorem 4.2, Claim 4.3, Lemma 4.4, Claim 4.5, "
        "Theorem 4.8, Theorem 4.11, Theorem 5.4, Theorem 5.8, Theorem 6.1, Observation 2.7"
    )
    wanted = {f"BBKN13 {locator}" for locator in beimel.split(", ")}
    assert wanted | {"FX14 Theorem 7", "FX14 Theorem 12"} <= cited
