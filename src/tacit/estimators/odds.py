"""What classifiers share whose rules add up points: chances that cost nothing more."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from tacit.estimators.table_base import RuleClassifier


class OddsClassifier(RuleClassifier):
    """A private classifier over a table whose points stand for odds."""

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The estimated logarithm of the odds of the positive label, row by row.

        It ranks records also where the rule gives everybody one label.
        """
        check_is_fitted(self)
        return np.asarray(self.rule_.log_odds(self._asked(X)))

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The estimated chances of both labels, row by row; not calibrated by a further count."""
        chance = 1 / (1 + np.exp(-self.decision_function(X)))
        return np.column_stack([1 - chance, chance])
