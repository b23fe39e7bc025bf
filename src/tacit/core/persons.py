"""Persons with several rows: what a mechanism sees of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, Protocol

from tacit.core.sample import Sample

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class PersonRows:
    """The rows that are kept of all persons, and whose each row is; private.

    ``owner[i]`` is the number of the person of row ``i``; numbers do not fall.
    """

    sample: Sample
    owner: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return "PersonRows(private)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("these rows are private and are not pickled")


class Persons(Protocol):
    """Records that belong to persons.

    Which rows of a person are kept depends on that person's rows and on public things only.
    """

    def at_most(self, rows: int) -> PersonRows:
        """At most so many rows of each person, in an order that the source has no part in."""
        ...

    @property
    def number(self) -> int:
        """How many persons have a row; public only where one is replaced by another."""
        ...
