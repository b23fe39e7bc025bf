"""Few sets that stand in for all points: for every point and distribution one of them errs little.

Two families (BBKN13 section 4.1). ``RandomSets``: independent sets, each holding a
value with probability ``2**-bits``, any two values independently; a number of them that
grows like the number of *bits* of the domain suffices. ``PlaneLines``: the lines of a
projective plane through a few points at infinity; their number grows like the square
root of the domain, but no randomness is needed. ``certified_error`` checks either on a
domain that can be listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import flint
import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, Sampler, hypothesis_kind
from tacit.core.records import Stored, below
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat, tally
from tacit.exact.levels import Levels
from tacit.problems.points.hashes import Hash, HashedPointRule
from tacit.problems.points.points import PointLandscape, counts_by_value
from tacit.tallies.distinct import Counts
from tacit.tallies.mistakes import AddsUp, ByValue

_LIMB = 32
_CHUNK = 1 << 22


def certified_error(sets: npt.NDArray[np.bool_]) -> Fraction:
    """An error to within which the sets certainly represent all points of their domain.

    ``sets[i, x]`` says whether set ``i`` holds ``x``. For each point the certificate is
    the even mixture of the sets that hold it: if it holds no other value with
    probability above ``a``, then under every distribution one of them errs by at most ``a``.
    """
    member = sets.astype(np.float64)
    holding = sets.sum(axis=0)
    if not holding.all():
        return Fraction(1)
    worst = Fraction(0)
    step = max(1, _CHUNK // sets.shape[1])
    for start in range(0, sets.shape[1], step):
        block = slice(start, start + step)
        shared = (member[:, block].T @ member).astype(np.int64)
        rows = np.arange(shared.shape[0])
        shared[rows, start + rows] = 0
        for most, total in set(zip(shared.max(axis=1).tolist(), holding[block], strict=True)):
            worst = max(worst, Fraction(int(most), int(total)))
    return worst


@dataclass(frozen=True, slots=True, eq=False)
class RandomSets(AddsUp):
    """Sets ``{x : first bits of hash_i(x) are 0}`` for many public hashes.

    ``multipliers[i]`` and ``offsets[i]`` make hash ``i`` of the strongly universal family
    of ``tacit.problems.points.hashes``: any two values fall into a set independently.
    """

    domain: Integers
    multipliers: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.uint64]
    bits: int
    name: ClassVar[str] = "random-sets"

    @classmethod
    def draw(cls, rng: Sampler, *, domain: Integers, sets: int, bits: int) -> RandomSets:
        """Public coins: drawn before any record is looked at."""
        limbs = -(-domain.bits // _LIMB)
        words = rng.hash_rows(sets, limbs=limbs, bits=bits, size=domain.size)
        return cls(domain, words[:, :limbs], words[:, limbs], bits)

    @property
    def size(self) -> int:
        return len(self.offsets)

    def describe(self) -> str:
        return f"{self.size} random sets of density 2^-{self.bits} in {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> HashedPointRule:
        """Membership in one set."""
        multipliers = tuple(int(word) for word in self.multipliers[candidate])
        chosen = Hash(multipliers, int(self.offsets[candidate]), self.bits)
        return HashedPointRule(domain=self.domain, hash=chosen, bucket=0)

    def holds(self, cells: Placed) -> npt.NDArray[np.bool_]:
        """A row for each set, a column for each value."""
        total = np.repeat(self.offsets[:, None], len(cells), axis=1)
        for place in range(self.multipliers.shape[1]):
            total += self.multipliers[:, place, None] * _limb(cells, place)[None, :]
        return np.asarray(total < np.uint64(1 << (64 - self.bits)))

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every set: the 1s outside it plus the 0s inside."""
        values, zeros, ones = counts_by_value(x, y)
        gains = (zeros - ones).astype(np.int64)
        errors = np.full(self.size, int(ones.sum()), dtype=np.int64)
        if self.size * len(values) <= _CHUNK:
            return Flat(errors=errors + self.holds(values) @ gains)
        from tacit.problems.points.set_kernel import add_gains

        places = range(self.multipliers.shape[1])
        limbs = np.stack([_limb(values, place) for place in places], axis=1)
        limit = 1 << (64 - self.bits)
        add_gains(self.multipliers, self.offsets, limbs, gains, limit, errors)
        return Flat(errors=errors)


def _limb(cells: Placed, place: int) -> npt.NDArray[np.uint64]:
    shifted = cells >> (_LIMB * place if cells.dtype == object else np.uint64(_LIMB * place))
    mask = (1 << _LIMB) - 1
    return (shifted & (mask if cells.dtype == object else np.uint64(mask))).astype(np.uint64)


def prime_at_least(value: int) -> int:
    """The least prime that is not below ``value``, proved prime."""
    candidate = max(2, value)
    while not (flint.fmpz(candidate).is_probable_prime() and flint.fmpz(candidate).is_prime()):
        candidate += 1
    return candidate


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneLineRule:
    """The pair ``divmod(x, prime)`` lies on one line modulo ``prime``."""

    kind: ClassVar[str] = "plane-line"
    domain: Integers
    prime: int
    slope: int
    offset: int

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        cells = self.domain.coerce(x)
        return np.asarray(_offsets(cells, self.prime, self.slope) == self.offset, dtype=bool)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        return (
            f"{labels[1]} if ({column} mod {self.prime}) = {self.slope} * "
            f"({column} div {self.prime}) + {self.offset} modulo {self.prime}, else {labels[0]}"
        )

    def to_dict(self) -> dict[str, object]:
        numbers = (self.domain.size, self.prime, self.slope, self.offset)
        names = ("size", "prime", "slope", "offset")
        return {"kind": self.kind, **{n: str(v) for n, v in zip(names, numbers, strict=True)}}

    @classmethod
    def from_dict(cls, record: Stored) -> PlaneLineRule:
        domain = Integers(size=int(record["size"]))
        prime = below(2 * domain.size + 2, record["prime"])  # the least from its root on
        if prime < 2:
            raise ValueError("no prime")
        slope, offset = (below(prime, record[name]) for name in ("slope", "offset"))
        return cls(domain=domain, prime=prime, slope=slope, offset=offset)


def _offsets(cells: Placed, prime: int, slope: int) -> Placed:
    """On which line of this slope each cell lies."""
    if cells.dtype != object and (slope + 1) * prime < 1 << 62:
        high, low = np.divmod(cells, np.uint64(prime))
        return np.asarray((low.astype(np.int64) - slope * high.astype(np.int64)) % prime)
    whole = cells.astype(object)
    return np.asarray((whole % prime - slope * (whole // prime)) % prime)


@dataclass(frozen=True, slots=True)
class PlaneLines(ByValue):
    """Lines of ``slopes`` parallel classes modulo a prime; candidate ``slope * prime + offset``.

    Every value lies on exactly ``slopes`` of them and any two share at most one value, so
    they represent all points to within ``1 / slopes``. The values are the pairs
    ``divmod(x, prime)``: the affine part of a projective plane, with the lines through
    ``slopes`` of its points at infinity.
    """

    domain: Integers
    slopes: int
    prime: int
    name: ClassVar[str] = "plane-lines"

    def __init__(self, *, domain: Integers, slopes: int) -> None:
        if slopes < 1:
            raise BadInput("slopes must be at least 1")
        root = flint.fmpz(domain.size - 1).isqrt() + 1
        object.__setattr__(self, "domain", domain)
        object.__setattr__(self, "slopes", slopes)
        object.__setattr__(self, "prime", prime_at_least(max(int(root), slopes)))

    @property
    def size(self) -> int:
        return self.slopes * self.prime

    def describe(self) -> str:
        return f"{self.slopes} x {self.prime} lines in {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> PlaneLineRule:
        """The rule of one line."""
        slope, offset = divmod(candidate, self.prime)
        return PlaneLineRule(domain=self.domain, prime=self.prime, slope=slope, offset=offset)

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> PlaneLandscape:
        """Mistakes of every line; those that no record lies on are counted together."""
        return self.by_value(*counts_by_value(x, y))

    def by_value(self, values: Placed, zeros: Counts, ones: Counts) -> PlaneLandscape:
        """The same, from the labels of every value."""
        return PlaneLandscape(self, values, zeros - ones, int(ones.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class PlaneLandscape:
    """Mistakes of every line, one slope at a time: memory follows the records alone."""

    lines: PlaneLines
    values: Placed
    gains: npt.NDArray[np.int64]
    elsewhere: int

    def __repr__(self) -> str:
        return "PlaneLandscape(private)"

    def _slope(self, slope: int) -> PointLandscape:
        """The lines of one slope, by their offsets."""
        offsets = _offsets(self.values, self.lines.prime, slope)
        occupied, place = np.unique(offsets, return_inverse=True)
        # Sums of whole numbers below 2**53 are exact in float64.
        moved = np.bincount(place, weights=self.gains, minlength=len(occupied))
        return PointLandscape(
            values=occupied,
            errors=moved.astype(np.int64) + self.elsewhere,
            elsewhere=self.elsewhere,
            domain_size=self.lines.prime,
        )

    def levels(self) -> Levels:
        each = [self._slope(slope).levels() for slope in range(self.lines.slopes)]
        errors = np.concatenate([levels.errors for levels in each])
        counts = np.concatenate([levels.counts for levels in each])
        return tally(errors, counts)

    def member(self, error: int, rank: int) -> int:
        slope = 0
        while True:
            landscape = self._slope(slope)
            levels = landscape.levels()
            here = int(sum(levels.counts[levels.errors == error].tolist()))
            if rank < here:
                return slope * self.lines.prime + landscape.member(error, rank)
            rank -= here
            slope += 1
