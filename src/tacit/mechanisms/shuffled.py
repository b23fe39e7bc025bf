"""Put records in a random order before a mechanism that tells them apart by their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    Approximate,
    BadInput,
    Claim,
    Event,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Sampler,
)
from tacit.core.numbers import whole
from tacit.tallies.distinct import fits_a_table
from tacit.tallies.labelled import LabelledValues, Words

V = TypeVar("V")
_FEW = 16
_KEYS = 1 << 62
_MOST_ROWS = 1 << 22
"""Of so many records the order and the cells are small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffled(Mechanism[Sample, V]):
    """Run ``inner`` on the records in a uniformly random order.

    The records are read as their values in ``domain`` and ``k`` labels, each kind with how often
    it occurs: what order they come in, from whatever source, plays no part. One cell a record
    is held then, all of them: a public number.

    Privacy
    -------
    Requires  ``inner`` is pure or approximate DP for the substitution of the record, or of the
              label, at one place; the number of records is public.
    Ensures   the same epsilon and delta for the substitution of one record, or of one label, of
              a collection without order.
    Proof     Theorem 1 of ``shuffled.proof.md``.
    Numerics  exact.

    Utility
    -------
    Independent records stay independent in a random order: what ``inner`` promises.

    Edge cases
    ----------
    No records: ``inner`` runs on none.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Random order, Theorem 1",
        statement="a mechanism that is private for lists is as private for collections without "
        "order if these are put in a uniformly random order first",
        proof="mechanisms/shuffled.proof.md",
    )

    inner: Mechanism[Sample, V]
    domain: Words
    k: int = 1

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        cost = self.inner.event()
        # A mixture of laws of bounded range need not have one.
        if not isinstance(cost, Pure | Approximate) or cost.relation is Relation.ADD_REMOVE:
            raise BadInput("a random order is for pure or approximate DP, by substitution")

    def event(self) -> Event:
        return self.inner.event()

    def label(self) -> str:
        return self.inner.label()

    def streams(self, n: int | None) -> bool:
        if n is None or n > _MOST_ROWS:
            return False
        return fits_a_table(n, self.domain.size << self.k)

    def _release(self, data: Sample, *, rng: Sampler) -> V:
        table = LabelledValues(self.domain, self.k).counted(data)  # [P1]
        kinds = np.repeat(np.arange(len(table.counts)), table.counts)
        rows = kinds[random_order(len(kinds), rng=rng)]  # [P2]
        labels = table.labels[rows] if self.k > 1 else table.labels[rows, 0]
        return rng.part(self.inner, Sample(table.values[rows], labels, positive=True))  # [P3]


def random_order(n: int, *, rng: Sampler) -> npt.NDArray[np.int64]:
    """The numbers below ``n`` in a uniformly random order."""
    if n <= _FEW:
        order = np.arange(n, dtype=np.int64)
        for last in range(n - 1, 0, -1):
            place = rng.below(last + 1)
            order[[last, place]] = order[[place, last]]
        return order
    while True:
        keys = rng.indices(below=_KEYS, count=n)
        order = np.argsort(keys, kind="stable")
        if (np.diff(keys[order]) > 0).all():  # else two are equal: all are drawn anew
            return order
