"""One-way sequences played online: easy forwards, hopeless backwards, unless one may search.

Forwards, the first example of label 1 gives all later ones away. Backwards, every label is
as good as a coin to whoever cannot invert the generator (B20 Propositions 6 and 7). A
learner that tries all ``2**seed_bits`` seeds makes at most ``seed_bits`` mistakes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Rng
from tacit.core.numbers import whole
from tacit.exact.entropy import SYSTEM
from tacit.problems.one_way.sequences import OneWaySequences, Tree
from tacit.theory.online.adversaries import Fixed
from tacit.theory.online.game import Learner, Transcript, play
from tacit.theory.online.halving import Halving
from tacit.theory.online.panels import Members, Votes
from tacit.theory.online.polynomial import ComputeForward, polynomial_learners

MOST_SEARCHED = 20
"""Seeds of more bits are not searched by brute force."""


def reverse_order(sequences: OneWaySequences, seed: int) -> Iterator[tuple[int, int]]:
    """The records of one sequence and their labels, from the last leaf back."""
    return (sequences.record(i, seed) for i in reversed(range(sequences.tree.leaves)))


def forward_order(sequences: OneWaySequences, seed: int) -> Iterator[tuple[int, int]]:
    """The records of one sequence and their labels, from the first leaf on."""
    return (sequences.record(i, seed) for i in range(sequences.tree.leaves))


ORDERS = {"reverse": reverse_order, "forward": forward_order}


@dataclass(frozen=True, slots=True)
class SeedPanel:
    """One expert for each seed: the concepts themselves, computed when asked."""

    tree: Tree

    @property
    def size(self) -> int:
        return 1 << self.tree.seed_bits

    def votes(self, point: Any, members: Members) -> Votes:
        index, string = divmod(point, 1 << self.tree.width)
        says = (self.tree.leaf(index, s) == (string, 1) for s in members.tolist())
        return np.fromiter(says, dtype=bool, count=len(members))


def brute_force(sequences: OneWaySequences) -> Halving:
    """Halving over all seeds: at most ``seed_bits`` mistakes in any order, in exponential time."""
    if sequences.tree.seed_bits > MOST_SEARCHED:
        raise BadInput(f"seeds of more than {MOST_SEARCHED} bits cannot all be tried")
    return Halving(SeedPanel(sequences.tree))


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One learner's game: ``claim`` says what its mistakes should look like."""

    name: str
    order: str
    claim: str
    transcript: Transcript

    @property
    def mistakes(self) -> npt.NDArray[np.int64]:
        """Mistakes up to every round."""
        return self.transcript.curve


def play_orders(sequences: OneWaySequences, *, rounds: int, rng: Rng = SYSTEM) -> list[Curve]:
    """The three kinds of game on one secret seed: brute force backwards (left out if there are
    too many seeds), compute-forward forwards, and every polynomial learner backwards.
    """
    tree = sequences.tree
    limit = min(whole(rounds, name="rounds", least=1), tree.leaves)
    seed = rng.below(sequences.size)

    def game(name: str, learner: Learner, order: str, claim: str) -> Curve:
        examples = ORDERS[order](sequences, seed)
        transcript = play(learner, Fixed(examples), rounds=limit)
        return Curve(name=name, order=order, claim=claim, transcript=transcript)

    curves = []
    if tree.seed_bits <= MOST_SEARCHED:
        claim = f"at most {tree.seed_bits}"
        curves.append(game("brute force", brute_force(sequences), "reverse", claim))
    curves.append(game("compute-forward", ComputeForward(tree), "forward", "at most 1"))
    for name, learner in polynomial_learners(tree).items():
        curves.append(game(name, learner, "reverse", "about half of the rounds"))
    return curves
