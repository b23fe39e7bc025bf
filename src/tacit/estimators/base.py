"""What every Tacit classifier shares with scikit-learn, and where it must differ.

- ``classes`` and ``domain`` are public parameters, never read off the data.
- Every attribute that ends in ``_`` is public or was released by a mechanism.
- ``clone`` hands on the very same ledger, so cross-validation pays for every fold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tacit.accounting import Ledger
from tacit.api import run, solve
from tacit.core import (
    Accuracy,
    BadInput,
    Event,
    Label,
    Labels,
    NamedRule,
    Privacy,
    Relation,
    Sample,
    Sampler,
    Task,
    privacy_event,
)
from tacit.core.certificate import Certificate
from tacit.core.label_values import LabelValues
from tacit.core.named import SeveralLabels
from tacit.core.numbers import Number, positive
from tacit.core.sample import some_records
from tacit.core.several_values import BOTH_FOR_CLASS
from tacit.core.task_fields import RECORD
from tacit.domains.columns import as_array
from tacit.domains.labels import check_values, declared, equals, numbered
from tacit.estimators.parameters import OwnParameters
from tacit.estimators.table_intake import dense, labels_of
from tacit.estimators.units import apart, protected
from tacit.exact.arrays import Values
from tacit.mechanisms.noise import Geometric
from tacit.sources.types import check_label, column_type


class TacitClassifier(ClassifierMixin, BaseEstimator, OwnParameters):  # type: ignore[misc]
    """A private binary classifier over one column; subclasses say which class it learns.

    Regression is out of scope: labels are the public ``classes``, and any other number is none.
    """

    def __init__(
        self,
        *,
        domain: Any = None,
        classes: Sequence[object] = (0, 1),
        other: str = "negative",
        unit: str | None = None,
        rows_per_unit: int = 1,
        column: int = 0,
        epsilon: Number = 1,
        delta: Number = 0,
        alpha: Number = 0.1,
        beta: Number = 0.05,
        relation: Relation | str = "replace-one",
        setting: str = "agnostic",
        output: str = "any",
        algorithm: str | None = None,
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        self.domain = domain
        self.classes = classes
        self.other = other
        self.unit = unit
        self.rows_per_unit = rows_per_unit
        self.column = column
        self.epsilon = epsilon
        self.delta = delta
        self.alpha = alpha
        self.beta = beta
        self.relation = relation
        self.setting = setting
        self.output = output
        self.algorithm = algorithm
        self.ledger = ledger
        self.rng = rng

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True  # privacy is a random draw
        tags.input_tags.allow_nan = True  # every value has a public place in the domain
        tags.input_tags.string = True
        many = self._many_classes and len(self.classes) > 2  # as declared
        tags.classifier_tags.multi_class = many
        tags.classifier_tags.poor_score = True  # on the tiny tables of scikit-learn's checks
        return tags

    def _privacy(self) -> Privacy:
        return Privacy(
            self.epsilon,
            self.delta,
            self.relation,
            unit=self.unit,
            rows_per_unit=self.rows_per_unit,
        )

    def _concept_class(self) -> Any:
        raise TypeError("use ThresholdClassifier, PointClassifier or MatrixClassifier")

    def task(self) -> Task:
        """The task that ``fit`` will solve; ``tacit.plan`` takes it."""
        return Task(
            self._concept_class(),
            privacy=self._privacy(),
            accuracy=Accuracy(self.alpha, self.beta),
            setting=self.setting,
            output=self.output,
            other=self.other,
        )

    def _event(self, X: Any) -> Event:
        """What ``fit`` on such a table will be charged at most; public numbers only."""
        del X
        privacy = self._privacy()
        return privacy_event(
            epsilon=privacy.epsilon, delta=privacy.delta, relation=privacy.relation
        )

    _many_classes: ClassVar[bool] = False
    """Whether more than two labels can be learned."""

    @property
    def _labels_named(self) -> bool:
        """Whether ``classes`` are others than 0 and 1 as whole numbers, which they are where nobody
        names them: a label column of measurements is refused then.
        """
        whole = isinstance(self.classes, tuple) and all(type(one) is int for one in self.classes)
        return not (whole and self.classes == (0, 1))

    def _classes(self) -> Values:
        try:
            classes = values_array(self.classes)
        except ValueError:  # rows of different length
            classes = np.empty(0)
        different = classes.ndim == 1 and len(set(classes.tolist())) == len(classes)
        if not different or len(classes) < 2:
            raise BadInput(
                "classes must list two different public labels: (negative, positive). Regression "
                "is out of scope: a rule answers with one of them"
            )
        if len(classes) > 2 and not self._many_classes:
            raise BadInput(
                f"{type(self).__name__} learns two labels, classes=(negative, positive): for more, "
                "use a tree (TreeClassifier, RuleListClassifier, StumpClassifier, "
                "SetTreeClassifier or BestRuleClassifier) or ScoreClassifier"
            )
        told = tuple(self.classes)
        check_values(told[1:] if len(told) == 2 and told[0] is None else told, name="classes")
        return classes

    def _values(self) -> LabelValues | None:
        """The label values and where all others go; ``None`` where there are two labels."""
        told = [one.item() if isinstance(one, np.generic) else one for one in self._classes()]
        if len(told) == 2 and self.other != "class":
            return None
        if not self._many_classes:
            raise BadInput(
                f"{type(self).__name__} learns two labels: other='class' is for trees and lists"
            )
        if told[0] is None:
            raise BadInput(BOTH_FOR_CLASS)
        return LabelValues(tuple(told), len(told) if self.other == "class" else 0)

    def _two_labels(self, what: str) -> None:
        """Refuse more than two labels; ``what`` needs two, in words."""
        if self._values() is not None:
            raise BadInput(f"{what} two labels: classes=(negative, positive), and no other='class'")

    def _check_tools(self) -> None:
        """Refuse a wrong ledger or generator before anything is charged."""
        if self.ledger is not None and not hasattr(self.ledger, "charge"):
            raise BadInput("ledger must be a tacit.Ledger, or None for the process's own")
        if self.rng is not None and not hasattr(self.rng, "below"):
            raise BadInput(
                "rng must be None, for the operating system's entropy: a private draw takes no "
                "seed (tacit.checks.testing.seeded is for tests)"
            )

    def _records(self, X: Any) -> tuple[Any, int, Any]:
        """One column of ``X``, how many columns there are, and their names."""
        table = dense(X)
        names = getattr(X, "columns", None)
        if not 0 <= self.column < table.shape[1]:
            raise BadInput(f"column must be between 0 and {table.shape[1] - 1} for this X")
        return table[:, self.column], table.shape[1], names

    def fit(self, X: Any, y: Any, *, groups: Any = None, **more: Any) -> Self:
        """Charge the ledger, then learn. Nothing of the data is kept but the release.

        ``groups`` holds one id a row where persons have several and ``X`` has no column
        ``unit``: then whole persons are protected.
        """
        refuse_more(more, of=self)
        if y is None:
            raise BadInput("requires y to be passed, but the target y is None")
        self._check_tools()
        classes, named = self._classes(), self._labels_named
        self._two_labels("one column is learned from with")
        X, ids, persons = protected(X, unit=self.unit, groups=groups, rows=self.rows_per_unit)
        column, width, names = self._records(X)
        labels = labels_of(y)
        if labels.ndim != 1 or len(labels) != len(column):
            raise BadInput("y must hold one label per row of X")
        negative, positive = classes.tolist()
        check_label(column_type(y), positive, column="y", name="y", named=named)
        release = solve(
            self.task().with_(**persons),
            Sample(column, labels, positive, negative),
            groups=ids,
            ledger=self.ledger,
            rng=self.rng,
            algorithm=self.algorithm,
        ).release
        self.rule_ = release.value
        self.certificate_ = release.certified
        self.classes_ = classes
        self.label_name_ = series_name(y)
        self.n_features_in_ = width
        if names is not None and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        told = getattr(self, "feature_names_in_", None)
        name = None if told is None else str(told[self.column])
        self.release_ = replace(
            release, value=NamedRule(rule=self.rule_, label=self._label(), column=name)
        )
        return self

    def predict(self, X: Any) -> Values:
        """The released rule, applied to each row."""
        check_is_fitted(self)
        answer: Values = self.classes_[self.rule_.predict(self._asked(X)).astype(int)]
        return answer

    def _asked(self, X: Any) -> Any:
        """What the rule looks at, one entry a row; refuses an ``X`` of another shape."""
        column, width, _ = self._records(apart(X, self.unit)[0])
        if width != self.n_features_in_:
            raise BadInput(
                f"X has {width} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        return column

    def describe(self) -> str:
        """The rule in words, in terms of the column's name where it has one."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        name = f"column {self.column}" if names is None else str(names[self.column])
        return self.rule_.describe(column=name, labels=self._label_words())

    def _label(self) -> Label | SeveralLabels:
        """The declared labels, with the name of their column if known."""
        told = [one.item() if isinstance(one, np.generic) else one for one in self.classes_]
        if len(told) > 2:
            return SeveralLabels(name=self.label_name_, values=tuple(told))
        return Label(name=self.label_name_, negative=told[0], positive=told[1])

    def _label_words(self) -> Labels:
        """What 0 and 1 stand for, in words."""
        return self._label().words

    def to_dict(self) -> dict[str, object]:
        """Rule and certificate, ready for JSON."""
        check_is_fitted(self)
        return {"rule": self.rule_.to_dict(), "certificate": self.certificate_.to_dict()}

    def private_score(
        self, X: Any, y: Any, *, epsilon: Number, ledger: Ledger | None = None
    ) -> float:
        """Accuracy on ``X, y`` with geometric noise, paid for from ``ledger``.

        ``score`` is exact and therefore not private. The number of rows is public here. A label
        that was ignored in ``fit`` (``other="ignore"``) counts as right.
        """
        check_is_fitted(self)
        paper = self.certificate_
        if isinstance(paper, Certificate) and paper.asked.unit != RECORD:
            raise BadInput("private_score counts rows, and persons are protected here")
        asked, labels = self._asked(X), as_array(y)
        if labels.ndim == 2 and labels.shape[1] == 1:
            labels = labels[:, 0]
        rows = some_records(len(asked))
        if labels.ndim != 1 or len(labels) != rows:
            raise BadInput("y must hold one label per row of X")
        noisy = run(
            Geometric(
                query=_Matches(self),
                epsilon=positive(epsilon, name="epsilon"),
                relation=Relation.REPLACE_ONE,
            ),
            Sample(asked, labels),
            ledger=self.ledger if ledger is None else ledger,
            rng=self.rng,
        )
        return float(min(max(noisy.value[0] / rows, Fraction(0)), Fraction(1)))


def values_array(values: Sequence[object]) -> Values:
    """Public label values as an array, words and numbers each as they are."""
    found = np.asarray(values)
    if found.dtype.kind in "US" and not all(isinstance(one, str) for one in values):
        # numpy would write ("no", 1) as two words, and no number equals the word "1".
        return np.array(list(values), dtype=object)
    return found


def refuse_more(more: Mapping[str, object], *, of: object) -> None:
    """Refuse what the ``fit`` of a classifier does not take, weights of records with the reason."""
    if "sample_weight" in more:
        instead = ""
        if isinstance(of, BaseEstimator) and "costs" in of.get_params(deep=False):
            instead = "; say what mistakes on a label cost with costs="
        raise BadInput(
            "sample_weight is out of scope: a record with a weight could move a result by more "
            f"than one record{instead}"
        )
    if more:
        raise BadInput(f"fit takes no argument called {next(iter(more))!r}")


def series_name(y: Any) -> str | None:
    """The name of a column of labels, if it is a text: public."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else None


class _Matches:
    """How many rows the rule gets right: moves by one when one row is replaced."""

    unit = Fraction(1)

    def __init__(self, classifier: TacitClassifier) -> None:
        self._classifier = classifier

    def sensitivity(self, relation: Relation) -> Fraction:
        del relation
        return Fraction(1)

    def __call__(self, data: Sample) -> tuple[Fraction, ...]:
        values = self._classifier._values()
        if values is not None:
            guess = self._classifier.rule_.predict(data.x)
            told = numbered(data.y, values.declared, otherwise=values.otherwise)
            right = guess == told
            if self._classifier.other == "ignore":
                right |= numbered(data.y, values.declared, otherwise=-1) < 0
            return (Fraction(int(np.count_nonzero(right))),)
        guess = self._classifier.rule_.predict(data.x).astype(bool)
        negative, positive = self._classifier.classes_
        right = guess == equals(data.y, positive)
        if self._classifier.other == "ignore":
            right |= ~declared(data.y, positive, negative)
        return (Fraction(int(np.count_nonzero(right))),)
