"""A parameter that only other classifiers take is refused in words."""

from __future__ import annotations

import inspect
from typing import Any, Self

from tacit.core import BadInput


class OwnParameters:
    """Say which classifiers take a parameter, where this one does not.

    It stands behind the classes that have an ``__init__``, whose parameters are the public ones.
    """

    def __new__(cls, *args: Any, **given: Any) -> Self:
        """Refuse a parameter of others; one that nobody takes is Python's to refuse."""
        del args
        own = inspect.signature(cls).parameters
        for name in given:
            takers = () if name in own else _takers(name)
            if takers:
                raise BadInput(f"{cls.__name__} takes no {name}=: {', '.join(takers)} do")
        return super().__new__(cls)


def _takers(name: str) -> list[str]:
    """The classifiers over tables that take a parameter."""
    from tacit.estimators.tables import models

    kinds = [kind for kind in models().values() if name in inspect.signature(kind).parameters]
    return [kind.__name__ for kind in kinds]
