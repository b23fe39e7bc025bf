"""The best of several private rules, drawn a random number of times, for one budget."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tacit.core import (
    BadInput,
    Claim,
    Event,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Sampler,
    Selection,
    leaves,
)
from tacit.core.numbers import positive, whole
from tacit.problems.tables.checked import Checked, CheckedLearner


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen(Checked):
    """A checked rule, and which of the candidates drew it."""

    candidate: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOf(Mechanism[Sample, Chosen]):
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

    def event(self) -> Event:
        return Pure(epsilon=self.epsilon, relation=self.relation)

    def _release(self, data: Sample, *, rng: Sampler) -> Chosen:
        best: tuple[int, int, str, Chosen] | None = None
        while True:
            place = rng.below(len(self.candidates))  # [P1]
            drawn = rng.part(self.candidates[place], data)  # [P2]
            text = json.dumps(drawn.to_dict(), sort_keys=True)
            chosen = Chosen(rule=drawn.rule, noisy_mistakes=drawn.noisy_mistakes, candidate=place)
            entry = (drawn.noisy_mistakes, place, text, chosen)
            if best is None or entry[:3] < best[:3]:  # [P3]
                best = entry
            if rng.below(self.tries) == 0:  # [P4]
                return best[3]
