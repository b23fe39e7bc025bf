"""Tests of ``tacit.problems.lines.lines_upper``."""

from fractions import Fraction

from tests.problems.protocols.fx14_learners_cases import NUMBERS

from tacit import Accuracy, Privacy, Task
from tacit.core import ALGORITHMS
from tacit.problems.lines.lines import Lines
from tacit.problems.lines.lines_upper import lines as line_records


def test_line_records_do_not_grow_with_the_prime():
    counts = set()
    for p in (2, 101, 2**61 - 1, 2**521 - 1):
        task = Task(Lines(size=p), privacy=Privacy(1, "1e-6"), accuracy=Accuracy("0.1", "0.05"))
        counts.add(ALGORITHMS["lines"].bound(task).n)
        assert "delta" in ALGORITHMS["lines"].why_not(task.with_(delta=0))
    assert counts == {53_176}
    assert line_records(delta=Fraction(1, 10**9), **NUMBERS).n > 53_176
