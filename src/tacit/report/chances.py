"""The estimated chances of all labels that a released rule holds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, NamedRule
from tacit.problems.several.rules import Rules
from tacit.problems.tables.points_rule import PointsRule
from tacit.problems.tables.rated_rule import WithRates

Chances = npt.NDArray[np.float64]


def chances(rule: object, x: object) -> Chances | list[Chances]:
    """A column a label, the negative one first: its estimated chance in every row.

    Of several rules there is one array each.
    """
    if isinstance(rule, Rules):
        return [_chances(one.rule if isinstance(one, NamedRule) else one, x) for one in rule]
    return _chances(rule, x)


def _chances(rule: object, x: object) -> Chances:
    """The chances of one rule.

    Of a rule with rates they are these; of one that adds up points the odds that these stand for,
    not counted anew.
    """
    if isinstance(rule, WithRates):
        return rule.probabilities(x)
    if isinstance(rule, PointsRule):
        chance = 1 / (1 + np.exp(-rule.log_odds(x)))
        return np.stack([1 - chance, chance], axis=1)
    raise BadInput(
        "this release holds no chances: learn with a share of epsilon for rates "
        "(RatedClassifier, or tacit learn --rate-share 0.2)"
    )
