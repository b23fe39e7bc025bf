"""Checks of witnesses, in exact arithmetic, independent of the searches.

Nothing here imports a search, a solver or a float: a check is a few lines that follow the
definition. A check says why it refuses, or ``None``.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.theory.dimensions.checks import combinatorial, metric, protocols, represent
from tacit.theory.dimensions.checks.kinds import Check
from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.witnesses import Witness

_CHECKS: dict[type[Witness], Check] = {
    **combinatorial.CHECKS,
    **represent.CHECKS,
    **protocols.CHECKS,
    **metric.CHECKS,
}


def why_not(witness: Witness, concept_class: object) -> str | None:
    """Why this witness does not prove what it says about this class, or ``None``."""
    table = read(concept_class)
    if witness.digest != table.digest:
        return "it was made for another table"
    for name in ("alpha", "beta", "error"):
        if not 0 < getattr(witness, name, Fraction(1, 2)) < 1:
            return f"its {name} is not strictly between 0 and 1"
    return _CHECKS[type(witness)](witness, table)


def verify(witness: Witness, concept_class: object) -> bool:
    """Whether the witness proves what it says about this class."""
    return why_not(witness, concept_class) is None
