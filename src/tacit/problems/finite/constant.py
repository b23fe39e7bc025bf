"""The two rules that look at nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, Labels, hypothesis_kind


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantRule:
    """The same answer everywhere."""

    kind: ClassVar[str] = "constant"
    value: bool

    def predict(self, x: Any) -> npt.NDArray[np.bool_]:
        return np.full(len(x), self.value)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        return f"{labels[self.value]} whatever {column} is"

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "value": self.value}

    @classmethod
    def from_dict(cls, record: dict[str, object]) -> ConstantRule:
        return cls(value=bool(record["value"]))


NEVER = ConstantRule(value=False)
"""0 everywhere: what a learner answers when it has nothing to say."""
