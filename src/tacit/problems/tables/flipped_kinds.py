"""Short lists and constant labels in one draw by permute-and-flip, which never errs more."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import gcd, lcm
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Claim, Event, Hypothesis, Pure, Sample, Sampler
from tacit.exact.landscape import tally
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.trees import TreeRule
from tacit.tallies.placed import placed


@dataclass(frozen=True, slots=True, kw_only=True)
class FlippedKinds(KindsLearner):
    """Draw a constant label or a listed rule by permute-and-flip, each as often as its prior says.

    Shares stand for copies: a rule whose prior is three times another's is three candidates.

    Privacy
    -------
    Requires  as ``KindsLearner``; the only trees are constant labels.
    Ensures   ``epsilon``-DP under ``relation``; no bounded range.
    Proof     Theorem 4 of ``kinds.proof.md``.
    Numerics  exact: balls decide.

    Utility
    -------
    Theorem 5: on every table at most the expected mistakes of ``KindsLearner`` with the same
    shares, at the same epsilon.

    Edge cases
    ----------
    As ``KindsLearner``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Kinds, Theorem 4",
        statement="permute-and-flip over copies of the rules of several lists, as many as their "
        "priors say, is epsilon-DP for rate = epsilon / w",
        proof="problems/tables/kinds.proof.md",
    )

    def __post_init__(self) -> None:
        KindsLearner.__post_init__(self)
        if [trees.depth for trees in self.trees] != [0]:
            raise BadInput("only constant labels and listed rules are drawn by permute-and-flip")

    @property
    def copies(self) -> tuple[int, ...]:
        """How many candidates each rule is: a constant label, then a rule of each list."""
        sizes = (2, *(kind.size for kind in self.lists))
        priors = [share / size for share, size in zip(self.shares, sizes, strict=True)]
        scale = lcm(*(prior.denominator for prior in priors))
        whole = [int(prior * scale) for prior in priors]
        return tuple(number // gcd(*whole) for number in whole)

    def event(self) -> Event:
        return Pure(epsilon=self.epsilon, relation=self.relation)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        cells, labels = placed(data, self.schema)  # [P1]
        ones = int(labels.sum())
        wrong = (self.costs[1] * ones, self.costs[0] * (len(labels) - ones))
        landscapes = [kind.landscape(cells, labels, self.costs) for kind in self.lists]
        parts = [(dict(Counter(wrong)), self.copies[0])]
        for landscape, copies in zip(landscapes, self.copies[1:], strict=True):
            levels = landscape.levels()
            pairs = zip(levels.errors.tolist(), levels.counts.tolist(), strict=True)
            parts.append(({error: int(count) for error, count in pairs}, copies))
        errors = np.array([error for counts, _ in parts for error in counts], dtype=np.int64)
        sizes: npt.NDArray[np.object_] = np.array(
            [copies * count for counts, copies in parts for count in counts.values()], dtype=object
        )
        levels = tally(errors, sizes)
        place = rng.flip_level(levels, rate=self.rate)  # [P5]
        error, rank = int(levels.errors[place]), rng.below(int(levels.counts[place]))
        before = 0
        while rank >= parts[before][1] * parts[before][0].get(error, 0):
            rank -= parts[before][1] * parts[before][0].get(error, 0)
            before += 1
        rank //= parts[before][1]
        if before == 0:
            both = wrong[0] == wrong[1]  # then rank 0 is label 0, and rank 1 label 1
            return TreeRule(schema=self.schema, root=bool(rank) if both else error != wrong[0])
        member = landscapes[before - 1].member(error, rank)
        rule: Hypothesis = self.lists[before - 1].hypothesis(member)
        return rule
