"""What every mechanism must fulfil, as checks that raise ``AssertionError``."""

from __future__ import annotations

import copy
import dataclasses
import inspect
from collections.abc import Iterable

from tacit.checks.testing.entropy import seeded
from tacit.core import Claim, Event, Mechanism, Release, event_from_dict, run
from tacit.core.mechanism import Mechanism as _Base

PRIVACY = ("Requires", "Ensures", "Proof", "Numerics")


class _Counting:
    """A ledger without limit that remembers what it was charged."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def charge(self, event: Event, *, note: str = "") -> None:  # noqa: ARG002 - as ``run`` calls it
        self.events.append(event)


def check_mechanism_class(cls: type[Mechanism[object, object]]) -> None:
    """The parts of the contract that need no instance."""
    assert dataclasses.is_dataclass(cls), f"{cls.__name__} must be a dataclass"
    parameters: object = getattr(cls, "__dataclass_params__", None)
    assert parameters.frozen, f"{cls.__name__} must be frozen"
    assert isinstance(cls.CLAIM, Claim)
    signature = inspect.signature(cls._release)
    assert list(signature.parameters) == ["self", "data", "rng"], f"{cls.__name__}._release"
    assert signature.parameters["rng"].kind is inspect.Parameter.KEYWORD_ONLY
    assert list(inspect.signature(cls.event).parameters) == ["self"], "event sees no data"
    assert cls.label is _Base.label or not inspect.signature(cls.label).parameters.keys() - {"self"}
    for field in dataclasses.fields(cls):
        assert field.kw_only, f"{cls.__name__}.{field.name} must be keyword-only"
    text = inspect.getdoc(cls) or ""
    for heading in ("Privacy\n-------", "Edge cases\n----------"):
        assert heading in text, f"{cls.__name__} has no section {heading.split()[0]!r}"
    section = text.split("Privacy\n-------", 1)[1].split("Edge cases")[0]
    for word in PRIVACY:
        assert f"\n{word}" in section, f"{cls.__name__} does not say what it {word.lower()}"


def check_mechanism(
    mechanism: Mechanism[object, object], data: Iterable[object], *, secret: str
) -> None:
    """The contract of an instance, tried on several data sets that contain ``secret``."""
    event = mechanism.event()
    assert hash(event) == hash(mechanism.event())
    assert event_from_dict(event.to_dict()) == event
    assert secret not in repr(mechanism) + mechanism.label() + event.describe()
    for name in (field.name for field in dataclasses.fields(mechanism)):  # type: ignore[arg-type]
        try:
            setattr(mechanism, name, None)
        except (dataclasses.FrozenInstanceError, AttributeError):
            continue
        raise AssertionError(f"{name} of {type(mechanism).__name__} can be changed")
    before = copy.copy(mechanism)
    for sample in data:
        ledger = _Counting()
        release: Release[object] = run(mechanism, sample, ledger=ledger, rng=seeded(1))
        assert ledger.events == [event], "one run, one charge, known before the data"
        assert release.event == event
        assert release.claim == mechanism.CLAIM
        assert not release.private
        assert mechanism == before, "a run must leave nothing on the mechanism"
        assert mechanism.event() == event, "the event must not depend on what was seen"
        again: Release[object] = run(mechanism, sample, ledger=_Counting(), rng=seeded(1))
        assert repr(again.value) == repr(release.value), "only rng may make a release random"
