"""What a mechanism may ask of its source of randomness."""

from __future__ import annotations

from typing import Protocol


class Rng(Protocol):
    """Independent fair bits, and nothing else.

    ``private`` is false for seeded generators (``tacit.checks.testing``): their releases
    are marked *not private*.
    """

    @property
    def private(self) -> bool: ...

    def bits(self, count: int) -> int:
        """A uniform integer in ``[0, 2**count)``."""
        ...

    def below(self, bound: int) -> int:
        """A uniform integer in ``[0, bound)``, exactly, for any ``bound >= 1``."""
        ...

    def bytes(self, count: int) -> bytes:
        """``count`` uniform bytes, for bulk use."""
        ...
