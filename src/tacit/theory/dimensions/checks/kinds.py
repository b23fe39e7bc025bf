"""Which function checks which kind of witness."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tacit.theory.dimensions.incidence import Incidence
from tacit.theory.dimensions.witnesses.base import Witness

Check = Callable[[Any, Incidence], str | None]
"""Says why a witness of its own kind does not hold of a class, or ``None`` if it does."""

Checks = dict[type[Witness], Check]
