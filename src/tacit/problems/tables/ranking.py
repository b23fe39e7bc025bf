"""What a released rule says beyond its answers: an order of records, and balanced answers.

The order is how far each record is from the other answer. Nothing is paid for it: it is computed
from the released rule and the record. Every record that the rule calls positive stands above every
other one. Take a positive and a negative record at random; if the rule tells them apart, the order
puts them as the answers do, and otherwise the answers tie. So the area under the curve is the
balanced accuracy, plus the chance that both get one answer, times what the order within that answer
is better than a coin. Where the odds of the positive label rise with the points of a scoring rule,
or with the column of a single question, no order is better than this one, and within an answer it
is at least a coin.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Hypothesis
from tacit.problems.tables.points_rule import PointsRule
from tacit.problems.tables.score_bands import score_points
from tacit.problems.tables.scores import ScoreRule
from tacit.problems.tables.tree_nodes import Cut, Node, simpler
from tacit.problems.tables.trees import TreeRule

Numbers = npt.NDArray[np.float64]
_FAR = 1.0
"""The distance of whatever no change of an ordered column reaches, a whole range of one."""


def ranking_of(rule: Hypothesis, x: object) -> Numbers:
    """Numbers that order records: above 0 where the rule answers 1, higher where it is clearer.

    Of a scoring rule and of a sum of trees or columns the points above the threshold; of a tree the
    distance to the nearest record with the other answer, the largest over its columns, in shares
    of a column's cells; of any other rule 1 and -1.
    """
    if isinstance(rule, PointsRule):
        return rule.score(x).astype(np.float64) - (rule.threshold + 0.5)
    if isinstance(rule, ScoreRule):
        return score_points(rule, x).astype(np.float64) - (rule.threshold - 0.5)
    if isinstance(rule, TreeRule):
        if rule.values != 2:
            raise BadInput("records are ordered by rules of two labels")
        return _margins(rule, x)
    return np.where(np.asarray(rule.predict(x), dtype=bool), 1.0, -1.0)


def balanced_of(rule: Hypothesis, x: object) -> npt.NDArray[np.bool_]:
    """Answers for the mean of both labels' error rates, from what the rule says of each record.

    With ``p`` the chance of the positive label and ``s`` its share among all records, that mean is
    least for the answer yes where ``p/s`` is above ``(1 - p)/(1 - s)``. A sum of trees or of
    columns states the odds of both, its points and the noisy share that it starts from. Any other
    rule states one of two answers, and what can be made of those is the rule itself, its contrary
    or one answer for everybody, which errs in half: the rule is the best of them where its own mean
    is below a half.
    """
    if isinstance(rule, PointsRule):
        rule = rule.at(rule.start)
    return np.asarray(rule.predict(x), dtype=bool)


def _margins(rule: TreeRule, x: object) -> Numbers:
    root, cells = simpler(rule.root), rule.place(x)
    sizes = rule.schema.cells
    to_zero, to_one = (_distance(root, cells, sizes, label) for label in (0, 1))
    # A record is at distance 0 of its own answer, so one of the two is 0.
    return np.minimum(to_zero, _FAR) - np.minimum(to_one, _FAR)


def _distance(
    node: Node, cells: npt.NDArray[np.int32], sizes: tuple[int, ...], label: int
) -> Numbers:
    """How far every record is from the nearest leaf with this label."""
    if isinstance(node, int):
        return np.full(len(cells), 0.0 if int(node) == label else np.inf)
    low, high = _steps(node[0], cells, sizes[node[0].column])
    first, second = (_distance(side, cells, sizes, label) for side in node[1:])
    return np.minimum(np.maximum(low, first), np.maximum(high, second))


def _steps(cut: Cut, cells: npt.NDArray[np.int32], size: int) -> tuple[Numbers, Numbers]:
    """The change of a column that brings each record to the first side, and to the second."""
    if not cut.ordered:
        inside = cut.asks(cells)
        return np.where(inside, 0.0, _FAR), np.where(inside, _FAR, 0.0)
    over = (cells[:, cut.column].astype(np.float64) - cut.cell) / size
    return np.maximum(over, 0.0), np.maximum(1 / size - over, 0.0)
