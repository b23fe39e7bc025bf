"""The certificate of a rule learned from a table: privacy, and what its error can be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.core import Claim, Event
from tacit.core.numbers import show, show_rounded_up

_WORDS = {
    "replace-one": "replacing any one record",
    "add-remove": "adding or removing any one record",
    "label": "changing any one label (the features are public)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparator:
    """What holds against the best rule of one public size: each with probability 1 - beta.

    ``realizable``  the error, if such a rule makes none.
    ``excess``      how much more than such a rule the released one may err.
    """

    what: str
    realizable: Fraction
    excess: Fraction

    def to_dict(self) -> dict[str, str]:
        """Exact numbers as strings."""
        return {
            "against": self.what,
            "realizable": str(self.realizable),
            "excess": str(self.excess),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCertificate:
    """Public and released numbers only.

    ``error``      with probability ``1 - beta`` the rule's true error is at most this; from
                   the noisy mistakes, which were paid for. ``None`` if ``n`` is private or
                   no budget was set aside for it.
    ``about``      what the errors are fractions of.
    """

    epsilon: Fraction
    delta: Fraction
    event: Event
    private: bool
    beta: Fraction
    n: int | None
    what: str
    noisy_mistakes: int | None
    error: Fraction | None
    comparators: tuple[Comparator, ...]
    privacy_claim: Claim
    error_claim: Claim
    comparator_claim: Claim
    about: str = "new records"

    def _privacy_sentence(self) -> str:
        if not self.private:
            return "NOT PRIVATE: drawn from a test seed."
        return (
            f"Differentially private with epsilon = {show_rounded_up(self.epsilon)} against "
            f"{_WORDS[self.event.relation.value]}. Sampled exactly."
        )

    def _error_sentence(self) -> str:
        if self.noisy_mistakes is None:
            return "No part of the budget was set aside to count mistakes (error_share = 0)."
        counted = max(0, self.noisy_mistakes)  # noise can take it below
        if self.n is None:
            return (
                f"About {counted} mistakes on the records (with noise); their number "
                "is private, so no rate is stated."
            )
        assert self.error is not None
        return (
            f"About {counted} mistakes on {self.n} records (with noise). With "
            f"probability at least {show(1 - self.beta)} the rule errs on at most "
            f"{_percent(self.error)} of {self.about}."
        )

    def _comparator_sentences(self) -> list[str]:
        sure = show(1 - self.beta)
        return [
            f"Against {one.what}: with probability at least {sure} the rule errs at most "
            f"{_percent(one.excess)} of {self.about} more than the best of them, and at most "
            f"{_percent(one.realizable)} if one of them makes no error."
            for one in self.comparators
        ]

    def to_dict(self) -> dict[str, Any]:
        """A JSON-ready form; numbers are exact, as strings."""
        return {
            "private": self.private,
            "epsilon": str(self.epsilon),
            "delta": str(self.delta),
            "relation": self.event.relation.value,
            "event": self.event.to_dict(),
            "privacy_theorem": self.privacy_claim.to_dict(),
            "beta": str(self.beta),
            "n": self.n,
            "class": self.what,
            "noisy_mistakes": self.noisy_mistakes,
            "alpha": None if self.error is None else str(self.error),
            "about": self.about,
            "theorem": self.error_claim.to_dict(),
            "comparators": [one.to_dict() for one in self.comparators],
            "comparator_theorem": self.comparator_claim.to_dict(),
        }

    def to_json(self) -> str:
        """``to_dict`` as text."""
        return json.dumps(self.to_dict(), indent=2)

    def to_markdown(self) -> str:
        """The certificate for people."""
        lines = [
            "## Certificate",
            "",
            f"- **Privacy.** {self._privacy_sentence()} ({_cited(self.privacy_claim)})",
            f"- **Error.** {self._error_sentence()} ({_cited(self.error_claim)})",
        ]
        lines += [
            f"- **Beforehand.** {sentence} ({_cited(self.comparator_claim)})"
            for sentence in self._comparator_sentences()
        ]
        return "\n".join([*lines, f"- **How.** Drawn from {self.what}."])

    def _repr_html_(self) -> str:
        from html import escape

        items = "".join(
            f"<li>{escape(line.removeprefix('- ').replace('**', ''))}</li>"
            for line in self.to_markdown().splitlines()[2:]
        )
        return f"<div><b>Certificate</b><ul>{items}</ul></div>"

    def __str__(self) -> str:
        return self.to_markdown()


def _cited(claim: Claim) -> str:
    return f"{claim.cite}, {claim.status.value}"


def _percent(value: Fraction) -> str:
    return f"{float(-(-value * 1000 // 1)) / 10:g} %"
