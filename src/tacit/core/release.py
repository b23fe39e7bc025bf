"""What comes out of a mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from tacit.core.claim import Claim
from tacit.core.event import Event

V = TypeVar("V", covariant=True)


class Receipt(Protocol):
    """The line of a ledger that a release was charged to."""

    @property
    def index(self) -> int: ...
    @property
    def digest(self) -> str: ...


class Paper(Protocol):
    """A certificate, as far as ``core`` needs to know it."""

    def to_dict(self) -> dict[str, Any]: ...
    def to_markdown(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(Generic[V]):
    """A published value, what it cost, and why that is true.

    ``private`` is false only when the randomness came from a test seed. ``receipt`` is
    the ledger's line, if the ledger gave one.
    """

    value: V
    event: Event
    claim: Claim
    private: bool = True
    certificate: Paper | None = None
    receipt: Receipt | None = None

    @property
    def certified(self) -> Paper:
        """The certificate; a bare ``run`` has none, ``learn`` always has one."""
        if self.certificate is None:
            raise AttributeError("a bare run has no certificate; use tacit.learn")
        return self.certificate

    def __str__(self) -> str:
        mark = "" if self.private else " (NOT PRIVATE: drawn from a test seed)"
        describe = getattr(self.value, "describe", None)
        what = describe() if callable(describe) else repr(self.value)
        return f"{what}\n{self.event.describe()}, {self.event.relation.value}{mark}"
