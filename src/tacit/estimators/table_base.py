"""What classifiers over whole tables share: a public schema, one budget, a certificate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from tacit.accounting import Ledger
from tacit.api import Solved, planned_event, solve
from tacit.core import (
    Accuracy,
    BadInput,
    ConceptClass,
    Event,
    NamedRule,
    Relation,
    Sample,
    Sampler,
    Source,
    Task,
)
from tacit.core.certificate import Certificate
from tacit.core.certify import NEW_RECORDS
from tacit.core.label_values import OTHER
from tacit.core.numbers import Number
from tacit.core.task_fields import Costs
from tacit.domains.columns import as_array
from tacit.domains.public_grid import grid_from_public
from tacit.domains.schema import Schema
from tacit.estimators.base import TacitClassifier, refuse_more, series_name
from tacit.estimators.table_intake import check_public, labels_of, own_names, rows_of, shape_of
from tacit.estimators.units import apart, protected
from tacit.exact.arrays import Values
from tacit.problems.tables.ranking import balanced_of, ranking_of
from tacit.sources.files import TableSample, table_reading
from tacit.sources.opening import read
from tacit.sources.persons import ArrayPersons, SourcePersons
from tacit.sources.types import (
    check_label,
    check_schema,
    column_type,
    frame_types,
    refuse_measurements,
)

_SAME_FEATURES = "fresh labels of records with these same features"
"""What errors speak of where the features set the grid: ``occam.proof.md``, fixed features."""


USUAL_CELLS = 16


class RuleClassifier(TacitClassifier):
    """A private classifier over a table with a public schema; regression is out of scope.

    A subclass says from which class it draws: ``_family``.
    """

    rule_: Any
    certificate_: Certificate
    _model: ClassVar[str]
    """What ``--model`` calls it, where that is not the name of the class (``tables.models``)."""
    _rate_share: Number | None = None
    """The part of epsilon that counts rates: ``RatedClassifier`` sets it."""

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: Any = 16,
        classes: Sequence[object] = (0, 1),
        other: str = "negative",
        unit: str | None = None,
        rows_per_unit: int = 1,
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
        self.domain = domain
        self.bins = bins
        self.classes = classes
        self.other = other
        self.unit = unit
        self.rows_per_unit = rows_per_unit
        self.epsilon = epsilon
        self.delta = delta
        self.alpha = alpha
        self.beta = beta
        self.error_share = error_share
        self.relation = relation
        self.public_columns = public_columns
        self.ledger = ledger
        self.rng = rng

    # -- what a subclass says --------------------------------------------------------------

    @abstractmethod
    def _family(self, schema: Schema) -> ConceptClass:
        """The class that ``fit`` draws from."""

    def _grid(self, read: Callable[[int], Schema]) -> Schema:
        """The public schema, read with the number of cells that ``bins`` says."""
        cells: int = USUAL_CELLS if self.bins == "auto" else self.bins
        return read(cells)

    def task(self, *, alpha: Number | None = None) -> Task:
        """The task that ``fit`` solves; ``tacit.plan`` says how many records it needs.

        ``alpha``, by default the classifier's own, is how much more than the best rule of the
        class may err. ``domain`` must declare the columns.
        """
        if self.domain is None:
            raise BadInput("declare the columns first: domain={'age': (0, 120), ...}")
        return self._task(self._grid(lambda bins: Schema.of(self.domain, bins=bins)), alpha)

    def _task(self, schema: Schema, alpha: Number | None = None) -> Task:
        asked: dict[str, Any] = {"costs": self._costs, **self._declared()}
        if not _is_auto(self.error_share):
            asked["error_share"] = self.error_share
        privacy = self._privacy()
        accuracy = Accuracy(self.alpha if alpha is None else alpha, self.beta)
        return Task(
            self._family(schema),
            privacy=privacy,
            accuracy=accuracy,
            setting="agnostic",
            other=self.other,
            **asked,
        )

    def _declared(self) -> dict[str, Any]:
        """The label values of the task, where there are more than two labels."""
        values = self._values()
        return {} if values is None else {"values": tuple(map(str, values.declared))}

    def _every_class(self) -> Values:
        """All labels that the rule may give: the declared ones, and "other" where it is one."""
        classes = self._classes()
        if self.other != "class":
            return classes
        return np.array([*classes.tolist(), OTHER], dtype=object)

    @property
    def _costs(self) -> Costs:
        """What mistakes cost; ``None`` where all cost the same, as in classifiers without costs."""
        return None

    # -- scikit-learn's face ---------------------------------------------------------------

    def schema(self, X: Any) -> Schema:
        """The public schema for a table of ``X``'s width and column names."""
        return self._schema(X, *shape_of(X))

    def _schema(self, X: Any, names: list[str] | None, width: int) -> Schema:
        """``schema``, of a table whose names and width are known."""
        domain = self.domain
        read_off = domain is None and Relation.read(self.relation) is Relation.LABEL
        check_public(self.public_columns, names, width, read_off=read_off)
        if read_off:
            return self._grid(lambda bins: grid_from_public(X, bins=bins))
        if isinstance(domain, tuple) and len(domain) == 2 and not isinstance(domain, Schema):
            numbers = all(isinstance(end, (int, float, Fraction)) for end in domain)
            domain = [domain] * width if numbers else domain
        declared = self._grid(lambda bins: Schema.of(domain, bins=bins))
        by_name = names is not None and set(declared.names) <= set(names)
        if not by_name:
            if names is not None and not isinstance(domain, (list, tuple)):
                absent = ", ".join(name for name in declared.names if name not in names)
                raise BadInput(f"X has no column called {absent}, which domain declares")
            if declared.width != width:
                raise BadInput(
                    f"domain declares {declared.width} columns, and X has {width} features"
                )
            if names is not None:
                declared = declared.named(names)
        return declared

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        rows_per_unit: int | None = None,
        **more: Any,
    ) -> Self:
        """Charge the ledger, then learn. Nothing of the data is kept but the release.

        ``groups`` holds one id a row where persons have several and ``X`` has no column
        ``unit``: then whole persons are protected. One row of each is used, however many
        ``rows_per_unit`` allows (by default as many as the classifier was told).
        """
        refuse_more(more, of=self)
        if y is None:
            raise BadInput("requires y to be passed, but the target y is None")
        self._check_tools()
        classes, values, named = self._classes(), self._values(), self._labels_named
        rows_used = self.rows_per_unit if rows_per_unit is None else rows_per_unit
        X, ids, persons = protected(X, unit=self.unit, groups=groups, rows=rows_used)
        names, width = shape_of(X)
        schema = self._schema(X, names, width)
        table = X if names is not None else as_array(X)
        rows = rows_of(table)
        labels = labels_of(y)
        if labels.ndim != 1 or len(labels) != rows:
            raise BadInput("y must hold one label per row of X")
        positive_label = classes[1].item() if isinstance(classes[1], np.generic) else classes[1]
        check_schema(schema, frame_types(X), name="X")
        for value in (positive_label,) if values is None else values.declared:
            check_label(column_type(y), value, column="y", name="y", named=named)
        negative_label = classes[0].item() if isinstance(classes[0], np.generic) else classes[0]
        sample = Sample(table, labels, positive_label, negative_label, values)
        if ids is None:
            self._solve(schema, sample)
        else:
            self._solve(schema, ArrayPersons(sample, ids=ids, domain=schema), **persons)
        self.classes_ = self._every_class()
        self.label_name_ = series_name(y)
        self.n_features_in_ = width
        self._columns_in = names
        if names is not None and all(isinstance(name, str) for name in own_names(X)):
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self._named()

    def fit_file(
        self,
        path: Any,
        *,
        label: str,
        unit: str | None = None,
        rows_per_unit: int | None = None,
        **more: Any,
    ) -> Self:
        """Learn from a file or a source of ``tacit.read``; rows are read after the charge.

        The schema's columns are taken by name; ``label`` names the label column, ``unit`` the
        one that tells persons apart, of whom one row each is used, however many
        ``rows_per_unit`` allows: both by default as the classifier was told.
        """
        refuse_more(more, of=self)
        self._check_tools()
        unit = self.unit if unit is None else unit
        rows_used = self.rows_per_unit if rows_per_unit is None else rows_per_unit
        if unit is None and rows_used != 1:  # whoever says it believes that persons are protected
            raise BadInput("rows_per_unit needs unit=..., the column that tells persons apart")
        classes = self._classes()
        schema = self._grid(lambda bins: Schema.of(self.domain, bins=bins))
        if label in schema.names:
            raise BadInput(f"the label {label!r} must not be a column of the schema as well")
        positive_label = classes[1].item() if isinstance(classes[1], np.generic) else classes[1]
        source = path if isinstance(path, Source) else read(path)
        if source is not path and not self._labels_named:  # who opened it has looked at its types
            refuse_measurements(source.types.get(label), column=label, name=source.name)
        negative_label = classes[0].item() if isinstance(classes[0], np.generic) else classes[0]
        values = {
            "positive": positive_label,
            "negative": negative_label,
            "values": self._values(),
        }
        if unit is None:
            self._solve(schema, TableSample(source, schema=schema, label=label, **values))
        else:
            reading = table_reading(source, schema=schema, label=label, **values)
            persons = SourcePersons(source, reading, unit=unit, domain=schema)
            self._solve(schema, persons, unit=unit, rows_per_unit=rows_used)
        self.classes_ = self._every_class()
        self.label_name_ = label
        self.n_features_in_ = schema.width
        self._columns_in = list(schema.names)
        self.feature_names_in_ = np.asarray(schema.names, dtype=object)
        return self._named()

    def _named(self) -> Self:
        """Keep the release with the names of label and label values."""
        value = NamedRule(rule=self.rule_, label=self._label())
        self.release_ = replace(self.release_, value=value)
        return self

    def _event(self, X: Any) -> Event:
        names, width = shape_of(X)
        task = self._task(self._schema(X, names, width))
        n = rows_of(X if names is not None else as_array(X))
        return planned_event(task, n, declared=self._classes()[0] is not None)

    @property
    def _about(self) -> str:
        """What errors are fractions of, in words."""
        return NEW_RECORDS if self.domain is not None else _SAME_FEATURES

    def _solve(self, schema: Schema, sample: Any, **persons: Any) -> Solved:
        """Learn, and keep the release; nothing of the records is kept."""
        classes, about = self._classes(), self._about
        task = self._task(schema)
        solved = solve(
            task.with_(**persons) if persons else task,
            sample,
            ledger=self.ledger,
            rng=self.rng,
            positive=classes[1],
            negative=classes[0],
            about=about,
            rate_share=self._rate_share,
        )
        self.release_ = solved.release
        certificate = self.release_.certificate
        assert isinstance(certificate, Certificate)
        self.rule_ = self.release_.value
        self.certificate_ = certificate
        return solved

    def _asked(self, X: Any) -> Any:
        X, _ = apart(X, self.unit)
        names, width = shape_of(X)
        by_name = names is not None and set(self.rule_.schema.names) <= set(names)
        if names is not None and not by_name and hasattr(self, "feature_names_in_"):
            absent = ", ".join(name for name in self.rule_.schema.names if name not in names)
            raise BadInput(
                "The feature names should match those that were passed during fit; X has no "
                f"column called {absent}"
            )
        if width != self.n_features_in_ and not by_name:
            raise BadInput(
                f"X has {width} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        table = X if names is not None else as_array(X)
        if names is None and self._columns_in is not None:
            # Without names, columns stand where they stood in ``fit``, not as in the schema.
            table = table[:, [self._columns_in.index(one) for one in self.rule_.schema.names]]
        return table

    def ranking(self, X: Any) -> npt.NDArray[np.float64]:
        """Numbers that order records by how clearly the released rule calls them positive.

        They cost nothing beside the rule and are no chances: only their order means something. All
        positive answers stand above all others (``tacit.problems.tables.ranking``). Where one
        label is rare, ask a classifier with ``costs="balanced"``.
        """
        check_is_fitted(self)
        self._two_labels("records are ordered by")
        return ranking_of(self.rule_, self._asked(X))

    def predict_balanced(self, X: Any) -> Values:
        """Answers for balanced accuracy, from the released rule alone: nothing more is paid.

        A sum of trees or of columns answers yes where the odds of a record are above those of all
        records. One tree or scoring rule says no more than its answers, which stay as they are:
        where one label is rare, ask a classifier with ``costs="balanced"``
        (``tacit.problems.tables.ranking``).
        """
        check_is_fitted(self)
        self._two_labels("balanced answers are given by")
        answers: Values = self.classes_[balanced_of(self.rule_, self._asked(X)).astype(int)]
        return answers

    def describe(self) -> str:
        """The rule in words, with the declared labels; a scoring rule with its levels."""
        check_is_fitted(self)
        text: str = self.rule_.describe(labels=self._label_words())
        return text

    def export_text(self) -> str:
        """The rule as text."""
        return self.describe()

    def to_dict(self) -> dict[str, object]:
        """Rule, labels and certificate, ready for JSON."""
        labels = [one.item() if isinstance(one, np.generic) else one for one in self.classes_]
        return super().to_dict() | {"classes": labels, "label": self._label().to_dict()}


def _is_auto(share: object) -> bool:
    return isinstance(share, str) and share == "auto"
