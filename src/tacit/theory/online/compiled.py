"""From pure private learners to online learners (B20 section 3.6).

A pure private learner cannot depend much on its records. Run it on made-up ones often
enough, and for every target and every distribution one of the rules is good; these rules
are the experts of an online learner. Their number grows like ``exp(epsilon * n)``. Where
the learner selects from a small public class, that class can be the panel itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from tacit.bounds.binomial import at_most
from tacit.core import (
    Algorithm,
    BadInput,
    Claim,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Sampler,
    Selection,
    Task,
    theorem,
)
from tacit.core.numbers import Number, positive, probability, whole
from tacit.domains.integers import Integers
from tacit.exact.balls import Ball, above, ball, below, ceiling, log
from tacit.exact.entropy import SYSTEM
from tacit.problems.points.hashes import Hash, HashedPoints
from tacit.theory.online.hedge import THREE_EIGHTHS, ConservativeHedge
from tacit.theory.online.panels import MOST_EXPERTS, RulePanel

_PROOF = "theory/online/compiled.proof.md"
_MOST_COUNTED = 1 << 20
"""Bits of the largest number of supports that is counted exactly."""
_MOST_BUCKET_BITS = 8

COMPILED = Claim(
    paper="B20",
    locator="Section 3.6",
    statement="ln(supports |C| / eta) / -ln(1 - (1 - beta) e^(-epsilon n)) runs of a pure private "
    "learner on made-up records give, but for a chance eta, experts of which some mixture is "
    "wrong with weight at most 1/4 + alpha/2 at every point, for every concept; constants ours",
    proof=_PROOF,
)
BUCKETS = Claim(
    paper="B20",
    locator="Section 3.6",
    statement="the buckets of O(log |X|) public hashes are a panel of which, for every point "
    "function, some mixture is wrong with weight at most 3/8 everywhere; constants ours",
    proof=_PROOF,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertsNeeded:
    """How many runs suffice, and for what.

    ``support``  every law is within ``1/4 - alpha/2`` of one on so many points.
    ``wrong``    the weight with which a mixture of the experts is wrong, at most.
    """

    count: int
    support: int
    wrong: Fraction


@theorem(
    COMPILED,
    kind="upper",
    setting="runs of a pure learner under replace-one; realizable online game",
    formula=r"N = \frac{\ln\left(\binom{|X| + k_0 - 1}{k_0} |C| / \eta\right)}"
    r"{-\ln(1 - (1-\beta) e^{-\epsilon n})}, \quad k_0 > \frac{\ln N}{2 (1/4 - \alpha/2)^2}",
)
def experts_needed(
    *,
    epsilon: Number,
    records: int,
    alpha: Number,
    beta: Number,
    points: int,
    concepts: int,
    failure: Number,
) -> ExpertsNeeded:
    """Runs on made-up records that suffice, as the least fixed point, rounded up.

    An oblivious adversary of ``T`` rounds is ``points = T, concepts = 1``.

    >>> experts_needed(
    ...     epsilon="1/2", records=10, alpha="1/4", beta="1/2",
    ...     points=2**16, concepts=2**16, failure="1/20",
    ... ).count
    778774
    """
    spent, n = positive(epsilon, name="epsilon"), whole(records, name="records", least=0)
    a, b = probability(alpha, name="alpha"), probability(beta, name="beta")
    eta = probability(failure, name="failure")
    size = whole(points, name="points", least=1)
    targets = whole(concepts, name="concepts", least=1)
    if 2 * a >= 1:
        raise BadInput("alpha must be below 1/2: a learner with error 1/2 may toss coins")
    slack = (Fraction(1, 2) - a) / 2
    hit = below(lambda: ball(1 - b) * (-ball(spent * n)).exp())  # [P1]
    per_run = below(lambda: -(1 - ball(hit)).log())
    count, support = 1, 1
    while True:
        wanted = _runs(supports=_supports(size, support), chance=eta / targets, per_run=per_run)
        if wanted <= count:
            return ExpertsNeeded(count=count, support=support, wrong=a + slack)
        count, support = wanted, _support(wanted, slack)


def _runs(*, supports: Callable[[], Ball], chance: Fraction, per_run: Fraction) -> int:
    return ceiling(lambda: (supports() - ball(chance).log()) / ball(per_run))


def _support(experts: int, slack: Fraction) -> int:
    """The least ``k0`` with ``N exp(-2 k0 slack^2) < 1``, or a little more."""
    return int(above(lambda: ball(experts).log() / ball(2 * slack * slack)) // 1) + 1  # [P2]


def _supports(points: int, support: int) -> Callable[[], Ball]:
    """The logarithm of the number of multisets of ``support`` points, or of sequences."""
    if support * points.bit_length() > _MOST_COUNTED:
        return lambda: support * ball(points).log()
    return log(comb(points + support - 1, support))


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """An online learner made of a private one.

    ``learner.bound``  mistakes it cannot exceed, but for a chance ``failure`` of the runs.
    ``runs``           how often the private learner was run; equal rules count once.
    """

    learner: ConservativeHedge
    rules: RulePanel
    runs: int
    failure: Fraction


def private_to_online(
    task: Task,
    algorithm: Algorithm,
    *,
    rounds: int | None = None,
    failure: Number = "1/20",
    dummy: Sample | None = None,
    rng: Sampler = SYSTEM,
) -> Compiled:
    """Compile a pure private learner of ``task`` into an online learner.

    Without ``rounds`` the bound holds against every adversary; with it, against those that
    settle on so many labelled points before the runs. ``dummy`` are the made-up records.
    No real record is touched, so nothing is charged.
    """
    reason = algorithm.why_not(task)
    if reason:
        raise BadInput(f"{algorithm.name} does not apply to this task: {reason}")
    n = algorithm.bound(task).n
    mechanism = algorithm.built(task, n)
    domain, concepts = task.concept_class.domain, task.concept_class.size
    if concepts is None:
        raise BadInput("only a finite class can be compiled into an online learner")
    needed = experts_needed(
        epsilon=_pure_epsilon(mechanism),
        records=n,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        points=domain.size if rounds is None else rounds,
        concepts=concepts if rounds is None else 1,
        failure=failure,
    )
    if needed.count > MOST_EXPERTS:
        raise BadInput(
            f"this needs {needed.count} runs, and at most {MOST_EXPERTS} are made: epsilon times "
            "the records must be small; if the learner selects from a small public class, take "
            "its concepts as the panel"
        )
    records = dummy or Sample(np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))
    if len(records) != n:
        raise BadInput(f"dummy must hold {n} records, as many as the learner needs")
    drawn = (rng.part(mechanism, records) for _ in range(needed.count))  # [P3]
    rules = RulePanel(tuple(dict.fromkeys(drawn)))
    return Compiled(
        learner=ConservativeHedge(rules, wrong=needed.wrong),
        rules=rules,
        runs=needed.count,
        failure=probability(failure, name="failure"),
    )


def _pure_epsilon(mechanism: Mechanism[object, object]) -> Fraction:
    event = mechanism.event()
    if not isinstance(event, (Pure, Selection)) or event.relation is not Relation.REPLACE_ONE:
        raise BadInput("only pure privacy under replace-one makes experts of made-up records")
    return event.epsilon


@theorem(
    BUCKETS,
    kind="upper",
    setting="point functions; panel of hash buckets; realizable online game",
    formula=r"\binom{|X|}{2} P[\mathrm{Bin}(k, 2^{-l}) > q k] \le \eta",
)
def hashes_needed(
    *, pairs: int, wrong: Number = THREE_EIGHTHS, failure: Number = "1/20"
) -> tuple[int, int]:
    """``(hashes, bits)`` with the fewest buckets in all, such that no pair collides too often.

    ``pairs`` is ``|X|(|X|-1)/2``, or the number of rounds of an oblivious adversary.

    >>> hashes_needed(pairs=2**31)
    (51, 4)
    """
    share = probability(wrong, name="wrong")
    eta = probability(failure, name="failure") / whole(pairs, name="pairs", least=1)
    best: tuple[int, int] | None = None
    for bits in range(1, _MOST_BUCKET_BITS + 1):
        apart = 1 - Fraction(1, 1 << bits)
        if 1 - apart >= share:
            continue
        k = 1
        # P(more than q k collide) = P(fewer than (1 - q) k stay apart)
        while at_most(n=k, p=apart, count=k - int(share * k) - 1) > eta:  # [P4]
            k += 1
        if best is None or k << bits < best[0] << best[1]:
            best = (k, bits)
    if best is None:
        raise BadInput(f"wrong must be above 1/{1 << _MOST_BUCKET_BITS}")
    return best


def point_experts(
    domain: Integers,
    *,
    wrong: Number = THREE_EIGHTHS,
    failure: Number = "1/20",
    rounds: int | None = None,
    rng: Sampler = SYSTEM,
) -> HashedPoints:
    """Experts for point functions over any domain: the class that private learners select from.

    Use with ``ConservativeHedge(panel(experts), wrong=wrong)``.
    """
    size = domain.size
    pairs = max(1, size * (size - 1) // 2 if rounds is None else rounds)
    hashes, bits = hashes_needed(pairs=pairs, wrong=wrong, failure=failure)
    drawn = (Hash.draw(rng, domain=domain, bits=bits) for _ in range(hashes))
    return HashedPoints(domain, tuple(drawn))
