"""What a multi-task learner returns: one rule a task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, overload

import numpy as np
import numpy.typing as npt

from tacit.core import (
    PLAIN,
    BadInput,
    Hypothesis,
    Labels,
    NamedRule,
    hypothesis_from_dict,
    hypothesis_kind,
)
from tacit.core.printable import one_line
from tacit.core.records import Stored


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """``k`` rules, in the order of the label columns; also a sequence of them."""

    kind: ClassVar[str] = "rules"
    rules: tuple[Hypothesis, ...]

    def __post_init__(self) -> None:
        if not self.rules or any(isinstance(one, Rules) for one in self.rules):
            raise BadInput("there must be at least one rule, and each must be for one label")

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Hypothesis]:
        return iter(self.rules)

    @overload
    def __getitem__(self, task: int) -> Hypothesis: ...
    @overload
    def __getitem__(self, task: slice) -> tuple[Hypothesis, ...]: ...
    def __getitem__(self, task: int | slice) -> Hypothesis | tuple[Hypothesis, ...]:
        return self.rules[task]

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        """One column of answers a task."""
        return np.stack([rule.predict(x) for rule in self.rules], axis=1)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        shown = [
            f"{one_line(_name(rule, j))}: {line}"
            for j, rule in enumerate(self.rules)
            for line in rule.describe(column=column, labels=labels).split("\n")
        ]
        return "\n".join(shown)

    @property
    def names(self) -> tuple[str, ...]:
        """The labels' names, or their places where they have none."""
        return tuple(_name(rule, j) for j, rule in enumerate(self.rules))

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "rules": [rule.to_dict() for rule in self.rules]}

    @classmethod
    def from_dict(cls, record: Stored) -> Rules:
        return cls(rules=tuple(hypothesis_from_dict(rule) for rule in record["rules"]))


def _name(rule: Hypothesis, place: int) -> str:
    name = rule.label.name if isinstance(rule, NamedRule) else None
    return str(place) if name is None else name
