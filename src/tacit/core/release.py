"""What comes out of a mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Generic, Protocol, TypeVar

from tacit.core.certificate import Certificate
from tacit.core.certificate_text import shortened
from tacit.core.claim import Claim
from tacit.core.display import Described, html_of
from tacit.core.event import Event

V = TypeVar("V", covariant=True)

_NOT_PRIVATE = "NOT PRIVATE: drawn from a test seed"


class Receipt(Protocol):
    """The line of a ledger that a release was charged to."""

    @property
    def index(self) -> int: ...
    @property
    def digest(self) -> str: ...


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
    certificate: Certificate | None = None
    receipt: Receipt | None = None

    @property
    def certified(self) -> Certificate:
        """The certificate; a bare ``run`` has none, ``learn`` always has one."""
        if self.certificate is None:
            raise AttributeError("a bare run has no certificate; use tacit.learn")
        return self.certificate

    def summary(self) -> str:
        """The release on one screen: what was released, how private, how good, what is left.

        A rule of many lines is cut; ``print(release.value.describe())`` has them all.
        """
        lines = shortened(self._what())
        cost = f"Cost: {self.event.describe()}, {self.event.relation.value}"
        told = cost if self.certificate is None else self.certificate.summary()
        return "\n".join((*lines, "", told, *(() if self.private else (_NOT_PRIVATE,))))

    def _repr_html_(self) -> str:
        if isinstance(self.value, Described):
            shown = html_of(self.value)
        else:
            shown = f"<pre>{escape(self._what())}</pre>"
        mark = "" if self.private else f"<p><strong>{_NOT_PRIVATE}</strong></p>"
        cost = f"{self.event.describe()}, {self.event.relation.value}"
        told = f"<p>{escape(cost)}</p>"
        if self.certificate is not None:
            told = self.certificate._repr_html_()
        return f"<div>{shown}{mark}{told}</div>"

    def _what(self) -> str:
        return self.value.describe() if isinstance(self.value, Described) else repr(self.value)

    def __str__(self) -> str:
        mark = "" if self.private else f" ({_NOT_PRIVATE})"
        return f"{self._what()}\n{self.event.describe()}, {self.event.relation.value}{mark}"
