"""Read a certificate back from a file that somebody else wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tacit.core.certificate import (
    VERSION,
    Account,
    Answered,
    Asked,
    Certificate,
    Comparator,
    Compared,
    Counted,
    MarginalError,
    Measured,
    OfValue,
    OneOfSeveral,
    OnLabel,
    Planned,
    Rates,
    Several,
    Spent,
)
from tacit.core.claim import Claim, Status
from tacit.core.errors import BadInput
from tacit.core.event import event_from_dict
from tacit.core.label_values import MOST_VALUES, OTHERS
from tacit.core.numbers import exact
from tacit.core.records import Stored, check_depth
from tacit.core.relation import Relation

MOST_BITS = 14_000
"""More than any number of ours has, and few enough to be printed."""


def certificate_from_dict(record: Mapping[str, object]) -> Certificate:
    """Read back what ``Certificate.to_dict`` wrote; what is damaged or unknown is refused.

    What a certificate says in words is made anew from its numbers, never taken from the file.
    """
    check_depth(record)
    try:
        if record["version"] != VERSION:
            raise BadInput(
                f"this certificate has version {record['version']!r}, and this program reads "
                f"version {VERSION}: use the Tacit that wrote it, or a newer one"
            )
        return _certificate(record)
    except (ArithmeticError, AttributeError, LookupError, TypeError):
        raise BadInput("the certificate is damaged") from None
    except ValueError as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput("the certificate is damaged") from None


def _certificate(record: Stored) -> Certificate:
    asked, spent, certified = record["asked"], record["spent"], record["certified"]
    return Certificate(
        asked=Asked(
            **_texts(asked, "unit", "goal", "marginal"),
            **_fractions(asked, "epsilon", "delta", "beta"),
            **_maybe_fractions(asked, "alpha"),
            relation=Relation.read(_text(asked["relation"])),
            setting=None if asked["setting"] is None else _text(asked["setting"]),
            k=_whole(asked["k"]),
            rows_per_unit=_whole(asked.get("rows_per_unit", 1)),
            rows=_text(asked.get("rows", "any")),
            other=_other(asked.get("other", "negative")),
            values=tuple(map(_text, _listed(asked.get("values", ())))),
        ),
        spent=Spent(event=event_from_dict(spent["event"]), **_fractions(spent, "epsilon", "delta")),
        **_texts(record, "algorithm", "what"),
        n=None if record["n"] is None else _whole(record["n"]),
        private=_truth(record["private"]),
        privacy_claim=_claim(record["privacy_theorem"]),
        planned=_optional(certified["planned"], _planned),
        measured=_optional(certified["measured"], _measured),
        compared=_optional(certified["compared"], _compared),
        answered=_optional(certified.get("answered"), _answered),
        several=_optional(certified.get("several"), _several),
        rates=_optional(certified.get("rates"), _rates),
        account=_optional(record["account"], _account),
        recipe=_optional(record["recipe"], _recipe),
    )


def _listed(value: Any) -> Sequence[Any]:
    """A list of at most so many entries as there can be label values."""
    if not isinstance(value, (list, tuple)) or len(value) > MOST_VALUES:
        raise TypeError
    return value


def _other(value: object) -> str:
    if value not in OTHERS:
        raise TypeError
    return _text(value)


def _recipe(value: object) -> Stored:
    """What a certificate was made from; ``rebuilt`` reads the rest, words only the class."""
    recipe = _mapping(value)
    _mapping(recipe.get("class", {}))
    return recipe


def _planned(record: Stored) -> Planned:
    return Planned(needed=_whole(record["needed"]), claim=_claim(record["claim"]))


def _measured(record: Stored) -> Measured:
    return Measured(
        noisy_mistakes=_integer(record["noisy_mistakes"]),
        noisy_right=_optional(record.get("noisy_right"), _integer),
        draws=_whole(record["draws"]),
        **_fractions(record, "epsilon"),
        **_maybe_fractions(record, "prior", "error"),
        claim=_claim(record["claim"]),
        about=_text(record["about"]),
        beside=tuple(_counted(one) for one in record["beside"]),
        labels=tuple(_on_label(one) for one in record.get("labels", ())),
        **_maybe_fractions({"cost": None, "balanced": None, **record}, "cost", "balanced"),
        values=tuple(
            OfValue(label=_text(one["label"]), count=_integer(one["count"]))
            for one in _listed(record.get("values", ()))
        ),
    )


def _on_label(record: Mapping[str, Any]) -> OnLabel:
    size = record["size"]
    return OnLabel(
        label=_text(record["label"]),
        cost=_whole(record["cost"]),
        noisy_mistakes=_integer(record["noisy_mistakes"]),
        size=None if size is None else _integer(size),
        **_maybe_fractions(record, "rate"),
    )


def _counted(record: Mapping[str, object]) -> Counted:
    count, within, needed = record["count"], record["within"], record["needed"]
    return Counted(
        what=_text(record["what"]),
        count=None if count is None else _integer(count),
        within=None if within is None else _whole(within),
        needed=None if needed is None else _whole(needed),
        **_maybe_fractions({"rate": None, **record}, "epsilon", "rate"),
    )


def _compared(record: Stored) -> Compared:
    return Compared(
        **_fractions(record, "rate", "least"),
        claim=_claim(record["claim"]),
        among=tuple(
            Comparator(what=_text(one["what"]), **_fractions(one, "prior", "realizable", "excess"))
            for one in record["among"]
        ),
    )


def _answered(record: Stored) -> Answered:
    return Answered(
        noisy_worst=_integer(record["noisy_worst"]),
        cost=event_from_dict(record["cost"]),
        records=_whole(record["records"]),
        **_fractions(record, "error"),
        promise=_text(record["promise"]),
        claim=_claim(record["claim"]),
        each=tuple(
            MarginalError(columns=tuple(map(_text, one["columns"])), noisy=_integer(one["noisy"]))
            for one in record["each"]
        ),
    )


def _several(record: Stored) -> Several:
    return Several(
        **_maybe_fractions(record, "variance"),
        claim=_claim(record["claim"]),
        labels=tuple(
            OneOfSeveral(
                label=_text(one["label"]),
                noisy_mistakes=_integer(one["noisy_mistakes"]),
                **_maybe_fractions(one, "prior", "error"),
                values=tuple(map(_on_label, _listed(one.get("values", ())))),
                **_maybe_fractions({"cost": None, "balanced": None, **one}, "cost", "balanced"),
            )
            for one in record["labels"]
        ),
        about=_optional(record.get("about"), _text),
        **_maybe_fractions({"epsilon": None, "sizes": None, **record}, "epsilon", "sizes"),
    )


def _rates(record: Stored) -> Rates:
    return Rates(
        **_fractions(record, "epsilon", "unsure"),
        parts=_whole(record["parts"]),
        within=_whole(record["within"]),
        claim=_claim(record["claim"]),
    )


def _account(record: Mapping[str, object]) -> Account:
    return Account(
        ledger=None if record["ledger"] is None else _text(record["ledger"]),
        entry=_whole(record["entry"]),
        **_texts(record, "digest", "data_set"),
        **_fractions(record, "limit_delta", "spent_delta"),
        **_maybe_fractions(record, "limit_epsilon", "spent_epsilon", "left_epsilon"),
    )


def _claim(record: Mapping[str, object]) -> Claim:
    proof = record["proof"]
    return Claim(
        **_texts(record, "paper", "locator", "statement"),
        status=Status(record["status"]),
        proof=None if proof is None else _text(proof),
    )


def _optional(part: Any, read: Any) -> Any:
    return None if part is None else read(part)


def _fractions(record: Mapping[str, object], *names: str) -> dict[str, Any]:
    """Exact numbers by name; only text is a number here."""
    return {name: _fraction(record[name], name=name) for name in names}


def _maybe_fractions(record: Mapping[str, object], *names: str) -> dict[str, Any]:
    """The same where a number may be missing."""
    found = {name: record[name] for name in names}
    return {
        name: None if value is None else _fraction(value, name=name)
        for name, value in found.items()
    }


def _fraction(value: object, *, name: str) -> Fraction:
    number = exact(_text(value), name=name)
    if max(abs(number.numerator), number.denominator).bit_length() > MOST_BITS:
        raise BadInput(f"{name} is too long a number")
    return number


def _texts(record: Mapping[str, object], *names: str) -> dict[str, Any]:
    return {name: _text(record[name]) for name in names}


def _mapping(value: object) -> Stored:
    if not isinstance(value, dict):
        raise TypeError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _whole(value: object) -> int:
    number = _integer(value)
    if number < 0:
        raise TypeError
    return number


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value
