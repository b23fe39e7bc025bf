"""What classifiers over whole tables share: a public schema, one budget, a certificate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from tacit.accounting import Ledger
from tacit.api import run
from tacit.core import (
    Accuracy,
    BadInput,
    ConceptClass,
    Event,
    Hypothesis,
    Mechanism,
    Privacy,
    Relation,
    Sample,
    Sampler,
    Source,
    Task,
)
from tacit.core.numbers import positive, probability
from tacit.core.sample import some_records
from tacit.domains.columns import as_array
from tacit.domains.public_grid import grid_from_public
from tacit.domains.schema import Schema
from tacit.estimators.base import series_name
from tacit.estimators.table_certificate import CertifiedClassifier
from tacit.estimators.table_intake import labels_of, own_names, rows_of, shape_of
from tacit.problems.tables.checked import CheckedLearner
from tacit.sources.files import TableSample
from tacit.sources.opening import read
from tacit.sources.types import check_label, check_schema, column_type, frame_types

USUAL_CELLS = 16


class RuleClassifier(CertifiedClassifier):
    """A private binary classifier over a table with a public schema.

    A subclass says from which class it draws: ``_learner``, ``_prior`` and ``_sizes``.
    """

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: Any = 16,
        classes: Any = (0, 1),
        epsilon: Any = 1,
        delta: Any = 0,
        beta: Any = 0.05,
        error_share: Any = "auto",
        relation: Any = "replace-one",
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        self.domain = domain
        self.bins = bins
        self.classes = classes
        self.epsilon = epsilon
        self.delta = delta
        self.beta = beta
        self.error_share = error_share
        self.relation = relation
        self.ledger = ledger
        self.rng = rng

    # -- what a subclass says --------------------------------------------------------------

    @abstractmethod
    def _learner(
        self, schema: Schema, *, epsilon: Fraction, relation: Relation, n: int | None
    ) -> Mechanism[Sample, Hypothesis]:
        """The mechanism; ``n`` is ``None`` where the number of records is private."""

    def _grid(self, read: Callable[[int], Schema]) -> Schema:
        """The public schema, read with the number of cells that ``bins`` says."""
        cells: int = USUAL_CELLS if self.bins == "auto" else self.bins
        return read(cells)

    @abstractmethod
    def _family(self, schema: Schema) -> ConceptClass:
        """The class that ``fit`` draws from, as far as public facts but the records tell."""

    def task(self, *, alpha: Any = "0.1") -> Task:
        """The task that ``fit`` solves; ``tacit.plan`` says how many records it needs.

        ``alpha`` is how much more than the best rule of the class may err. ``domain`` must
        declare the columns. The task's epsilon is the draw's: what may be set aside to count
        mistakes and labels is left out.
        """
        if self.domain is None:
            raise BadInput("declare the columns first: domain={'age': (0, 120), ...}")
        schema = self._grid(lambda bins: Schema.of(self.domain, bins=bins))
        asked = Privacy(self.epsilon, self.delta, self.relation)
        return Task(
            self._family(schema),
            privacy=Privacy(asked.epsilon * self._least_draw(), asked.delta, asked.relation),
            accuracy=Accuracy(alpha, self.beta),
            setting="agnostic",
        )

    # -- scikit-learn's face ---------------------------------------------------------------

    def schema(self, X: Any) -> Schema:
        """The public schema for a table of ``X``'s width and column names."""
        names, width = shape_of(X)
        domain = self.domain
        if domain is None and Relation.read(self.relation) is Relation.LABEL:
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

    def fit(self, X: Any, y: Any) -> Self:
        """Charge the ledger, then learn. Nothing of the data is kept but the release."""
        if y is None:
            raise BadInput("requires y to be passed, but the target y is None")
        self._check_tools()
        classes = self._classes()
        names, width = shape_of(X)
        schema = self.schema(X)
        table = X if names is not None else as_array(X)
        rows = rows_of(table)
        labels = labels_of(y)
        if labels.ndim != 1 or len(labels) != rows:
            raise BadInput("y must hold one label per row of X")
        positive_label = classes[1].item() if isinstance(classes[1], np.generic) else classes[1]
        check_schema(schema, frame_types(X), name="X")
        check_label(column_type(y), positive_label, column="y", name="y")
        negative_label = classes[0].item() if isinstance(classes[0], np.generic) else classes[0]
        sample = Sample(table, labels, positive_label, negative_label)
        self._solve(schema, sample, rows)
        self.classes_ = classes
        self.label_name_ = series_name(y)
        self.n_features_in_ = width
        self._columns_in = names
        if names is not None and all(isinstance(name, str) for name in own_names(X)):
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def fit_file(self, path: Any, *, label: str) -> Self:
        """Learn from a file or a source of ``tacit.read``; rows are read after the charge.

        The schema's columns are taken by name; ``label`` names the label column.
        """
        self._check_tools()
        classes = self._classes()
        schema = self._grid(lambda bins: Schema.of(self.domain, bins=bins))
        if label in schema.names:
            raise BadInput(f"the label {label!r} must not be a column of the schema as well")
        positive_label = classes[1].item() if isinstance(classes[1], np.generic) else classes[1]
        source = path if isinstance(path, Source) else read(path)
        negative_label = classes[0].item() if isinstance(classes[0], np.generic) else classes[0]
        sample = TableSample(
            source, schema=schema, label=label, positive=positive_label, negative=negative_label
        )
        public = Relation.read(self.relation).size_is_public
        self._solve(schema, sample, len(sample) if public else 0)
        self.classes_ = classes
        self.label_name_ = label
        self.n_features_in_ = schema.width
        self._columns_in = list(schema.names)
        self.feature_names_in_ = np.asarray(schema.names, dtype=object)
        return self

    def _event(self, X: Any) -> Event:
        names, _ = shape_of(X)
        public = Relation.read(self.relation).size_is_public
        n = rows_of(X if names is not None else as_array(X)) if public else None
        return self._mechanism(self.schema(X), n)[1].event()

    def _mechanism(self, schema: Schema, n: int | None) -> tuple[Any, Mechanism[Any, Any]]:
        """The learner, and what is run: with a share, the learner and a count of mistakes."""
        epsilon = positive(self.epsilon, name="epsilon")
        share = self._share(n)
        relation = Relation.read(self.relation)
        if not share:
            learner = self._learner(schema, epsilon=epsilon, relation=relation, n=n)
            return learner, learner
        beside, _ = self._beside(schema, n)
        left = epsilon * (1 - share) - sum((one.epsilon for one in beside), Fraction(0))
        learner = self._learner(schema, epsilon=left, relation=relation, n=n)
        return learner, CheckedLearner(learner=learner, epsilon=epsilon * share, beside=beside)

    def _solve(self, schema: Schema, sample: Any, rows: int) -> None:
        beta = probability(self.beta, name="beta")
        n = some_records(rows) if Relation.read(self.relation).size_is_public else None
        learner, mechanism = self._mechanism(schema, n)
        release = run(mechanism, sample, ledger=self.ledger, rng=self.rng)
        epsilon = positive(self.epsilon, name="epsilon")
        count = epsilon * self._share(n)
        self._keep(release, learner, schema, n=n, beta=beta, epsilon=epsilon, count=count)

    def _asked(self, X: Any) -> Any:
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

    def describe(self) -> str:
        """The rule in words, with the declared labels; a scoring rule with its levels."""
        check_is_fitted(self)
        text: str = self.rule_.describe(labels=self._label_words())
        return text

    def export_text(self) -> str:
        """The rule as text."""
        return self.describe()

    def to_dict(self) -> dict[str, Any]:
        """Rule, labels and certificate, ready for JSON."""
        labels = [one.item() if isinstance(one, np.generic) else one for one in self.classes_]
        return super().to_dict() | {"classes": labels, "label": self._label().to_dict()}
