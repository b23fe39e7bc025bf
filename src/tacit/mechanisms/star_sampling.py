"""Lower epsilon by hiding most records: each becomes a star unless its coin says otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Claim, Event, Mechanism, Pure, Relation, Sample, Sampler
from tacit.core.numbers import positive
from tacit.mechanisms.calibration import LEMMA_4_4, star_rate

V = TypeVar("V")


@dataclass(frozen=True, slots=True, eq=False)
class Starred:
    """Records of which some are hidden; a hidden one is the value "star", not a gap."""

    sample: Sample
    present: npt.NDArray[np.bool_]

    def __repr__(self) -> str:
        return "Starred(private)"

    def __len__(self) -> int:
        return len(self.present)

    @classmethod
    def of(cls, sample: Sample) -> Starred:
        """Nothing hidden."""
        return cls(sample, np.ones(len(sample), dtype=bool))


@dataclass(frozen=True, slots=True, kw_only=True)
class StarSampling(Mechanism[Sample, V]):
    """Hide each record with probability ``1 - rate``, then run a mechanism that knows stars.

    Privacy
    -------
    Requires  ``inner`` is pure-DP for the substitution of one entry, a star being an
              entry like any other.
    Ensures   ``epsilon``-DP for the substitution of one record (or ``inner``'s epsilon if
              that is smaller: then nothing is hidden).
    Proof     ``star_sampling.proof.md``.
    Numerics  exact: the rate is rounded down, the coins are exact.

    Edge cases
    ----------
    No records: ``inner`` runs on none.
    """

    CLAIM: ClassVar[Claim] = LEMMA_4_4

    inner: Mechanism[Starred, V]
    epsilon: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        self._inner_epsilon()

    def _inner_epsilon(self) -> Fraction:
        event: object = self.inner.event()
        if not isinstance(event, Pure) or event.relation is not Relation.REPLACE_ONE:
            raise BadInput("star sampling needs an inner mechanism that is pure, replace-one")
        return event.epsilon

    @property
    def rate(self) -> Fraction:
        """The chance of a record to stay."""
        return star_rate(epsilon=self.epsilon, inner=self._inner_epsilon())

    def event(self) -> Event:
        epsilon = min(self.epsilon, self._inner_epsilon())
        return Pure(epsilon=epsilon, relation=Relation.REPLACE_ONE)

    def _release(self, data: Sample, *, rng: Sampler) -> V:
        present = rng.coins(self.rate, len(data))  # [P1]
        return rng.part(self.inner, Starred(data, present))  # [P2]
