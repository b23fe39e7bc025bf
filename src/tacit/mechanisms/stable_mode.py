"""Release what most blocks of records agree on, if a handful more could not change it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from tacit.core import (
    MECHANISMS,
    Approximate,
    Claim,
    Event,
    Mechanism,
    Relation,
    Sample,
    Sampler,
    Tiny,
)
from tacit.core.numbers import positive, probability, whole
from tacit.core.tiny import DELTA, divided
from tacit.mechanisms.boosting import part
from tacit.mechanisms.calibration import threshold_steps

Vote = tuple[int, ...]


def stability(votes: list[Vote]) -> tuple[Vote, int]:
    """The mode (the least of the most frequent) and how many votes must change to change it.

    The second is ``max(1, ceil((n1 - n2) / 2))``; ``n2 = 0`` if all votes are equal,
    since a neighbour may hold a value that nobody voted for.
    """
    counts = Counter(votes)
    mode = min(counts, key=lambda vote: (-counts[vote], vote))
    runner_up = max((n for vote, n in counts.items() if vote != mode), default=0)
    return mode, max(1, -((runner_up - counts[mode]) // 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class StableMode(Mechanism[Sample, Vote]):
    """Let ``vote`` decide on each block; release the mode if it is stable, else ``otherwise``.

    Privacy
    -------
    Requires  ``vote`` is a total deterministic function of a block; blocks are formed by
              position, so the number of records is public.
    Ensures   ``(epsilon, delta)``-DP for the substitution of one record.
    Proof     ``stable_mode.proof.md``.
    Numerics  exact: geometric noise, a threshold rounded up.

    Edge cases
    ----------
    Too few records: later blocks are shorter or empty, and vote all the same.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="FX14",
        locator="Lemma 16",
        statement="releasing the most frequent vote when its stability plus geometric noise "
        "reaches 1 + ceil(ln(1/(delta(1+e^-eps)))/eps) is (eps, delta)-DP",
        proof="mechanisms/stable_mode.proof.md",
    )

    vote: Callable[[Sample], Vote] = field(repr=False)
    blocks: int
    block_size: int
    otherwise: Vote
    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))
        object.__setattr__(self, "blocks", whole(self.blocks, name="blocks", least=1))
        size = whole(self.block_size, name="block_size", least=1)
        object.__setattr__(self, "block_size", size)

    def event(self) -> Event:
        relation = Relation.REPLACE_ONE
        return Approximate(epsilon=self.epsilon, delta=self.delta, relation=relation)

    def _release(self, data: Sample, *, rng: Sampler) -> Vote:
        size = self.block_size
        starts = range(0, self.blocks * size, size)
        votes = [self.vote(part(data, start, start + size)) for start in starts]  # [P1]
        mode, stable = stability(votes)  # [P2]
        threshold = 1 + threshold_steps(epsilon=self.epsilon, delta=self.delta)
        noise = rng.geometric(1 / self.epsilon)  # [P3]
        return mode if stable + noise >= threshold else self.otherwise


def _first_value(block: Sample) -> Vote:
    return tuple(int(value) for value in block.x[:1])


MECHANISMS.add(
    Tiny(
        name="StableMode",
        make=lambda e: StableMode(
            vote=_first_value, blocks=9, block_size=1, otherwise=(-1,), epsilon=e, delta=DELTA
        ),
        records=[(0, 0), (1, 0)],
        n=9,
        pairs=divided((0, 0), (1, 0), n=9, at=(9,)),
        tight=39_000,
    )
)
