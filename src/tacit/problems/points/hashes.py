"""Hashed points: a class of constant size that stands in for all point functions.

Each hypothesis asks whether a hash of ``x`` falls into one bucket. Under a random
hash the bucket of ``p`` contains another point with probability ``1/buckets``, so a
few hashes represent every point function under every distribution, whatever the size
of the domain (FX14 section 3.1; theory: equality hashing).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, Sampler, hypothesis_kind
from tacit.core.records import Stored, below
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.tallies.mistakes import AddsUp

_LIMB = 32
MOST_BUCKET_BITS = 33


@dataclass(frozen=True, slots=True)
class Hash:
    """Strongly universal vector multiply-shift from integers to ``2**bits`` buckets.

    ``h(x) = ((offset + sum_i multiplier_i * limb_i(x)) mod 2^64) >> (64 - bits)``
    with 32-bit limbs and uniform 64-bit multipliers and offset: for ``bits <= 33`` the
    hashes of two different values are independent and uniform
    (``hashes.proof.md``), with no prime and no division.
    """

    multipliers: tuple[int, ...]
    offset: int
    bits: int

    @classmethod
    def draw(cls, rng: Sampler, *, domain: Integers, bits: int) -> Hash:
        """Public coins: drawn before any record is looked at."""
        if not 1 <= bits <= MOST_BUCKET_BITS:
            raise BadInput(f"a hash has between 1 and {MOST_BUCKET_BITS} bits")
        limbs = -(-domain.bits // _LIMB)
        *multipliers, offset = rng.hash_words(limbs=limbs, bits=bits, size=domain.size)
        return cls(tuple(multipliers), offset, bits)

    def __call__(self, cells: Placed) -> npt.NDArray[np.int64]:
        total = np.full(len(cells), np.uint64(self.offset))
        for place, multiplier in enumerate(self.multipliers):
            total += _limb(cells, place) * np.uint64(multiplier)
        return (total >> np.uint64(64 - self.bits)).astype(np.int64)


def _limb(cells: Placed, place: int) -> npt.NDArray[np.uint64]:
    mask = (1 << _LIMB) - 1
    if cells.dtype == object:
        return np.array([(v >> (_LIMB * place)) & mask for v in cells.tolist()], dtype=np.uint64)
    words: npt.NDArray[np.uint64] = (cells >> np.uint64(_LIMB * place)) & np.uint64(mask)
    return words


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HashedPointRule:
    """``hash(x) = bucket``."""

    kind: ClassVar[str] = "hashed-point"
    domain: Integers
    hash: Hash
    bucket: int

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        return np.asarray(self.hash(self.domain.coerce(x)) == self.bucket)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        parts = "".join(
            f" + {each} {column}[{place}]" for place, each in enumerate(self.hash.multipliers)
        )
        return (
            f"{labels[1]} if the {self.hash.bits}-bit hash of {column} is {self.bucket} "
            f"(about one value in {1 << self.hash.bits}), else {labels[0]}\n"
            f"the hash is the first {self.hash.bits} of 64 bits of {self.hash.offset}{parts}, "
            f"where {column}[0], {column}[1], ... are {_LIMB} bits of {column} each, "
            "the last ones first"
        )

    def to_dict(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "size": str(self.domain.size),
            "multipliers": [str(m) for m in self.hash.multipliers],
            "offset": str(self.hash.offset),
            "bits": self.hash.bits,
            "bucket": self.bucket,
        }

    @classmethod
    def from_dict(cls, record: Stored) -> HashedPointRule:
        multipliers = tuple(int(m) for m in record["multipliers"])
        chosen = Hash(multipliers, int(record["offset"]), int(record["bits"]))
        domain = Integers(size=int(record["size"]))
        words = (*chosen.multipliers, chosen.offset)
        if not 1 <= chosen.bits <= MOST_BUCKET_BITS or any(not 0 <= w < 1 << 64 for w in words):
            raise ValueError("a hash has 64-bit words")
        if len(multipliers) != -(-domain.bits // _LIMB):
            raise ValueError("a hash has one multiplier for each limb")
        return cls(domain=domain, hash=chosen, bucket=below(1 << chosen.bits, record["bucket"]))


@dataclass(frozen=True, slots=True)
class HashedPoints(AddsUp):
    """All ``hash = bucket`` rules of a few public hashes; candidate ``t * buckets + v``."""

    domain: Integers
    hashes: tuple[Hash, ...]
    name: ClassVar[str] = "hashed-points"

    @property
    def buckets(self) -> int:
        """How many buckets every hash has."""
        return 1 << self.hashes[0].bits

    @property
    def size(self) -> int:
        return len(self.hashes) * self.buckets

    def describe(self) -> str:
        return f"{len(self.hashes)} hashes with {self.buckets} buckets of {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> HashedPointRule:
        """The rule of one bucket of one hash."""
        which, bucket = divmod(candidate, self.buckets)
        return HashedPointRule(domain=self.domain, hash=self.hashes[which], bucket=bucket)

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every bucket: the 1s outside it plus the 0s inside."""
        positives = int(np.count_nonzero(y))
        errors = np.empty((len(self.hashes), self.buckets), dtype=np.int64)
        for row, chosen in zip(errors, self.hashes, strict=True):
            both = np.bincount(2 * chosen(x) + y, minlength=2 * self.buckets).reshape(-1, 2)
            row[:] = positives - both[:, 1] + both[:, 0]
        return Flat(errors=errors.ravel())
