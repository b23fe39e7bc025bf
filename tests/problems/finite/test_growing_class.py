"""Tests of ``tacit.problems.finite.growing_class``."""

from math import comb, log

import numpy as np
import pytest
from tests.bounds.upper.deviations_cases import ALPHA, BETA

from tacit.classes import Intervals
from tacit.core import Accuracy, Privacy, Task
from tacit.domains import Schema
from tacit.problems.finite import growth_functions
from tacit.problems.finite.growing_class import GROWING_CLASS

pytestmark = pytest.mark.exact


def test_growth_functions_count():
    assert growth_functions.thresholds(4) >= log(5)
    assert growth_functions.sauer(1)(6) >= log(7)
    assert growth_functions.sauer(9)(3) >= 3 * log(2)
    assert growth_functions.unions(1)(5) >= log(sum(comb(5, i) for i in range(3)))
    assert growth_functions.halfspaces(2)(5) >= log(10)
    schema = Schema.of({"a": (0, 8), "b": ["x", "y", "z"]}, bins=8)
    some = Intervals(schema)
    for n in (1, 2, 3):
        seen = set()
        for cells in np.ndindex(*[8] * n):
            x = np.stack([np.array(cells), np.array(cells) % 3], axis=1).astype(np.int32)
            rules = [some.hypothesis(c) for c in range(some.size)]
            patterns = {
                tuple(all(k.holds(x)[i] for k in r.conditions) == r.inside for i in range(n))
                for r in rules
            }
            seen.add(len(patterns))
            if len(seen) > 3:
                break
        assert log(max(seen)) <= some.log_growth(n)
    task = Task(some, privacy=Privacy(1), accuracy=Accuracy(ALPHA, BETA), setting="agnostic")
    assert GROWING_CLASS.why_not(task) is None
