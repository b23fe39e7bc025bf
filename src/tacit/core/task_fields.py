"""What the fields of a task may be: read and refused in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from tacit.core.errors import BadInput
from tacit.core.label_values import MOST_VALUES, check_names
from tacit.core.numbers import Number, exact, whole

RECORD = "record"
"""The unit that is protected unless another one is named: one record, one row."""
BALANCED = "balanced"
MOST_COST = 100
"""What a mistake costs at most: sums of costs are tallied one by one."""
Costs = Mapping[str, int] | Iterable[tuple[str, int]] | str | None


def read_unit(unit: str | None) -> str | None:
    if unit is None:
        return None
    if not isinstance(unit, str) or not unit.strip():
        raise BadInput("unit must be the name of a column, such as 'patient_id'")
    if unit == RECORD:
        raise BadInput(f"a column called {RECORD!r} cannot be the unit: give it another name")
    return unit


def read_share(share: Number | None) -> Fraction | None:
    if share is None:
        return None
    part = exact(share, name="error_share")
    if not 0 <= part < 1:
        raise BadInput("error_share must be at least 0 and below 1, or None for the usual")
    return part


def read_costs(
    costs: Costs, names: tuple[str, ...], *, values: int | None = None
) -> tuple[tuple[str, int], ...] | str | None:
    """What each label value costs: in the order of ``names`` where these are known.

    ``values`` is how many labels there are: no more can be told, with names or without.
    """
    if costs is None or (isinstance(costs, str) and costs == BALANCED):  # arrays compare by cell
        return costs
    told = by_word(_pairs(costs))
    others = any(name not in told for name in names)  # they cost 1
    if not told or max(told.values()) > MOST_COST or not (others or max(told.values())):
        raise BadInput(f"costs must be whole numbers up to {MOST_COST}, and one of them above 0")
    if not names:
        if values is not None and len(told) > values:
            raise BadInput(f"costs name {len(told)} labels, and there are {values}")
        return tuple(told.items())
    unknown = [label for label in told if label not in names]
    if unknown:
        raise BadInput(
            f"costs name the label {unknown[0]!r}, and the declared ones are "
            f"{', '.join(map(repr, names[:-1]))} and {names[-1]!r}"
        )
    return tuple((name, told.get(name, 1)) for name in names)


def by_word(costs: Mapping[object, object] | Mapping[str, int]) -> dict[str, int]:
    """Costs by the words of their labels, each of which is named once."""
    told = {str(label): whole(cost, name="costs", least=0) for label, cost in costs.items()}
    if len(told) < len(costs):
        raise BadInput("costs name one label twice: 1 and '1' are the same label")
    return told


def _pairs(costs: Costs) -> dict[object, object]:
    """What was given as costs, by label."""
    try:
        if not isinstance(costs, str):
            return dict(costs)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        pass
    raise BadInput("costs must be whole numbers by label, such as {'yes': 20}, or 'balanced'")


def read_label_costs(pairs: Iterable[Iterable[int]], *, k: int) -> tuple[tuple[int, int], ...]:
    """What a mistake on the negative and on the positive value of each label costs, or none."""
    found = tuple(tuple(whole(cost, name="label_costs", least=0) for cost in one) for one in pairs)
    if not found:
        return ()
    if len(found) != k or any(len(one) != 2 for one in found):
        raise BadInput(f"label_costs must be two whole numbers for each of the {k} labels")
    if any(not 0 < max(one) <= MOST_COST for one in found):
        raise BadInput(f"costs must be whole numbers up to {MOST_COST}, and one of them above 0")
    return tuple((one[0], one[1]) for one in found)


def read_label_values(values: Iterable[Iterable[str]], *, k: int) -> tuple[tuple[str, ...], ...]:
    """The names of the values of each label, two or more, or none."""
    found = tuple(tuple(one) for one in values)
    if not found:
        return ()
    if len(found) != k:
        raise BadInput(f"label_values must name the values of each of the {k} labels")
    if any(not 2 <= len(one) <= MOST_VALUES for one in found):
        raise BadInput(f"label_values: each label has two values or more, at most {MOST_VALUES}")
    return tuple(check_names(one, len(one)) for one in found)
