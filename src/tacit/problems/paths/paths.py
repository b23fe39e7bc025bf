"""Paths from the root of a binary tree: the class that holds every class of VC dimension 1."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.numbers import whole
from tacit.core.records import Stored
from tacit.domains.integers import MOST_BITS, Integers
from tacit.exact.arrays import Placed
from tacit.problems.finite import growth_functions
from tacit.problems.paths.path_landscape import PathLandscape

_SHOWN = 8


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class PathRule:
    """``x`` is ``node`` or lies above it; no node is above the root."""

    kind: ClassVar[str] = "path"
    domain: Integers
    node: int

    def __post_init__(self) -> None:
        if not 0 <= self.node < self.domain.size:
            raise BadInput("the node of a path must lie in its domain")

    @property
    def nodes(self) -> list[int]:
        """The path, from its end to the root."""
        return [self.node >> step for step in range(self.node.bit_length())]

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        cells = self.domain.coerce(x)
        if cells.dtype == object:
            path = set(self.nodes)
            return np.array([cell in path for cell in cells.tolist()], dtype=bool)
        return np.isin(cells, np.array(self.nodes, dtype=np.uint64))

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        if len(self.nodes) > _SHOWN:
            listed = f"{self.node} or comes of halving it again and again, rounded down, to 1"
        else:
            listed = f"one of {{{', '.join(map(str, self.nodes))}}}"
        return f"{labels[1]} if {column} is {listed}, else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "size": str(self.domain.size), "node": str(self.node)}

    @classmethod
    def from_dict(cls, record: Stored) -> PathRule:
        return cls(domain=Integers(size=int(record["size"])), node=int(record["node"]))


@dataclass(frozen=True, slots=True)
class Paths:
    """The paths from the root to each node of a binary tree of ``bits`` levels below it.

    Nodes are numbered like a heap: the root is 1, below ``u`` hang ``2 u`` and ``2 u + 1``. The
    number 0 lies on no path.

    >>> Paths(bits=3).hypothesis(13).nodes
    [13, 6, 3, 1]
    """

    domain: Integers
    name: ClassVar[str] = "paths"
    vc: ClassVar[int] = 1
    first: ClassVar[int] = 1

    def __init__(self, *, bits: int) -> None:
        levels = whole(bits, name="bits", least=1)
        if levels >= MOST_BITS:
            raise BadInput(f"bits must be below {MOST_BITS}")
        object.__setattr__(self, "domain", Integers(bits=levels + 1))

    @property
    def bits(self) -> int:
        """How many levels lie below the root."""
        return self.domain.bits - 1

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        return self.domain.size - 1

    @property
    def littlestone(self) -> int:
        """``bits``: ask for a child; whatever the answer, a subtree one level lower is left.

        No class has more than the logarithm of its size.
        """
        return self.bits

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(bits=2)

    def describe(self) -> str:
        """The class in a few words."""
        return f"paths from the root of a binary tree of {self.bits} levels below it"

    def log_growth(self, n: int) -> float:
        """The VC dimension is 1."""
        return growth_functions.sauer(1)(n)

    def hypothesis(self, node: int) -> PathRule:
        """The rule of the path to one node."""
        return PathRule(domain=self.domain, node=node)

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> PathLandscape:
        """Mistakes of every path: the 1s off it and the 0s on it."""
        gains: Counter[int] = Counter()
        for node, label in zip(x.tolist(), y.tolist(), strict=True):
            gains[int(node)] += 1 if label else -1
        return PathLandscape.of(self.bits, dict(gains), int(np.count_nonzero(y)))
