"""One-way protocols with public coins, and the classes of rules they stand for (FX14 section 3).

Alice knows a concept, Bob a value; both see the coins; Alice sends one message and Bob
answers. Fix the coins: every message is a rule. If Bob is wrong with probability at most
``error`` for every concept and value, a few independent coins give a class that holds a
good rule for any concept and distribution, with high probability.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    PLAIN,
    BadInput,
    Hypothesis,
    Labels,
    Sampler,
    hypothesis_from_dict,
    hypothesis_kind,
)
from tacit.core.numbers import whole
from tacit.core.records import Stored
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.points.hashes import Hash, HashedPointRule, HashedPoints
from tacit.problems.protocols.communication_upper import majority_error
from tacit.problems.thresholds.thresholds import ThresholdRule, Thresholds
from tacit.tallies.mistakes import AddsUp

_MOST_MESSAGES = 1 << 20


class Protocol(ABC):
    """``coins`` are public and drawn without looking at data; ``rule`` is Bob."""

    @property
    @abstractmethod
    def domain(self) -> Any:
        """Where Bob's values live."""

    @property
    @abstractmethod
    def messages(self) -> int:
        """How many messages there are."""

    @property
    @abstractmethod
    def error(self) -> Fraction:
        """For every concept and value, Bob is wrong with at most this probability."""

    @abstractmethod
    def coins(self, rng: Sampler) -> Any:
        """Draw the public coins."""

    @abstractmethod
    def alice(self, concept: int, coins: Any) -> int:
        """Her message for a concept of the class."""

    @abstractmethod
    def rule(self, message: int, coins: Any) -> Hypothesis:
        """Bob's answers to every value, for one message."""

    def mistakes(self, coins: Any, x: Placed, y: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """How many records each message's rule gets wrong."""
        wrong = (self.rule(m, coins).predict(x) != y for m in range(self.messages))
        return np.array([int(np.count_nonzero(row)) for row in wrong], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Equality(Protocol):
    """Points: Alice sends a hash of hers; wrong only on a collision, ``2**-bits``."""

    values: Integers
    bits: int

    @property
    def domain(self) -> Integers:
        return self.values

    @property
    def messages(self) -> int:
        return 1 << self.bits

    @property
    def error(self) -> Fraction:
        return Fraction(1, 1 << self.bits)

    def coins(self, rng: Sampler) -> Hash:
        return Hash.draw(rng, domain=self.domain, bits=self.bits)

    def alice(self, concept: int, coins: Hash) -> int:
        return int(coins(self.domain.coerce([concept]))[0])

    def rule(self, message: int, coins: Hash) -> HashedPointRule:
        return HashedPointRule(domain=self.domain, hash=coins, bucket=message)

    def mistakes(self, coins: Hash, x: Placed, y: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        return HashedPoints(self.domain, (coins,)).landscape(x, y).errors


@dataclass(frozen=True, slots=True)
class GreaterThan(Protocol):
    """Thresholds: Alice sends hers. No coins and no error; no one-way protocol is much shorter."""

    thresholds: Thresholds

    def __post_init__(self) -> None:
        if self.thresholds.size > _MOST_MESSAGES:
            raise BadInput("a protocol with more than 2**20 messages cannot be gone through")

    @property
    def domain(self) -> Integers:
        return self.thresholds.domain

    @property
    def messages(self) -> int:
        return self.thresholds.size

    @property
    def error(self) -> Fraction:
        return Fraction(0)

    def coins(self, rng: Sampler) -> None:  # noqa: ARG002 - others draw some
        return None

    def alice(self, concept: int, coins: None) -> int:  # noqa: ARG002
        return concept - self.thresholds.first

    def rule(self, message: int, coins: None) -> ThresholdRule:  # noqa: ARG002
        return self.thresholds.hypothesis(message + self.thresholds.first)

    def mistakes(
        self,
        coins: None,  # noqa: ARG002
        x: Placed,
        y: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.int64]:
        grouped = self.thresholds.landscape(x, y)
        return np.repeat(grouped.errors, grouped.sizes.astype(np.int64))


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MajorityRule:
    """1 where more than half of the rules say so."""

    kind: ClassVar[str] = "majority"
    rules: tuple[Hypothesis, ...]

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        votes = sum(rule.predict(x).astype(np.int64) for rule in self.rules)
        return np.asarray(2 * votes > len(self.rules))

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        told = [rule.describe(column=column, labels=labels) for rule in self.rules]
        first = f"{labels[1]} if more than half of these rules say so, else {labels[0]}:"
        return "\n".join([first, *told])

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "rules": [rule.to_dict() for rule in self.rules]}

    @classmethod
    def from_dict(cls, record: Stored) -> MajorityRule:
        rules = tuple(hypothesis_from_dict(rule) for rule in record["rules"])
        if not rules:
            raise ValueError("no rules")
        return cls(rules=rules)


@dataclass(frozen=True, slots=True)
class Repeated(Protocol):
    """Less error by repetition: Alice sends ``runs`` messages, Bob takes the majority."""

    inner: Protocol
    runs: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "runs", whole(self.runs, name="runs", least=1))
        if 2 * self.inner.error >= 1:
            raise BadInput("repetition helps only below an error of 1/2")
        if self.messages > _MOST_MESSAGES:
            raise BadInput("a protocol with more than 2**20 messages cannot be gone through")

    @property
    def domain(self) -> Any:
        return self.inner.domain

    @property
    def messages(self) -> int:
        return int(self.inner.messages**self.runs)

    @property
    def error(self) -> Fraction:
        return majority_error(runs=self.runs, error=self.inner.error)

    def coins(self, rng: Sampler) -> tuple[Any, ...]:
        return tuple(self.inner.coins(rng) for _ in range(self.runs))

    def alice(self, concept: int, coins: tuple[Any, ...]) -> int:
        message = 0
        for coin in coins:
            message = message * self.inner.messages + self.inner.alice(concept, coin)
        return message

    def rule(self, message: int, coins: tuple[Any, ...]) -> MajorityRule:
        rules = []
        for coin in reversed(coins):
            message, part = divmod(message, self.inner.messages)
            rules.append(self.inner.rule(part, coin))
        return MajorityRule(rules=tuple(reversed(rules)))

    def mistakes(
        self, coins: tuple[Any, ...], x: Placed, y: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        each = range(self.inner.messages)
        answers = [
            [self.inner.rule(m, coin).predict(x).astype(int) for m in each] for coin in coins
        ]
        sums = (sum(choice) for choice in product(*answers))
        wrong = (np.count_nonzero((2 * votes > self.runs) != y) for votes in sums)
        return np.fromiter(wrong, dtype=np.int64, count=self.messages)


@dataclass(frozen=True, slots=True)
class Representation(AddsUp):
    """The rules of a protocol under several coins; candidate ``copy * messages + message``."""

    protocol: Protocol
    coins: tuple[object, ...]
    name: ClassVar[str] = "representation"

    @property
    def domain(self) -> Any:
        return self.protocol.domain

    @property
    def size(self) -> int:
        return len(self.coins) * self.protocol.messages

    def describe(self) -> str:
        return f"{self.size} rules of a protocol over {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> Hypothesis:
        """The rule of one message under one copy of the coins."""
        copy, message = divmod(candidate, self.protocol.messages)
        return self.protocol.rule(message, self.coins[copy])

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every message under every copy."""
        return Flat(errors=np.concatenate([self.protocol.mistakes(c, x, y) for c in self.coins]))
