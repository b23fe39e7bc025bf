"""Readable private trees with a public labelled table as a prior over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from tacit.accounting import Ledger
from tacit.core import BadInput, ConceptClass, Relation, Sampler, Source, Task
from tacit.core.numbers import Number
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.estimators.table_intake import labels_of, rows_of
from tacit.problems.tables.informed import InformedTrees, suggested
from tacit.sources.files import TableSample
from tacit.sources.opening import read
from tacit.sources.same import share_records
from tacit.tallies.placed import placed


class InformedTreeClassifier(RuleClassifier):
    """Learn a tree of two levels, half of its prior on what a public labelled table suggests.

    Privacy does not depend on the public records, and does not speak about them: the certificate
    shows rules that fit them. They must be other records than the private ones. Where they are
    like them, few private records suffice; where they mislead, little is lost.

    Parameters are those of ``BoxClassifier`` but for ``columns``, and

    Parameters
    ----------
    public : (X, y), or the path of a file
        Public records with their labels: a table with the columns of ``domain`` and one label a
        row, with the values of ``classes``. For ``fit_file`` a file with the same columns.

    """

    _model: ClassVar[str] = "informed"

    _label_column: str | None = None

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: int = 16,
        classes: Sequence[object] = (0, 1),
        other: str = "negative",
        unit: str | None = None,
        rows_per_unit: int = 1,
        public: Any = None,
        epsilon: Number = 1,
        delta: Number = 0,
        alpha: Number = 0.1,
        beta: Number = 0.05,
        error_share: Number | None = "auto",
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
            relation=relation,
            public_columns=public_columns,
            ledger=ledger,
            rng=rng,
        )
        self.public = public

    def task(self, *, alpha: Number | None = None, label: str | None = None) -> Task:
        """The task that ``fit`` solves; ``label`` is the label column of a public file."""
        if label is not None:
            self._label_column = label
        return super().task(alpha=alpha)

    def fit(self, X: Any, y: Any, **more: Any) -> Self:
        """Charge the ledger, then learn; ``X`` must not be the public table."""
        _apart(self.public[0] if isinstance(self.public, tuple) else self.public, X)
        return super().fit(X, y, **more)

    def fit_file(self, path: Any, *, label: str, **more: Any) -> Self:
        """Learn from a file; ``label`` is the label column of a public file as well."""
        _apart(self.public, path)
        self._label_column = label
        return super().fit_file(path, label=label, **more)

    def _family(self, schema: Schema) -> ConceptClass:
        cells, labels = self._public_cells(schema)
        if not len(labels):
            raise BadInput("there are no public records: the table has 0 rows")
        return InformedTrees(schema, suggested(schema, cells, labels))

    def _public_cells(self, schema: Schema) -> tuple[Any, Any]:
        """The cells of the public records, and whether each has the positive label."""
        public, (negative, positive) = self.public, self._classes()
        if isinstance(public, tuple) and len(public) == 2:
            labels = labels_of(public[1])
            if labels.ndim != 1 or len(labels) != rows_of(public[0]):
                raise BadInput("public=(X, y): y must hold one label per row of X")
            told = np.array([one == positive for one in labels.tolist()], dtype=bool)
            return schema.coerce(public[0]), told
        label = self._label_column
        if public is None or isinstance(public, tuple) or label is None:
            raise BadInput(
                "public must be a table and its labels: public=(X, y), or a file for files"
            )
        source = public if isinstance(public, Source) else read(public)
        named = {"positive": _plain(positive), "negative": _plain(negative)}
        return placed(TableSample(source, schema=schema, label=label, **named), schema)


def _apart(public: Any, private: Any) -> None:
    if share_records(public, private):
        raise BadInput("public records must be other records than the private ones")


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
