"""Natural learners of polynomial time, to be tried on one-way sequences.

That none of them does better than a coin backwards proves nothing about others; that
nobody can is what a secure generator promises (B20 Proposition 7).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.problems.one_way.sequences import Tree
from tacit.theory.online.game import Learner
from tacit.theory.online.hedge import ConservativeHedge
from tacit.theory.online.panels import Members, Votes


class ComputeForward:
    """Predict 0 until a label 1 was seen; from its leaf on, compute what follows.

    In forward order this makes at most one mistake. On leaves before the earliest label 1
    it knows nothing and says 0.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: tuple[int, int] | None = None

    def predict(self, point: int) -> int:
        index, string = divmod(point, 1 << self._tree.width)
        if self._known is None or index < self._known[0]:
            return 0
        start, known = self._known
        if index == start:
            return int(string == known)
        return int(self._tree.forward(index, start, known) == (string, 1))

    def learn(self, point: int, label: int) -> None:
        index, string = divmod(point, 1 << self._tree.width)
        if label and (self._known is None or index < self._known[0]):
            self._known = (index, string)


class Majority:
    """The label seen more often so far; 0 at first."""

    def __init__(self) -> None:
        self._lead = 0

    def predict(self, point: object) -> int:  # noqa: ARG002 - looks at labels only
        return int(self._lead > 0)

    def learn(self, point: object, label: int) -> None:  # noqa: ARG002
        self._lead += 2 * label - 1


class Context:
    """What followed most often on the last few labels."""

    def __init__(self, *, order: int = 3) -> None:
        self._mask = (1 << order) - 1
        self._last = 0
        self._lead: dict[int, int] = {}

    def predict(self, point: object) -> int:  # noqa: ARG002 - looks at labels only
        return int(self._lead.get(self._last, 0) > 0)

    def learn(self, point: object, label: int) -> None:  # noqa: ARG002
        self._lead = self._lead | {self._last: self._lead.get(self._last, 0) + 2 * label - 1}
        self._last = ((self._last << 1) | label) & self._mask


class NearestNeighbour:
    """The label of the record that differs in the fewest bits; the latest one on ties."""

    def __init__(self) -> None:
        self._seen: tuple[tuple[int, int], ...] = ()

    def predict(self, point: int) -> int:
        if not self._seen:
            return 0
        return min(reversed(self._seen), key=lambda old: (old[0] ^ point).bit_count())[1]

    def learn(self, point: int, label: int) -> None:
        self._seen = (*self._seen, (point, label))


class Perceptron:
    """A halfspace over the bits of a record, moved after every mistake."""

    def __init__(self, *, bits: int) -> None:
        self._bits = bits
        self._weights = np.zeros(bits + 1, dtype=np.int64)

    def _signs(self, point: int) -> Any:
        text = np.frombuffer(point.to_bytes(-(-self._bits // 8), "little"), dtype=np.uint8)
        bits = np.unpackbits(text, bitorder="little", count=self._bits).astype(np.int64)
        return np.append(2 * bits - 1, 1)

    def predict(self, point: int) -> int:
        return int(self._weights @ self._signs(point) > 0)

    def learn(self, point: int, label: int) -> None:
        if self.predict(point) != label:
            self._weights = self._weights + (2 * label - 1) * self._signs(point)


class SlotPanel:
    """Experts who know the generator: labels of the seeds in a record, of their children, and
    the opposites.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.size = 6 * tree.index_bits

    def votes(self, point: int, members: Members) -> Votes:
        tree, string = self._tree, point & ((1 << self._tree.width) - 1)
        seeds = [tree.slot(string, level) for level in range(tree.index_bits)]
        nodes = [*seeds, *(tree.child(s, b) for s in seeds for b in (0, 1))]
        labels = np.array([tree.label(node) for node in nodes], dtype=bool)
        return np.concatenate([labels, ~labels])[members]


def polynomial_learners(tree: Tree) -> dict[str, Learner]:
    """Fresh learners, by name; each takes polynomial time in the length of a record."""
    return {
        "majority": Majority(),
        "context of 3 labels": Context(order=3),
        "context of 8 labels": Context(order=8),
        "nearest neighbour": NearestNeighbour(),
        "perceptron": Perceptron(bits=tree.index_bits + tree.width),
        "hedge over slots": ConservativeHedge(SlotPanel(tree)),
        "compute-forward": ComputeForward(tree),
    }
