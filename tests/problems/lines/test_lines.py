"""Tests of ``tacit.problems.lines.lines``."""

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.problems.lines.lines import Lines
from tacit.theory.dimensions.named import lines as line_table


@pytest.mark.parametrize("p", [2, 3, 7])
def test_lines_against_the_table_and_its_mistakes(p):
    concepts = Lines(size=p)
    cells = np.arange(p * p, dtype=np.uint64)
    table = line_table(p)
    rules = np.array([concepts.hypothesis(i).predict(cells) for i in range(concepts.size)])
    assert (rules == table).all()
    rng = seeded(p)
    x = np.array([rng.below(p * p) for _ in range(50)], dtype=np.uint64)
    y = np.array([rng.bits(1) == 1 for _ in range(50)])
    expected = (rules[:, x.astype(int)] != y).sum(axis=1)
    assert concepts.landscape(x, y).errors.tolist() == expected.tolist()
