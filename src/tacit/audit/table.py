"""The table of ``make audit``: claimed, exact and sampled epsilon of everything registered."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.audit.branching import within
from tacit.audit.cases import algorithms
from tacit.audit.enumeration import ExactAudit, claim_of, exact
from tacit.audit.estimation import Estimate, estimate
from tacit.audit.targets import Target, mechanisms
from tacit.core import Rng, TacitError
from tacit.core.numbers import show, show_rounded_up
from tacit.core.registry import mechanisms as registered
from tacit.exact.entropy import SYSTEM

OVER = Fraction(5, 4)
_RUNS_PER_LAW = 6_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One target at one epsilon; ``said`` is why there is no exact or no sampled figure."""

    name: str
    claimed: Fraction
    driven_at: Fraction
    exact: ExactAudit | None
    estimate: Estimate | None
    said: str = ""

    @property
    def violated(self) -> bool:
        return bool(
            (self.exact and self.exact.violated) or (self.estimate and self.estimate.violated)
        )

    def cells(self) -> list[str]:
        """The row as text."""
        exact_text = ""
        if self.exact is not None:
            low, high = (float(end) for end in self.exact.epsilon)
            exact_text = f"{high:.4f}" if high - low < 1e-5 else f"{low:.4f} to {high:.4f}"
        delta = Fraction(0)
        if self.exact is not None:
            delta = self.exact.claimed_delta
        elif self.estimate is not None:
            delta = self.estimate.delta
        sampled = "" if self.estimate is None else f"{float(self.estimate.epsilon):.3f}"
        notes = [self.said] if self.said else []
        if self.exact is not None and self.exact.coins == "fixed":
            notes.append("exact for one drawing of its public hash")
        if self.exact is not None and self.exact.rest > Fraction(1, 10**6):
            rest = show_rounded_up(self.exact.rest, digits=2)
            notes.append(f"exact but for outputs of probability {rest}")
        return [
            self.name,
            show_rounded_up(self.claimed, digits=4),
            show(delta),
            exact_text,
            sampled,
            "CAUGHT" if self.violated else "",
            "; ".join(notes),
        ]


def audit_target(
    target: Target,
    *,
    epsilon: Fraction,
    claimed: Fraction | None = None,
    seconds: float,
    exact_seconds: float,
    rng: Rng = SYSTEM,
) -> Line:
    """Audit one target, made for ``epsilon``, against what it claims (or ``claimed``)."""
    notes = []
    found: ExactAudit | None = None
    sampled: Estimate | None = None
    forced: dict[str, Any] = {"delta": target.delta}
    if claimed is not None:
        forced = {"epsilon": claimed, "delta": claim_of(target.tiny(epsilon).event())[1]}
    try:
        with within(exact_seconds):
            found = exact(
                target.tiny(epsilon),
                target.records,
                target.n,
                form=target.form,
                order=target.order,
                faint=target.faint,
                most=_RUNS_PER_LAW,
                name=target.name,
                **forced,
            )
    except TacitError as reason:
        notes.append(f"exact: {reason}")
    try:
        sampled = estimate(
            target.sampled(epsilon),
            target.pairs,
            seconds=seconds,
            name=target.name,
            rng=rng,
            **forced,
        )
    except TacitError as reason:
        notes.append(f"sampled: {reason}")
    known = found.claimed_epsilon if found else sampled.claimed_epsilon if sampled else None
    return Line(
        name=target.name,
        claimed=claimed or known or epsilon,
        driven_at=epsilon,
        exact=found,
        estimate=sampled,
        said="; ".join(notes),
    )


def everything(*, seconds: float, rng: Rng = SYSTEM) -> Iterator[Line]:
    """All registered mechanisms and algorithms at epsilon 1, within about ``seconds``."""
    listed, one = [*mechanisms(), *algorithms()], Fraction(1)
    end = time.monotonic() + seconds
    for place, entry in enumerate(listed):
        share = max(0.5, (end - time.monotonic()) / (len(listed) - place))
        if isinstance(entry, Target):
            # Most laws take a moment; the few that do not may take what these leave.
            yield audit_target(
                entry, epsilon=one, seconds=share / 2, exact_seconds=3 * share / 2, rng=rng
            )
        else:
            name, reason = entry
            yield Line(
                name=name, claimed=one, driven_at=one, exact=None, estimate=None, said=reason
            )


def power(*, seconds: float, rng: Rng = SYSTEM) -> Iterator[Line]:
    """Mechanisms whose claim is met nearly exactly, run at 1.25 times what is claimed."""
    tight = [target for target in mechanisms() if target.tight]
    each = seconds / len(tight)
    for target in tight:
        yield audit_target(
            target,
            epsilon=OVER,
            claimed=Fraction(1),
            seconds=0.7 * each,
            exact_seconds=0.3 * each,
            rng=rng,
        )


def not_driven() -> list[str]:
    """Registered mechanisms that no line runs, by themselves or as a declared part."""
    reached: set[type] = set()
    for entry in (*mechanisms(), *algorithms()):
        if isinstance(entry, Target):
            for make in (entry.tiny, entry.sampled):
                reached |= _parts(make(Fraction(1)))
    return [cls.__name__ for cls in registered() if cls not in reached]


def _parts(thing: Any) -> set[type]:
    if isinstance(thing, tuple):
        return {part for one in thing for part in _parts(one)}
    if not dataclasses.is_dataclass(thing) or isinstance(thing, type):
        return set()
    fields = (getattr(thing, field.name) for field in dataclasses.fields(thing))
    return {type(thing)}.union(*(_parts(value) for value in fields))
