"""FX14 Theorem 6, the other way: a private learner becomes a protocol that runs.

The public coins run the learner again and again on the same dummy records. Privacy gives every
concept a fair chance among the outcomes, and Alice names good ones; Bob takes their majority.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np
import numpy.typing as npt

from tacit.bounds.formula import ln
from tacit.core import (
    Algorithm,
    BadInput,
    Claim,
    Hypothesis,
    Relation,
    Sample,
    Sampler,
    Task,
    theorem,
)
from tacit.core.numbers import positive, probability, whole
from tacit.domains.integers import Integers
from tacit.exact.balls import Ball, above, ball, ceiling
from tacit.problems.finite.listed import Table, TableRule
from tacit.problems.protocols.one_way_protocols import Protocol

CLAIM = Claim(
    paper="FX14",
    locator="Theorem 6",
    statement="a pure private learner from n records is a protocol with public coins in which "
    "Alice sends t ceil(log2 m) bits and Bob errs with probability at most t (1-p)^m: "
    "p = (1-beta) e^(-epsilon n), t > ln|X| / (2 (1/2-alpha)^2) runs of a majority",
    proof="problems/protocols/learner_protocol.proof.md",
)
Coins = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Length:
    """What the protocol needs: ``runs`` of a majority, ``tries`` of the learner for each."""

    runs: int
    tries: int

    @property
    def bits(self) -> int:
        """Of Alice's message."""
        return self.runs * (self.tries - 1).bit_length()


@theorem(
    CLAIM,
    kind="fact",
    setting="a pure learner of error alpha < 1/2 and failure beta; replace-one; finite domain",
    formula=r"t\lceil\log_2 m\rceil,\quad t>\tfrac{\ln|X|}{2(1/2-\alpha)^2},\ "
    r"m\ge\tfrac{e^{\epsilon n}}{1-\beta}\ln\tfrac tb",
)
def message(
    *,
    records: int,
    points: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    failure: Fraction,
) -> Length:
    """How long a protocol is that a learner from ``records`` records makes.

    >>> message(records=12, points=4, alpha=Fraction(1, 4), beta=Fraction(1, 2),
    ...         epsilon=Fraction(1, 4), failure=Fraction(1, 3)).bits
    104
    """
    n, size = whole(records, name="records", least=0), whole(points, name="points", least=1)
    error, miss = probability(alpha, name="alpha"), probability(beta, name="beta")
    budget, wrong = positive(epsilon, name="epsilon"), probability(failure, name="failure")
    if 2 * error >= 1:
        raise BadInput("alpha must be below 1/2: majorities of worse rules say nothing")
    edge = Fraction(1, 2) - error
    runs = 1 + ceiling(lambda: ln(size) / ball(2 * edge**2)) if size > 1 else 1
    runs += 1 - runs % 2
    tries = max(1, ceiling(lambda: (ball(budget) * n).exp() / ball(1 - miss) * ln(runs / wrong)))
    return Length(runs, tries)


@dataclass(frozen=True, slots=True)
class LearnerProtocol(Protocol):
    """The protocol of a private learner for a listed class: ``LearnerProtocol.of(task, ...)``.

    ``alice`` finds, for the points that earlier rules got wrong most, a rule of the next list
    that errs by at most ``alpha``: if there is one each time, Bob's majority is right everywhere.
    """

    task: Task
    algorithm: Algorithm
    length: Length

    @classmethod
    def of(
        cls, task: Task, algorithm: Algorithm, *, failure: Fraction = Fraction(1, 3)
    ) -> LearnerProtocol:
        """The protocol in which Bob errs with probability at most ``failure``."""
        if not isinstance(task.concept_class, Table) or task.privacy.delta:
            raise BadInput("protocols are made of pure learners of a listed class")
        if task.privacy.relation is not Relation.REPLACE_ONE or task.setting != "realizable":
            raise BadInput("protocols are made of realizable learners under replace-one")
        reason = algorithm.why_not(task)
        if reason is not None:
            raise BadInput(f"the algorithm {algorithm.name!r} {reason}")
        length = message(
            records=algorithm.bound(task).n,
            points=task.concept_class.domain.size,
            alpha=task.accuracy.alpha,
            beta=task.accuracy.beta,
            epsilon=task.privacy.epsilon,
            failure=failure,
        )
        return cls(task, algorithm, length)

    @property
    def base(self) -> Table:
        """The class that Alice's concepts are of."""
        assert isinstance(self.task.concept_class, Table)
        return self.task.concept_class

    @property
    def domain(self) -> Integers:
        return self.base.domain

    @property
    def messages(self) -> int:
        return prod([self.length.tries] * self.length.runs)

    @property
    def error(self) -> Fraction:
        n, privacy = self.algorithm.bound(self.task).n, self.task.privacy

        def missed() -> Ball:
            good = ball(1 - self.task.accuracy.beta) * (-ball(privacy.epsilon) * n).exp()
            return self.length.runs * (1 - good) ** self.length.tries

        return min(Fraction(1), above(missed))

    def coins(self, rng: Sampler) -> Coins:
        """Rules that the learner makes of dummy records: ``runs`` lists of ``tries`` rules."""
        n = self.algorithm.bound(self.task).n
        learner = self.algorithm.built(self.task, n)
        dummy = Sample(np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))
        every = np.arange(self.domain.size)
        rules = np.empty((self.length.runs, self.length.tries, len(every)), dtype=bool)
        for run in range(self.length.runs):
            for one in range(self.length.tries):
                found = rng.part(learner, dummy)
                assert isinstance(found, Hypothesis)
                rules[run, one] = found.predict(every)
        return rules

    def alice(self, concept: int, coins: Coins) -> int:
        """The places of good rules in their lists, as the digits of one number."""
        target = self.base.matrix[concept]
        alpha = self.task.accuracy.alpha
        # Boosting with a known edge: errors of alpha at most, so odds of (1 - alpha)/alpha.
        factor = float((1 - alpha) / alpha)
        weights = np.ones(len(target))
        sent = 0
        for rules in coins:
            wrong = rules != target
            best = int(np.argmin(wrong @ weights))
            weights *= np.where(wrong[best], factor, 1.0)
            weights /= weights.sum()
            sent = sent * self.length.tries + best
        return sent

    def rule(self, message: int, coins: Coins) -> TableRule:
        votes = np.zeros(self.domain.size, dtype=np.int64)
        for rules in coins[::-1]:
            message, place = divmod(message, self.length.tries)
            votes += rules[place]
        return TableRule(values=tuple((2 * votes > self.length.runs).tolist()))
