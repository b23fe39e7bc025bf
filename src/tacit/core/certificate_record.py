"""A certificate in JSON's own types."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tacit.core.claim import Claim
from tacit.core.event import Event
from tacit.core.numbers import show
from tacit.core.relation import Relation

if TYPE_CHECKING:
    from tacit.core.certificate import Asked, Certificate, Measured, Several


def certified_record(of: Certificate) -> dict[str, Any]:
    """What is certified; without parts that say nothing here."""
    told = {
        "planned": plain(of.planned),
        "accurate": of.accurate,
        "measured": _measured(of.measured),
        "compared": plain(of.compared),
    }
    more = {"answered": of.answered, "several": of.several, "rates": of.rates}
    found = told | {name: plain(part) for name, part in more.items() if part is not None}
    if of.several is not None:
        found["several"] = _several(of.several)
    return found


def _several(found: Several) -> dict[str, Any]:
    """What was counted of several labels; without fields that say nothing here."""
    told: dict[str, Any] = plain(found)
    for name in ("about", "epsilon", "sizes"):
        if told[name] is None:
            del told[name]
    costs = ("values", "cost", "balanced")
    told["labels"] = [
        {name: part for name, part in one.items() if one["values"] or name not in costs}
        for one in told["labels"]
    ]
    return told


def asked_record(asked: Asked) -> Any:
    """What was asked for; without label values where there are two."""
    told = plain(asked)
    if not asked.values:
        del told["values"]
    return told


def _measured(found: Measured | None) -> Any:
    """What was measured; without fields that say nothing here."""
    told = plain(found)
    if found is None:
        return told
    costs = () if found.labels else ("labels", "cost", "balanced")
    unsaid = (found.values or "values", found.noisy_right is not None or "noisy_right")
    empty = (*costs, *(name for name in unsaid if isinstance(name, str)))
    told["beside"] = [{k: v for k, v in one.items() if k != "rate" or v} for one in told["beside"]]
    return {name: value for name, value in told.items() if name not in empty}


def plain(part: object) -> Any:
    """A part in JSON's own types, exact numbers as strings."""
    if isinstance(part, Fraction):
        return show(part)
    if isinstance(part, Relation):
        return part.value
    if isinstance(part, (Event, Claim)):
        return part.to_dict()
    if isinstance(part, tuple):
        return [plain(one) for one in part]
    if hasattr(part, "__dataclass_fields__"):
        return {name: plain(getattr(part, name)) for name in part.__dataclass_fields__}
    return part
