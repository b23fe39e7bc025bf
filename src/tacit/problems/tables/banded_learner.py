"""All scoring rules at once, with several labels: one exact draw over totals and their bands."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Condition,
    Hypothesis,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.tiny import labelled
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import cost_spread
from tacit.problems.tables.banded_scores import BandedScoreRule, BandedScores
from tacit.problems.tables.banded_weights import BandWeigher
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.one_draw_learner import OneDrawLearner
from tacit.problems.tables.records import one_draw, to_spend
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.tiny_rules import LARGE, TWO_CELLS
from tacit.tallies.placed import placed

_MOST_STEPS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BandedScoreLearner(OneDrawLearner):
    """Draw a scoring rule with weight ``prior * exp(-rate * mistakes)``, a label for each band.

    A mistake on a record of label ``y`` counts ``costs[y]`` times; without ``costs`` each is one.

    Privacy
    -------
    Requires  class, prior, label values and costs are public.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``relation``, with
              ``rate = epsilon / cost_spread``: 2, or 1 for add-remove, where mistakes count one.
    Proof     Theorem 1 of ``banded_learner.proof.md``; the draw: ``banded_weights.proof.md``.
    Numerics  exact: floats decide only where a proved bound leaves no doubt.

    Utility
    -------
    Theorem 2 of ``banded_learner.proof.md``: the prior of the best *comparator* counts.

    Edge cases
    ----------
    No records, labels that never occur, constant columns: the prior decides where mistakes do
    not.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Scores of several labels, Theorem 1",
        statement="drawing points, bands of their total and a label for each band with weight "
        "prior * exp(-rate * mistakes) is epsilon-bounded-range for rate = epsilon / w",
        proof="problems/tables/banded_learner.proof.md",
    )

    rules: BandedScores
    costs: tuple[int, ...] = ()

    @property
    def rate(self) -> Fraction:
        """The exponent per mistake of cost 1."""
        return self.epsilon / cost_spread(self.relation, self.costs or (1, 1))

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def least_prior(self) -> Fraction:
        return self.rules.least_prior()

    @property
    def drawn_from(self) -> str:
        return self.rules.describe()

    def prior(self, rule: Hypothesis) -> Fraction:
        return self.rules.prior(rule)

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return self.rules.comparators()

    def prepare(self) -> None:
        """Compile the loops that weigh bands."""
        from tacit.problems.tables.warm import warm_bands

        warm_bands()

    @property
    def placed_by(self) -> Schema:
        return self.rules.schema

    def _release(self, data: Sample, *, rng: Sampler) -> BandedScoreRule:
        weigher = BandWeigher(self.rules, self.rate, self.costs)
        cells, labels = placed(data, self.rules.schema, values=self.rules.values)
        return weigher.draw(weigher.held(cells, labels), rng=rng)  # [P1]


def _rules(task: Task) -> BandedScores:
    return BandedScores(task.of(Scores), task.answers)


def _samples(task: Task) -> SampleBound:
    least = _rules(task).least_prior()
    return one_draw(task, prior=least, least_prior=least)


def band_draw(task: Task, epsilon: Fraction) -> BandedScoreLearner:
    """One draw over the scoring rules of the class."""
    return BandedScoreLearner(rules=_rules(task), epsilon=epsilon, relation=task.privacy.relation)


def _mechanism(task: Task, bound: SampleBound, size: Size) -> BandedScoreLearner:
    return band_draw(task, to_spend(task, bound, size))


def _too_many(task: Task) -> str | None:
    """Why bands cannot be weighed, in words; ``None`` if they can."""
    if _rules(task).steps <= _MOST_STEPS:
        return None
    return "adds up points in too many ways: use fewer columns of the schema, or fewer bins"


def _tiny(entry: Algorithm) -> Tiny:
    return tiny_task(
        entry,
        Scores(TWO_CELLS, columns=1, most=1),
        Scores(LARGE, columns=2, most=1),
        records=labelled([(0,), (1,)], labels=(0, 1, 2)),
        usual=((0.2, False), 1),
        odd=((0.8, True), 2),
        values=3,
    )


BANDED_SCORES = ALGORITHMS.add(
    Algorithm(
        name="banded scores",
        summary="one exact draw over all scoring rules whose total is cut into bands, one of "
        "several labels for each band",
        applies=Applies(
            proper=True,
            classes=(Scores,),
            values=True,
            ignores=True,
            further=(
                Condition(
                    "more than two label values: values=('a', 'b', 'c')",
                    lambda task: task.answers > 2,
                ),
            ),
        ),
        claim=BandedScoreLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=DRAWN,
        tiny=_tiny,
        runs=_too_many,
    )
)
