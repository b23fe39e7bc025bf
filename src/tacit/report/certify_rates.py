"""The certificate of a rule with rates: that of the rule, and what the rates add to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from tacit.core import BadInput, Task
from tacit.core.certificate import Certificate, Rates
from tacit.core.certify import Certifier
from tacit.core.mechanism import SomeMechanism
from tacit.core.numbers import exact, show
from tacit.core.records import Stored
from tacit.problems.tables.rated_learner import RatedLearner
from tacit.problems.tables.rated_rule import UNSURE, parts_of
from tacit.problems.tables.rated_rules import rated_rules, reach_of


@dataclass(frozen=True, slots=True)
class RateShare:
    """The part of an epsilon that counts rates: ``share`` of ``asked``."""

    asked: Fraction
    share: Fraction

    @property
    def rule(self) -> Fraction:
        """What is left for the rule."""
        return self.asked * (1 - self.share)

    def around(self, learner: SomeMechanism, certify: Certifier, task: Task) -> RatedLearner:
        """The learner, and then the rates of its rule: on records, or on rows of persons."""
        privacy = task.privacy
        return RatedLearner(
            learner=learner,
            rule_of=certify.published,
            epsilon=self.asked * self.share,
            values=task.answers,
            rows=None if privacy.unit is None else privacy.rows_per_unit,
            k=task.k,
        )

    def certified(self, certificate: Certificate, made: RatedLearner, value: object) -> Certificate:
        """The rule's certificate with the rates, and with all that was asked for."""
        recipe, rated = certificate.recipe, rated_rules(value)
        return replace(
            certificate,
            asked=replace(certificate.asked, epsilon=self.asked),
            rates=Rates(
                epsilon=made.epsilon,
                parts=sum(parts_of(one.rule) for one in rated),
                within=reach_of(rated, UNSURE),
                unsure=UNSURE,
                claim=made.CLAIM,
            ),
            recipe=None if recipe is None else {**recipe, "rate_share": show(self.share)},
        )


def stated_share(asked: Fraction, recipe: Stored, value: object) -> RateShare | None:
    """The share that a recipe names, where the release has rates; ``None`` where it has none."""
    told = recipe.get("rate_share")
    if (told is not None) != bool(rated_rules(value)):
        raise BadInput("rates are there and not what they cost, or the other way round")
    if told is None:
        return None
    share = exact(str(told), name="rate_share")
    if not 0 < share < 1:
        raise BadInput("the share of the rates is none")
    return RateShare(asked, share)
