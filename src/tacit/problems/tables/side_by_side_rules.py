"""Several labels of a table side by side: the algorithm, and how many records it needs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isqrt

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
from tacit.problems.tables.banded_learner import BANDED_SCORES
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.checked_rules import LABEL_FACTS
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.cost_rules import costs_of, draw_for, draw_samples, pairs_of_trees
from tacit.problems.tables.costs import CostedDraw, with_costs
from tacit.problems.tables.equally_likely import ListedRules
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.label_noise import count_noise
from tacit.problems.tables.listed_rules import LISTED, ListedRuleLearner, selector_for
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.records import known, one_draw, to_spend
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.side_by_side import SideBySide
from tacit.problems.tables.tiny_rules import LARGE, ONE_CELL
from tacit.problems.tables.trees import RuleLists, Stumps, Trees
from tacit.problems.tables.valued_learner import SEVERAL_VALUES

_TREES = (Trees, Stumps, RuleLists, FittingTrees, BestRules)
_LISTS = (Intervals, Boxes, Conjunctions, Formulas, Scores)
_MANY = (*_TREES, Scores)
"""The classes whose rules may give more than two labels."""
_DELTA = Fraction(1, 10)
"""The part of delta of each kind of count: of mistakes, and of the records of each label."""
_SIZES = Fraction(1, 20)
"""The part of epsilon that counts the records of each label, where costs are balanced."""
_CLOSE = 40
"""Noise on these numbers must have a deviation of at most the records over this."""
UNBALANCED = (
    "balanced costs of several labels need a public number of records, which add-remove keeps "
    "private: say what mistakes on the rarer value cost instead (costs=, --cost), or learn the "
    "labels one by one"
)
"""Why costs of several labels are not balanced under add-remove."""

Part = tuple[Fraction, Fraction]


def parts(task: Task) -> tuple[Part, Part | None, Part | None]:
    """Epsilon and delta of the draws, of the counts of mistakes and of those of records."""
    epsilon, delta = task.privacy.epsilon, task.privacy.delta
    share = task.several_share
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
    each = {"labels": (), "label_costs": (), "label_values": ()}
    return task.with_(k=1, delta=0, beta=beta, error_share=0, aside=0, **each)


def _valued(task: Task, epsilon: Fraction, values: int) -> tuple[Algorithm, Task]:
    """What draws the rule of a label with so many values, and its task."""
    entry = BANDED_SCORES if isinstance(task.concept_class, Scores) else SEVERAL_VALUES
    return entry, one_label(task).with_(epsilon=epsilon, values=values, names=())


def _numbers(task: Task) -> tuple[int, ...]:
    """How many values each label has, where some have more than two."""
    found = tuple(map(len, task.label_values))
    return found if set(found) - {2} else ()


def label_draw(task: Task, epsilon: Fraction, n: int | None, *, ranged: bool = True) -> CostedDraw:
    """The one selection that draws a label's rule, of bounded range if ``ranged``."""
    family = task.concept_class
    if isinstance(family, ListedRules):
        return ListedRuleLearner(
            concept_class=family,
            epsilon=epsilon,
            relation=task.privacy.relation,
            selector=_selector(family, ranged=ranged),
        )
    return draw_for(task, epsilon, n)


def _selector(family: ListedRules, *, ranged: bool) -> str:
    """What selects from a list: permute-and-flip is the better one, and has no bounded range."""
    return "exponential" if ranged or not isinstance(family, LISTED) else selector_for(family)


def label_samples(task: Task, epsilon: Fraction, *, ranged: bool = True) -> SampleBound:
    """Records for the draw of one label to come within ``alpha`` of the best of its class.

    As ``one_draw``: ``choices`` say what is spent, and from how many records on all of it.
    """
    family = task.concept_class
    if isinstance(family, ListedRules) and task.costs is None:
        least = family.least_prior()
        selector = _selector(family, ranged=ranged)
        asked = task.with_(epsilon=epsilon)
        return one_draw(asked, prior=least, least_prior=least, selector=selector)
    bound = draw_samples(task, epsilon)
    if task.costs is None:
        return bound
    n = bound.choices["whole_from"]
    return replace(bound, n=n, choices={"epsilon": epsilon, "whole_from": n})


def _samples(task: Task) -> SampleBound:
    """Each label's draw keeps its promise but for ``beta / k``: Theorem 2 of the proof.

    With balanced costs no fewer records than the numbers of their labels need.
    """
    bound, sizes = _draw_samples(task), parts(task)[2]
    if sizes is None:
        return bound
    if not task.privacy.relation.size_is_public:
        raise BadInput(UNBALANCED)
    return replace(bound, n=max(bound.n, _balanced_from(sizes, k=task.k)))


def _draw_samples(task: Task) -> SampleBound:
    """The records that the draws need."""
    one, epsilon, several = one_label(task), each_epsilon(task), sorted(set(_numbers(task)) - {2})
    ranged = bool(task.privacy.delta)
    if several:
        made = [_valued(task, epsilon, values) for values in several]
        every = [entry.bound(asked) for entry, asked in made]
        two = label_samples(one, epsilon, ranged=ranged)
        if 2 in _numbers(task):
            every.append(two)
        most = max(every, key=lambda bound: bound.n)
        return replace(most, choices=two.choices)
    if not task.label_costs:
        return label_samples(one, epsilon, ranged=ranged)
    # Names stand for the two values, which differ from label to label.
    pairs = [(("0", no), ("1", yes)) for no, yes in sorted(set(task.label_costs))]
    return max(
        (label_samples(one.with_(costs=pair), epsilon, ranged=ranged) for pair in pairs),
        key=lambda one: one.n,
    )


def _mechanism(task: Task, bound: SampleBound, size: Size) -> SideBySide:
    one = one_label(task).with_(epsilon=each_epsilon(task))
    made, numbers = side_by_side(task, to_spend(one, bound, size), known(size)), _numbers(task)
    valued = []
    for values in sorted(set(numbers) - {2}):
        entry, asked = _valued(task, each_epsilon(task), values)
        valued.append((values, entry.build(asked, entry.bound(asked), size)))
    return replace(made, values=numbers, valued=tuple(valued)) if valued else made


def side_by_side(task: Task, each: Fraction, n: int | None) -> SideBySide:
    """Draws that spend ``each``, for ``n`` records; ``None`` where their number is private."""
    drawn, count, sizes = parts(task)
    if sizes is not None:
        _check_balance(sizes, k=task.k, n=n)
    learner = label_draw(one_label(task), each, n, ranged=bool(task.privacy.delta))
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
        raise BadInput(UNBALANCED)
    least = _balanced_from(sizes, k=k)
    if n < least:
        raise BadInput(
            f"{n} records (or persons) are too few to balance {k} labels at this epsilon: noise "
            f"would hide how many have each, and it takes {least}; say what mistakes on the rarer "
            "value cost instead, a whole number (costs=, --cost)"
        )


def _balanced_from(sizes: Part, *, k: int) -> int:
    """How many records hide the noise on the numbers of records of ``k`` labels."""
    square = Fraction(count_noise(sizes, moved=k).square) * _CLOSE**2
    below = isqrt(square.numerator // square.denominator)
    return below if below**2 == square else below + 1


def _costly(task: Task) -> bool:
    return task.costs is not None or bool(task.label_costs)


def _too_large(task: Task) -> str | None:
    """Why pairs of cells cannot be counted for the values of some label; ``None`` if they can."""
    numbers = _numbers(task)
    if not numbers:
        return pairs_of_trees(task)
    entry, asked = _valued(task, task.privacy.epsilon, max(numbers))
    return entry.runs(asked)


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
            tasks=Tasks.SEVERAL,
            costs=True,
            own_values=True,
            ignores=True,
            further=(
                Condition(
                    "labels that count as the negative one (other='negative')",
                    lambda task: not _costly(task) or task.other != "ignore",
                    "has no proof for costs where records are ignored",
                ),
                Condition(
                    "trees, rule lists or scores, without costs, where a label has more than two "
                    "values",
                    lambda task: (
                        not _numbers(task)
                        or (isinstance(task.concept_class, _MANY) and not _costly(task))
                    ),
                    "learns two values of each label",
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
        runs=_too_large,
        counts=True,
    )
)
