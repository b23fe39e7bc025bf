"""Trees of four levels, which can be weighed all at once where cells are few."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacit.core import BadInput
from tacit.core.numbers import probability, whole
from tacit.domains.schema import Schema
from tacit.problems.tables.trees import Trees

FOUR = 4
_FEW_CELLS = 104  # more cells make four levels slow to weigh
_MOST_STEPS = 5 * 10**9  # of the loop that weighs four levels


@dataclass(frozen=True, kw_only=True)
class DeepTrees(Trees):
    """All trees of at most four levels, with the prior of ``Trees``."""

    depth: int = FOUR
    name: ClassVar[str] = "deep trees"

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", whole(self.depth, name="depth", least=0))
        object.__setattr__(self, "leaf", probability(self.leaf, name="leaf"))
        if self.depth > FOUR:
            raise BadInput(f"depth must be at most {FOUR}")

    @staticmethod
    def can_be_weighed(schema: Schema, n: int | None) -> bool:
        """Whether one draw takes seconds; public numbers only (``n`` is ``None`` if private)."""
        steps = (n or 0) * sum(schema.cells) * schema.width**3
        return sum(schema.cells) <= _FEW_CELLS and steps <= _MOST_STEPS
