"""Several kinds of rules in one draw, each with its share of the prior."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper.stages import mistakes_of_one_draw
from tacit.core import (
    BadInput,
    Claim,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    Sampler,
    Selection,
)
from tacit.core.numbers import positive
from tacit.domains.schema import Schema
from tacit.exact.balls import Ball, ball
from tacit.exact.cells import BEYOND, ULP
from tacit.exact.landscape import Landscape
from tacit.exact.levels import Levels
from tacit.mechanisms.calibration import cost_spread
from tacit.problems.tables.equally_likely import Kind
from tacit.problems.tables.tree_priors import tree_comparators, tree_prior
from tacit.problems.tables.tree_weights import Node, Weigher
from tacit.problems.tables.trees import TreeRule, Trees
from tacit.tallies.placed import placed

_LEVELS = (
    "constant labels",
    "trees of one level",
    "trees of two levels",
    "trees of three levels",
    "trees of four levels",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KindsLearner(Mechanism[Sample, Hypothesis], Drawer):
    """Draw a rule of any kind with weight ``share * prior * exp(-rate * mistakes)``.

    ``trees`` are classes of trees, ``lists`` are listed classes; ``shares`` are the parts of the
    prior of all of them, in that order. A mistake on a record of label 0 or 1 counts
    ``costs[0]`` or ``costs[1]`` times.

    Privacy
    -------
    Requires  kinds, shares and costs are public, over one schema; shares are positive and sum
              to 1.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``relation``.
    Proof     Theorem 1 of ``kinds.proof.md``.
    Numerics  exact: floats decide only where a proved bound leaves no doubt.

    Utility
    -------
    Theorem 2: against every kind by itself, ``ln(1/share) / rate`` mistakes are lost at most in
    the bound for that kind.

    Edge cases
    ----------
    As ``TreeLearner``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Kinds, Theorem 1",
        statement="drawing from the union of several classes with weight share * prior * "
        "exp(-rate * mistakes) is epsilon-bounded-range for rate = epsilon / w",
        proof="problems/tables/kinds.proof.md",
    )

    schema: Schema
    trees: tuple[Trees, ...]
    lists: tuple[Kind, ...]
    shares: tuple[Fraction, ...]
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    costs: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))
        kinds: tuple[Any, ...] = (*self.trees, *self.lists)
        if not kinds or len(kinds) != len(self.shares):
            raise BadInput("there must be a share for each kind of rule")
        if min(self.shares) <= 0 or sum(self.shares) != 1:
            raise BadInput("shares must be positive and sum to 1")
        if any(one.domain != self.schema for one in kinds):
            raise BadInput("all kinds of rules must be over the one schema")

    @property
    def rate(self) -> Fraction:
        """The exponent per mistake of cost 1."""
        return self.epsilon / cost_spread(self.relation, self.costs)

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def least_prior(self) -> Fraction:
        return min(prior for _, prior in self._least())

    def _least(self) -> Iterator[tuple[str, Fraction]]:
        kinds: tuple[Any, ...] = (*self.trees, *self.lists)
        for kind, share in zip(kinds, self.shares, strict=True):
            yield kind.describe(), share * kind.least_prior()

    @property
    def drawn_from(self) -> str:
        words = [*self._tree_words(), *(one.name for one in self.lists)]
        return f"{', '.join(words)} over {self.schema.describe()}"

    def _tree_words(self) -> list[str]:
        return [_LEVELS[trees.depth] for trees in self.trees]

    @property
    def compared_with(self) -> str:
        return self.drawn_from

    def prior(self, rule: Hypothesis) -> Fraction:
        priors = [Fraction(0)]
        parts = tuple(zip(self.trees, self.shares, strict=False))
        if isinstance(rule, TreeRule):
            priors.append(tree_prior(parts, rule))
        for kind, share in zip(self.lists, self.shares[len(self.trees) :], strict=True):
            if kind.has(rule):
                priors.append(share * kind.prior(rule))
        return max(priors)

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        parts = tuple(zip(self.trees, self.shares, strict=False))
        trees = tree_comparators(parts) if parts else ()
        lists = tuple(
            (f"all {kind.name}", share * kind.least_prior())
            for kind, share in zip(self.lists, self.shares[len(self.trees) :], strict=True)
        )
        return (*trees, *lists)

    def lost(self, beta: Fraction) -> Fraction:
        return mistakes_of_one_draw(prior=self.least_prior, rate=self.rate, beta=beta)

    # -- the draw --------------------------------------------------------------------------

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=self.relation)

    def prepare(self) -> None:
        from tacit.problems.tables.warm import warm, warm_scores

        warm(max((trees.depth for trees in self.trees), default=0))
        warm_scores()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        cells, labels = placed(data, self.schema)  # [P1]
        weighed = self._weighed(cells, labels)
        listed = [_Listed.of(kind, cells, labels, self.costs) for kind in self.lists]
        kinds: list[_Trees | _Listed] = [*weighed, *listed]
        least = min(one.least for one in kinds)
        constants = Weigher(Trees(self.schema, depth=0), self.rate, self.costs)
        decay = constants.decay(constants.root(cells, labels))
        sums = [one.weight(least, decay) for one in kinds]
        shares = np.array([float(share) for share in self.shares])
        terms = max(one.terms for one in kinds)
        relative = max([one.relative for one in weighed], default=0.0) + 2 * (terms + 10) * ULP
        kind = rng.cell(  # [P2]
            np.array(sums) * shares,
            relative=relative,
            absolute=BEYOND * (terms + 2),
            balls=lambda: self._balls(weighed, listed),
        )
        if kind < len(weighed):
            return weighed[kind].draw(rng)  # [P3]
        return listed[kind - len(weighed)].draw(self.rate, rng)  # [P4]

    def _weighed(self, cells: npt.NDArray[np.int32], labels: npt.NDArray[np.bool_]) -> list[_Trees]:
        """Every class of trees, the records counted once for all of two levels and more."""
        weighers = [Weigher(trees, self.rate, self.costs) for trees in self.trees]
        deep = max((one for one in weighers), key=lambda one: one.trees.depth, default=None)
        shared = None if deep is None or deep.trees.depth < 2 else deep.root(cells, labels)
        found = []
        for weigher in weighers:
            depth = weigher.trees.depth
            root = shared if shared is not None and depth > 1 else weigher.root(cells, labels)
            found.append(_Trees(weigher, root, *weigher.choices(root, depth)))
        return found

    def _balls(self, weighed: list[_Trees], listed: list[_Listed]) -> Iterator[Ball]:
        totals = [one.total() for one in weighed] + [one.total(self.rate) for one in listed]
        for share, total in zip(self.shares, totals, strict=True):
            yield ball(share) * total


@dataclass(frozen=True, slots=True, eq=False)
class _Trees:
    """All trees of one class, weighed on the records. Private."""

    weigher: Weigher
    root: Node
    m: npt.NDArray[np.int64]
    z: npt.NDArray[np.float64]

    def __repr__(self) -> str:
        return "Trees(private)"

    @property
    def least(self) -> int:
        return int(self.m.min())

    @property
    def terms(self) -> int:
        return len(self.m)

    @property
    def relative(self) -> float:
        return self.weigher.relative_error(self.weigher.trees.depth)

    def weight(self, least: int, decay: npt.NDArray[np.float64]) -> float:
        """The whole class's weight, times ``exp(rate * least)``."""
        return _summed(self.m - least, self.z, decay)

    def total(self) -> Ball:
        return self.weigher.total(self.root, self.weigher.trees.depth)

    def draw(self, rng: Sampler) -> Hypothesis:
        trees = self.weigher.trees
        known = (self.m, self.z)
        tree = self.weigher.draw(self.root, levels=trees.depth, rng=rng, known=known)
        return trees.hypothesis(tree)


@dataclass(frozen=True, slots=True, eq=False)
class _Listed:
    """The mistakes of all rules of a list, counted on the records. Private."""

    kind: Kind
    landscape: Landscape
    levels: Levels

    def __repr__(self) -> str:
        return "Listed(private)"

    @classmethod
    def of(
        cls,
        kind: Kind,
        cells: npt.NDArray[np.int32],
        labels: npt.NDArray[np.bool_],
        costs: tuple[int, int],
    ) -> _Listed:
        landscape: Landscape = kind.landscape(cells, labels, costs)
        return cls(kind, landscape, landscape.levels())

    @property
    def least(self) -> int:
        return int(self.levels.errors[0])

    @property
    def terms(self) -> int:
        return len(self.levels.errors)

    def weight(self, least: int, decay: npt.NDArray[np.float64]) -> float:
        """The whole list's weight, times ``exp(rate * least)``."""
        size = self.kind.size
        parts = np.array([count / size for count in self.levels.counts.tolist()])
        return _summed(self.levels.errors - least, parts, decay)

    def total(self, rate: Fraction) -> Ball:
        total = ball(0)
        pairs = zip(self.levels.errors.tolist(), self.levels.counts.tolist(), strict=True)
        for error, count in pairs:
            total += ball(int(count)) * (-ball(rate) * error).exp()
        return total / self.kind.size

    def draw(self, rate: Fraction, rng: Sampler) -> Hypothesis:
        index = rng.level(self.levels, rate=rate)
        rank = rng.below(int(self.levels.counts[index]))
        member = self.landscape.member(int(self.levels.errors[index]), rank)
        rule: Hypothesis = self.kind.hypothesis(member)
        return rule


def _summed(
    gaps: npt.NDArray[np.int64],
    parts: npt.NDArray[np.float64],
    decay: npt.NDArray[np.float64],
) -> float:
    reach = gaps < len(decay)
    return float((parts[reach] * decay[gaps[reach]]).sum())
