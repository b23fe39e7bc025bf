"""Uniform against non-uniform learning: why short rules cannot be pure private for all lengths.

A *uniform* learner of point functions takes strings of every length, with one number of
records. If it is pure private, its rules are infinitely long with positive probability
(B20 Proposition 18, for errors below 1/2). Learners that know the length ``d`` escape: their
rules grow with ``d``, as at least ``log2 d`` bits must.

As printed, with error and failure 1/2, the proposition is void: ``constant_coin`` meets it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.core import (
    Accuracy,
    Algorithm,
    BadInput,
    Claim,
    Hypothesis,
    Privacy,
    Sample,
    Sampler,
    Task,
    theorem,
)
from tacit.core.numbers import Number, exact, positive, probability, whole
from tacit.domains.integers import Integers
from tacit.exact.balls import ball, below
from tacit.exact.entropy import SYSTEM
from tacit.problems.points.points import Points

_MOST_TRIED = 1 << 20

LONG_RULES = Claim(
    paper="B20",
    locator="Proposition 18",
    statement="a pure epsilon-private learner of points with n records, error below 1/2 and "
    "failure beta returns, on every sample, a rule of at least floor(log2 d) bits with "
    "probability (1 - beta) e^(-epsilon n), for every d; printed with error 1/2, which is void",
    proof="theory/online/uniform.proof.md",
)


@theorem(
    LONG_RULES,
    kind="lower",
    setting="point functions over strings of d bits; pure, replace-one; error below 1/2",
    formula=r"P[|h| \ge \lfloor \log_2 d \rfloor] \ge (1 - \beta) e^{-\epsilon n}",
)
def long_rule_chance(*, epsilon: Number, records: int, beta: Number) -> Fraction:
    """The chance of a rule of ``floor(log2 d)`` bits or more, at least; the same for every ``d``.

    >>> float(long_rule_chance(epsilon=1, records=4, beta="1/2"))  # doctest: +ELLIPSIS
    0.00915...
    """
    spent = positive(epsilon, name="epsilon")
    n = whole(records, name="records", least=0)
    right = 1 - probability(beta, name="beta")
    return below(lambda: ball(right) * (-ball(spent * n)).exp())


def bits_needed(*, d: int) -> int:
    """``floor(log2 d)``: fewer bits name fewer than ``d`` rules, and some two points of ``d``
    bits look alike to all of them.
    """
    return whole(d, name="d", least=1).bit_length() - 1


def confused_pair(rules: Sequence[Hypothesis], domain: Integers) -> tuple[int, int]:
    """Two points that no rule of the list tells apart.

    On the law that takes either with probability 1/2, one labelled 1 and the other 0, every
    rule of the list errs with probability 1/2. Two among ``2**len(rules) + 1`` points are
    such, so this succeeds whenever the domain has that many (and not more than a million).
    """
    tried = min(domain.size, (1 << len(rules)) + 1, _MOST_TRIED)
    points = np.arange(tried, dtype=np.uint64)
    first: dict[bytes, int] = {}
    table = np.array([rule.predict(points) for rule in rules], dtype=bool)
    for point, signature in enumerate(np.packbits(table.T.reshape(tried, -1), axis=1)):
        other = first.setdefault(signature.tobytes(), point)
        if other != point:
            return other, point
    raise BadInput("the domain is too small, or the list of rules too long, for such a pair")


def constant_coin(share: Number) -> Fraction:
    """How likely a fair coin between the rules "never" and "always" errs by at most 1/2.

    ``share`` is the probability of label 1. The coin sees no record, so it is private, and its
    rules have one bit; since the answer is at least 1/2 for every law and every class, it
    learns with error 1/2 and failure 1/2 whatever there is to learn.

    >>> constant_coin("1/3"), constant_coin("1/2")
    (Fraction(1, 2), Fraction(1, 1))
    """
    ones = exact(share, name="share")
    if not 0 <= ones <= 1:
        raise BadInput("share must be between 0 and 1")
    errors = (ones, 1 - ones)
    return Fraction(sum(2 * error <= 1 for error in errors), 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthRow:
    """What a non-uniform learner needs for strings of ``d`` bits."""

    d: int
    records: int
    needed: int
    measured: int


def rule_bits(rule: Hypothesis) -> int:
    """Bits of the rule as it is written to a file."""
    return 8 * len(json.dumps(rule.to_dict(), separators=(",", ":")))


def lengths(
    algorithm: Algorithm,
    *,
    sizes: Iterable[int],
    privacy: Privacy,
    accuracy: Accuracy,
    rng: Sampler = SYSTEM,
) -> list[LengthRow]:
    """Records and rule lengths of a learner of points as strings grow longer."""
    rows = []
    for d in sizes:
        task = Task(Points(bits=d), privacy=privacy, accuracy=accuracy)
        n = algorithm.bound(task).n
        made_up = Sample(np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))
        rule = rng.part(algorithm.built(task, n), made_up)
        rows.append(LengthRow(d=d, records=n, needed=bits_needed(d=d), measured=rule_bits(rule)))
    return rows
