"""The certificate: what may be said about a release, and by which theorem."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from tacit.core import Algorithm, Claim, SampleBound, Task
from tacit.core.event import Event
from tacit.core.numbers import show, show_rounded_up


class Spent(Protocol):
    """A privacy total, as the accountant states it."""

    @property
    def epsilon(self) -> Fraction | None: ...
    @property
    def delta(self) -> Fraction: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Privacy and accuracy of one release; holds public numbers only.

    ``n`` is ``None`` where the relation makes the number of records private; the
    accuracy then holds *if* there were at least ``needed`` records.
    ``accurate`` says whether the public ``n`` reaches what the theorem needs.
    """

    task: Task
    algorithm: str
    epsilon: Fraction | None
    delta: Fraction
    event: Event
    n: int | None
    needed: int
    privacy_claim: Claim
    accuracy_claim: Claim
    private: bool

    @classmethod
    def of(
        cls,
        *,
        task: Task,
        algorithm: Algorithm,
        bound: SampleBound,
        event: Event,
        spent: Spent,
        privacy_claim: Claim,
        n: int | None,
        private: bool,
    ) -> Certificate:
        """Put together what a plan and a release say."""
        return cls(
            task=task,
            algorithm=algorithm.name,
            epsilon=spent.epsilon,
            delta=spent.delta,
            event=event,
            n=n,
            needed=bound.n,
            privacy_claim=privacy_claim,
            accuracy_claim=bound.claim,
            private=private,
        )

    @property
    def accurate(self) -> bool | None:
        """Whether (alpha, beta) is certified; ``None`` where ``n`` is private."""
        return None if self.n is None else self.n >= self.needed

    def _accuracy_sentence(self) -> str:
        alpha, beta = show(self.task.accuracy.alpha), show(self.task.accuracy.beta)
        if self.task.goal == "sanitize":
            return self._answers_sentence(alpha)
        above = "above the best of the class" if self.task.setting == "agnostic" else "in all"
        rules = "the rule errs" if self.task.k == 1 else f"each of the {self.task.k} rules errs"
        promise = (
            f"with probability at least {show(1 - self.task.accuracy.beta)} over the records and "
            f"the draw, {rules} on at most a fraction {alpha} ({above}) of new records"
        )
        if self.task.setting == "realizable":
            promise += ", provided some rule of the class makes no error"
        if self.task.marginal != "any":
            promise += f", if the features' law is as stated ({self.task.marginal})"
        if self.n is None:
            return f"If there were at least {self.needed} records: {promise}."
        if self.accurate:
            return f"From {self.n} records ({self.needed} suffice): {promise}."
        return (
            f"NOT CERTIFIED for alpha = {alpha}, beta = {beta}: {self.n} records, and the theorem "
            f"needs {self.needed}. The privacy statement holds all the same. What {self.n} records "
            "can certify, `tacit.plan.least_alpha(task, n)` tells."
        )

    def _answers_sentence(self, alpha: str) -> str:
        promise = (
            f"with probability at least {show(1 - self.task.accuracy.beta)} over the draw, every "
            f"query of the class has an answer within {alpha} of the truth on the records"
        )
        if self.n is None:
            return f"If there were at least {self.needed} records: {promise}."
        if self.accurate:
            return f"From {self.n} records ({self.needed} suffice): {promise}."
        return f"NOT CERTIFIED: {self.n} records, and the theorem needs {self.needed}."

    def _privacy_sentence(self) -> str:
        if not self.private:
            return "NOT PRIVATE: drawn from a test seed."
        words = {
            "replace-one": "replacing any one record",
            "add-remove": "adding or removing any one record",
            "label": "changing any one label (the features are public)",
        }[self.task.privacy.relation.value]
        if self.epsilon is None:
            return "NOT STATED: this event has no epsilon at the task's delta."
        delta = f" and delta = {show_rounded_up(self.delta)}" if self.delta else ""
        return (
            f"Differentially private with epsilon = {show_rounded_up(self.epsilon)}{delta} against "
            f"{words}. Sampled exactly."
        )

    def to_dict(self) -> dict[str, Any]:
        """A JSON-ready form; numbers are exact, as strings."""
        task = self.task
        return {
            "private": self.private,
            "epsilon": str(self.epsilon),
            "delta": str(self.delta),
            "relation": task.privacy.relation.value,
            "event": self.event.to_dict(),
            "privacy_theorem": self.privacy_claim.to_dict(),
            "alpha": str(task.accuracy.alpha),
            "beta": str(task.accuracy.beta),
            "setting": task.setting,
            "marginal": str(task.marginal),
            "n": self.n,
            "n_needed": self.needed,
            "accuracy_certified": self.accurate,
            "theorem": self.accuracy_claim.to_dict(),
            "algorithm": self.algorithm,
            "class": task.concept_class.describe(),
        }

    def to_json(self) -> str:
        """``to_dict`` as text."""
        return json.dumps(self.to_dict(), indent=2)

    def to_markdown(self) -> str:
        """The certificate for people."""
        lines = [
            "## Certificate",
            "",
            f"- **Privacy.** {self._privacy_sentence()} ({self._cited(self.privacy_claim)})",
            f"- **Accuracy.** {self._accuracy_sentence()} ({self._cited(self.accuracy_claim)})",
            f"- **How.** Algorithm `{self.algorithm}` over {self.task.concept_class.describe()}.",
        ]
        return "\n".join(lines)

    @staticmethod
    def _cited(claim: Claim) -> str:
        return f"{claim.cite}, {claim.status.value}"

    def _repr_html_(self) -> str:
        from html import escape

        rows = (
            ("Privacy", self._privacy_sentence(), self.privacy_claim),
            ("Accuracy", self._accuracy_sentence(), self.accuracy_claim),
        )
        items = "".join(
            f"<li><b>{name}.</b> {escape(text)} <i>{escape(self._cited(claim))}</i></li>"
            for name, text, claim in rows
        )
        return f"<div><b>Certificate</b><ul>{items}</ul></div>"

    def __str__(self) -> str:
        return self.to_markdown()
