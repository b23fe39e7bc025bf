"""A table for all thresholds, read off the noisy counts of a B-ary tree."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    ZCDP,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Event,
    Mechanism,
    Pure,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Task,
    Tiny,
)
from tacit.core.numbers import positive, whole
from tacit.core.tiny import DELTA, RARE
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.problems.finite.reasons import TABLES_NEED
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.thresholds import threshold_tables_upper as threshold_tables
from tacit.problems.thresholds.prefix_table import spread
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.problems.thresholds.tiny_thresholds import coarse_thresholds, on_threshold_queries
from tacit.tallies.distinct import distinct, features, fits_a_table

Counts = npt.NDArray[np.int64]
_PROOF = "problems/thresholds/noisy_tree.proof.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyTree(Mechanism[Sample, SyntheticTable]):
    """Counts of all nodes of a tree over the domain, with noise; a table that agrees with them.

    ``levels`` levels below the root, each node with ``branching`` children; a node is
    divided if its noisy count reaches ``divide``, or always if that is ``None``.
    Give ``epsilon`` for geometric noise or ``rho`` for Gaussian noise.

    Privacy
    -------
    Requires  the number of records is public.
    Ensures   ``epsilon``-DP, or ``rho``-zCDP, under ``REPLACE_ONE``.
    Proof     Theorems 1 and 2 of ``noisy_tree.proof.md``.
    Numerics  exact noise; the table is made from released numbers.

    Utility
    -------
    ``tacit.problems.thresholds.threshold_tables_upper.tree``.

    Edge cases
    ----------
    No records: no rows. Nodes beyond the end of the domain are left out.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorems 1 and 2 of noisy_tree.proof.md",
        statement="noisy counts of the nodes of a tree are private: a substitution moves two "
        "counts a level by one",
        proof=_PROOF,
    )

    domain: Integers
    branching: int
    levels: int
    divide: int | None = None
    epsilon: Fraction | None = None
    rho: Fraction | None = None

    def __post_init__(self) -> None:
        if (self.epsilon is None) == (self.rho is None):
            raise BadInput("give either epsilon= or rho= for a noisy tree")
        for name in ("epsilon", "rho"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, positive(getattr(self, name), name=name))
        branching = whole(self.branching, name="branching", least=2)
        levels = whole(self.levels, name="levels", least=1)
        width = branching.bit_length() - 1
        if branching != 1 << width:
            raise BadInput("branching must be a power of 2")
        if not (levels - 1) * width < self.domain.bits <= levels * width:
            raise BadInput("levels must be the least number of levels that holds the domain")
        if self.divide is not None:
            whole(self.divide, name="divide", least=1)

    def event(self) -> Event:
        if self.rho is not None:
            return ZCDP(rho=self.rho, relation=Relation.REPLACE_ONE)
        assert self.epsilon is not None
        return Pure(epsilon=self.epsilon, relation=Relation.REPLACE_ONE)

    def _noise(self, rng: Sampler, count: int) -> Counts:
        if self.rho is not None:
            return rng.gaussians(self.levels / self.rho, count)
        assert self.epsilon is not None
        return rng.geometrics(2 * self.levels / self.epsilon, count)

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size)

    def _release(self, data: Sample, *, rng: Sampler) -> SyntheticTable:
        occurring, counts = distinct(features(data), self.domain)  # [P1]
        through = np.concatenate([[0], np.cumsum(counts)])
        n, bits = int(through[-1]), self.domain.bits
        width = self.branching.bit_length() - 1
        kind: npt.DTypeLike = np.uint64 if self.domain.fits_a_word else object
        starts = np.zeros(1, dtype=kind)
        last = np.full(1, n, dtype=np.int64)
        below = np.zeros(1, dtype=np.int64)
        kept: list[tuple[Placed, Counts]] = []
        for level in reversed(range(self.levels)):
            shift = level * width
            fan = min(width, bits - shift)
            steps = np.array([digit << shift for digit in range(1 << fan)], dtype=kind)
            children = starts[:, None] + steps[None, :]
            inside = np.asarray(children <= self.domain.size - 1, dtype=bool)
            left = through[np.searchsorted(occurring, children.ravel())].reshape(children.shape)
            ends = np.concatenate([left[:, 1:], last[:, None]], axis=1)
            counts = ends - left
            noisy = counts + self._noise(rng, counts.size).reshape(counts.shape)  # [P2]
            summed = below[:, None] + np.cumsum(noisy, axis=1) - noisy
            grows = inside & (level > 0)
            if self.divide is not None:
                grows &= noisy >= self.divide  # [P3]
            kept.append((children[inside & ~grows], summed[inside & ~grows]))
            starts, below = children[grows], summed[grows]
            last = ends[grows]
        values = np.concatenate([part[0] for part in kept])
        prefixes = np.concatenate([part[1] for part in kept])
        order = np.argsort(values, kind="stable")
        found = [int(value) for value in values[order].tolist()]
        table: SyntheticTable = spread(self.domain, found, prefixes[order], n=n)  # [P4]
        return table


def _bound(task: Task) -> SampleBound:
    return threshold_tables.tree(
        bits=task.concept_class.domain.bits,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
    )


def _gaussian_bound(task: Task) -> SampleBound:
    return threshold_tables.tree(
        bits=task.concept_class.domain.bits,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
    )


def _built(task: Task, n: int, bound: SampleBound) -> NoisyTree:
    choices = bound.choices
    least = choices.get("least_count")
    divide = None
    if least is not None:
        divide = threshold_tables.divided_from(n=n, alpha=task.accuracy.alpha, least_count=least)
    rho = choices.get("rho")
    return NoisyTree(
        domain=task.concept_class.domain,
        branching=choices["branching"],
        levels=choices["levels"],
        divide=divide,
        epsilon=None if rho is not None else task.privacy.epsilon,
        rho=rho,
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_threshold_queries(entry).exactly(
        lambda e: NoisyTree(domain=Integers(size=2), branching=2, levels=1, epsilon=e),
        records=(0, 1),
        n=4,
    )


def _tiny_gaussian(entry: Algorithm) -> Tiny:
    return on_threshold_queries(entry, delta=DELTA).exactly(
        lambda e: coarse_thresholds(entry, e, 2, DELTA),
        records=(0, 1),
        n=2,
        delta=RARE,
        faint=Fraction(1, 1 << 22),
    )


TREE = ALGORITHMS.add(
    Algorithm(
        name="tree-thresholds",
        summary="noise on the counts of a tree over the domain, divided where counts are high",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=(Thresholds,),
        ),
        claim=threshold_tables.TREE,
        bound=_bound,
        build=lambda task, bound, size: _built(task, size.n, bound),
        tiny=_tiny,
    )
)

GAUSSIAN_TREE = ALGORITHMS.add(
    Algorithm(
        name="gaussian-tree-thresholds",
        summary="the tree with discrete Gaussian noise: cheaper on long paths",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=(Thresholds,),
            delta=True,
        ),
        claim=threshold_tables.TREE,
        bound=_gaussian_bound,
        build=lambda task, bound, size: _built(task, size.n, bound),
        tiny=_tiny_gaussian,
    )
)
