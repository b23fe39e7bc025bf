"""Records that anybody may see, beside the private ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from tacit.core.errors import BadInput
from tacit.core.numbers import Number, exact, show, whole


@dataclass(frozen=True, slots=True, eq=False)
class PublicRecords:
    """Name records that are nobody's secret, or only how many there will be.

    They are used as they are: privacy does not speak about them, and a rule may show their
    values. They must be other records than the private ones. For the error only: they are
    drawn independently, and the private records' features have their law, or one that gives
    no set more than ``kappa`` times its probability.

    ``count``   how many there are.
    ``digest``  the SHA-256 of their values, which tells them apart; empty for a mere number.
    ``values``  the features as the task's domain holds them; ``None`` for a mere number.
    ``read_from``  the files and tables that they were read from, to tell them from the private.

    ``tacit.sources.public.public_records`` reads them from arrays, frames and files. A mere
    number plans; it does not learn.

    >>> PublicRecords(5000)
    PublicRecords(5000)
    """

    count: int
    kappa: Fraction
    digest: str
    values: object = field(repr=False)
    read_from: tuple[object, ...] = field(repr=False)

    def __init__(
        self,
        count: int,
        *,
        kappa: Number = 1,
        digest: str = "",
        values: object = None,
        read_from: tuple[object, ...] = (),
    ) -> None:
        smooth = exact(kappa, name="kappa")
        if smooth < 1:
            raise BadInput("kappa must be at least 1: 1 says that both kinds have one law")
        object.__setattr__(
            self, "count", whole(count, name="the number of public records", least=1)
        )
        object.__setattr__(self, "kappa", smooth)
        object.__setattr__(self, "digest", digest)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "read_from", read_from)

    @property
    def _identity(self) -> tuple[int, Fraction, str]:
        return self.count, self.kappa, self.digest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicRecords) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        kappa = "" if self.kappa == 1 else f", kappa={show(self.kappa)}"
        return f"PublicRecords({self.count}{kappa})"

    def describe(self) -> str:
        """What is assumed about the private records' features, in words."""
        which = f", SHA-256 {self.digest}" if self.digest else ""
        smooth = "" if self.kappa == 1 else f", up to a factor {show(self.kappa)}"
        return f"that of {self.count} public records{which}{smooth}"


def read_public(given: PublicRecords | int | None) -> PublicRecords | None:
    """Public records, or how many there will be."""
    if given is None or isinstance(given, PublicRecords):
        return given
    if isinstance(given, bool) or not isinstance(given, int):
        raise BadInput(
            "public must be a number of records, or what public_records(...) has read; "
            "learn(..., public=...) also takes an array, a frame or a path"
        )
    return PublicRecords(given)
