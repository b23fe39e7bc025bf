"""Tests of ``tacit.problems.finite.finite_tables_upper``."""

from fractions import Fraction

from tests.problems.several.multitask_generic_table_cases import INTERVALS, NAME, job

from tacit.core import ALGORITHMS, leaves
from tacit.problems.finite import finite_tables_upper as finite_tables
from tacit.problems.several import several_upper as multitask
from tacit.problems.several.sanitize_then_learn import symmetric_differences


def test_the_algorithm_runs_with_the_parameters_of_its_bound():
    task = job(INTERVALS, k=10)
    bound = ALGORITHMS[NAME].bound(task)
    mechanism = ALGORITHMS[NAME].built(task, bound.n)
    made = finite_tables.fitted(
        size=symmetric_differences(INTERVALS).size,
        domain_size=12,
        width=6,
        alpha=Fraction(3, 40),
        beta=Fraction(1, 30),
        epsilon=Fraction(1),
    )
    assert bound.terms["table"] == made.n
    assert mechanism.sanitizer.noise == made.choices["noise"]
    assert mechanism.sanitizer.rounds == made.choices["rounds"]
    assert mechanism.sanitizer.epsilon == Fraction(1)
    assert mechanism.each == multitask.share(
        epsilon=Fraction(1), delta=Fraction(1, 2 * 10**6), k=10
    )
    assert len(leaves(mechanism.event())) == 2
