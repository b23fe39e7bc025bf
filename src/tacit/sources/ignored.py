"""Records whose label is none of the declared values, left out of a sample after the charge.

They stay in the public number of records: ``len`` of a sample counts them, and what is read
from it does not have them. Proved in ``problems/tables/ignored.proof.md``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Sample
from tacit.domains.columns import as_array
from tacit.domains.labels import fitting
from tacit.domains.taking import taken


class DeclaredSample(Sample):
    """The records of a sample whose label is one of its declared values; private.

    Which they are is looked at when a mechanism first asks, so after the charge.
    """

    __slots__ = ("_every", "_rows")
    _every: Sample
    _rows: npt.NDArray[np.int64] | None

    def __init__(self, every: Sample) -> None:
        if every.negative is None and every.values is None:
            raise BadInput(BOTH)
        object.__setattr__(self, "_every", every)
        object.__setattr__(self, "_rows", None)
        object.__setattr__(self, "positive", every.positive)
        object.__setattr__(self, "negative", every.negative)
        object.__setattr__(self, "values", every.values)

    def _kept(self) -> npt.NDArray[np.int64]:
        rows = self._rows
        if rows is None:
            rows = np.flatnonzero(fitting(self._every))
            object.__setattr__(self, "_rows", rows)
        return rows

    @property
    def kept_in(self) -> tuple[object, ...]:
        """All records of the sample."""
        return (self._every,)

    @property
    def x(self) -> Any:
        """The features of the records that are kept."""
        return taken(self._every.x, self._kept())

    @property
    def y(self) -> Any:
        """Their labels."""
        return taken(self._every.y, self._kept())

    @property
    def tasks(self) -> int:
        """How many label columns there are: public."""
        shape: tuple[int, ...] = as_array(self._every.y).shape
        return shape[1] if len(shape) == 2 else 1

    def __len__(self) -> int:
        """How many records there are, those that are left out among them."""
        return len(self._every)


BOTH = (
    "records are ignored whose label is neither of two values: declare both (negative= and "
    "positive=, or --negative and --positive)"
)
