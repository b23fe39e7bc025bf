"""What a plan holds. Every number comes with its theorem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tacit.core import Algorithm, Claim, LowerBound, SampleBound, Task
from tacit.core.numbers import show

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bounded:
    """A number of records with its theorem."""

    bound: SampleBound

    @property
    def n(self) -> int:
        """How many records."""
        return self.bound.n

    @property
    def terms(self) -> Mapping[str, float]:
        """What the number is made of."""
        return self.bound.terms

    @property
    def claim(self) -> Claim:
        """The theorem behind the number."""
        return self.bound.claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(_Bounded):
    """An algorithm that can do the task, and the records with which it provably does.

    ``runs`` is false where the theorem is about records alone: no computer could run it.
    """

    algorithm: Algorithm
    runs: bool = True

    @property
    def name(self) -> str:
        """What it is called."""
        return self.algorithm.name

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        return {
            "algorithm": self.name,
            "summary": self.algorithm.summary,
            "proper": self.algorithm.proper,
            "runs": self.runs,
            **_bound_dict(self.bound),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed(_Bounded):
    """Records that every algorithm needs: with ``n - 1`` some distribution defeats it."""

    source: LowerBound

    @property
    def name(self) -> str:
        """What it is called."""
        return self.source.name

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        return {"name": self.name, **_bound_dict(self.bound)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """An algorithm or lower bound that does not apply, and the public reason."""

    name: str
    reason: str

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        return {"name": self.name, "reason": self.reason}


def _bound_dict(bound: SampleBound) -> dict[str, object]:
    return {
        "n": None if bound.impossible else bound.n,
        "printed": bound.printed,
        "terms": dict(bound.terms),
        "choices": _plain(bound.choices),
        "claim": bound.claim.to_dict(),
    }


def _plain(value: object) -> Any:
    # Algorithms may keep any public parameter among their choices.
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Fraction):
        return show(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(part) for part in value]
    return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What ``task`` costs: options by records, lower bounds by strength, and the rest.

    ``options``       algorithms that apply, fewest records first.
    ``lower_bounds``  what no algorithm can do without, strongest first.
    ``rejected``      algorithms that do not apply, with the reason.
    ``inapplicable``        lower bounds that do not apply, with the reason.
    """

    task: Task
    options: tuple[Option, ...]
    lower_bounds: tuple[Needed, ...]
    rejected: tuple[Rejected, ...]
    inapplicable: tuple[Rejected, ...]

    @property
    def best(self) -> Option | None:
        """The option with the fewest records, or ``None`` if no algorithm applies."""
        return self.options[0] if self.options else None

    @property
    def runnable(self) -> Option | None:
        """The best option that a computer can run: what ``learn`` uses."""
        return next((option for option in self.options if option.runs), None)

    @property
    def gap(self) -> float | None:
        """The best option's records over the best lower bound's, if both are known."""
        if not self.options or not self.lower_bounds:
            return None
        return self.options[0].n / self.lower_bounds[0].n

    def summary(self, *, n: int | None = None) -> str:
        """The answer in two lines: how many records suffice, and how many nobody can avoid.

        ``n`` records at hand, if given, are what further sentences speak of.
        """
        from tacit.planner.explain import summary

        return summary(self, n=n)

    def explain(self) -> str:
        """The plan in words: what dominates, what would make it cheaper, who was rejected."""
        from tacit.planner.explain import explain

        return explain(self)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        return {
            "task": self.task.describe(),
            "options": [option.to_dict() for option in self.options],
            "lower_bounds": [needed.to_dict() for needed in self.lower_bounds],
            "gap": self.gap,
            "rejected": [entry.to_dict() for entry in self.rejected],
        }

    def __str__(self) -> str:
        from tacit.planner.render import text

        return text(self)

    def __rich__(self) -> Table:
        from tacit.planner.render import table

        return table(self)

    def _repr_html_(self) -> str:
        from tacit.planner.render import html

        return html(self)
