"""Run a mechanism on records drawn with replacement: secrecy of the sample."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    Approximate,
    BadInput,
    Claim,
    Event,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Sampler,
    Selection,
    privacy_event,
)
from tacit.core.numbers import whole
from tacit.domains.columns import as_array
from tacit.domains.placing import Placing
from tacit.exact.arrays import Placed, Truths
from tacit.mechanisms.calibration import resampled_delta, resampled_epsilon
from tacit.tallies.placed import placed

V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampled(Mechanism[Sample, V]):
    """Run ``inner`` on ``draws`` records drawn uniformly, with replacement, from ``records``.

    With a ``domain`` whose values stay when they are placed again, the public cells of all records
    are held (``tallies.placed``) with their ``k`` labels, ascending, so that their order plays no
    part; without, the records as they came.

    Privacy
    -------
    Requires  ``inner`` is private under ``REPLACE_ONE`` on ``draws`` records (``LABEL`` is
              not enough: what is drawn instead of a record has other features); the data
              have ``records`` records (a public number). If ``inner`` has several parts,
              ``together`` is what they cost in all.
    Ensures   ``epsilon' = draws * ln(1 + (e^epsilon - 1) / records)`` and
              ``delta' = delta * (e^epsilon' - 1) / (e^epsilon - 1)``.
    Proof     Theorem 1 of ``amplification.proof.md``.
    Numerics  exact draws; ``epsilon'`` and ``delta'`` are rounded up.

    Utility
    -------
    If ``inner`` is an (alpha, beta)-accurate PAC learner from ``draws`` records, the
    rule errs on at most a share alpha of *these* records, but for a chance of beta.

    Edge cases
    ----------
    Records beyond ``records`` are never drawn; a draw of a record that is missing is
    dropped, so that ``inner`` sees fewer.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Theorem 28",
        statement="a private PAC learner for n records, run on n draws with replacement from m, "
        "is a private empirical learner with epsilon' = n ln(1 + (e^epsilon - 1)/m); Lemma 29 "
        "corrected and sharpened",
        proof="mechanisms/amplification.proof.md",
    )

    inner: Mechanism[Sample, V]
    draws: int
    records: int
    together: Pure | Approximate | None = None
    domain: Placing | None = None
    k: int = 1

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        whole(self.draws, name="draws", least=1)
        whole(self.records, name="records", least=1)
        if self._inner_cost().relation is not Relation.REPLACE_ONE:
            raise BadInput(
                "drawing with replacement puts other records in a record's place: the inner "
                "mechanism must be private under REPLACE_ONE, which covers LABEL"
            )

    def _inner_cost(self) -> Event:
        own = self.inner.event()
        if self.together is None or own.relation is not self.together.relation:
            return own
        return self.together

    def event(self) -> Event:
        inner = self._inner_cost()
        match inner:
            case Pure() | Selection():
                delta = Fraction(0)
            case Approximate():
                delta = inner.delta
            case _:
                raise BadInput("drawing with replacement is accounted for pure and approximate DP")
        sizes = {"draws": self.draws, "records": self.records}
        return privacy_event(
            epsilon=resampled_epsilon(epsilon=inner.epsilon, **sizes),
            delta=resampled_delta(epsilon=inner.epsilon, delta=delta, **sizes),
            relation=inner.relation,
        )

    def _release(self, data: Sample, *, rng: Sampler) -> V:
        drawn = rng.indices(below=self.records, count=self.draws)  # [P1]
        if self.domain is not None:
            cells, marks = placed(data, self.domain, tasks=self.k)
            cells, told = ascending(cells, marks > 0)
            rows = drawn[drawn < len(cells)]  # [P2]
            return rng.part(self.inner, Sample(cells[rows], told[rows], positive=True))  # [P3]
        rows = drawn[drawn < len(data)]  # [P2]
        x, y = _rows(data.x, rows), _rows(data.y, rows)
        return rng.part(self.inner, Sample(x, y, data.positive))  # [P3]


def ascending(cells: Placed, labels: Truths) -> tuple[Placed, Truths]:
    """Records in ascending order of their cells, then of their labels."""
    columns = _columns(cells)
    ranks = [
        np.unique(one, return_inverse=True)[1].reshape(-1) if one.dtype == object else one
        for one in columns
    ]
    order = np.lexsort((*_columns(labels)[::-1], *ranks[::-1]))
    return cells[order], labels[order]


def _columns(table: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    return [table] if table.ndim == 1 else list(table.T)


def _rows(table: object, rows: npt.NDArray[np.int64]) -> object:
    return as_array(table)[rows]
