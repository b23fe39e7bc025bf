"""Questions of their own or shared: the algorithm, and how many records it needs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tacit.bounds.upper.stages import staged
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    SampleBound,
    Size,
    Task,
    Tasks,
    Tiny,
)
from tacit.core.tiny import DELTA, TWO_LABELS, labelled
from tacit.exact.balls import Ball, above, ball
from tacit.mechanisms.calibration import spread
from tacit.problems.tables.checked_rules import LABEL_FACTS
from tacit.problems.tables.either_learner import EitherLearner, choice_rate, questions_mean
from tacit.problems.tables.shared_learner import (
    SQUARE,
    STEPS,
    SharedTreeLearner,
    few_cells,
    own_trees,
    planned_learner,
    too_large,
)
from tacit.problems.tables.shared_trees import EitherTrees
from tacit.problems.tables.side_by_side import SideBySide
from tacit.problems.tables.side_by_side_rules import each_epsilon, parts, side_by_side, two_labels
from tacit.problems.tables.tiny_rules import LARGE, ONE_CELL
from tacit.problems.tables.tree_learner import TreeLearner

_PARTS, _CHOICES = 64, (1, 2, 4, 8)
"""So many of these parts of epsilon the choice may spend."""
EXPECTED = Fraction(279, 1000)
"""Not below ``h e^-h / (1 + e^-h)``: the nats that one draw between two loses in expectation."""
_FAINT = Fraction(1, 1 << 30)


def _chosen(rate: Fraction, *, k: int, sure: Ball) -> Ball:
    """Mistakes a label that the choice loses at this rate but for probability ``2 exp(-sure)``."""
    return (sure / ball(rate) + 1) / k


def _shared_more(learner: SharedTreeLearner, sure: Ball) -> Ball:
    """Mistakes a label that shared questions may add to what is expected of them."""
    leaves, over = learner.family.leaves, sure / learner.k
    spread = (2 * ball(SQUARE) * leaves * over).sqrt() + over
    half = ball(Fraction(leaves, 2))
    return over / ball(learner.rate) + half + ball(learner.label_variance).sqrt() * spread


def _apart_more(learner: EitherLearner, sure: Ball) -> Ball:
    """Mistakes a label that draws side by side may add to what is expected of them."""
    over = sure / learner.k
    return (1 + (2 * over).sqrt() + over) / ball(learner.own.rate)


def lost_to_either(learner: EitherLearner, beta: Fraction, *, own: bool) -> Fraction:
    """Mistakes, as a mean over the labels, that are lost but for ``beta``, on every table.

    Against questions of their own, or against shared ones: Theorem 2 of
    ``either_learner.proof.md``.
    """
    trees = learner.own.trees

    def mistakes() -> Ball:
        sure = ball(4 / beta).log()
        more = _shared_more(learner.shared, sure).max(_apart_more(learner, sure))
        above_own = -ball(trees.least_prior()).log() / ball(learner.own.rate)
        compared = above_own if own else questions_mean(learner.shared).min(above_own)
        return compared + _chosen(learner.choice_rate, k=learner.k, sure=sure) + more

    return above(mistakes)


def _within(task: Task, choice: int) -> tuple[Fraction, Task]:
    """The epsilon of the choice, and the task of the learner that is run after it."""
    (epsilon, delta), _, _ = parts(task)
    spent = epsilon * Fraction(choice, _PARTS)
    return spent, task.with_(epsilon=epsilon - spent, delta=delta, error_share=0)


def _spent(task: Task) -> int:
    """How much the choice spends: where least is lost in expectation against own questions.

    These lose most by what it spends. Their share of what is left is taken to be as large a part
    as what is left, which is close, and nothing that is promised rests on it.
    """
    each, relation, k = each_epsilon(task), task.privacy.relation, task.k
    prior = task.of(EitherTrees).trees.least_prior()

    def lost(choice: int) -> Fraction:
        rate = each * (1 - Fraction(choice, _PARTS)) / spread(relation)
        chosen = choice_rate(_within(task, choice)[0], relation=relation, k=k)
        return above(lambda: -ball(prior).log() / ball(rate) + ball(EXPECTED / chosen / k))

    return min(_CHOICES, key=lost)


def _split(task: Task) -> tuple[int, int]:
    """How much the choice spends, and questions after it: where shared ones lose least."""
    choice, beta = _spent(task), task.accuracy.beta / 2
    _, rest = _within(task, choice)

    def lost(part: int) -> Fraction:
        shared = planned_learner(rest, part)
        return above(lambda: questions_mean(shared) + _shared_more(shared, ball(4 / beta).log()))

    return choice, min(range(1, STEPS), key=lost)


def _learner(task: Task, choice: int, part: int) -> EitherLearner:
    spent, rest = _within(task, choice)
    (epsilon, delta), count, _ = parts(task)
    return EitherLearner(
        shared=planned_learner(rest, part),
        apart=side_by_side(own_trees(rest), each_epsilon(rest), None),
        choice=spent,
        epsilon=epsilon - spent,
        delta=delta,
        count=count,
    )


def _samples(task: Task) -> SampleBound:
    """Records for the mean error to come within ``alpha`` of the best shared questions."""
    choice, part = _split(task)
    accuracy = task.accuracy
    bound = staged(
        extra=lost_to_either(_learner(task, choice, part), accuracy.beta / 2, own=False),
        least_prior=task.of(EitherTrees).trees.least_prior() / task.k,
        alpha=accuracy.alpha,
        beta=accuracy.beta,
    )
    return replace(bound, claim=EITHER, choices={"choice": choice, "part": part})


def _build(task: Task, bound: SampleBound, _size: Size) -> EitherLearner:
    return _learner(task, bound.choices["choice"], bound.choices["part"])


EITHER = Claim(
    paper="own",
    locator="Either, Theorem 2",
    statement="from n records on the mean error of k rules, drawn side by side or with shared "
    "questions as a private choice says, is at most alpha above that of the best with shared "
    "questions, with probability 1 - beta",
    proof="problems/tables/either_learner.proof.md",
)


def _too_large(task: Task) -> str | None:
    return few_cells(task) or too_large(_within(task, max(_CHOICES))[1])


def _made(epsilon: Fraction) -> EitherLearner:
    """A large budget for the labels of one leaf: few ways need to be followed."""
    family = EitherTrees(ONE_CELL, depth=1)
    own = TreeLearner(trees=family.trees, epsilon=2 * epsilon)
    return EitherLearner(
        shared=SharedTreeLearner(family=family, k=2, questions=epsilon / 100, labels=2 * epsilon),
        apart=SideBySide(learner=own, schema=ONE_CELL, k=2, epsilon=6 * epsilon, delta=DELTA),
        choice=epsilon,
        epsilon=6 * epsilon,
        delta=DELTA,
    )


def _tiny(entry: Algorithm) -> Tiny:
    tiny = two_labels(entry, EitherTrees(ONE_CELL, depth=1), EitherTrees(LARGE, depth=2))
    followed = labelled([(0,)], TWO_LABELS)
    return tiny.exactly(_made, records=followed, n=2, delta=DELTA, faint=_FAINT)


EITHER_TREES = ALGORITHMS.add(
    Algorithm(
        name="own or shared questions",
        summary="a private choice between one draw a label and questions for all, then that one",
        applies=Applies(
            proper=False, classes=(EitherTrees,), delta=True, tasks=Tasks.SEVERAL, ignores=True
        ),
        claim=EitherLearner.CLAIM,
        bound=_samples,
        build=_build,
        tiny=_tiny,
        certify=LABEL_FACTS,
        runs=_too_large,
        counts=True,
    )
)
