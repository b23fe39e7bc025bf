"""What a search returns, and the clock it runs against."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from tacit.core import NumericalDoubt
from tacit.theory.dimensions.witnesses import Witness

Progress = Callable[[str], None]
"""Called with one line of public text whenever a search gets on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A dimension, or the interval it is known to lie in.

    ``least``, ``most``    the whole number that was searched for, from both sides: points,
                           mistakes, bits, hypotheses or balls.
    ``logarithmic``        the dimension is the log2 of that number (hypotheses, balls).
    ``witnesses``       what a verifier accepts; each says which side it proves.
    ``upper_by``           why nothing above ``most`` has to be looked for.
    """

    quantity: str
    least: int
    most: int
    unit: str
    witnesses: tuple[Witness, ...]
    seconds: float
    logarithmic: bool = False
    upper_by: str = "search"

    @property
    def lower(self) -> float:
        """The least value that the dimension can have."""
        return math.log2(self.least) if self.logarithmic else self.least

    @property
    def upper(self) -> float:
        """The greatest value that the dimension can have."""
        return math.log2(self.most) if self.logarithmic else self.most

    @property
    def decided(self) -> bool:
        """Whether the dimension is known exactly."""
        return self.least == self.most

    @property
    def value(self) -> float:
        """The dimension; refuses while only an interval is known."""
        if not self.decided:
            raise NumericalDoubt(
                f"{self.quantity} is only known to lie in [{self.lower:g}, {self.upper:g}]; "
                "raise time_limit, or read .lower and .upper"
            )
        return self.lower

    @property
    def witness(self) -> Witness | None:
        """The first witness; ``witnesses`` has them all."""
        return self.witnesses[0] if self.witnesses else None

    def __str__(self) -> str:
        ends = dict.fromkeys((f"{self.lower:.4g}", f"{self.upper:.4g}"))
        number = next(iter(ends)) if self.decided else f"[{', '.join(ends)}]"
        count = f" ({self.least} {self.unit})" if self.logarithmic and self.decided else ""
        return f"{self.quantity} = {number}{count}"


class OutOfTime(Exception):
    """Raised inside a search and caught by the function that started it."""


class Clock:
    """Counts seconds, and raises ``OutOfTime`` at the limit."""

    __slots__ = ("_limit", "_start")

    def __init__(self, time_limit: float | None = None) -> None:
        self._start = time.monotonic()
        self._limit = math.inf if time_limit is None else time_limit

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        return self._limit - self.seconds

    def check(self) -> None:
        if self.left < 0:
            raise OutOfTime


def silent(_: str) -> None:
    """Progress that nobody watches."""
