"""Rules of several labels of one table with their noisy mistakes, and what these certify."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tacit.bounds.upper.noisy_count import NOISY_COUNT
from tacit.core import BadInput, Hypothesis, Mechanism, NamedRule, Sample, Task
from tacit.core.certificate import Certificate, OneOfSeveral, OnLabel, Several
from tacit.core.certify import NEW_PERSONS, NEW_RECORDS, Certifier, Facts, Outcome
from tacit.problems.several.rules import Rules
from tacit.problems.tables.label_noise import CountNoise, bounded

_PLAIN_NAMES = ("the negative one", "the positive one")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRules:
    """Released rules, and the mistakes of each on the records, plus noise.

    ``each``   where mistakes have costs: those on the negative and on the positive value.
    ``sizes``  the noisy numbers of records with each positive label, where they set the costs.
    """

    rules: Rules
    noisy_mistakes: tuple[int, ...]
    each: tuple[tuple[int, int], ...] = ()
    sizes: tuple[int, ...] = ()

    def describe(self, **more: Any) -> str:
        """The rules in words."""
        return self.rules.describe(**more)

    def predict(self, x: object) -> object:
        """One column of answers a label."""
        return self.rules.predict(x)

    def to_dict(self) -> dict[str, object]:
        """The rules' own form."""
        return self.rules.to_dict()


class LabelsLearner(Mechanism[Sample, CheckedRules]):
    """A learner of several labels of one table; what is public about its rules."""

    __slots__ = ()

    @property
    @abstractmethod
    def variance(self) -> Fraction | None:
        """That of Gaussian noise on each count of mistakes; ``None`` where there is none."""

    @property
    def noise(self) -> CountNoise | None:
        """The noise on each count of mistakes; ``None`` where nothing is counted."""
        return None if self.variance is None else CountNoise(variance=self.variance)

    @property
    def size_noise(self) -> CountNoise | None:
        """That on the numbers of records of each label, where they set the costs."""
        return None

    def costs_of(self, found: CheckedRules) -> tuple[tuple[int, int], ...]:
        """What mistakes on both values of each label cost; none where all cost the same."""
        del found
        return ()

    @property
    @abstractmethod
    def drawn_from(self) -> str:
        """The class of each label's rule, in words."""

    @abstractmethod
    def prior(self, rule: Hypothesis) -> Fraction:
        """The public prior of a rule of one label."""


class LabelFacts(Certifier):
    """Certify the errors of all rules at once, from their noisy mistakes."""

    def __call__(self, task: Task, outcome: Outcome) -> Facts:
        """The bound on each rule's error, with one ``beta`` for all of them."""
        made, found = outcome.mechanism, outcome.value
        assert isinstance(made, LabelsLearner)
        if not isinstance(found, CheckedRules) or len(found.rules) != task.k:
            raise BadInput("there are not as many rules as were asked for")
        several = _several(task, made, found, n=outcome.n)
        if several is not None and outcome.about not in (NEW_RECORDS, NEW_PERSONS):
            several = replace(several, about=outcome.about)
        return Facts(what=made.drawn_from, several=several)

    def published(self, value: object) -> object:
        """The rules; their noisy mistakes are in the certificate."""
        return value.rules if isinstance(value, CheckedRules) else value

    def found(self, stated: Certificate, value: object) -> object:
        """The rules with the noisy mistakes that are stated."""
        if not isinstance(value, Rules):
            return value
        told = () if stated.several is None else stated.several.labels
        each = tuple(
            (one.values[0].noisy_mistakes, one.values[1].noisy_mistakes)
            for one in told
            if len(one.values) == 2
        )
        positives = (one.values[1].size for one in told if len(one.values) == 2)
        return CheckedRules(
            rules=value,
            noisy_mistakes=tuple(one.noisy_mistakes for one in told),
            each=each,
            sizes=tuple(size for size in positives if size is not None),
        )


LABEL_FACTS = LabelFacts()


def _several(
    task: Task, made: LabelsLearner, found: CheckedRules, *, n: int | None
) -> Several | None:
    noise, sizes, beta = made.noise, made.size_noise, task.accuracy.beta / task.k
    if noise is None or n is None:
        return None
    paid = len(found.noisy_mistakes) == task.k
    if not paid or (sizes is not None and len(found.sizes) != task.k):
        raise BadInput("the mistakes that were paid for are not stated")
    costs = made.costs_of(found)
    if len(found.each) != len(costs):
        raise BadInput("the mistakes on each label value are not stated, or were not paid for")
    labels = []
    for place, name in enumerate(_names(task, found.rules)):
        rule = found.rules[place]
        one = OneOfSeveral(
            label=name,
            noisy_mistakes=found.noisy_mistakes[place],
            prior=made.prior(rule.rule if isinstance(rule, NamedRule) else rule),
            error=None,
            values=_of_values(task, place, found, costs[place], n=n) if costs else (),
        )
        labels.append(bounded(one, noise=noise, sizes=sizes, n=n, beta=beta))
    return Several(
        variance=noise.variance,
        epsilon=noise.epsilon,
        sizes=None if sizes is None else sizes.number,
        claim=NOISY_COUNT,
        labels=tuple(labels),
    )


def _of_values(
    task: Task, place: int, found: CheckedRules, costs: tuple[int, int], *, n: int
) -> tuple[OnLabel, ...]:
    """The noisy mistakes on both values of one label, and what each costs."""
    names = task.label_values[place] if task.label_values else task.names or _PLAIN_NAMES
    sizes: tuple[int | None, ...] = (None, None)
    if found.sizes:
        sizes = (n - found.sizes[place], found.sizes[place])
    told = zip(names, costs, found.each[place], sizes, strict=True)
    return tuple(
        OnLabel(label=label, cost=cost, noisy_mistakes=mistakes, rate=None, size=size)
        for label, cost, mistakes, size in told
    )


def _names(task: Task, rules: Rules) -> tuple[str, ...]:
    """The labels' names: those of the rules, or of the task as long as these have none."""
    named = any(isinstance(rule, NamedRule) for rule in rules)
    return rules.names if named or not task.labels else task.labels
