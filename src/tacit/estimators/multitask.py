"""Several labels at once, for one budget: scikit-learn's multi-output conventions."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin, clone
from sklearn.utils.validation import check_is_fitted

from tacit.accounting import ledger as process_ledger
from tacit.api import learn
from tacit.core import BadInput, BudgetRefused, Composed, Sample, Task
from tacit.core.numbers import exact
from tacit.domains.columns import as_array
from tacit.domains.labels import equals
from tacit.estimators.base import TacitClassifier
from tacit.estimators.one_column import PointClassifier, TableClassifier, ThresholdClassifier


class MultiTaskClassifier(MultiOutputMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn one rule for every column of ``Y`` under the budget of ``estimator``.

    A one-column estimator (``ThresholdClassifier``, ``PointClassifier``,
    ``TableClassifier``) is planned for all ``k`` tasks together, so that the planner may
    choose a learner whose records do not grow with ``k``. Any other Tacit classifier is
    fitted once a task with ``1/k`` of its epsilon and delta; if the ledger has no room for
    all ``k`` of them, the first is not fitted either.
    Each fitted classifier's certificate then speaks of its own task, with its own ``beta``.

    Parameters
    ----------
    estimator : a Tacit classifier
        Its ``epsilon`` and ``delta`` are for all tasks together; its ``ledger`` is charged.

    Attributes
    ----------
    classes_ : list of the public labels, one entry a task
    rules_ : the released rules, one a task
    release_ : the release they came from, for one-column estimators
    estimators_ : the fitted classifiers, for the others

    """

    def __init__(self, estimator: Any = None) -> None:
        self.estimator = estimator

    def fit(self, X: Any, Y: Any) -> Self:
        """Charge the ledger for all tasks, then learn."""
        base = self.estimator
        if not isinstance(base, TacitClassifier):
            raise BadInput("estimator must be a Tacit classifier, such as ThresholdClassifier(...)")
        base._check_tools()
        labels = as_array(Y)
        if labels.ndim != 2 or labels.shape[1] == 0:
            raise BadInput("Y must have one column of labels a task")
        k = int(labels.shape[1])
        if isinstance(base, (ThresholdClassifier, PointClassifier, TableClassifier)):
            self._fit_together(base, X, labels, k)
        else:
            self._fit_apart(base, X, labels, k)
        self.classes_ = [base._classes()] * k
        return self

    def task(self, k: int) -> Task:
        """The task that ``fit`` solves for ``k`` columns; ``tacit.plan`` takes it."""
        return self.estimator.task().with_(k=k)  # type: ignore[no-any-return]

    def _fit_together(self, base: Any, X: Any, labels: npt.NDArray[Any], k: int) -> None:
        column, width, _ = base._records(X)
        if len(labels) != len(column):
            raise BadInput("Y must hold one row of labels per row of X")
        positive = base._classes()[1]
        self.release_ = learn(
            self.task(k),
            Sample(column, labels, positive.item() if hasattr(positive, "item") else positive),
            ledger=base.ledger,
            rng=base.rng,
            algorithm=base.algorithm,
        )
        value: Any = self.release_.value
        self.rules_ = list(value) if k > 1 else [value]
        self.certificate_ = self.release_.certified
        self.n_features_in_ = width

    def _fit_apart(self, base: Any, X: Any, labels: npt.NDArray[Any], k: int) -> None:
        share = {"epsilon": exact(base.epsilon, name="epsilon") / k}
        if exact(base.delta, name="delta"):
            share["delta"] = exact(base.delta, name="delta") / k
        tasks = [clone(base).set_params(**share) for _ in range(k)]
        each = tasks[0]._event(X)
        ledger = process_ledger() if base.ledger is None else base.ledger
        if not ledger.would_allow(Composed(events=(each,) * k, relation=each.relation)):
            raise BudgetRefused(
                f"the ledger has no room for {k} tasks, each {each.describe()}; nothing was charged"
            )
        self.estimators_ = [one.fit(X, labels[:, task]) for task, one in enumerate(tasks)]
        self.rules_ = [fitted.rule_ for fitted in self.estimators_]
        self.n_features_in_ = self.estimators_[0].n_features_in_
        if hasattr(self.estimators_[0], "feature_names_in_"):
            self.feature_names_in_ = self.estimators_[0].feature_names_in_

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """One column of labels a task."""
        check_is_fitted(self)
        if hasattr(self, "estimators_"):
            return np.stack([fitted.predict(X) for fitted in self.estimators_], axis=1)
        column, width, _ = self.estimator._records(X)
        if width != self.n_features_in_:
            raise BadInput(f"X has {width} features, but {self.n_features_in_} are expected")
        answers = [
            classes[rule.predict(column).astype(int)]
            for rule, classes in zip(self.rules_, self.classes_, strict=True)
        ]
        return np.stack(answers, axis=1)

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
        check_is_fitted(self)
        texts = [one.describe() for one in getattr(self, "estimators_", self.rules_)]
        return "\n".join(
            f"{task}: {line}" for task, text in enumerate(texts) for line in text.split("\n")
        )

    def to_dict(self) -> dict[str, Any]:
        """Rules and certificates, ready for JSON."""
        check_is_fitted(self)
        if hasattr(self, "estimators_"):
            return {"tasks": [one.to_dict() for one in self.estimators_]}
        rules = [rule.to_dict() for rule in self.rules_]
        return {"rules": rules, "certificate": self.certificate_.to_dict()}
