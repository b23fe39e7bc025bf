"""A statement with its citation, so that no number stands without its theorem."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    """How far a claim can be trusted.

    ``PROVED``      proved in full in a proof file of this package.
    ``CITED``       proved in the cited paper; we checked it but do not re-derive it.
    ``IDEALISED``   proved under an assumption that the code only approximates.
    """

    PROVED = "proved"
    CITED = "cited"
    IDEALISED = "idealised"


PAPERS = {
    "BBKN13": "Beimel, Brenner, Kasiviswanathan, Nissim: Bounds on the sample complexity "
    "for private learning and private data release (2013)",
    "FX14": "Feldman, Xiao: Sample complexity bounds on differentially private learning "
    "via communication complexity (2014)",
    "CH11": "Chaudhuri, Hsu: Sample complexity bounds for differentially private learning (2011)",
    "B20": "Bun: A computational separation between private learning and online learning (2020)",
    "BNS19": "Bun, Nissim, Stemmer: Simultaneous private learning of multiple concepts (2019)",
    "own": "derived in this package",
}
"""The five papers and ``own``; any other key must be in ``docs/references.bib``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A theorem that code relies on.

    ``paper``     a key of ``PAPERS`` or of ``docs/references.bib``.
    ``locator``   where in it, like ``Theorem 3.2``.
    ``statement`` what is claimed, in one sentence, with our constants.
    ``proof``     the proof file, relative to ``src/tacit``, when the proof is ours.
    """

    paper: str
    locator: str
    statement: str
    status: Status = Status.PROVED
    proof: str | None = None

    @property
    def cite(self) -> str:
        """``BBKN13 Theorem 3.2``, or ``Tacit: Trees, Theorem 1`` for what is derived here."""
        return f"{'Tacit:' if self.paper == 'own' else self.paper} {self.locator}".strip()

    @property
    def words(self) -> str:
        """Where it is proved, for the reader of a certificate."""
        if self.paper != "own" or self.proof is None:
            return f"{self.cite}, {self.status.value}"
        found = re.search(r"Theorems? \d+( and \d+)?", self.locator)
        where = f", {found.group()}" if found else ""
        return f"{self.status.value} in Tacit's {self.proof}{where}"

    def to_dict(self) -> dict[str, str | None]:
        """A JSON-ready form."""
        return {
            "paper": self.paper,
            "locator": self.locator,
            "statement": self.statement,
            "status": self.status.value,
            "proof": self.proof,
        }
