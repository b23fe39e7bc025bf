"""Probabilities for a rule: a part of epsilon counts labels in each of its parts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from tacit.core import BadInput, Composed, Event, Pure, Task
from tacit.core.numbers import Number, exact, positive
from tacit.estimators.base import refuse_more
from tacit.estimators.table_base import RuleClassifier
from tacit.estimators.table_intake import labels_of
from tacit.exact.arrays import Values
from tacit.problems.tables.points_rule import PointsRule
from tacit.problems.tables.rated_learner import read_rate_share
from tacit.problems.tables.rated_rule import RatedRule, RatedValues

Interval = tuple[Fraction, Fraction]
_TINY = 1e-12  # keeps logarithms of rates finite


class RatedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Add ``predict_proba`` to a table classifier: rates of its rule's parts, counted with noise.

    The classifier is fitted with ``1 - rate_share`` of its epsilon; then the records of each label
    in each leaf of its tree (or where the rule gives each of its answers) are counted with
    ``rate_share`` of it, on the same records. Its ledger is charged once for both.
    ``RatedLearner`` has the privacy statement.

    Where persons are protected (``unit=``), the rule is learned from one row of each, and the rates
    are those of rows: at most ``rows_per_unit`` of each person are counted, with noise for so many.

    ``MultiTaskClassifier`` around it has rates of several label columns, each with an equal part.

    To rank records, or where one label is rare, give a classifier with ``costs="balanced"``: a
    rule that is right most often may give one answer to everybody, and then has one rate.

    Parameters
    ----------
    estimator : a classifier over a table
        ``TreeClassifier(...)`` and the like; its ``epsilon`` is for both together.
    rate_share : number
        The part of epsilon that counts labels, above 0 and below 1.

    Attributes
    ----------
    estimator_, rated_, classes_
        The fitted classifier, its rule with noisy numbers, and the public labels.
    release_
        Rule and numbers with one certificate: ``tacit.save`` writes both into one file.

    """

    def __init__(self, estimator: Any = None, *, rate_share: Any = "0.2") -> None:
        self.estimator = estimator
        self.rate_share = rate_share

    def _made(self) -> RuleClassifier:
        """A copy of the classifier that counts rates too; what cannot be counted is refused."""
        if not isinstance(self.estimator, RuleClassifier):
            raise BadInput("estimator must be a classifier over a table: TreeClassifier(...)")
        if self.rate_share is None:  # to the classifier itself that would mean no rates
            raise BadInput("rate_share must be a number above 0 and below 1")
        made: RuleClassifier = clone(self.estimator)
        made._rate_share = self.rate_share
        return made

    def task(self, *, alpha: Number | None = None) -> Task:
        """The task that the rule of ``fit`` solves, with what is left for it of epsilon."""
        made = self._made()
        share = read_rate_share(self.rate_share, made.task(alpha=alpha))
        epsilon = positive(made.epsilon, name="epsilon") * (1 - share)
        made.set_params(epsilon=epsilon)
        return made.task(alpha=alpha)

    def _event(self, X: Any) -> Event:
        """What ``fit`` will charge for records with the shape of ``X``."""
        whole = self._made()
        share = read_rate_share(self.rate_share, whole._task(whole.schema(X)))
        epsilon = positive(whole.epsilon, name="epsilon")
        rule = whole.set_params(epsilon=epsilon * (1 - share))._event(X)
        rates = Pure(epsilon=epsilon * share, relation=rule.relation)
        return Composed(events=(rule, rates), relation=rule.relation)

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        rows_per_unit: int | None = None,
        **more: Any,
    ) -> Self:
        """Charge the ledger once, learn, then count; ids of persons as for the classifier."""
        refuse_more(more, of=self.estimator)
        return self._kept(self._made().fit(X, y, groups=groups, rows_per_unit=rows_per_unit))

    def fit_file(
        self, path: Any, *, label: str, unit: str | None = None, rows_per_unit: int | None = None
    ) -> Self:
        """The same from a file or a source of ``tacit.read``; rows are read after the charge."""
        made = self._made()
        return self._kept(made.fit_file(path, label=label, unit=unit, rows_per_unit=rows_per_unit))

    def _kept(self, fitted: RuleClassifier) -> Self:
        self.rated_: RatedRule | RatedValues = fitted.rule_
        fitted.rule_, fitted._rate_share = self.rated_.rule, None
        self.estimator_, self.classes_ = fitted, fitted.classes_
        self.rule_, self.release_ = self.rated_, fitted.release_
        self.certificate_ = fitted.certificate_
        self.n_features_in_ = fitted.n_features_in_
        return self

    def predict(self, X: Any) -> Values:
        """The rule, applied; rates do not change its answers."""
        check_is_fitted(self)
        answers: Values = self.estimator_.predict(X)
        return answers

    def predict_balanced(self, X: Any) -> Values:
        """Answers for balanced accuracy: yes where a part's rate is above that of all records.

        Both are from the released numbers, so nothing more is paid.
        """
        rated = self._of_two("balanced answers are given by")
        chances = self.predict_proba(X)[:, 1]
        yes, no = (sum(max(one, 0) for one in told) for told in (rated.positives, rated.others))
        above = chances > (yes + 1) / (yes + no + 2)
        answers: Values = self.classes_[above.astype(int)]
        return answers

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The estimated probability of every label, in the order of ``classes_``."""
        check_is_fitted(self)
        return self.rated_.probabilities(self.estimator_._asked(X))

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The logarithm of the odds of the positive label; of more than two a column each."""
        chances = self.predict_proba(X)
        rates = np.clip(chances if len(self.classes_) > 2 else chances[:, 1], _TINY, 1 - _TINY)
        odds: npt.NDArray[np.float64] = np.log(rates / (1 - rates))
        return odds

    def _of_two(self, what: str) -> RatedRule:
        """The rule of two labels with its numbers; refuses one of more, which ``what`` has not."""
        check_is_fitted(self)
        if isinstance(self.rated_, RatedValues):
            raise BadInput(f"{what} two labels: classes=(negative, positive)")
        return self.rated_

    def auc(self) -> float:
        """How often a positive record's rate is above another's, by the released numbers.

        It costs nothing more; noise moves it, and the rule was learned from the same records.
        """
        return self._of_two("an area is that of").auc

    def calibration(self, X: Any, y: Any) -> tuple[tuple[float, float, int], ...]:
        """For each rate: what it says, what share of these records is positive, and how many.

        Of records that the caller passes, as ``score`` is: the answer is not private.
        """
        self._of_two("rates are held against")
        chances = self.predict_proba(X)[:, 1]
        truth = np.array([one == self.classes_[1] for one in labels_of(y).tolist()], dtype=bool)
        return tuple(
            (float(one), float(truth[chances == one].mean()), int((chances == one).sum()))
            for one in np.unique(chances)
        )

    def rate_intervals(self) -> tuple[Interval | tuple[Interval, ...], ...]:
        """Where the true rate of each part lies, all at once, with the estimator's ``beta``.

        A pair of fractions a part; of more than two labels as many pairs as labels.

        Needs a count of mistakes (``error_share``) and a public number of records: the
        certificate then states the rule's prior. Points that only rank have none, and neither have
        several rows of a person, which are not independent.
        """
        check_is_fitted(self)
        if self.certificate_.asked.k > 1:
            raise BadInput("intervals are for the rule of one label column, learned by itself")
        if self.certificate_.asked.rows_per_unit > 1:
            raise BadInput(
                "intervals are for independent records, and several rows of one person are not: "
                "count one row of each (rows_per_unit=1)"
            )
        measured = self.estimator_.certificate_.measured
        if measured is None or measured.prior is None:
            raise BadInput("the certificate states no prior for this rule (error_share = 0?)")
        rule = self.rated_.rule
        if isinstance(rule, PointsRule) and rule.always is not None:
            # The stated prior is that of the one label; bands are made of points, which have less.
            raise BadInput("a rule that gives everybody one label states no prior for its points")
        beta = exact(self.estimator_.beta, name="beta")
        return self.rated_.intervals(beta=beta, prior=measured.prior)

    def describe(self) -> str:
        """The rule in words, with how many records of each part have each label."""
        check_is_fitted(self)
        return self.rated_.describe(labels=self.estimator_._label_words())

    def to_dict(self) -> dict[str, object]:
        """Rule with its numbers, and the certificate of the rule, ready for JSON."""
        told: dict[str, Any] = self.estimator_.to_dict()
        return told | {"rated": self.rated_.to_dict()}
