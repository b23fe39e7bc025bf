"""The one idea at the centre: public parameters, a cost, one method that sees data."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from tacit.core.claim import Claim
from tacit.core.event import Event
from tacit.core.sampler import Sampler

D = TypeVar("D", contravariant=True)
V = TypeVar("V", covariant=True)


@runtime_checkable
class Prepared(Protocol):
    """Something that loads or compiles what it will need when records are counted."""

    def prepare(self) -> None:
        """Do so now; knows no data, and may be called again."""
        ...


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

        What can fail for reasons of the machine fails here. Parts are prepared, too: other
        mechanisms, and classes of rules that count with compiled loops.
        """
        for name in getattr(self, "__dataclass_fields__", {}):
            held = getattr(self, name)
            for part in held if isinstance(held, tuple) else (held,):
                if isinstance(part, Prepared):
                    part.prepare()

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - most hold any number
        """Whether ``n`` records that come in batches are counted and never held together.

        Public: it says what fits a limit on memory. ``None`` means any number.
        """
        return False

    def label(self) -> str:
        """A public name for ledgers and messages: the type's, in words."""
        return re.sub("(?<=[a-z0-9])(?=[A-Z])", " ", type(self).__name__).lower()


SomeMechanism: TypeAlias = Mechanism[Any, Any]
"""A mechanism whose data and values depend on the task: Python has no type for "one of these"."""
