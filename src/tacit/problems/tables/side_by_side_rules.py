"""Several labels of a table side by side: the algorithm, and how many records it needs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tacit.bounds.upper.adaptive import adaptive_share
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    ConceptClass,
    Condition,
    SampleBound,
    Size,
    Task,
    Tasks,
    Tiny,
    tiny_task,
)
from tacit.core.task_fields import BALANCED
from tacit.core.tiny import DELTA, TWO_LABELS, labelled
from tacit.domains.schema import Schema
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.checked_rules import LABEL_FACTS
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.cost_rules import costs_of, draw_for, draw_samples, pairs_of_trees
from tacit.problems.tables.costs import CostedDraw, with_costs
from tacit.problems.tables.equally_likely import ListedRules
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.listed_rules import ListedRuleLearner
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.records import known, one_draw, to_spend
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.side_by_side import SideBySide, counts_variance
from tacit.problems.tables.tiny_rules import LARGE, ONE_CELL
from tacit.problems.tables.trees import RuleLists, Stumps, Trees

_TREES = (Trees, Stumps, RuleLists, FittingTrees, BestRules)
_LISTS = (Intervals, Boxes, Conjunctions, Formulas, Scores)
_DELTA = Fraction(1, 10)
"""The part of delta of each kind of count: of mistakes, and of the records of each label."""
_SIZES = Fraction(1, 20)
"""The part of epsilon that counts the records of each label, where costs are balanced."""
_CLOSE = 40
"""Noise on these numbers must have a deviation of at most the records over this."""

Part = tuple[Fraction, Fraction]


def parts(task: Task) -> tuple[Part, Part | None, Part | None]:
    """Epsilon and delta of the draws, of the counts of mistakes and of those of records.

    Without a delta no mistakes are counted: the noise of the counts needs one.
    """
    epsilon, delta = task.privacy.epsilon, task.privacy.delta
    share = task.several_share if delta else Fraction(0)
    count = (epsilon * share, delta * _DELTA) if share else None
    sizes = (epsilon * _SIZES, delta * _DELTA) if task.costs == BALANCED else None
    paid = [one for one in (count, sizes) if one is not None]
    drawn = (epsilon - sum(one[0] for one in paid), delta - sum(one[1] for one in paid))
    return drawn, count, sizes


def each_epsilon(task: Task) -> Fraction:
    """What the draw of each label spends."""
    (epsilon, delta), _, _ = parts(task)
    return adaptive_share(epsilon=epsilon, delta=delta, k=task.k)


def one_label(task: Task) -> Task:
    """The task of one label: it may fail with its part of ``beta``."""
    beta = task.accuracy.beta / task.k
    return task.with_(k=1, labels=(), label_costs=(), delta=0, beta=beta, error_share=0, aside=0)


def label_draw(task: Task, epsilon: Fraction, n: int | None) -> CostedDraw:
    """The one selection of bounded range that draws a label's rule, still without costs."""
    family = task.concept_class
    if isinstance(family, ListedRules):
        return ListedRuleLearner(
            concept_class=family, epsilon=epsilon, relation=task.privacy.relation
        )
    return draw_for(task, epsilon, n)


def label_samples(task: Task, epsilon: Fraction) -> SampleBound:
    """Records for the draw of one label to come within ``alpha`` of the best of its class.

    As ``one_draw``: ``choices`` say what is spent, and from how many records on all of it.
    """
    family = task.concept_class
    if isinstance(family, ListedRules) and task.costs is None:
        least = family.least_prior()
        return one_draw(task.with_(epsilon=epsilon), prior=least, least_prior=least)
    bound = draw_samples(task, epsilon)
    if task.costs is None:
        return bound
    n = bound.choices["whole_from"]
    return replace(bound, n=n, choices={"epsilon": epsilon, "whole_from": n})


def _samples(task: Task) -> SampleBound:
    """Each label's draw keeps its promise but for ``beta / k``: Theorem 2 of the proof."""
    one, epsilon = one_label(task), each_epsilon(task)
    if not task.label_costs:
        return label_samples(one, epsilon)
    # Names stand for the two values, which differ from label to label.
    pairs = [(("0", no), ("1", yes)) for no, yes in sorted(set(task.label_costs))]
    return max(
        (label_samples(one.with_(costs=pair), epsilon) for pair in pairs), key=lambda one: one.n
    )


def _mechanism(task: Task, bound: SampleBound, size: Size) -> SideBySide:
    one = one_label(task).with_(epsilon=each_epsilon(task))
    return side_by_side(task, to_spend(one, bound, size), known(size))


def side_by_side(task: Task, each: Fraction, n: int | None) -> SideBySide:
    """Draws that spend ``each``, for ``n`` records; ``None`` where their number is private."""
    drawn, count, sizes = parts(task)
    if sizes is not None:
        _check_balance(sizes, k=task.k, n=n)
    learner = label_draw(one_label(task), each, n)
    costs = costs_of(task)
    if costs is not None:
        learner = with_costs(learner, costs)
    schema = task.concept_class.domain
    return SideBySide(
        learner=learner,
        schema=schema if isinstance(schema, Schema) else None,
        k=task.k,
        epsilon=drawn[0],
        delta=drawn[1],
        count=count,
        sizes=sizes,
        n=None if sizes is None else n,
        costs=task.label_costs,
    )


def _check_balance(sizes: Part, *, k: int, n: int | None) -> None:
    """Refuse, before anything is charged, costs that noise would set."""
    if n is None:
        raise BadInput("balanced costs of several labels need a public number of records")
    if counts_variance(sizes, k=k) > Fraction(n, _CLOSE) ** 2:
        raise BadInput(
            f"{n} records (or persons) are too few to balance {k} labels at this epsilon: noise "
            "would hide how many have each; say what mistakes cost instead, such as "
            "costs={'yes': 9}"
        )


def _costly(task: Task) -> bool:
    return task.costs is not None or bool(task.label_costs)


def two_labels(entry: Algorithm, small: ConceptClass, large: ConceptClass) -> Tiny:
    """Two labels, no mistakes counted: over one cell exactly, over two columns sampled."""
    return tiny_task(
        entry,
        small,
        large,
        records=labelled([(0,)], TWO_LABELS),
        usual=((0.2, False), (1, 0)),
        odd=((0.8, True), (0, 1)),
        delta=DELTA,
        k=2,
        error_share=0,
    )


SIDE_BY_SIDE = ALGORITHMS.add(
    Algorithm(
        name="labels side by side",
        summary="one exact draw a label, each with what adaptive composition allows",
        applies=Applies(
            proper=True,
            classes=(*_TREES, *_LISTS),
            delta=True,
            tasks=Tasks.SEVERAL,
            costs=True,
            ignores=True,
            further=(
                Condition(
                    "labels that count as the negative one (other='negative')",
                    lambda task: not _costly(task) or task.other != "ignore",
                    "has no proof for costs where records are ignored",
                ),
                Condition(
                    "costs for all labels, or for each",
                    lambda task: task.costs is None or not task.label_costs,
                ),
            ),
        ),
        claim=SideBySide.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=lambda entry: two_labels(entry, Trees(ONE_CELL, depth=1), Trees(LARGE, depth=2)),
        certify=LABEL_FACTS,
        runs=pairs_of_trees,
        counts=True,
    )
)
