"""Readable private rules of a few conditions: intervals, boxes, conjunctions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from tacit.accounting import Ledger
from tacit.core import BadInput, ConceptClass, Relation, Sampler
from tacit.core.numbers import Number, whole
from tacit.domains.schema import Schema
from tacit.estimators.costed import CostedClassifier
from tacit.problems.tables.clauses import FORMS
from tacit.problems.tables.grown_formulas import GrownFormulas
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals, Products


class _ProductClassifier(CostedClassifier):
    """One permute-and-flip selection over a listed class; parameters as ``TreeClassifier``."""

    _class: ClassVar[type[Products]]

    def _concepts(self, schema: Schema) -> Any:
        """The class to select from."""
        return self._class(schema)

    def _family(self, schema: Schema) -> ConceptClass:
        return self._concepts(schema)  # type: ignore[no-any-return]


class IntervalClassifier(_ProductClassifier):
    """Learn ``low <= column < high`` or what is outside; parameters as ``TreeClassifier``."""

    _class = Intervals


class _ManyColumnsClassifier(_ProductClassifier):
    """With ``columns``, the sets of columns that a rule may ask together."""

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: int = 16,
        classes: Sequence[object] = (0, 1),
        other: str = "negative",
        unit: str | None = None,
        rows_per_unit: int = 1,
        columns: Any = 2,
        epsilon: Number = 1,
        delta: Number = 0,
        alpha: Number = 0.1,
        beta: Number = 0.05,
        error_share: Number | None = "auto",
        costs: Any = None,
        relation: Relation | str = "replace-one",
        public_columns: Iterable[str] = (),
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        super().__init__(
            domain=domain,
            bins=bins,
            classes=classes,
            other=other,
            unit=unit,
            rows_per_unit=rows_per_unit,
            epsilon=epsilon,
            delta=delta,
            alpha=alpha,
            beta=beta,
            error_share=error_share,
            costs=costs,
            relation=relation,
            public_columns=public_columns,
            ledger=ledger,
            rng=rng,
        )
        self.columns = columns

    def _concepts(self, schema: Schema) -> Any:
        most, chosen = column_sets(schema, self.columns)
        return self._class(schema, columns=most, chosen=chosen)


class BoxClassifier(_ManyColumnsClassifier):
    """Learn an interval in each of a few columns, or outside; parameters as ``TreeClassifier``.

    Parameters
    ----------
    columns : int, or list of tuples
        At most this many columns, 1 to 3, out of all; or the public sets of columns to look
        at, by name or position. Three columns need few bins: beyond
        ``tacit.problems.tables.products.MOST_CONCEPTS`` boxes it is refused.

    """

    _class = Boxes


class ConjunctionClassifier(_ManyColumnsClassifier):
    """Learn a few one-sided conditions joined by "and" and "or"; parameters as ``BoxClassifier``.

    Parameters
    ----------
    form : "conjunction", "cnf" or "dnf"
        All of up to ``columns`` conditions, or the negation; clauses
        ``(a or b) and (c or d)``; terms ``(a and b) or (c and d)``.
    clauses : int
        For the last two forms, how many clauses or terms at most, 1 to 8. As many as can be
        counted, three at most, are drawn at once (limits: ``tacit.problems.tables.clauses``);
        each further one is a draw of its own from the same budget, and undoes none before.
        No plan then says in advance how large the error will be.
    columns : int, or list of tuples
        As in ``BoxClassifier``: 1 to 3 for a conjunction. For the other forms 1 to 4, and it
        is the columns of the first draw; a clause drawn by itself asks at most two.

    """

    _class = Conjunctions

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: int = 16,
        classes: Sequence[object] = (0, 1),
        other: str = "negative",
        unit: str | None = None,
        rows_per_unit: int = 1,
        form: str = "conjunction",
        clauses: int = 2,
        columns: Any = 2,
        epsilon: Number = 1,
        delta: Number = 0,
        alpha: Number = 0.1,
        beta: Number = 0.05,
        error_share: Number | None = "auto",
        costs: Any = None,
        relation: Relation | str = "replace-one",
        public_columns: Iterable[str] = (),
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        super().__init__(
            domain=domain,
            bins=bins,
            classes=classes,
            other=other,
            unit=unit,
            rows_per_unit=rows_per_unit,
            columns=columns,
            epsilon=epsilon,
            delta=delta,
            alpha=alpha,
            beta=beta,
            error_share=error_share,
            costs=costs,
            relation=relation,
            public_columns=public_columns,
            ledger=ledger,
            rng=rng,
        )
        self.form = form
        self.clauses = clauses

    def _family(self, schema: Schema) -> ConceptClass:
        if self.form == "conjunction":
            return super()._family(schema)
        if self.form not in FORMS:
            raise BadInput(f"form must be one of conjunction, {', '.join(FORMS)}")
        most, chosen = column_sets(schema, self.columns)
        grown = GrownFormulas(
            schema, form=self.form, columns=most, chosen=chosen, clauses=self.clauses
        )
        return grown if grown.first.clauses < grown.clauses else grown.first


def column_sets(schema: Schema, columns: Any) -> tuple[int, tuple[tuple[int, ...], ...] | None]:
    """How many columns at most, and the chosen sets by position if they were listed."""
    if isinstance(columns, str) or not isinstance(columns, Sequence):
        return whole(columns, name="columns", least=1), None
    sets = []
    for one in columns:
        if isinstance(one, str) or not isinstance(one, Sequence):
            raise BadInput("columns must be a number, or a list of tuples of columns")
        sets.append(tuple(_position(schema, column) for column in one))
    return max((len(one) for one in sets), default=1) or 1, tuple(sets)


def _position(schema: Schema, column: Any) -> Any:
    if not isinstance(column, str):
        return column
    if column not in schema.names:
        raise BadInput(f"columns names {column!r}, which is no column of domain")
    return schema.names.index(column)
