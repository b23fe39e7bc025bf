"""Rules that may raise only so many alarms: few positive records missed, within a budget.

An alarm is a record that the rule calls positive. A rule is weighed by the positive records it
misses and by the alarms that it raises beyond the budget.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper.noisy_count import certified_error
from tacit.bounds.upper.stages import mistakes_of_one_draw, staged
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.certificate import Counted, Measured
from tacit.core.certify import Facts, Outcome
from tacit.core.numbers import counted, exact, positive, probability, show
from tacit.core.respelled import respelled
from tacit.core.tally import Streamed
from tacit.core.tiny import labelled
from tacit.domains.schema import Schema
from tacit.exact.landscape import Flat, Landscape
from tacit.mechanisms.calibration import alarm_spread
from tacit.mechanisms.selection import PermuteAndFlip
from tacit.problems.tables.drawn import Drawn
from tacit.problems.tables.products import Conjunctions, ProductRule, joint_gains, span_sums
from tacit.problems.tables.records import OverTable
from tacit.problems.tables.rule_counts import Beside, plan_beside, wanted_counts
from tacit.problems.tables.tiny_rules import LARGE, TWO_CELLS
from tacit.tallies.placed import placed

_ALARMS, _MISSED = Fraction(3, 100), Fraction(2, 100)
"""The parts of epsilon that count alarms and missed records, with noise; as much as both, at most,
counts what else stands beside the mistakes."""


@respelled("alarms", "columns", after=1)
@dataclass(frozen=True)
class AlarmRules(OverTable):
    """Up to two one-sided conditions, all of them or any, with a budget of alarms.

    ``alarms``   the part of the records that may be called positive.
    ``columns``  how many conditions a rule has at most, 1 to 3.

    It has no finite ``size``: what other learners would count are mistakes.
    """

    schema: Schema
    _: KW_ONLY
    alarms: Fraction = Fraction(1, 20)
    columns: int = 2
    size: ClassVar[None] = None
    name: ClassVar[str] = "alarm rules"

    def __post_init__(self) -> None:
        share = probability(self.alarms, name="alarms")
        object.__setattr__(self, "alarms", exact(share, name="alarms"))
        object.__setattr__(self, "columns", self.rules.columns)

    @cached_property
    def rules(self) -> Conjunctions:
        """The list of rules: all that a draw may release, equally likely beforehand."""
        return Conjunctions(self.schema, columns=self.columns)

    @property
    def domain(self) -> Schema:
        return self.schema

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny(), alarms=Fraction(1, 2), columns=1)

    @property
    def compared_by(self) -> str:
        """What a rule is weighed by: ``ComparedOtherwise``."""
        share = show(self.alarms)
        return f"the positive records they miss and by alarms beyond {share} of the records"

    def describe(self) -> str:
        many, where = counted(self.columns, "condition"), self.schema.describe()
        return f"rules of up to {many} over {where}, compared by {self.compared_by}"

    def budget(self, n: int) -> int:
        """So many of ``n`` records may raise an alarm.

        >>> AlarmRules(Schema.tiny(), alarms=Fraction(1, 20)).budget(119)
        5
        """
        return int(n * self.alarms)

    def scores(self, cells: npt.NDArray[np.int32], y: npt.NDArray[np.bool_]) -> Flat:
        """Of every rule: records missed, and alarms beyond the budget. Private."""
        n, ones = len(y), int(np.count_nonzero(y))
        every, half = np.ones(n, dtype=bool), self.rules.size // 2
        wide = np.asarray(cells, dtype=np.int64)
        score, start = np.empty(2 * half, dtype=np.int64), 0
        for group in self.rules.groups():
            alarms, gains = (joint_gains(self.schema, group, wide, y1) for y1 in (every, y))
            for axis, column in enumerate(group):
                alarms = span_sums(alarms, axis, self.rules.spans[column])
                gains = span_sums(gains, axis, self.rules.spans[column])
            inside, found = alarms.ravel(), (alarms.ravel() + gains.ravel()) // 2
            there = slice(start, start + len(inside))
            score[there] = self._weighed(ones - found, inside, n)
            score[half:][there] = self._weighed(found, n - inside, n)
            start += len(inside)
        return Flat(errors=score)

    def _weighed(
        self, missed: npt.NDArray[np.int64], alarms: npt.NDArray[np.int64], n: int
    ) -> npt.NDArray[np.int64]:
        return missed + np.maximum(alarms - self.budget(n), 0)

    def beside(
        self, *, n: int | None, epsilon: Fraction, beta: Fraction, declared: bool, values: int = 2
    ) -> tuple[tuple[Beside, ...], Mapping[str, int]]:
        """Alarms and missed records first, then what is counted of every rule."""
        wanted = wanted_counts(self.domain, declared=declared, values=values)
        rest, left_out = plan_beside(wanted, n=n, epsilon=epsilon / 2, beta=beta, values=values)
        if n is None:
            return (), {}
        alarms = Beside(what="alarms", epsilon=epsilon * _ALARMS)
        missed = Beside(what="missed", epsilon=epsilon * _MISSED)
        return (alarms, missed, *rest), left_out


@dataclass(frozen=True, slots=True)
class AlarmScore:
    """Records missed, and alarms beyond the budget, of every rule of a class."""

    rules: AlarmRules

    def __call__(self, data: Sample | Streamed) -> Landscape:
        return self.rules.scores(*placed(data, self.rules.schema))

    def spread(self, relation: Relation) -> int:
        return alarm_spread(relation)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmLearner(Mechanism[Sample, Hypothesis], Drawer):
    """Select a rule by the positive records it misses and by its alarms beyond the budget.

    Privacy
    -------
    Requires  ``rules`` are public, and so is the number of records: replace-one or label.
    Ensures   ``epsilon``-DP under ``relation``: permute-and-flip by a score whose values move in
              one interval of length 2 (replace-one) or 1 (label) between neighbours.
    Proof     Theorem 1 of ``alarms.proof.md``.
    Numerics  exact.

    Utility
    -------
    Theorem 2 of ``alarms.proof.md``.

    Edge cases
    ----------
    No records: every rule has score 0, and one is drawn at random.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Alarms, Theorem 1",
        statement="selecting a rule by the positive records it misses plus its alarms beyond a "
        "public budget is epsilon-DP at rate epsilon/2 (replace-one) or epsilon (label)",
        proof="problems/tables/alarms.proof.md",
    )

    rules: AlarmRules
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    _selection: PermuteAndFlip[Sample] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        selection = PermuteAndFlip(
            score=AlarmScore(self.rules), epsilon=self.epsilon, relation=self.relation
        )
        object.__setattr__(self, "_selection", selection)

    def event(self) -> Event:
        return self._selection.event()

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def rate(self) -> Fraction:
        """The exponent per missed record."""
        return self._selection.rate

    @property
    def least_prior(self) -> Fraction:
        return self.rules.rules.least_prior()

    @property
    def drawn_from(self) -> str:
        return self.rules.describe()

    @property
    def compared_with(self) -> str:
        return self.drawn_from

    def prior(self, rule: Hypothesis) -> Fraction:
        del rule
        return self.least_prior

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        """None: rules are not compared by their mistakes."""
        return ()

    def lost(self, beta: Fraction) -> Fraction:
        return mistakes_of_one_draw(prior=self.least_prior, rate=self.rate, beta=beta)

    def _release(self, data: Sample, *, rng: Sampler) -> ProductRule:
        candidate = rng.part(self._selection, data)  # [P1]
        return self.rules.rules.hypothesis(candidate)  # [P2]


class _Alarming(Drawn):
    """Certify the draw, and bound the alarms and the missed records among new records."""

    def __call__(self, task: Task, outcome: Outcome) -> Facts:
        facts = super().__call__(task, outcome)
        if facts.measured is None or outcome.n is None:
            return facts
        return replace(facts, measured=_with_rates(facts.measured, task, outcome.n))


def _with_rates(found: Measured, task: Task, n: int) -> Measured:
    """Theorem 3 of ``alarms.proof.md``: each bound holds but for ``beta``."""
    prior = found.prior
    assert prior is not None
    return replace(
        found,
        beside=tuple(
            replace(one, rate=new_rate(one, n=n, prior=prior, beta=task.accuracy.beta))
            if one.what in ("alarms", "missed")
            else one
            for one in found.beside
        ),
    )


def new_rate(one: Counted, *, n: int, prior: Fraction, beta: Fraction) -> Fraction | None:
    """A bound on the share of new records that one noisy number is about."""
    if one.count is None or one.epsilon is None:
        return None
    return certified_error(
        noisy_mistakes=one.count, n=n, prior=prior, epsilon=one.epsilon, beta=beta
    )


def _rules(task: Task) -> AlarmRules:
    return task.of(AlarmRules)


def _samples(task: Task) -> SampleBound:
    """Records for a score of ``alpha`` above the best, as a share: Theorem 2."""
    rules, epsilon, beta = _rules(task).rules, task.privacy.epsilon, task.accuracy.beta
    prior = rules.least_prior()
    rate = epsilon / alarm_spread(task.privacy.relation)
    return staged(
        extra=mistakes_of_one_draw(prior=prior, rate=rate, beta=beta / 2) + 1,
        least_prior=prior,
        alpha=task.accuracy.alpha,
        beta=beta / 2,
    )


def _mechanism(task: Task, _bound: SampleBound, _size: Size) -> AlarmLearner:
    privacy = task.privacy
    return AlarmLearner(rules=_rules(task), epsilon=privacy.epsilon, relation=privacy.relation)


def _tiny(entry: Algorithm) -> Tiny:
    return tiny_task(
        entry,
        AlarmRules(TWO_CELLS, alarms=Fraction(1, 2), columns=1),
        AlarmRules(LARGE, alarms=Fraction(1, 4), columns=2),
        records=labelled([(0,), (1,)]),
        usual=((0.2, False), 1),
        odd=((0.8, True), 0),
        setting="agnostic",
    )


ALARMS = ALGORITHMS.add(
    Algorithm(
        name="alarms",
        summary="one selection by permute-and-flip, by records missed and alarms beyond a budget",
        applies=Applies(
            proper=True,
            classes=(AlarmRules,),
            settings=("agnostic",),
            relations=(Relation.REPLACE_ONE, Relation.LABEL),
            because="a budget of alarms is a part of the records, whose number is private under "
            "add-remove",
        ),
        claim=AlarmLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=_Alarming(),
        tiny=_tiny,
    )
)
