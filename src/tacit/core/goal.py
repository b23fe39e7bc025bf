"""What a synthetic table is to have, besides answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core.errors import BadInput
from tacit.core.numbers import probability, whole


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGoal:
    """The rows and the errors of a synthetic table of several columns.

    ``rows``  how many rows it has; ``None``: as many as there are records.
    ``each``  the part of the budget that pays for the error of each marginal by itself.
    """

    rows: int | None = None
    each: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.rows is not None:
            object.__setattr__(self, "rows", whole(self.rows, name="rows", least=1))
        object.__setattr__(self, "each", probability(self.each, name="each", zero="allowed"))

    def checked(self, goal: str) -> TableGoal:
        """The same, where a table is made; else a refusal of what would be ignored."""
        if goal != "sanitize" and self != USUAL:
            raise BadInput("table= is about a synthetic table: goal='sanitize'")
        return self


USUAL = TableGoal()
