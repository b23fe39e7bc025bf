"""How many records noisy counts of columns need, known beforehand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import prod

from tacit.bounds.upper.weights import concentrated
from tacit.core import BadInput, Claim, Relation, SampleBound, Task, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import Ball, ball, ceiling
from tacit.mechanisms.calibration import noise_scale, noise_variance
from tacit.problems.marginals.queries import TableQueries
from tacit.problems.marginals.sanitizer import CHECKED
from tacit.problems.marginals.table import most_rows

ONE_WAY = Claim(
    paper="own",
    locator="Synthetic tables, Theorem 3",
    statement="noisy counts of every column, projected to counts and rounded to rows, are "
    "within alpha of the truth in total variation",
    proof="problems/marginals/sanitizer.proof.md",
)
TOGETHER = Claim(
    paper="own",
    locator="Synthetic tables, Theorem 4",
    statement="noisy counts of all combinations of cells, projected to counts and rounded to "
    "rows, are within alpha of the truth in total variation, whatever columns a question names",
    proof="problems/marginals/sanitizer.proof.md",
)
_RATES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
_WORD = 1 << 62
PERSONS = (
    "says nothing beforehand about persons with several rows: its table carries an error that "
    "was measured on the records"
)
UNCHECKED = (
    "says nothing beforehand where combinations were declared impossible: its table carries an "
    "error that was measured on the records"
)
SILENT = (
    "says nothing beforehand about several columns together: its table carries an error that "
    "was measured on the records"
)


@theorem(
    ONE_WAY,
    kind="upper",
    setting="one column at a time; pure or zCDP; replace-one or add-remove",
    formula=r"n\ge \frac{t+c/2+1}{\alpha},\quad P(\|Z\|_1>t)\le\beta/d",
)
def one_way(
    *,
    columns: int,
    cells: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction = Fraction(0),
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records with which all ``columns`` of at most ``cells`` cells are within ``alpha``.

    >>> one_way(columns=2, cells=5, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...         epsilon=Fraction(1)).n
    635
    """
    columns, cells = whole(columns, name="columns", least=1), whole(cells, name="cells", least=1)
    alpha, beta = probability(alpha, name="alpha"), probability(beta, name="beta")
    epsilon, failing = positive(epsilon, name="epsilon"), beta / columns
    share = (1 - CHECKED) / columns
    if delta:
        rho = concentrated(epsilon=epsilon, delta=delta) * share
        noise = _gaussian(noise_variance(rho=rho, relation=relation), cells, failing)
    else:
        noise = _geometric(noise_scale(epsilon=epsilon * share, relation=relation), cells, failing)
    if relation is Relation.ADD_REMOVE:
        wrong = Fraction(3 * noise + cells + 2)
    else:
        wrong = noise + Fraction(cells, 2) + 1
    return SampleBound(
        n=-int(-wrong // alpha),
        claim=ONE_WAY,
        terms={"noise": float(noise / alpha), "rounding to rows": float((wrong - noise) / alpha)},
    )


def _gaussian(variance: Fraction, cells: int, failing: Fraction) -> int:
    """More than this is the sum of ``cells`` absolute draws with probability ``failing``."""

    def limit() -> Ball:
        signs = ball(cells) * ball(2).log() - ball(failing).log()
        return (2 * cells * ball(variance) * signs).sqrt()

    return ceiling(limit)


def _geometric(scale: Fraction, cells: int, failing: Fraction) -> int:
    """The same for two-sided geometric noise, by the best of a few exponents."""

    def limit(part: Fraction) -> Ball:
        rate, q = ball(part / scale), (-1 / ball(scale)).exp()
        grown = q * rate.exp()
        mean = (1 - q) / (1 + q) * (1 + 2 * grown / (1 - grown))
        return (cells * mean.log() - ball(failing).log()) / rate

    return min(ceiling(lambda part=part: limit(part)) for part in _RATES)  # type: ignore[misc]


def bound_of(task: Task) -> SampleBound:
    """What is known beforehand about columns by themselves, or ``BadInput`` where nothing is."""
    queries = task.concept_class
    assert isinstance(queries, TableQueries)
    if queries.ways > 1:
        raise BadInput(SILENT)
    return _bound(task, columns=queries.schema.width, cells=max(queries.schema.cells))


def together_bound(task: Task) -> SampleBound:
    """What is known beforehand about all columns together."""
    queries = task.concept_class
    assert isinstance(queries, TableQueries)
    cells = prod(queries.schema.cells)
    return replace(_bound(task, columns=1, cells=cells), claim=TOGETHER)


def _bound(task: Task, *, columns: int, cells: int) -> SampleBound:
    queries = task.concept_class
    assert isinstance(queries, TableQueries)
    if task.privacy.rows_per_unit > 1:
        raise BadInput(PERSONS)
    if queries.impossible:
        raise BadInput(UNCHECKED)
    if cells > _WORD:
        raise BadInput("needs more records than a table may have rows")
    asked = task.asked("alpha", "beta", "epsilon", "delta", "relation")
    found = one_way(columns=columns, cells=cells, **asked)
    if found.n > most_rows(queries.schema):
        raise BadInput("needs more records than a table may have rows")
    return found
