"""What a mechanism draws with: the one seam between mechanisms and randomness.

A mechanism asks for draws by the name of their law and runs the mechanisms inside it
through ``part``. ``tacit.exact.sampler`` answers from fair bits, exactly; an audit answers
with every outcome in turn (``tacit.checks.audit.branching``). Nothing is ever put in another's
place: which one it is, is decided by what is passed as ``rng``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from tacit.core.rng import Rng

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tacit.core.mechanism import Mechanism

D = TypeVar("D")
V = TypeVar("V")


class ErrorCounts(Protocol):
    """How many candidates have each error; errors rise, counts are positive."""

    @property
    def errors(self) -> npt.NDArray[np.int64]: ...
    @property
    def counts(self) -> npt.NDArray[Any]: ...
    @property
    def total(self) -> int: ...


class Candidates(Protocol):
    """Some candidates and their errors, counted."""

    def levels(self) -> ErrorCounts:
        """How many of them have each error."""
        ...

    def member(self, error: int, rank: int) -> int:
        """The ``rank``-th of them with this error."""
        ...


class CountedStage(Protocol):
    """Candidates that are new in this stage, and bounds for those of no stage so far."""

    @property
    def listed(self) -> Candidates: ...
    @property
    def rest(self) -> ErrorCounts | None: ...


class Sampler(Rng, Protocol):
    """Independent draws from the laws that mechanisms use; all numbers are exact.

    Balls (``p``, ``balls``) are those of ``tacit.exact.balls``, whose library ships no types.
    """

    def part(self, mechanism: Mechanism[D, V], data: D) -> V:
        """What a mechanism inside this one puts out."""
        ...

    def coin(self, p: Fraction) -> bool:
        """True with probability ``p``."""
        ...

    def coins(self, p: Fraction, count: int) -> npt.NDArray[np.bool_]:
        """``count`` booleans, each true with probability ``p``."""
        ...

    def exp_coin(self, x: Fraction) -> bool:
        """True with probability ``exp(-x)``, for ``x >= 0``."""
        ...

    def geometric(self, scale: Fraction) -> int:
        """An integer ``z`` with probability proportional to ``exp(-|z| / scale)``."""
        ...

    def geometrics(self, scale: Fraction, count: int) -> npt.NDArray[np.int64]:
        """``count`` integers with the law of ``geometric``."""
        ...

    def gaussian(self, variance: Fraction) -> int:
        """An integer ``z`` with probability proportional to ``exp(-z**2 / (2 variance))``."""
        ...

    def gaussians(self, variance: Fraction, count: int) -> npt.NDArray[np.int64]:
        """``count`` integers with the law of ``gaussian``."""
        ...

    def binomial(self, trials: int, p: Callable[[], object]) -> int:
        """How many of ``trials`` coins are heads; ``p()`` is a ball around their chance."""
        ...

    def indices(self, *, below: int, count: int) -> npt.NDArray[np.int64]:
        """``count`` uniform integers in ``[0, below)``."""
        ...

    def level(self, levels: ErrorCounts, *, rate: Fraction) -> int:
        """The index of a level, with weight ``count * exp(-rate * error)``."""
        ...

    def flip_level(self, levels: ErrorCounts, *, rate: Fraction) -> int:
        """The index of the level that permute-and-flip's winner has."""
        ...

    def candidate(self, stages: Iterable[CountedStage], *, rate: Fraction) -> int:
        """A candidate with weight ``exp(-rate * error)``; stages are asked for as they matter."""
        ...

    def flip_candidate(self, stages: Iterable[CountedStage], *, rate: Fraction) -> int:
        """A candidate by permute-and-flip; stages are asked for as they matter."""
        ...

    def rising_level(self, count: Callable[[int], int], *, rate: Fraction, top: int) -> int:
        """A level ``t`` with weight ``count(t) * exp(-rate * t)``; beyond ``top``, ``top``."""
        ...

    def cell(
        self,
        weights: npt.NDArray[np.float64],
        *,
        relative: float,
        absolute: float,
        balls: Callable[[], Iterable[object]],
    ) -> int:
        """An index with its true weight, which floats know roughly and balls at any precision."""
        ...

    def hash_words(self, *, limbs: int, bits: int, size: int) -> tuple[int, ...]:
        """``limbs`` multipliers and an offset of 64 bits: a hash of ``size`` values to ``bits``."""
        ...

    def hash_rows(self, count: int, *, limbs: int, bits: int, size: int) -> npt.NDArray[np.uint64]:
        """``count`` rows with the law of ``hash_words``."""
        ...
