"""Halving: follow the majority of the experts that were never wrong."""

from __future__ import annotations

import numpy as np

from tacit.core import Claim, Status, theorem
from tacit.core.numbers import whole
from tacit.theory.online.panels import Members, Panel, Votes, panel

HALVING = Claim(
    paper="B20",
    locator="Section 2.2",
    statement="halving makes at most log2 N mistakes if one of the N experts makes none",
    status=Status.PROVED,
    proof="theory/online/hedge.proof.md",
)


@theorem(
    HALVING,
    kind="upper",
    setting="mistakes, realizable, every adversary",
    formula=r"M \le \lfloor \log_2 N \rfloor",
)
def halving_bound(*, experts: int) -> int:
    """Mistakes of halving when one of the experts makes none.

    >>> halving_bound(experts=1000)
    9
    """
    return whole(experts, name="experts", least=1).bit_length() - 1


class Halving:
    """At most ``floor(log2 N)`` mistakes if one of the ``N`` experts makes none.

    A tie predicts 1. Labels that no expert explains leave it as it was.
    Proof: Theorem 1 of ``hedge.proof.md``.
    """

    def __init__(self, experts: object) -> None:
        self._panel: Panel = panel(experts)
        self._left: Members = np.arange(self._panel.size)
        # Votes can be costly, and a round asks for them twice.
        self._heard: tuple[object, Votes] | None = None

    @property
    def left(self) -> int:
        """How many experts were never wrong."""
        return len(self._left)

    @property
    def bound(self) -> int:
        """Mistakes that can still be made."""
        return halving_bound(experts=self.left)

    def _votes(self, point: object) -> Votes:
        if self._heard is None or self._heard[0] is not point:
            self._heard = (point, self._panel.votes(point, self._left))
        return self._heard[1]

    def predict(self, point: object) -> int:
        return int(2 * int(self._votes(point).sum()) >= self.left)

    def learn(self, point: object, label: int) -> None:
        agreeing = self._left[self._votes(point) == bool(label)]
        self._left = agreeing if len(agreeing) else self._left
        self._heard = None
