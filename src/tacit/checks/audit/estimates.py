"""What an estimate of epsilon says, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from tacit.checks.attacks.confidence import Counts
from tacit.checks.audit.neighbours import Pair
from tacit.core.numbers import show, show_rounded_up


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A lower bound on epsilon that samples prove.

    ``epsilon``   the mechanism's epsilon at ``delta`` is larger than this, but for a
                  probability ``level``. A bound of 0 says that nothing was found, not
                  that nothing is there.
    ``violated``  the claim is certainly broken, but for the same probability.
    ``counts``    how often the event was seen on the two data sets ``data``, which were
                  reached from the given pair number ``pair`` by ``step``.
    ``region``    false alarms and misses of the confirmed test.
    ``curve``     the same for its other cuts, on the same runs: seen, not certified.
    """

    name: str
    claimed_epsilon: Fraction | None
    delta: Fraction
    level: Fraction
    epsilon: Fraction
    runs: int
    seconds: float
    pair: int
    step: str
    direction: str
    event: str
    counts: Counts
    data: Pair | None = field(default=None, repr=False)
    region: tuple[tuple[float, float], ...] = ()
    curve: tuple[tuple[float, float], ...] = field(default=(), repr=False)

    @property
    def violated(self) -> bool:
        """Whether more was found than is claimed."""
        return self.claimed_epsilon is not None and self.epsilon > self.claimed_epsilon

    def __str__(self) -> str:
        claimed = "none" if self.claimed_epsilon is None else show_rounded_up(self.claimed_epsilon)
        return (
            f"sampled, {self.runs} runs: epsilon at least {float(self.epsilon):.4f} at delta "
            f"{show(self.delta)} (confidence {show(1 - self.level)}; event: {self.event}); "
            f"claimed {claimed}"
        )

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        claimed = self.claimed_epsilon
        return {
            "kind": "estimate",
            "name": self.name,
            "claimed_epsilon": None if claimed is None else show(claimed),
            "delta": show(self.delta),
            "level": show(self.level),
            "epsilon_at_least": float(self.epsilon),
            "violated": self.violated,
            "runs": self.runs,
            "seconds": round(self.seconds, 2),
            "pair": self.pair,
            "step": self.step,
            "direction": self.direction,
            "event": self.event,
            "counts": [
                self.counts.here,
                self.counts.runs_here,
                self.counts.there,
                self.counts.runs_there,
            ],
            "region": [list(point) for point in self.region],
            "curve": [list(point) for point in self.curve],
        }
