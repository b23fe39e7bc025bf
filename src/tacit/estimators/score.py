"""Readable private scoring rules: points for the levels of a few columns, and a threshold."""

from __future__ import annotations

from typing import ClassVar

from sklearn.utils.validation import check_is_fitted

from tacit.domains.schema import Schema
from tacit.estimators.costed import CostedClassifier
from tacit.problems.tables.scores import Scores
from tacit.report.score_svg import score_svg


class ScoreClassifier(CostedClassifier):
    """Learn points for the levels of up to three columns, and a threshold of their sum.

    One exponential selection over all such rules (``tacit.problems.tables.scores.Scores``);
    parameters as ``TreeClassifier``. Unordered categories are not used. With more than two
    ``classes`` the total is cut into bands with a label each
    (``tacit.problems.tables.banded_scores``).
    """

    _many_classes: ClassVar[bool] = True

    def _family(self, schema: Schema) -> Scores:
        return Scores(schema)

    def to_svg(self) -> str:
        """The rule as a card to fill in by hand."""
        check_is_fitted(self)
        return score_svg(self.rule_, labels=self._label_words())
