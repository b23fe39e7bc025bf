"""A synthetic table with the worst error of its answers, both paid for at once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tacit.core import BadInput, Claim, Event, Mechanism, Sample, Sampler
from tacit.core.numbers import probability, whole
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.method import Method
from tacit.problems.marginals.queries import TableQueries
from tacit.problems.marginals.table import SyntheticRows, most_rows
from tacit.problems.marginals.values import check_decimals
from tacit.tallies.parts import counts_of, counts_of_cells

CHECKED = Fraction(1, 20)
"""Of the budget, for the count of the worst error."""
NOTHING = "so small a budget leaves nothing but noise: more epsilon, or fewer rows of each person"
_STEPS, _CHEAPER = 1 << 11, 1 << 3
"""No method spends less on a measurement than its budget over so many steps for each column, or an
eighth of that with a delta."""


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """A released table, and the worst error of its answers in records, plus noise.

    ``records`` is how many records the table stands for: their number, or a noisy one.
    ``errors`` holds the worst error about each set of columns with noise, if it was paid for.
    """

    table: SyntheticRows
    noisy_worst: int
    records: int
    errors: tuple[int, ...] = ()

    def describe(self, *, column: str | None = None) -> str:
        """The table in words."""
        return self.table.describe(column=column)

    def to_dict(self) -> dict[str, object]:
        """The table's own form."""
        return self.table.to_dict()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSanitizer(Mechanism[Sample, CheckedRows]):
    """Measure marginals by a method, fit a law, deal out rows, count the worst error.

    ``n``     the number of records where it is public, else ``None``.
    ``rows``  how many rows the table shall have; by default as many as there are records, or
              as a noisy count says.
    ``checked``, ``each``  of the budget, for the worst error and for that of each marginal.

    Privacy
    -------
    Requires  schema, queries, method and shares are public; ``n`` is the number of records on
              both of two neighbouring data sets, or ``None``.
    Ensures   ``budget.event()``: ``epsilon``-DP or ``rho``-zCDP under its relation.
    Proof     Theorem 1 of ``sanitizer.proof.md``.
    Numerics  counts, noise, selections and the worst error are exact. Laws and rows are made
              in floating point from released numbers alone.

    Utility
    -------
    Theorem 2 of ``sanitizer.proof.md``: with probability at least ``1 - beta`` no answer errs by
    more than the noisy worst error and the margin of its noise.

    Edge cases
    ----------
    No records, one column, a column of one cell, columns that never vary: noise decides.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Synthetic tables, Theorem 1",
        statement="noisy counts of marginals, chosen by exact selections within one budget, and "
        "the noisy worst error of the table made of them cost that budget",
        proof="problems/marginals/sanitizer.proof.md",
    )

    queries: TableQueries
    method: Method
    budget: Budget
    n: int | None = None
    rows: int | None = None
    checked: Fraction = CHECKED
    each: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "checked", probability(self.checked, name="checked"))
        object.__setattr__(self, "each", probability(self.each, name="each", zero="allowed"))
        if self.checked + self.each >= 1:
            raise BadInput("the shares for errors must leave some of the budget for the table")
        steps = self.queries.schema.width * _STEPS
        if self.budget.concentrated:
            steps *= _CHEAPER
        if self.budget.share((1 - self.checked - self.each) / steps).too_small:
            raise BadInput(NOTHING)
        check_decimals(self.queries.schema)
        most = most_rows(self.queries.schema)
        if self.rows is not None:
            object.__setattr__(self, "rows", whole(self.rows, name="rows", least=1))
            if self.rows > most:
                raise BadInput(f"a table of these columns may have at most {most} rows")
        public = self.budget.relation.size_is_public
        if public is not (self.n is not None):
            raise BadInput("n must be given where the number of records is public, and only there")

    def event(self) -> Event:
        return self.budget.event()

    def label(self) -> str:
        return f"synthetic table ({self.method.name})"

    def prepare(self) -> None:
        from tacit.problems.marginals.law_plan import warm as warm_laws
        from tacit.problems.marginals.row_kernels import warm as warm_rows
        from tacit.tallies.parts import warm as warm_counts

        warm_counts()
        warm_laws()
        warm_rows()

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - counts of any number
        return True

    @property
    def check(self) -> Budget:
        """What the count of the worst error costs."""
        return self.budget.share(self.checked)

    def row_count(self, records: int) -> int:
        """How many rows a table has that stands for so many records."""
        return min(records, most_rows(self.queries.schema)) if self.rows is None else self.rows

    def _release(self, data: Sample, *, rng: Sampler) -> CheckedRows:
        queries, schema = self.queries, self.queries.schema
        parts = dict.fromkeys((*self.method.parts(queries), *queries.parts))
        counts = counts_of(data, schema, tuple(parts))  # [P1]
        rest = self.budget.share(1 - self.checked - self.each)
        fitted = self.method.fitted(counts, queries, rest, n=self.n, rng=rng)  # [P2]
        records = max(1, round(fitted.total)) if self.n is None else max(1, self.n)
        rows = self.row_count(records)
        table = SyntheticRows(schema, fitted.dealt(rows))  # [P3]
        made = counts_of_cells(table.cells, schema, queries.parts)
        errors = queries.errors(counts, made, n=records, rows=rows)  # [P4]
        worst = self.check.counted(int(errors.max()), rng)  # [P5]
        each = self.budget.share(self.each).counts(errors, rng) if self.each else ()  # [P6]
        return CheckedRows(table, worst, records, each)
