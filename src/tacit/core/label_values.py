"""Label values: which are declared, which number each has, and what becomes of all others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tacit.core.errors import BadInput

OTHERS = ("negative", "ignore", "class")
OTHER = "other"
"""What the class of all other labels is called."""
MOST_VALUES = 100
"""How many label values there are at most, that of all others among them."""


@dataclass(frozen=True, slots=True)
class LabelValues:
    """More than two public label values, numbered from 0 on.

    ``declared``   the values themselves.
    ``otherwise``  the number of every other value, of a missing one too: 0, that of the first,
                   or ``len(declared)``, that of the class "other".
    """

    declared: tuple[object, ...]
    otherwise: int = 0

    @property
    def number(self) -> int:
        """How many labels there are, "other" among them where it is one."""
        return max(len(self.declared), self.otherwise + 1)


def check_other(other: str, names: tuple[str, ...]) -> str:
    """A word for what becomes of other labels, or a refusal."""
    if other not in OTHERS:
        raise BadInput(f"other must be one of {OTHERS}")
    if other == "class" and OTHER in names:
        raise BadInput(
            f"a label value is called {OTHER!r}, and so would be the class of all labels that are "
            "not declared: leave it out of the declared ones"
        )
    return other


def count_answers(values: int, other: str) -> int:
    """How many labels a rule may give, "other" among them where it is one, or a refusal."""
    answers = values + (other == "class")
    if answers > MOST_VALUES:
        raise BadInput(f"values: at most {MOST_VALUES} label values can be told apart")
    return answers


def check_columns(labels: Iterable[str], *, k: int) -> tuple[str, ...]:
    """The names of ``k`` label columns, or none."""
    names = (labels,) if isinstance(labels, str) else tuple(labels)
    if names and len(names) != k:
        raise BadInput(f"labels must name all {k} tasks, or none")
    if len(set(names)) < len(names):
        raise BadInput("labels must be different names")
    return names


def check_names(names: Iterable[str], values: int) -> tuple[str, ...]:
    """The names of so many label values, or none."""
    found = tuple(str(name) for name in names)
    if found and len(found) != values:
        raise BadInput(f"names must name all {values} label values, or none")
    if len(set(found)) < len(found):
        raise BadInput("label values must be different")
    return found
