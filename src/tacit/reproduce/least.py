r"""The least number of records that was enough, between two numbers that were tested.

A test at ``n`` draws data and releases until it is decided whether the failure probability
``p`` is above or at most ``beta``. With ``f`` failures and ``s`` successes,

    M(p) = B(f + 1, s + 1) / (p^f (1 - p)^s)

is a martingale of mean 1 under ``p`` (a uniform mixture of likelihood ratios), so that it
ever reaches ``1/wrong`` with probability at most ``wrong`` (Ville). It is least on a side of
``f/(f+s)`` at the end of it, so ``M(beta) >= 1/wrong`` refutes all of the other side. One may
look after every run, and the decision is wrong with probability at most ``wrong``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tacit.checks.audit.hard_distributions import Distribution, adversarial
from tacit.checks.testing import seeded
from tacit.core import Algorithm, Task
from tacit.reproduce.experiment import Effort, Value

_PILOT = 12
"""Runs by which the hardest of the distributions is looked for."""


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


def evidence(failures: int, successes: int, p: float) -> float:
    """The logarithm of ``M(p)``.

    >>> round(evidence(0, 60, 0.05), 3)
    -1.033
    """
    f, s = failures, successes
    mixture = math.lgamma(f + 1) + math.lgamma(s + 1) - math.lgamma(f + s + 2)
    return mixture - f * math.log(p) - s * math.log1p(-p)


def decide(
    fails: Callable[[], bool], beta: float, effort: Effort
) -> tuple[bool | None, tuple[int, int]]:
    """Whether ``fails`` is true with probability at most ``beta``; ``None`` if undecided.

    The second value is how often it was true, and of how many runs.
    """
    wanted = -math.log(float(effort.wrong))
    count = 0
    for run in range(1, effort.runs + 1):
        count += fails()
        if evidence(count, run - count, beta) >= wanted:
            return count / run <= beta, (count, run)
    return None, (count, effort.runs)


def least(algorithm: Algorithm, task: Task, *, effort: Effort, seed: str) -> Bracket:
    """Bracket the least records with which ``algorithm`` does ``task`` on the hardest law tried.

    The law is the one on which it failed most often in a few runs at a quarter of the plan.
    Both ends are shown for that law only, each but for a probability ``effort.wrong``.
    """
    planned = algorithm.bound(task).n
    beta = float(task.accuracy.beta)
    law = _hardest(algorithm, task, max(1, planned // 4), seed)

    def good(n: int) -> tuple[bool | None, tuple[int, int]]:
        return decide(_failure(algorithm, task, law, n, f"{seed} {n}"), beta, effort)

    verdict, at_plan = good(planned)
    enough, low, n = planned if verdict else None, 0, planned // 2
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


def _hardest(algorithm: Algorithm, task: Task, n: int, seed: str) -> Distribution:
    def failures(law: Distribution) -> int:
        fails = _failure(algorithm, task, law, n, f"{seed} pilot {law.name}")
        return sum(fails() for _ in range(_PILOT))

    return max(adversarial(task), key=failures)


def _failure(
    algorithm: Algorithm, task: Task, law: Distribution, n: int, seed: str
) -> Callable[[], bool]:
    mechanism, rng = algorithm.built(task, n), seeded(seed)
    alpha = float(task.accuracy.alpha) + law.least_error

    def fails() -> bool:
        return law.error(rng.part(mechanism, law.draw(n, rng=rng))) > alpha

    return fails
