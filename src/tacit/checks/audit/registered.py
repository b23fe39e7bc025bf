"""The table of ``make audit``: claimed, exact and sampled epsilon of everything registered."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from multiprocessing import get_context
from typing import Any

from tacit.checks.audit.branching import within
from tacit.checks.audit.enumeration import ExactAudit, claim_of, exact
from tacit.checks.audit.estimates import Estimate
from tacit.checks.audit.estimation import estimate
from tacit.checks.audit.instances import everything as lines
from tacit.checks.audit.instances import formed, sampled_pairs
from tacit.core import ALGORITHMS, MECHANISMS, Sampler, TacitError, Tiny
from tacit.core.numbers import show, show_rounded_up
from tacit.core.registry import mechanisms as registered
from tacit.exact.entropy import SYSTEM

# What a mechanism that claims epsilon 1 really spends, to see that it is found out.
OVER = Fraction(5, 4)
_RUNS_PER_LAW = 20_000
_EXACT_SECONDS = 60.0
"""For one exact audit; most take less than one, none of those listed takes twenty."""


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

    def _delta(self) -> Fraction:
        """The delta that goes with ``claimed``."""
        if self.estimate is not None:
            return self.estimate.delta
        return Fraction(0) if self.exact is None else self.exact.claimed_delta

    def cells(self) -> list[str]:
        """The row as text."""
        claim = (self.claimed, self._delta())
        exact_text, notes = "", [self.said] if self.said else []
        if self.exact is not None:
            low, high = (f"{float(end):.4f}" for end in self.exact.epsilon)
            exact_text = low if low == high else f"{low} to {high}"
            notes.append(f"{self.exact.n} records")
            if (self.exact.claimed_epsilon, self.exact.claimed_delta) != claim:
                own = show_rounded_up(self.exact.claimed_epsilon, digits=4)
                notes.append(f"exact against ({own}, {show(self.exact.claimed_delta)})")
        sampled = "" if self.estimate is None else f"{float(self.estimate.epsilon):.3f}"
        if self.exact is not None and self.exact.coins == "fixed":
            notes.append("exact for one drawing of its public hash")
        if self.exact is not None and self.exact.rest > Fraction(1, 10**6):
            rest = show_rounded_up(self.exact.rest, digits=2)
            notes.append(f"exact but for outputs of probability {rest}")
        return [
            self.name,
            show_rounded_up(self.claimed, digits=4),
            show(claim[1]),
            exact_text,
            sampled,
            "CAUGHT" if self.violated else "",
            "; ".join(notes),
        ]


def _forced(target: Tiny, epsilon: Fraction, claimed: Fraction | None) -> dict[str, Any]:
    if claimed is None:
        return {"delta": target.delta}
    return {"epsilon": claimed, "delta": claim_of(target.make(epsilon).event())[1]}


def audit_exactly(
    target: Tiny, *, epsilon: Fraction, claimed: Fraction | None = None, seconds: float
) -> tuple[ExactAudit | None, str]:
    """What the exact laws of the tiny case say, or why they say nothing."""
    try:
        with within(seconds):
            return exact(
                target.make(epsilon),
                target.records,
                target.n,
                form=partial(formed, target),
                order=target.order,
                pairs=target.only,
                faint=target.faint,
                most=_RUNS_PER_LAW,
                name=target.name,
                **_forced(target, epsilon, claimed),
            ), ""
    except TacitError as reason:
        return None, f"exact: {reason}"


def _sampled(
    target: Tiny, *, epsilon: Fraction, claimed: Fraction | None, rng: Sampler, **given: Any
) -> tuple[Estimate | None, str]:
    try:
        mechanism, pairs = target.large(epsilon), sampled_pairs(target)
        # Whatever is compiled, or worked out once, does not count as the time of a run.
        rng.part(mechanism, pairs[0][0])
        return estimate(
            mechanism,
            pairs,
            name=target.name,
            rng=rng,
            **_forced(target, epsilon, claimed),
            **given,
        ), ""
    except TacitError as reason:
        return None, f"sampled: {reason}"


def _line(
    target: Tiny,
    epsilon: Fraction,
    claimed: Fraction | None,
    found: ExactAudit | None,
    sampled: Estimate | None,
    notes: list[str],
) -> Line:
    known = sampled.claimed_epsilon if sampled else found.claimed_epsilon if found else None
    return Line(
        name=target.name,
        claimed=claimed or known or epsilon,
        driven_at=epsilon,
        exact=found,
        estimate=sampled,
        said="; ".join(note for note in (target.remark, *notes) if note),
    )


def audit_target(
    target: Tiny,
    *,
    epsilon: Fraction,
    seconds: float,
    exact_seconds: float,
    rng: Sampler = SYSTEM,
) -> Line:
    """One target by itself, made for ``epsilon``, against what it claims."""
    found, why_not = audit_exactly(target, epsilon=epsilon, seconds=exact_seconds)
    sampled, said = _sampled(target, epsilon=epsilon, claimed=None, seconds=seconds, rng=rng)
    return _line(target, epsilon, None, found, sampled, [why_not, said])


@cache
def _by_name() -> dict[str, Tiny]:
    return {entry.name: entry for entry in lines()}


def _exactly_by_name(name: str) -> tuple[ExactAudit | None, str]:
    """For another process, which makes the target itself: targets hold functions."""
    return audit_exactly(_by_name()[name], epsilon=Fraction(1), seconds=_EXACT_SECONDS)


def everything(*, seconds: float, rng: Sampler = SYSTEM) -> Iterator[Line]:
    """All registered mechanisms and algorithms at epsilon 1, within about ``seconds``.

    The exact audits run in a process beside the sampling.
    """
    listed, one = list(lines()), Fraction(1)
    end = time.monotonic() + seconds
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as beside:
        waiting = {entry.name: beside.submit(_exactly_by_name, entry.name) for entry in listed}
        for place, entry in enumerate(listed):
            share = max(0.5, (end - time.monotonic()) / (len(listed) - place))
            sampled, said = _sampled(entry, epsilon=one, claimed=None, seconds=share, rng=rng)
            found, why_not = waiting[entry.name].result()
            yield _line(entry, one, None, found, sampled, [why_not, said])


def power(*, rng: Sampler = SYSTEM) -> Iterator[Line]:
    """Mechanisms whose claim is met nearly exactly, run at 1.25 times what is claimed.

    The chance that sampling blames any of them wrongly is at most 1/1000 over all.
    """
    tight = [target for target in MECHANISMS if target.tight]
    level = Fraction(1, 1000 * len(tight))
    for target in tight:
        found, why_not = audit_exactly(
            target, epsilon=OVER, claimed=Fraction(1), seconds=_EXACT_SECONDS
        )
        sampled, said = _sampled(
            target, epsilon=OVER, claimed=Fraction(1), rng=rng, runs=target.tight, level=level
        )
        yield _line(target, OVER, Fraction(1), found, sampled, [why_not, said])


def not_driven() -> list[str]:
    """Registered mechanisms and algorithms that have no line of their own."""
    targets = list(lines())
    types = {type(target.make(Fraction(1))) for target in targets}
    named = {target.name for target in targets}
    return [
        *(cls.__name__ for cls in registered() if cls not in types),
        *(entry.name for entry in ALGORITHMS if entry.name not in named),
    ]
