"""The best of several private rules, drawn a random number of times, for one budget."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import ClassVar, Self

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    ConceptClass,
    Drawer,
    Event,
    Found,
    Hypothesis,
    Measuring,
    Mechanism,
    Pure,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Selection,
    Size,
    Task,
    leaves,
)
from tacit.core.certificate import Certificate
from tacit.core.certify import Facts, Outcome
from tacit.core.numbers import positive, whole
from tacit.core.respelled import respelled
from tacit.domains.schema import Schema
from tacit.problems.tables.checked import Checked, CheckedLearner
from tacit.problems.tables.drawn import Drawn, measured
from tacit.problems.tables.products import Intervals
from tacit.problems.tables.records import OverTable
from tacit.problems.tables.rule_counts import Beside
from tacit.problems.tables.tiny_rules import tiny_rules
from tacit.problems.tables.trees import Trees


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen(Checked):
    """A checked rule, and which of the candidates drew it."""

    candidate: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOf(Mechanism[Sample, Chosen], Measuring):
    """Run a random candidate, again and again, and release the rule with the fewest mistakes.

    After each run a coin says whether to stop; ``tries`` runs are expected. Each candidate
    may spend a third of ``epsilon`` on its rule and its noisy count together.

    Privacy
    -------
    Requires  every candidate is ``epsilon/3``-DP under ``relation``; candidates are public.
    Ensures   ``epsilon``-DP, whatever the number of candidates and runs.
    Proof     Theorem 1 of ``best_of.proof.md``.
    Numerics  exact: the coins are fair bits, scores are integers, ties are settled by text.

    Edge cases
    ----------
    One candidate is allowed: it is then drawn several times and the best draw kept.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Best of, Theorem 1",
        statement="the best of a geometric number of runs of an epsilon/3-DP mechanism is "
        "epsilon-DP (after Liu and Talwar)",
        proof="problems/tables/best_of.proof.md",
    )

    candidates: tuple[CheckedLearner, ...]
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    tries: int = 4

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "tries", whole(self.tries, name="tries", least=1))
        if not self.candidates:
            raise BadInput("there must be at least one candidate")
        for one in self.candidates:
            parts = leaves(one.event())
            pure = [part for part in parts if isinstance(part, (Pure, Selection))]
            if len(pure) < len(parts):
                raise BadInput("each candidate must be pure: the proof has no room for a delta")
            spent = sum(part.epsilon for part in pure)
            if spent > self.epsilon / 3 or any(p.relation is not self.relation for p in parts):
                raise BadInput("each candidate may spend a third of epsilon, under one relation")

    # -- what is public about the count: ``Measuring`` --------------------------------------

    @property
    def draws(self) -> int:
        # The kept count is the least of a geometric number of them, ``tries`` on average.
        return self.tries

    @property
    def drawer(self) -> Drawer | None:
        return None  # the best of several draws follows no single law

    def count(self, found: Found) -> Fraction:
        return self._drew(found).epsilon

    def prior_of(self, found: Found) -> Fraction:
        return self._drew(found).prior_of(found) / len(self.candidates)

    def drawn_from(self, found: Found) -> str:
        return f"{self._drew(found).drawn_from(found)} (the best of several draws)"

    def _drew(self, found: Found) -> CheckedLearner:
        assert isinstance(found, Chosen)
        return self.candidates[found.candidate]

    def event(self) -> Event:
        return Pure(epsilon=self.epsilon, relation=self.relation)

    def _release(self, data: Sample, *, rng: Sampler) -> Chosen:
        best: tuple[int, int, str, Chosen] | None = None
        while True:
            place = rng.below(len(self.candidates))  # [P1]
            drawn = rng.part(self.candidates[place], data)  # [P2]
            text = json.dumps(drawn.to_dict(), sort_keys=True)
            chosen = Chosen(
                rule=drawn.rule,
                noisy_mistakes=drawn.noisy_mistakes,
                noisy_right=drawn.noisy_right,
                candidate=place,
            )
            entry = (drawn.noisy_mistakes, place, text, chosen)
            if best is None or entry[:3] < best[:3]:  # [P3]
                best = entry
            if rng.below(self.tries) == 0:  # [P4]
                return best[3]


@respelled("tries", after=1)
@dataclass(frozen=True)
class AnyOf(OverTable):
    """Rules of several classes over one table, of which the best of several draws is kept.

    Errors are compared with the best rule of that class whose best rule errs most: every draw
    comes as close to the best of its own class, and the first may be from any.
    """

    classes: tuple[ConceptClass, ...]
    _: KW_ONLY
    tries: int = 4
    name: ClassVar[str] = "any of several classes"

    def __post_init__(self) -> None:
        object.__setattr__(self, "tries", whole(self.tries, name="tries", least=1))
        if not self.classes or any(isinstance(one, AnyOf) for one in self.classes):
            raise BadInput("classes must list at least one class, and no selection among others")
        if len({one.domain for one in self.classes}) > 1:
            raise BadInput("all classes must be over the same schema")

    def count_share(self, *, n: int | None, epsilon: Fraction) -> Fraction:
        """Three tenths of every draw: noisy mistakes decide which rule is kept."""
        del n, epsilon
        return Fraction(3, 10)

    def most_aside(self, share: Fraction | None) -> Fraction:
        """Nothing: every draw pays for its own count."""
        del share
        return Fraction(0)

    def beside(
        self, *, n: int | None, epsilon: Fraction, beta: Fraction, declared: bool, values: int = 2
    ) -> tuple[tuple[Beside, ...], Mapping[str, int]]:
        """Nothing: each draw would pay for these numbers anew."""
        del n, epsilon, beta, declared, values
        return (), {}

    @property
    def domain(self) -> Schema:
        schema = self.classes[0].domain
        assert isinstance(schema, Schema)
        return schema

    @property
    def size(self) -> int:
        """How many rules the largest class has."""
        return max(one.size or 0 for one in self.classes)

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls((Trees(Schema.tiny(), depth=1), Intervals(Schema.tiny())), tries=2)

    def describe(self) -> str:
        kinds = " or ".join(one.describe() for one in self.classes)
        return f"the best of about {self.tries} draws of {kinds}"


class BestDrawn(Drawn):
    """Certify the best of several draws: which candidate drew the rule, and its mistakes."""

    def __call__(self, task: Task, outcome: Outcome) -> Facts:
        """The candidate's class and the counted mistakes; no single law to compare with."""
        mechanism, found = outcome.mechanism, outcome.value
        assert isinstance(mechanism, BestOf)
        assert isinstance(found, Chosen)
        return Facts(
            what=mechanism.drawn_from(found),
            measured=measured(task, mechanism, found, outcome),
            recipe={"candidate": found.candidate},
        )

    def found(self, stated: Certificate, value: object) -> object:
        """The rule, its stated mistakes, and who drew it."""
        if stated.measured is None or stated.recipe is None or not isinstance(value, Hypothesis):
            raise BadInput("the certificate does not say which candidate drew the rule")
        place = whole(stated.recipe.get("candidate"), name="candidate", least=0)
        return Chosen(
            rule=value,
            noisy_mistakes=stated.measured.noisy_mistakes,
            noisy_right=stated.measured.noisy_right,
            candidate=place,
        )


def _candidates(task: Task) -> tuple[tuple[Task, Algorithm, SampleBound], ...]:
    """For each class its part of the task, and the algorithm that needs the fewest records.

    Each draw fails with probability ``beta / tries`` at most, so all of them together with
    ``beta``: Theorem 2 of ``best_of.proof.md``.
    """
    family, epsilon = task.concept_class, task.privacy.epsilon
    assert isinstance(family, AnyOf)
    share = task.at(None).error_share
    if not share:
        raise BadInput("error_share must be above 0: noisy mistakes decide which rule is kept")
    draw = task.with_(
        epsilon=epsilon / 3 * (1 - share),
        delta=0,
        beta=task.accuracy.beta / family.tries,
        error_share=0,
        aside=0,
    )
    return tuple(_best(draw.with_(concept_class=one)) for one in family.classes)


def _best(task: Task) -> tuple[Task, Algorithm, SampleBound]:
    fitting = [
        (task, one, one.bound(task))
        for one in ALGORITHMS
        if one.applies.classes and one.why_not(task) is None and one.too_large(task) is None
    ]
    if not fitting:
        raise BadInput(f"no algorithm draws {task.concept_class.describe()} for a selection")
    return min(fitting, key=lambda option: (option[2].n, option[1].name))


def _samples(task: Task) -> SampleBound:
    return max((bound for _, _, bound in _candidates(task)), key=lambda bound: bound.n)


def _mechanism(task: Task, _bound: SampleBound, size: Size) -> BestOf:
    family, epsilon = task.concept_class, task.privacy.epsilon
    assert isinstance(family, AnyOf)
    return BestOf(
        candidates=tuple(
            CheckedLearner(
                learner=algorithm.build(part, bound, size),
                epsilon=epsilon / 3 - part.privacy.epsilon,
            )
            for part, algorithm, bound in _candidates(task)
        ),
        epsilon=epsilon,
        relation=task.privacy.relation,
        tries=family.tries,
    )


BEST_OF = ALGORITHMS.add(
    Algorithm(
        name="best of several draws",
        summary="draw from each class about as often as asked, keep the fewest noisy mistakes",
        applies=Applies(proper=True, classes=(AnyOf,), ignores=True),
        claim=BestOf.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=BestDrawn(),
        tiny=lambda entry: tiny_rules(
            entry, lambda schema: AnyOf((Trees(schema, depth=1),), tries=2), cells=1
        ),
        counts=True,
    )
)
