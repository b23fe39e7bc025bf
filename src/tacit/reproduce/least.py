r"""The least number of records that was enough, between two numbers that were tested.

A test at ``n`` draws data and releases until it is decided whether the failure probability
``p`` is above or at most ``beta``. With ``f`` failures and ``s`` successes,

    M(p) = B(f + 1, s + 1) / (p^f (1 - p)^s)

is a martingale of mean 1 under ``p`` (a uniform mixture of likelihood ratios), so that it
ever reaches ``1/wrong`` with probability at most ``wrong`` (Ville). It is least on a side of
``f/(f+s)`` at the end of it, so ``M(beta) >= 1/wrong`` refutes all of the other side. One may
look after every run, and the decision is wrong with probability at most ``wrong``. Likewise
every ``p`` with ``M(p) < 1/wrong`` makes an interval that holds the true one but for ``wrong``,
whenever one stops.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from tacit.checks.audit.hard_distributions import adversarial
from tacit.checks.testing import seeded
from tacit.core import Algorithm, Hypothesis, Sample, Sampler, Task
from tacit.reproduce.experiment import Effort, Value

_PILOT = 12
"""Runs by which the hardest of the distributions is looked for."""
_LARGE = 100_000
"""Labels in a sample from which on one run has to do for that."""
_REFUTED = Fraction(1, 1000)
"""A planned number is a theorem's, and there are hundreds: it is called too small only at this."""


class Law(Protocol):
    """Something to draw records from, and by which the error of a rule is known."""

    @property
    def name(self) -> str: ...
    @property
    def least_error(self) -> float:
        """The error of the best concept."""
        ...

    def draw(self, n: int, *, rng: Sampler) -> Sample:
        """``n`` independent records."""
        ...

    def error(self, rule: Hypothesis) -> float:
        """The chance that ``rule`` errs."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """``fails`` records were shown too few, ``enough`` were shown to be enough.

    ``None`` stands for what no test showed: nothing was refuted, or not even the planned
    number was told apart from ``beta`` within the allowed runs. ``at_plan`` is how many of
    how many runs failed there.
    """

    fails: int | None
    enough: int | None
    at_plan: tuple[int, int]
    law: str

    def words(self) -> Value:
        """As it stands in a table."""
        above = self.fails + 1 if self.fails else 1
        if self.enough is None:
            return f"{above} or more; {self.at_plan[0]} of {self.at_plan[1]} fail at the plan"
        return f"{above} to {self.enough}"


def interval(failures: int, runs: int, wrong: Fraction) -> tuple[float, float]:
    """Between which probabilities the true one lies, but for ``wrong``; one may stop anywhere.

    >>> tuple(round(end, 3) for end in interval(3, 300, Fraction(1, 20)))
    (0.0, 0.049)
    """
    wanted, share = -math.log(float(wrong)), failures / runs

    def end(outer: float) -> float:
        inner = share
        for _ in range(60):
            middle = (inner + outer) / 2
            if evidence(failures, runs - failures, middle) >= wanted:
                outer = middle
            else:
                inner = middle
        return outer

    low = 0.0 if failures == 0 else end(1e-12)
    return low, 1.0 if failures == runs else end(1 - 1e-12)


def at_plan(failures: int, runs: int, wrong: Fraction) -> str:
    """How often the planned number failed, and between which probabilities that shows it to be.

    >>> at_plan(3, 300, Fraction(1, 20))
    '3 of 300 fail: 0.0 % to 5.0 %'
    """
    low, high = interval(failures, runs, wrong)
    ends = math.floor(1000 * low) / 10, math.ceil(1000 * high) / 10
    return f"{failures} of {runs} fail: {ends[0]} % to {ends[1]} %"


def evidence(failures: int, successes: int, p: float) -> float:
    """The logarithm of ``M(p)``.

    >>> round(evidence(0, 60, 0.05), 3)
    -1.033
    """
    f, s = failures, successes
    mixture = math.lgamma(f + 1) + math.lgamma(s + 1) - math.lgamma(f + s + 2)
    return mixture - f * math.log(p) - s * math.log1p(-p)


def decide(
    fails: Callable[[], bool], beta: float, effort: Effort, *, refuted: Fraction | None = None
) -> tuple[bool | None, tuple[int, int]]:
    """Whether ``fails`` is true with probability at most ``beta``; ``None`` if undecided.

    The second value is how often it was true, and of how many runs. "No" is wrong with
    probability at most ``refuted``, where that is given, and else at most ``effort.wrong``.
    """
    enough = -math.log(float(effort.wrong))
    too_few = enough if refuted is None else -math.log(float(refuted))
    count = 0
    for run in range(1, effort.runs + 1):
        count += fails()
        good = count / run <= beta
        if evidence(count, run - count, beta) >= (enough if good else too_few):
            return good, (count, run)
    return None, (count, effort.runs)


def least(
    algorithm: Algorithm,
    task: Task,
    *,
    effort: Effort,
    seed: str,
    search: bool = True,
    laws: Sequence[Law] | None = None,
) -> Bracket:
    """Bracket the least records with which ``algorithm`` does ``task`` on the hardest law tried.

    The law is the one of ``laws`` (those of ``adversarial`` if none are given) on which it failed
    most often in a few runs at a quarter of the plan. Both ends are shown for that law only, each
    but for a probability ``effort.wrong``. Without ``search`` only the planned number is tried.
    """
    planned = algorithm.bound(task).n
    beta = float(task.accuracy.beta)
    tried = adversarial(task) if laws is None else laws
    law = _hardest(algorithm, task, tried, max(1, planned // 4), seed)

    def good(n: int) -> tuple[bool | None, tuple[int, int]]:
        return decide(_failure(algorithm, task, law, n, f"{seed} {n}"), beta, effort)

    at = _failure(algorithm, task, law, planned, f"{seed} {planned}")
    verdict, at_plan = decide(at, beta, effort, refuted=_REFUTED)
    enough, low, n = planned if verdict else None, 0, planned // 2 if search else 0
    while low == 0 and n >= 1:
        verdict, _ = good(n)
        if verdict is False:
            low = n
        elif verdict:
            enough = n
        n //= 2
    while low and enough is not None and enough / low > effort.ratio and enough - low > 1:
        middle = math.isqrt(low * enough)
        verdict, _ = good(middle)
        if middle == low or verdict is None:  # too near to beta to be told apart
            break
        low, enough = (low, middle) if verdict else (middle, enough)
    return Bracket(fails=low or None, enough=enough, at_plan=at_plan, law=law.name)


def _hardest(algorithm: Algorithm, task: Task, laws: Sequence[Law], n: int, seed: str) -> Law:
    if len(laws) == 1:
        return laws[0]

    def failures(law: Law) -> int:
        fails = _failure(algorithm, task, law, n, f"{seed} pilot {law.name}")
        return sum(fails() for _ in range(pilot))

    pilot = _PILOT if n * task.k <= _LARGE else 1
    return max(laws, key=failures)


def _failure(algorithm: Algorithm, task: Task, law: Law, n: int, seed: str) -> Callable[[], bool]:
    mechanism, rng = algorithm.built(task, n), seeded(seed)
    alpha = float(task.accuracy.alpha) + law.least_error

    def fails() -> bool:
        return law.error(rng.part(mechanism, law.draw(n, rng=rng))) > alpha

    return fails
