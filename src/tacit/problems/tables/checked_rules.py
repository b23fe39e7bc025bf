"""Rules of several labels of one table with their noisy mistakes, and what these certify."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tacit.bounds.upper.noisy_count import NOISY_COUNT, certified_by_gaussian
from tacit.core import BadInput, Hypothesis, Mechanism, NamedRule, Sample, Task
from tacit.core.certificate import Certificate, OneOfSeveral, Several
from tacit.core.certify import NEW_PERSONS, NEW_RECORDS, Certifier, Facts, Outcome
from tacit.problems.several.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRules:
    """Released rules, and the mistakes of each on the records, plus noise."""

    rules: Rules
    noisy_mistakes: tuple[int, ...]

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
        """That of the noise on each count of mistakes; ``None`` where nothing is counted."""

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
        return CheckedRules(rules=value, noisy_mistakes=tuple(one.noisy_mistakes for one in told))


LABEL_FACTS = LabelFacts()


def _several(
    task: Task, made: LabelsLearner, found: CheckedRules, *, n: int | None
) -> Several | None:
    variance, beta = made.variance, task.accuracy.beta / task.k
    if variance is None or n is None:
        return None
    if len(found.noisy_mistakes) != task.k:
        raise BadInput("the mistakes that were paid for are not stated")
    labels = []
    for name, rule, mistakes in zip(
        _names(task, found.rules), found.rules, found.noisy_mistakes, strict=True
    ):
        prior = made.prior(rule.rule if isinstance(rule, NamedRule) else rule)
        error = certified_by_gaussian(
            noisy_mistakes=mistakes, n=n, prior=prior, variance=variance, beta=beta
        )
        labels.append(OneOfSeveral(label=name, noisy_mistakes=mistakes, prior=prior, error=error))
    return Several(variance=variance, claim=NOISY_COUNT, labels=tuple(labels))


def _names(task: Task, rules: Rules) -> tuple[str, ...]:
    """The labels' names: those of the rules, or of the task as long as these have none."""
    named = any(isinstance(rule, NamedRule) for rule in rules)
    return rules.names if named or not task.labels else task.labels
