"""One-way sequences on a GGM tree: easy to compute forwards, hard to compute backwards.

The leaves of a binary tree of depth ``k`` are numbered from the left. Every node has a
seed; the root's is the secret ``s`` and a child's is a hash of its parent's. The string
of leaf ``i`` lists the seeds of the right siblings along its path: from them every leaf
to the right of ``i`` can be computed, and none to its left (B20 section 3.1).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.numbers import whole
from tacit.core.records import Stored, below
from tacit.domains.bits import Bits
from tacit.domains.integers import MOST_BITS
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.tallies.mistakes import AddsUp

_MOST_LEAVES = 1 << 18
"""How many leaves of all seeds together may be followed to count mistakes."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The GGM tree with ``2**index_bits`` leaves and seeds of ``seed_bits`` bits.

    Strings have ``width`` bits: one slot of ``seed_bits`` bits per level, from the top,
    then zeros. ``forward`` is total: any bits whatever are a string.
    """

    index_bits: int
    seed_bits: int
    width: int

    @property
    def leaves(self) -> int:
        """How many leaves there are."""
        return 1 << self.index_bits

    @property
    def padding(self) -> int:
        """How many bits of a string lie behind its slots."""
        return self.width - self.index_bits * self.seed_bits

    def _hash(self, tag: bytes, rest: bytes, seed: int, size: int) -> int:
        text = tag + self.seed_bits.to_bytes(4, "big") + rest
        text += seed.to_bytes(-(-self.seed_bits // 8), "big")
        return int.from_bytes(hashlib.shake_128(text).digest(size), "big")

    def child(self, seed: int, branch: int) -> int:
        """The seed of the left (0) or right (1) child."""
        size = -(-self.seed_bits // 8)
        word = self._hash(b"OWS-GGM", bytes([branch]), seed, size)
        return word >> (8 * size - self.seed_bits)

    def label(self, seed: int) -> int:
        """The label of a leaf."""
        return self._hash(b"OWS-LBL", b"", seed, 1) & 1

    def slot(self, string: int, level: int) -> int:
        """The seed that a string holds for a level."""
        shift = self.padding + (self.index_bits - 1 - level) * self.seed_bits
        return (string >> shift) & ((1 << self.seed_bits) - 1)

    def _pack(self, slots: list[int]) -> int:
        string = 0
        for seed in slots:
            string = (string << self.seed_bits) | seed
        return string << self.padding

    def _walk(self, slots: list[int], seed: int, path: int) -> tuple[int, int]:
        # Down from a node at depth len(slots) along the low bits of `path`.
        for level in range(len(slots), self.index_bits):
            branch = (path >> (self.index_bits - 1 - level)) & 1
            slots.append(0 if branch else self.child(seed, 1))
            seed = self.child(seed, branch)
        return self._pack(slots), self.label(seed)

    def leaf(self, index: int, seed: int) -> tuple[int, int]:
        """``(G(i, s), f(i, s))``: the string and the label of leaf ``index``."""
        return self._walk([], seed, index)

    def forward(self, later: int, index: int, string: int) -> tuple[int, int]:
        """The string and label of a leaf to the right, from any string claimed for ``index``.

        ``forward(j, i, G(i, s)) == (G(j, s), f(j, s))`` for all ``i < j``.
        """
        level = self.index_bits - (later ^ index).bit_length()
        kept = []
        for above in range(level):
            branch = (later >> (self.index_bits - 1 - above)) & 1
            kept.append(0 if branch else self.slot(string, above))
        return self._walk([*kept, 0], self.slot(string, level), later)


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class OneWayRule:
    """1 on the strings, labelled 1, that follow from ``string`` at leaf ``start``.

    A concept is the rule that starts at leaf 0.
    """

    kind: ClassVar[str] = "one-way-sequence"
    tree: Tree
    start: int
    string: int
    label: int

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        width = self.tree.width
        cells = Bits(columns=self.tree.index_bits + width).coerce(x)
        low = (1 << width) - 1
        after = lru_cache(maxsize=None)(self._after)
        ones = [after(cell >> width) == (cell & low, 1) for cell in cells.tolist()]
        return np.array(ones, dtype=bool)

    def _after(self, index: int) -> tuple[int, int]:
        """What the rule expects at a leaf; label 0 means that nothing is 1 there."""
        if index < self.start:
            return 0, 0
        if index == self.start:
            return self.string, self.label
        return self.tree.forward(index, self.start, self.string)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        return (
            f"{labels[1]} if {column} lies on the sequence that starts at step "
            f"{self.start} with string {self.string} and mark {self.label}, and is marked 1, else "
            f"{labels[0]}"
        )

    def to_dict(self) -> dict[str, object]:
        tree = self.tree
        return {
            "kind": self.kind,
            "tree": [tree.index_bits, tree.seed_bits, tree.width],
            "start": str(self.start),
            "string": str(self.string),
            "label": self.label,
        }

    @classmethod
    def from_dict(cls, record: Stored) -> OneWayRule:
        index_bits, seed_bits, width = (below(MOST_BITS, size) for size in record["tree"])
        tree = Tree(index_bits, seed_bits, width)
        if tree.padding < 0:
            raise ValueError("strings that are shorter than their slots")
        return cls(
            tree=tree,
            start=below(tree.leaves, record["start"]),
            string=below(1 << width, record["string"]),
            label=below(2, record["label"]),
        )


@dataclass(frozen=True, slots=True)
class OneWaySequences(AddsUp):
    """The concepts ``c_s(i, string) = 1`` iff ``string = G(i, s)`` and ``f(i, s) = 1``.

    Give ``bits``, the length ``d`` of a record: then ``k = floor(sqrt d) - 1`` bits number
    the leaf and seeds have ``k`` bits too, as in the paper. Or give ``index_bits`` and
    ``seed_bits`` (128 for security): then ``d = k + k * seed_bits``.
    """

    tree: Tree
    name: ClassVar[str] = "one-way-sequences"

    def __init__(
        self,
        *,
        bits: int | None = None,
        index_bits: int | None = None,
        seed_bits: int | None = None,
    ) -> None:
        if bits is not None and index_bits is None and seed_bits is None:
            length = whole(bits, name="bits", least=4)
            k = seed = isqrt(length) - 1
        elif bits is None and index_bits is not None and seed_bits is not None:
            k = whole(index_bits, name="index_bits", least=1)
            seed = whole(seed_bits, name="seed_bits", least=1)
            length = k + k * seed
        else:
            raise BadInput("give either bits= or both index_bits= and seed_bits=")
        if length > MOST_BITS:
            raise BadInput(f"a record may have at most {MOST_BITS} bits")
        object.__setattr__(self, "tree", Tree(k, seed, length - k))

    @property
    def domain(self) -> Bits:
        """The public values that records have."""
        return Bits(columns=self.tree.index_bits + self.tree.width)

    @property
    def size(self) -> int:
        """One concept per seed; on tiny trees two seeds may give the same one."""
        return 1 << self.tree.seed_bits

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(bits=8)

    def describe(self) -> str:
        """The class in a few words."""
        return (
            f"one-way sequences of {self.tree.leaves} steps with {self.tree.seed_bits}-bit seeds "
            f"over {self.domain.describe()}"
        )

    def hypothesis(self, seed: int) -> OneWayRule:
        """The concept of one seed."""
        string, label = self.tree.leaf(0, seed)
        return OneWayRule(tree=self.tree, start=0, string=string, label=label)

    @property
    def too_many(self) -> str | None:
        """Why the mistakes of all concepts cannot be counted here, if they cannot."""
        work = self.size * self.tree.leaves
        return None if work <= _MOST_LEAVES else "would have to follow every seed to every leaf"

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every seed; refused where there are too many to follow."""
        if self.too_many is not None:
            raise BadInput(f"this class {self.too_many}")
        gains: dict[int, int] = {}
        for cell, label in zip(x.tolist(), y.tolist(), strict=True):
            gains[int(cell)] = gains.get(int(cell), 0) + (1 if label else -1)
        indices = sorted({cell >> self.tree.width for cell in gains})
        errors = np.full(self.size, int(np.count_nonzero(y)), dtype=np.int64)
        for seed in range(self.size):
            for index in indices:
                cell, label = self.record(index, seed)
                if label:
                    errors[seed] -= gains.get(cell, 0)
        return Flat(errors=errors)

    def record(self, index: int, seed: int) -> tuple[int, int]:
        """The record of a leaf, ``(i, G(i, s))`` as one number, and its label ``f(i, s)``."""
        string, label = self.tree.leaf(index, seed)
        return (index << self.tree.width) | string, label
