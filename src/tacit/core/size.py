"""How many records a release is built for, and how that number is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Known(Enum):
    """How the number of records is known.

    ``PUBLIC``   everybody knows it: replacing a record or a label does not change it.
    ``PLANNED``  it is private; the release is built for the number that the plan asks.
    """

    PUBLIC = "public"
    PLANNED = "planned"


@dataclass(frozen=True, slots=True)
class Size:
    """A number of records that parameters may depend on."""

    n: int
    known: Known = Known.PUBLIC
