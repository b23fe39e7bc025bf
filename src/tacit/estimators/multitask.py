"""Several labels at once, for one budget: scikit-learn's multi-output conventions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from tacit.accounting import ledger as process_ledger
from tacit.api import solve
from tacit.core import BadInput, BudgetRefused, Composed, Sample, Task
from tacit.core.numbers import exact, probability
from tacit.domains.columns import as_array
from tacit.domains.labels import equals
from tacit.domains.schema import column_names
from tacit.estimators.base import TacitClassifier, refuse_more, values_array
from tacit.estimators.joint_certificate import joint_certificate
from tacit.estimators.one_column import MatrixClassifier, PointClassifier, ThresholdClassifier
from tacit.estimators.rated import RatedClassifier
from tacit.estimators.several_labels import (
    Own,
    check_others,
    check_persons,
    labels_of,
    labels_task,
    release_labels,
    sample_of,
    why_apart,
)
from tacit.estimators.table_base import RuleClassifier
from tacit.estimators.table_intake import rows_of, shape_of
from tacit.estimators.units import protected
from tacit.exact.arrays import Values
from tacit.planner.labels import labels_together
from tacit.sources.persons import ArrayPersons
from tacit.sources.types import check_schema, column_type, frame_types, refuse_measurements


def _refuse_features(base: TacitClassifier, X: Any, Y: Any) -> None:
    """Refuse a label that is a feature too: its rule would ask for the answer itself."""
    if isinstance(base, RuleClassifier):
        asked: Sequence[str] = base.schema(X).names
    else:
        asked = (column_names(X) or ())[base.column : base.column + 1]
    for name in column_names(Y) or ():
        if name in asked:
            raise BadInput(
                f"the label {name!r} must not be a feature as well: leave it out of X or of domain"
            )


class MultiTaskClassifier(MultiOutputMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn one rule for every column of ``Y`` under the budget of ``estimator``.

    A one-column estimator (``ThresholdClassifier``, ``PointClassifier``,
    ``MatrixClassifier``) is planned for all ``k`` tasks together, so that the planner may
    choose a learner whose records do not grow with ``k``. A classifier over a table whose rule
    is one selection draws all ``k`` rules in one release: each gets what adaptive composition
    allows (``tacit.bounds.upper.adaptive``: 0.047 each at k = 100, epsilon 1 and delta 1e-6;
    ``epsilon / k``, which is 0.01, without a delta). Any other is fitted once a task with ``1/k``
    of its epsilon, delta and beta; if the ledger has no room for all ``k`` of them, the first is
    not fitted either. One certificate is about all rules, with one ``beta``; those of
    ``estimators_`` that were fitted apart are each about their own task.

    Parameters
    ----------
    estimator : a Tacit classifier
        Its ``epsilon`` and ``delta`` are for all tasks together; its ``ledger`` is charged. With
        ``RatedClassifier`` around one over a table there is ``predict_proba``, too.
    shared : bool or None
        ``True`` compares the labels with trees that ask the same questions for all of them, two
        levels at most: where public numbers say that this needs fewer records, questions are
        drawn once for all labels and each leaf gets a noisy label of every kind. Good where labels
        depend on the same columns; rules that need different ones are not found so. ``False``
        gives each label questions of its own. By default the planner decides: of trees of
        ``depth=1`` or ``2``, without costs, a private choice between both is made where that is
        proved to need fewer records than own questions do, and errors are means over the labels.
    classes : dict or None
        Label values of their own for some columns of ``Y``, by name: ``{"smoker": ("no", "yes")}``;
        all others have those of ``estimator``. For tables; more than two values for trees, rule
        lists and ``ScoreClassifier``.
    costs : dict or None
        Costs of their own for some columns, by name: ``{"smoker": {"yes": 20}}``. For classifiers
        with ``costs``; every label has two values then.

    A missing or undeclared label counts as the negative one, or, where ``estimator`` says
    ``other="ignore"``, its record has no part in that label alone.

    Attributes
    ----------
    classes_ : list of the public labels, one entry a task
    rules_ : the released rules, one a task
    release_ : the release they came from, for one-column estimators
    estimators_ : the fitted classifiers, for the others
    paid_ : those that were fitted apart, also where a later one was interrupted
    certificate_ : what holds for all rules at once

    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        shared: bool | None = None,
        classes: Any = None,
        costs: Any = None,
    ) -> None:
        self.estimator = estimator
        self.shared = shared
        self.classes = classes
        self.costs = costs

    def fit(self, X: Any, Y: Any, **more: Any) -> Self:
        """Charge the ledger for all tasks, then learn."""
        refuse_more(more, of=self)
        rated = self.estimator if isinstance(self.estimator, RatedClassifier) else None
        base = self.estimator if rated is None else rated._made()
        if not isinstance(base, TacitClassifier):
            raise BadInput("estimator must be a Tacit classifier, such as ThresholdClassifier(...)")
        base._check_tools()
        base._two_labels("several label columns are learned at once with")
        labels = as_array(Y)
        if labels.ndim != 2 or labels.shape[1] == 0:
            raise BadInput("Y must have one column of labels a task")
        X, ids, persons = protected(X, unit=base.unit, groups=None, rows=base.rows_per_unit)
        _refuse_features(base, X, Y)
        k = int(labels.shape[1])
        own = Own(
            classes={} if self.classes is None else self.classes,
            costs={} if self.costs is None else self.costs,
        )
        for column, kind in (frame_types(Y) or {"Y": column_type(Y)}).items():
            if column not in own.classes and not base._labels_named:
                refuse_measurements(kind, column=column, name="Y")
        special = self.shared or own.classes or own.costs
        if k == 1 and (own.costs or own.classes):
            raise BadInput(
                "one column of labels has the classes= and costs= of its classifier: give them to "
                "estimator"
            )
        together = isinstance(base, RuleClassifier)
        if special and not together:
            raise BadInput(
                "shared questions, and values or costs of single labels, need rules over a table"
            )
        if persons and not together:
            raise BadInput("several labels of persons need rules over a table")
        if isinstance(base, (ThresholdClassifier, PointClassifier, MatrixClassifier)):
            self._fit_together(base, X, labels, k)
        elif not self._fit_side_by_side(base, X, Y, labels, own=own, ids=ids, persons=persons):
            names = column_names(Y) or [f"label {task}" for task in range(k)]
            self._fit_apart(base, X, labels, names, rated=rated)
        if not special:
            self.classes_ = [base._classes()] * k
        return self

    def _forget(self) -> None:
        """Drop what an earlier fit left: another kind of estimator keeps its rules elsewhere."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def task(self, k: int = 1) -> Task:
        """The task that ``fit`` solves for ``k`` columns; ``tacit.plan`` takes it.

        Costs of single labels are not known by a number of columns, and refused.
        """
        if self.costs:
            raise BadInput(
                "costs of single labels go by the names of their columns, and a task of k columns "
                "has none: plan without them, or with the same costs of all labels in estimator"
            )
        if self.classes and any(len(told) > 2 for told in dict(self.classes).values()):
            raise BadInput(
                "values of single labels go by the names of their columns, and a task of k columns "
                "has none: plan with tacit plan --labels 'risk=low/mid/high,...', or Task("
                "..., label_values=...)"
            )
        task: Task = self.estimator.task().with_(k=k)
        return labels_together(task, shared=self.shared)

    def _fit_together(self, base: Any, X: Any, labels: Values, k: int) -> None:
        column, width, _ = base._records(X)
        if len(labels) != len(column):
            raise BadInput("Y must hold one row of labels per row of X")
        positive = base._classes()[1]
        release = solve(
            self.task(k),
            Sample(column, labels, positive.item() if hasattr(positive, "item") else positive),
            ledger=base.ledger,
            rng=base.rng,
            algorithm=base.algorithm,
        ).release
        self._forget()
        self.release_ = release
        value: Any = release.value
        self.rules_ = list(value) if k > 1 else [value]
        self.certificate_ = self.release_.certified
        self.n_features_in_ = width

    def _fit_side_by_side(
        self,
        base: Any,
        X: Any,
        Y: Any,
        labels: Values,
        *,
        own: Own,
        ids: Any,
        persons: dict[str, Any],
    ) -> bool:
        """One release of all rules, where each rule is one selection.

        Where persons are protected, ``ids`` tells them apart and one row of each is used.
        """
        if not isinstance(base, RuleClassifier):
            return False
        k = int(labels.shape[1])
        schema = base.schema(X)
        names = column_names(Y) or [f"label {task}" for task in range(k)]
        named_labels = labels_of(base, names, own)
        check_others(base)
        if persons:
            check_persons(base, own)
        task = labels_task(base, schema, named_labels, own=own, shared=self.shared, persons=persons)
        why = why_apart(task)
        if why is not None and (self.shared or own.classes or own.costs or persons):
            raise BadInput(f"no algorithm learns these labels together: it {why}")
        if why is not None:
            return False
        if len(labels) != rows_of(X):
            raise BadInput("Y must hold one label per row of X in each column")
        check_schema(schema, frame_types(X), name="X")
        frame, width = shape_of(X)
        sample: Any = sample_of(base, X if frame is not None else as_array(X), labels, named_labels)
        if persons:
            sample = ArrayPersons(sample, ids=ids, domain=schema)
        release = release_labels(base, task, sample, named_labels)
        self._forget()
        self.release_ = release
        self.classes_ = [
            values_array(own.classes[name]) if name in own.classes else base._classes()
            for name in names
        ]
        self.certificate_ = self.release_.certified
        value: Any = self.release_.value
        self.rules_ = [named.rule for named in value]
        self.estimators_ = [clone(base) for _ in range(k)]
        for one, named, classes in zip(self.estimators_, value, self.classes_, strict=True):
            one.rule_, one.classes_ = named.rule, classes
            one.label_name_ = named.label.name
            one.n_features_in_, one._columns_in = width, frame
            one.release_, one.certificate_ = self.release_, self.certificate_  # of all rules
        if base._rate_share is not None:
            self.estimators_ = [clone(self.estimator)._kept(one) for one in self.estimators_]
        self.n_features_in_ = width
        if frame is not None:
            self.feature_names_in_ = np.asarray(frame, dtype=object)
        return True

    def _fit_apart(
        self,
        base: Any,
        X: Any,
        labels: Values,
        names: Sequence[str],
        *,
        rated: RatedClassifier | None,
    ) -> None:
        """A release a task, each with its part of what all may spend and of how often they fail."""
        k = len(names)
        if len(set(names)) < k:
            raise BadInput("labels must be different names")
        epsilon, delta = exact(base.epsilon, name="epsilon"), exact(base.delta, name="delta")
        beta = probability(base.beta, name="beta")  # a part of what is none could be one
        share = {"epsilon": epsilon / k, "beta": beta / k} | ({"delta": delta / k} if delta else {})
        # The types of Y were looked at: columns of an array made of it may be floats without it.
        named = {"classes": list(base.classes)}
        tasks = [clone(base).set_params(**share, **named) for _ in range(k)]
        if rated is not None:
            tasks = [RatedClassifier(one, rate_share=rated.rate_share) for one in tasks]
        each = tasks[0]._event(X)
        ledger = process_ledger() if base.ledger is None else base.ledger
        if not ledger.would_allow(Composed(events=(each,) * k, relation=each.relation)):
            raise BudgetRefused(
                f"the ledger has no room for {k} tasks, each {each.describe()}; nothing was charged"
            )
        self.paid_: list[Any] = []  # kept if a later one is interrupted: they are paid for
        for task, one in enumerate(tasks):
            self.paid_.append(one.fit(X, labels[:, task]))
        paid = self.paid_
        self._forget()
        self.paid_, self.estimators_, self.label_names_ = paid, list(paid), list(names)
        self.rules_ = [fitted.rule_ for fitted in self.estimators_]
        papers = [fitted.certificate_ for fitted in self.estimators_]
        asked = (epsilon, delta, beta)
        self.certificate_ = (
            papers[0] if k == 1 else joint_certificate(papers, self.rules_, names, asked=asked)
        )
        self.n_features_in_ = self.estimators_[0].n_features_in_
        if hasattr(self.estimators_[0], "feature_names_in_"):
            self.feature_names_in_ = self.estimators_[0].feature_names_in_

    def predict(self, X: Any) -> Values:
        """One column of labels a task."""
        check_is_fitted(self, "rules_")
        if hasattr(self, "estimators_"):
            told = [fitted.predict(X) for fitted in self.estimators_]
            # Side by side, words of one label would make words of another's numbers.
            alike = len({one.dtype.kind for one in told}) == 1
            return np.stack([one if alike else one.astype(object) for one in told], axis=1)
        column, width, _ = self.estimator._records(X)
        if width != self.n_features_in_:
            raise BadInput(f"X has {width} features, but {self.n_features_in_} are expected")
        answers = [
            classes[rule.predict(column).astype(int)]
            for rule, classes in zip(self.rules_, self.classes_, strict=True)
        ]
        return np.stack(answers, axis=1)

    @available_if(lambda self: isinstance(self.estimator, RatedClassifier))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> list[npt.NDArray[np.float64]]:
        """The estimated chances of both labels of each task: an array a task, a column a label.

        For ``MultiTaskClassifier(RatedClassifier(...))``: chances must be paid for.
        """
        check_is_fitted(self, "rules_")
        return [one.predict_proba(X) for one in self.estimators_]

    def score(self, X: Any, Y: Any, sample_weight: Any = None) -> float:
        """The fraction of rows on which all tasks are right; exact, so not private."""
        truth = as_array(Y)
        guess = self.predict(X)
        right = np.ones(len(guess), dtype=bool)
        for task, classes in enumerate(self.classes_):
            right &= (guess[:, task] == classes[1]) == equals(truth[:, task], classes[1])
        return float(np.average(right, weights=sample_weight))

    def describe(self) -> str:
        """The rules in words; every line begins with its task."""
        check_is_fitted(self, "rules_")
        apart = hasattr(self, "estimators_")
        if apart and hasattr(self, "release_"):
            text: str = self.release_.value.describe()
            return text
        told: Iterable[tuple[object, Any]] = enumerate(self.rules_)
        if apart:
            told = zip(self.label_names_, self.estimators_, strict=True)
        return "\n".join(
            f"{name}: {line}" for name, one in told for line in one.describe().split("\n")
        )

    def to_dict(self) -> dict[str, object]:
        """Rules and certificates, ready for JSON."""
        check_is_fitted(self, "rules_")
        if hasattr(self, "estimators_") and not hasattr(self, "release_"):
            each = [one.to_dict() for one in self.estimators_]
            return {"tasks": each, "certificate": self.certificate_.to_dict()}
        if hasattr(self, "estimators_"):
            named: Any = self.release_.value
            return {"rules": named.to_dict(), "certificate": self.certificate_.to_dict()}
        rules = [rule.to_dict() for rule in self.rules_]
        return {"rules": rules, "certificate": self.certificate_.to_dict()}
