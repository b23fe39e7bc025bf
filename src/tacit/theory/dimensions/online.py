"""What a mistake tree and its absence are good for: an optimal online learner, and the
reduction from Augmented Index (FX14 Lemma 10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.core import BadInput
from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.littlestone_dimension import MistakeSearch
from tacit.theory.dimensions.witnesses import MistakeTree


class StandardOptimal:
    """Littlestone's standard optimal algorithm: at most ``Ldim`` mistakes if some concept of
    the class is right about every label.

    It predicts the label whose concepts have the larger Littlestone dimension (1 on ties),
    because a mistake then lowers the dimension of what is left. Labels that no concept
    explains leave it as it was: it is total, but promises nothing then.

    >>> from tacit.theory.dimensions.named import thresholds
    >>> learner = StandardOptimal(thresholds(7))
    >>> [learner.predict(x) for x in (0, 3, 6)]
    [0, 1, 1]
    >>> learner.learn(3, 0); learner.predict(1)
    0
    """

    def __init__(self, concept_class: object) -> None:
        self._search = MistakeSearch(read(concept_class))
        self._left = self._search.everything
        if not self._left:
            raise BadInput("an online learner needs at least one concept")

    @property
    def dimension(self) -> int:
        """How many more mistakes can be forced."""
        return self._search.dimension(self._left)

    def predict(self, point: int) -> int:
        """The label that keeps the mistakes within the dimension."""
        ones = self._left & self._search.table.columns[point]
        zeros = self._left ^ ones
        k = 0
        while True:  # the side that stops forcing k mistakes first has the smaller dimension
            if not self._search.forces(zeros, k):
                return 1
            if not self._search.forces(ones, k):
                return 0
            k += 1

    def learn(self, point: int, label: int) -> None:
        """Keep the concepts that agree; if none does, keep what there was."""
        column = self._search.table.columns[point]
        agreeing = self._left & (column if label else ~column)
        self._left = agreeing or self._left


@dataclass(frozen=True, slots=True, kw_only=True)
class AugmentedIndex:
    """FX14 Lemma 10: a mistake tree of depth ``d`` turns Augmented Index on ``d`` bits into
    evaluating the class.

    One party holds bits ``x``, the other ``i`` and ``x[:i]``, and asks for ``x[i]``. Both walk
    down the tree along the bits they know; then concept ``concept(x)`` labels
    ``point(x[:i])`` with ``x[i]``.
    """

    tree: MistakeTree

    def concept(self, bits: Sequence[int]) -> int:
        """The concept that stands for a string of ``d`` bits."""
        if len(bits) != self.tree.depth:
            raise BadInput(f"bits must be a string of {self.tree.depth} bits")
        return self.tree.leaves[int("".join(map(str, bits)) or "0", 2)]

    def point(self, prefix: Sequence[int]) -> int:
        """The point that asks for the bit after ``prefix``."""
        if len(prefix) >= self.tree.depth:
            raise BadInput(f"prefix must be shorter than {self.tree.depth} bits")
        node = 0
        for bit in prefix:
            node = 2 * node + 1 + bit
        return self.tree.points[node]
