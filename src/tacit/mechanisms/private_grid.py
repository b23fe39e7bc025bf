"""A grid for numeric columns, read off noisy counts: fine where the records are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    MECHANISMS,
    BadInput,
    Claim,
    Event,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Sampler,
    Tiny,
)
from tacit.core.numbers import positive, whole
from tacit.core.source import Batch
from tacit.core.tally import Streamed
from tacit.core.tiny import divided
from tacit.domains.fields import Number
from tacit.domains.schema import Field, Schema
from tacit.tallies.arrays import ReadBatch

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FineCounts:
    """A tally of the cells of some columns of a table: a row a column."""

    schema: Schema
    columns: tuple[int, ...]

    def zero(self) -> Counts:
        most = max((self.schema.cells[column] for column in self.columns), default=0)
        return np.zeros((len(self.columns), most), dtype=np.int64)

    def add(self, counter: Counts, batch: Batch) -> Counts:
        cells = self.schema.coerce(batch.column(0))
        for row, column in zip(counter, self.columns, strict=True):
            row += np.bincount(cells[:, column], minlength=len(row))
        return counter

    def merge(self, left: Counts, right: Counts) -> Counts:
        left += right
        return left


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateGrid(Mechanism[Sample, Schema]):
    """Cut ``columns`` of a schema anew: ``cells`` cells of about equal weight each.

    Each column is counted on ``fine`` equal cells with noise; neighbours that weigh least
    together are joined until ``cells`` are left. Only features are looked at, never labels.

    Privacy
    -------
    Requires  schema, ``columns``, ``fine`` and ``cells`` are public.
    Ensures   ``epsilon``-DP; nothing is told at all where features are public (label privacy).
    Proof     Theorem 1 of ``private_grid.proof.md``.
    Numerics  exact: integers and geometric noise.

    Edge cases
    ----------
    No records: noise alone decides. Missing values keep their own cell and weigh nothing.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Private grid, Theorem 1",
        statement="joining the cells of counts with geometric noise of scale d/epsilon (2d/epsilon "
        "for replacements) on d columns is epsilon-DP",
        proof="mechanisms/private_grid.proof.md",
    )

    schema: Schema
    columns: tuple[int, ...]
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    fine: int = 64
    cells: int = 16

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))
        object.__setattr__(self, "cells", whole(self.cells, name="cells", least=1))
        object.__setattr__(self, "fine", whole(self.fine, name="fine", least=self.cells))
        numeric = all(isinstance(self.schema.fields[column], Number) for column in self.columns)
        if not self.columns or not numeric or len(set(self.columns)) != len(self.columns):
            raise BadInput("columns must be different numeric columns of the schema")

    @property
    def fine_schema(self) -> Schema:
        """The schema whose cells are counted: fixed before any record is read."""
        return self._cut_at({column: range(1, self.fine) for column in self.columns})

    @property
    def scale(self) -> Fraction:
        """Of the noise: each of the columns moves by one in one cell, or in two."""
        moved = {Relation.REPLACE_ONE: 2, Relation.ADD_REMOVE: 1, Relation.LABEL: 0}
        return moved[self.relation] * len(self.columns) / self.epsilon

    def event(self) -> Event:
        return Pure(epsilon=self.epsilon, relation=self.relation)

    def _release(self, data: Sample, *, rng: Sampler) -> Schema:
        tally = FineCounts(self.fine_schema, self.columns)
        if isinstance(data, Streamed):
            found = data.fold(tally)
        else:
            found = tally.add(tally.zero(), ReadBatch((data.x, None), len(data)))
        cuts = {}
        for column, placed in zip(self.columns, found, strict=True):
            first = self.schema.fields[column].extra  # the cells before are for missing values
            counts = placed[first : first + self.fine]  # [P1]
            noisy = [  # [P2]
                int(count) + (rng.geometric(self.scale) if self.scale else 0) for count in counts
            ]
            cuts[column] = joined(noisy, self.cells)  # [P3]
        return self._cut_at(cuts)

    def _cut_at(self, cuts: Mapping[int, Sequence[int]]) -> Schema:
        fields: list[Field] = list(self.schema.fields)
        for column, places in cuts.items():
            field = fields[column]
            assert isinstance(field, Number)
            step = (field.high - field.low) / self.fine
            edges = tuple(field.low + step * place for place in places)
            fields[column] = replace(field, bins=None, edges=edges, names=None)
        return Schema(self.schema.names, tuple(fields))


def joined(counts: Sequence[int], cells: int) -> list[int]:
    """Where to cut so that at most ``cells`` are left: the lightest two neighbours are joined.

    Negative counts weigh nothing; of equal pairs the first is joined.

    >>> joined([5, 0, 0, 9, 1, 1], 3)
    [3, 4]
    """
    weights = [max(count, 0) for count in counts]
    starts = list(range(len(weights)))
    while len(starts) > cells:
        pairs = [weights[place] + weights[place + 1] for place in range(len(weights) - 1)]
        lightest = pairs.index(min(pairs))
        weights[lightest] = pairs[lightest]
        del weights[lightest + 1], starts[lightest + 1]
    return starts[1:]


TINY_NUMBERS = [((0.1,), 0), ((0.4,), 1), ((0.9,), 1)]
TINY_NEIGHBOURS = divided(((0.1,), 1), ((0.9,), 1), n=6, at=(6,))


def tiny_grid(epsilon: Fraction) -> PrivateGrid:
    """Two cells of one column, from three fine ones."""
    schema = Schema.of([(0, 1)], bins=2).declared_complete()
    return PrivateGrid(schema=schema, columns=(0,), epsilon=epsilon, fine=3, cells=2)


MECHANISMS.add(
    Tiny(
        name="PrivateGrid",
        make=tiny_grid,
        records=TINY_NUMBERS,
        n=2,
        pairs=TINY_NEIGHBOURS,
        faint=Fraction(1, 1 << 20),
    )
)
