"""Rules for mistakes of different costs: the algorithm, and how many records it needs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

from tacit.bounds.upper.stages import mistakes_of_one_draw
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Condition,
    Known,
    SampleBound,
    Size,
    Task,
    Tiny,
)
from tacit.core.algorithm import tiny_task
from tacit.core.task_fields import BALANCED, MOST_COST
from tacit.core.tiny import labelled
from tacit.mechanisms.calibration import cost_spread, spread
from tacit.problems.tables.banded_learner import BANDED_SCORES, band_draw
from tacit.problems.tables.best_rules import BEST_RULES, BestRules, shares
from tacit.problems.tables.cost_bounds import COSTLY
from tacit.problems.tables.costs import CostedDraw, CostLearner
from tacit.problems.tables.equally_likely import ListedRules
from tacit.problems.tables.fitting_trees import FITTING_TREES, FittingTrees
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.listed_rules import (
    LISTED,
    RULES,
    SCORES,
    ListedRuleLearner,
    selector_for,
)
from tacit.problems.tables.records import known
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.tiny_rules import LARGE, ONE_CELL
from tacit.problems.tables.tree_learner import TREES, TreeLearner, too_many_pairs
from tacit.problems.tables.tree_priors import CONSTANT
from tacit.problems.tables.trees import RuleLists, Stumps, Trees
from tacit.problems.tables.valued_learner import SEVERAL_VALUES, value_draw

SIZES = Fraction(1, 5)
"""The part of the draw's epsilon that counts the records of both labels, to balance costs: the best
split for a class of ``e**8`` rules, however many records there are (Theorem 4 of the proof)."""
MANY_SIZES = Fraction(1, 3)
"""The same part where there are more than two labels: noise on their numbers is larger."""
_OF_VALUES = (Trees, Stumps, RuleLists, FittingTrees, BestRules, Scores)
"""The classes whose rules give one of more than two labels by what mistakes cost."""


def costs_of(task: Task) -> tuple[int, ...] | None:
    """What mistakes on each label cost, the negative one first; ``None`` where balanced.

    Before labels have names, those that are not told cost 1, and stand first.
    """
    if task.costs is None or isinstance(task.costs, str):
        return None
    told = [cost for _, cost in task.costs]
    return (*[1] * (task.answers - len(told)), *told)


def _balances(values: int) -> int:
    """How many costs can follow from noisy numbers of records: the greatest of them is 100 before
    they are divided by what they share.
    """
    return int(MOST_COST**values - (MOST_COST - 1) ** values)


def draw_for(task: Task, epsilon: Fraction, n: int | None) -> CostedDraw:
    """One draw over the rules of the class, still without costs."""
    family, relation = task.concept_class, task.privacy.relation
    if task.answers > 2:
        banded = isinstance(family, Scores)
        return band_draw(task, epsilon) if banded else value_draw(task, epsilon, n)
    if isinstance(family, ListedRules):
        return ListedRuleLearner(
            concept_class=family,
            epsilon=epsilon,
            relation=relation,
            selector=selector_for(family),
        )
    if isinstance(family, FittingTrees):
        return family.learner(epsilon=epsilon, relation=relation, n=n)
    if isinstance(family, BestRules):
        trees, lists = family.kinds(n=n, rate=epsilon / spread(relation))
        return KindsLearner(
            schema=family.schema,
            trees=tuple(trees),
            lists=tuple(lists),
            shares=shares([*trees, *lists]),
            epsilon=epsilon,
            relation=relation,
        )
    assert isinstance(family, Trees)
    return TreeLearner(trees=family, epsilon=epsilon, relation=relation)


def _parts(task: Task) -> tuple[Fraction, Fraction]:
    """What counts the records of the labels, and what draws the rule."""
    whole = task.privacy.epsilon
    share = SIZES if task.answers == 2 else MANY_SIZES
    sizes = whole * share if task.costs == BALANCED else Fraction(0)
    return sizes, whole - sizes


def _plain(task: Task) -> Algorithm:
    family = task.concept_class
    if task.answers > 2:
        return BANDED_SCORES if isinstance(family, Scores) else SEVERAL_VALUES
    if isinstance(family, ListedRules):
        return SCORES if isinstance(family, Scores) else RULES
    if isinstance(family, FittingTrees):
        return FITTING_TREES
    return BEST_RULES if isinstance(family, BestRules) else TREES


def _samples(task: Task) -> SampleBound:
    """Records for a cost of ``alpha`` times the greatest one above the best, record by record."""
    _, epsilon = _parts(task)
    bound = draw_samples(task, epsilon)
    fewest = _rarer(task) if costs_of(task) is None else None
    choices = {} if fewest is None else {"rarer": fewest}
    return replace(bound, n=bound.choices.get("whole_from", bound.n), choices=choices)


def draw_samples(task: Task, epsilon: Fraction) -> SampleBound:
    """Records for the one draw of ``draw_for``; ``choices["whole_from"]`` where it spends all.

    Theorem 3 of ``costs.proof.md``: the bound of the draw without costs, at the same rate for
    a mistake of the greatest cost. Where costs are balanced it holds for all pairs of them.
    """
    costs, relation, beta = costs_of(task), task.privacy.relation, task.accuracy.beta
    if costs is not None:
        epsilon *= Fraction(spread(relation) * max(costs), cost_spread(relation, costs))
    elif task.costs is not None:
        beta /= _balances(task.answers)
    drawn = task.with_(costs=None, epsilon=epsilon, beta=beta, error_share=0, aside=0)
    return _plain(task).bound(drawn)


def _rarer(task: Task) -> int | None:
    """The fewest records of the rarest label with which more than one label for all is promised.

    Theorem 4 of ``costs.proof.md``, for the likeliest comparator that is no constant label;
    ``None`` where there are constant labels alone.
    """
    _, epsilon = _parts(task)
    draw = draw_for(task, epsilon, None)
    priors = [prior for name, prior in draw.comparators() if name != CONSTANT]
    if not priors:
        return None
    rate = epsilon / spread(task.privacy.relation)
    lost = mistakes_of_one_draw(prior=max(priors), rate=rate, beta=task.accuracy.beta)
    return ceil(lost / (task.answers - 1))


def _mechanism(task: Task, _bound: SampleBound, size: Size) -> CostLearner:
    sizes, epsilon = _parts(task)
    n = known(size)
    return CostLearner(
        learner=draw_for(task, epsilon, n),
        costs=costs_of(task),
        sizes_epsilon=sizes,
        n=size.n if size.known is Known.PUBLIC else None,
        values=task.answers,
    )


def pairs_of_trees(task: Task) -> str | None:
    """Why pairs of cells cannot be counted, where the class has trees; ``None`` if they can.

    Of more than two labels, why the rules of the class cannot be weighed.
    """
    if task.answers > 2:
        return _plain(task).runs(task)
    return None if isinstance(task.concept_class, ListedRules) else too_many_pairs(task)


def _tiny(entry: Algorithm) -> Tiny:
    return tiny_task(
        entry,
        Trees(ONE_CELL, depth=1),
        Trees(LARGE, depth=2),
        records=labelled([(0,)]),
        usual=((0.2, False), 1),
        odd=((0.8, True), 0),
        costs={"no": 1, "yes": 3},
    )


COSTS = ALGORITHMS.add(
    Algorithm(
        name="costs",
        summary="one exact draw by what mistakes cost, then a noisy count of them for each label",
        applies=Applies(
            proper=True,
            classes=(Trees, Stumps, RuleLists, FittingTrees, BestRules, Scores, *LISTED),
            costs=True,
            values=True,
            further=(
                Condition("costs of mistakes: costs={'yes': 20}", lambda task: bool(task.costs)),
                Condition(
                    "trees, rule lists or scoring rules where there are more than two labels",
                    lambda task: task.answers == 2 or type(task.concept_class) in _OF_VALUES,
                ),
            ),
        ),
        claim=CostLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
        certify=COSTLY,
        runs=pairs_of_trees,
    )
)
