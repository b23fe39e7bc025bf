"""The one idea at the centre: public parameters, a cost, one method that sees data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, TypeVar

from tacit.core.claim import Claim
from tacit.core.event import Event
from tacit.core.sampler import Sampler

D = TypeVar("D", contravariant=True)
V = TypeVar("V", covariant=True)


class Mechanism(ABC, Generic[D, V]):
    """A randomised map from data to something that may be published.

    A subclass is a frozen dataclass of *public* parameters. It promises:

    - ``event()`` holds for every pair of neighbouring inputs under the event's relation;
    - ``_release`` is total: it never fails, hangs or refuses because of the data;
    - nothing that depends on data is kept on the instance.

    ``CLAIM`` cites the proof. Data reach ``_release`` through ``tacit.run`` only.
    """

    CLAIM: ClassVar[Claim]

    @abstractmethod
    def event(self) -> Event:
        """What one run costs; depends on public parameters only."""

    @abstractmethod
    def _release(self, data: D, *, rng: Sampler) -> V:
        """Touch the data. Called by ``run`` after the ledger was charged.

        All randomness comes from ``rng``; a mechanism inside this one is run by ``rng.part``.
        """

    def prepare(self) -> None:
        """Load and compile what ``_release`` needs; called before the charge, knows no data.

        What can fail for reasons of the machine fails here. Parts are prepared, too.
        """
        for name in getattr(self, "__dataclass_fields__", {}):
            part = getattr(self, name)
            if isinstance(part, Mechanism):
                part.prepare()

    def label(self) -> str:
        """A public name for ledgers and messages."""
        return type(self).__name__
