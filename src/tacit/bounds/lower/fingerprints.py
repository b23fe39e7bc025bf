r"""k-learners and fingerprinting codes: who is in the data cannot be hidden among many tasks.

Boneh and Shaw's code with ``m`` users has ``m - 1`` types of columns, each ``D`` times. With
``L = ln(1/xi)`` and ``D = floor((m-1)(m-2) L) + 1`` somebody is always accused, and a user
outside the coalition with probability at most ``xi``. If all ``(m-1) D`` columns are tasks of an
accurate learner, some user is accused with probability ``(1-beta)/m``, yet with at most ``xi``
once that user's record is replaced: privacy demands
``(1-beta)/m <= exp(eps) xi + delta``. Tardos' code is shorter but needs arbitrary columns.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.lower.applies import ALL, privacy, register, silence
from tacit.bounds.search import greatest
from tacit.bounds.upper.conversions import resampled_delta, resampled_epsilon
from tacit.core import Claim, Relation, SampleBound, Status, Task, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import above, ball, below, ceiling

BNS_43 = Claim(
    paper="BNS19",
    locator="Theorem 43",
    statement="an empirical k-learner whose tasks can spell a fingerprinting code of length k for "
    "m users with per-user error xi < ((1-beta)/m - delta) e^-eps needs more than m records",
    proof="bounds/lower/fingerprints.proof.md",
)
BNS_46 = Claim(
    paper="BNS19",
    locator="Corollary 46",
    statement="k-learning thresholds, alpha < 1/2, needs more than m records if "
    "k >= (m-1)(floor((m-1)(m-2) L) + 1) (Boneh and Shaw's code, sharpened)",
    proof="bounds/lower/fingerprints.proof.md",
)
BNS_47 = Claim(
    paper="BNS19",
    locator="Theorem 47",
    statement="agnostic k-learning of any two concepts needs more than m records if k is at least "
    "the length of a fingerprinting code for m users",
    proof="bounds/lower/fingerprints.proof.md",
)
BNS_50 = Claim(
    paper="BNS19",
    locator="Corollary 50",
    statement="agnostic k-learning of points, thresholds or parities needs more than m records if "
    "k >= 100 m^2 ceil(ln(1/xi)) (Tardos' code) or as in Corollary 46",
    status=Status.CITED,
    proof="bounds/lower/fingerprints.proof.md",
)


def _xi(*, users: int, beta: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    # Not above the greatest per-user error that contradicts privacy; 0 if there is none.
    room = (1 - beta) / users - delta
    return below(lambda: ball(room) * ball(-epsilon).exp()) if room > 0 else Fraction(0)


def boneh_shaw_length(*, users: int, xi: Fraction) -> int:
    """Columns of the sharpened Boneh-Shaw code with per-user error below ``xi``."""
    copies = int(above(lambda: (users - 1) * (users - 2) * -ball(xi).log())) + 1
    return (users - 1) * copies


def tardos_length(*, users: int, xi: Fraction) -> int:
    """Columns of Tardos' code, ``100 m^2 ceil(ln(1/xi))``, as published."""
    return 100 * users * users * max(1, ceiling(lambda: -ball(xi).log()))


def _impossible(
    *, users: int, k: int, beta: Fraction, epsilon: Fraction, delta: Fraction, code: str
) -> bool:
    # Whether no empirical k-learner on `users` records can be this private and accurate.
    xi = _xi(users=users, beta=beta, epsilon=epsilon, delta=delta)
    if users < 2 or xi <= 0:
        return False
    if k >= boneh_shaw_length(users=users, xi=xi):
        return True
    if code != "any" or k < 100 * users * users:
        return False
    # Tardos' code fails to accuse anybody with probability at most xi^(m/4).
    missed = above(lambda: (ball(xi).log() * users / 4).exp())
    xi = _xi(users=users, beta=beta + missed, epsilon=epsilon, delta=delta)
    return xi > 0 and k >= tardos_length(users=users, xi=xi)


@theorem(
    BNS_43,
    kind="lower",
    setting="empirical k-learners; a code that fits the class; pure or approximate",
    formula=r"\xi<e^{-\epsilon}\bigl(\tfrac{1-\beta}m-\delta\bigr)\Rightarrow n>m",
)
def empirical(
    *,
    k: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    code: str = "thresholds",
) -> SampleBound:
    """Records needed to be accurate on every data set (``alpha < 1/2``) for ``k`` tasks.

    ``code`` is ``"thresholds"`` (columns are thresholds) or ``"any"`` (labels are arbitrary).

    >>> [empirical(k=k, beta=Fraction(1, 10), epsilon=Fraction(1), delta=Fraction(1, 10**6)).n
    ...  for k in (10**4, 10**6, 10**9)]
    [16, 60, 516]
    """
    k = whole(k, name="k", least=1)
    beta, epsilon = probability(beta, name="beta"), positive(epsilon, name="epsilon")
    delta = probability(delta, name="delta", zero="allowed")

    def fails(n: int) -> bool:
        return _impossible(users=n, k=k, beta=beta, epsilon=epsilon, delta=delta, code=code)

    n = greatest(fails, least=1) + 1
    return SampleBound(n=n, claim=BNS_43, terms={"tracing a record": float(n)})


@theorem(
    BNS_46,
    kind="lower",
    setting="k thresholds; any answer; alpha < 1/2; realizable and agnostic; records",
    formula=r"k\ge(m-1)\bigl(\lfloor(m-1)(m-2)\ln\tfrac1\xi\rfloor+1\bigr)",
)
def thresholds(
    *,
    k: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records needed to PAC-learn ``k`` thresholds: a PAC learner on ``n`` draws from ``m``
    records is an empirical learner of smaller privacy loss.
    """
    n = _pac(k=k, beta=beta, epsilon=epsilon, delta=delta, relation=relation, code="thresholds")
    return SampleBound(n=n, claim=BNS_46, terms={"tracing a record": float(n)})


@theorem(
    BNS_47,
    kind="lower",
    setting="k tasks, agnostic; any class of two or more concepts; any answer; every relation",
    formula=r"k\ge\min\{\text{Boneh-Shaw},\ \text{Tardos}\}(m,\xi)\Rightarrow n>m",
)
def agnostic(
    *,
    k: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records needed to learn ``k`` concepts agnostically: all records share one value."""
    n = _pac(k=k, beta=beta, epsilon=epsilon, delta=delta, relation=relation, code="any")
    return SampleBound(n=n, claim=BNS_47, terms={"tracing a record": float(n)})


@theorem(
    BNS_50,
    kind="lower",
    setting="k points, thresholds or parities, agnostic; any answer; every relation",
    formula=r"k\ge100m^2\lceil\ln\tfrac1\xi\rceil\Rightarrow n>m",
)
def agnostic_named(
    *,
    k: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Theorem 47 with Tardos' code, for the classes of the paper."""
    n = _pac(k=k, beta=beta, epsilon=epsilon, delta=delta, relation=relation, code="any")
    return SampleBound(n=n, claim=BNS_50, terms={"tracing a record": float(n)})


def _pac(
    *,
    k: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int,
    relation: Relation,
    code: str,
) -> int:
    step = positive(epsilon, name="epsilon")
    lost = probability(delta, name="delta", zero="allowed")
    if relation is Relation.ADD_REMOVE:
        # A replaced record is one removed and one added.
        lost = above(lambda: ball(lost) * (1 + ball(step).exp()))
        step = 2 * step
    return _pac_records(
        whole(k, name="k", least=1), probability(beta, name="beta"), step, lost, code
    )


@lru_cache(maxsize=4096)
def _pac_records(k: int, beta: Fraction, epsilon: Fraction, delta: Fraction, code: str) -> int:
    def fails(n: int) -> bool:
        for times in (Fraction(5, 4), Fraction(3, 2), 2, 3, 5):
            m = max(n + 1, int(times * n))
            loss = resampled_epsilon(epsilon=epsilon, draws=n, records=m)
            if loss > epsilon:
                continue
            left = resampled_delta(epsilon=epsilon, delta=delta, draws=n, records=m)
            if _impossible(users=m, k=k, beta=beta, epsilon=loss, delta=left, code=code):
                return True
        return False

    return greatest(fails) + 1


def _threshold_silence(task: Task) -> str | None:
    if task.k == 1:
        return "is about several concepts at once"
    if 2 * task.accuracy.alpha >= 1:
        return "needs alpha below 1/2"
    if task.concept_class.name == "thresholds" and task.concept_class.domain.size < 1 << 32:
        return "needs a domain that surely has as many values as the code has users"
    return silence(task, classes=("thresholds",))


def _agnostic_silence(task: Task) -> str | None:
    if task.k == 1:
        return "is about several concepts at once"
    if task.setting != "agnostic":
        return "is about the agnostic setting"
    size = task.concept_class.size
    if size is not None and size < 2:
        return "needs 2 concepts"
    return silence(task, relations=ALL)


register(
    name="tracing thresholds",
    when="k > 1 thresholds over 2^32 values or more, alpha < 1/2, record privacy",
    claim=BNS_46,
    refuses=_threshold_silence,
    records=lambda task: thresholds(k=task.k, beta=task.accuracy.beta, **privacy(task)),
)
register(
    name="tracing, agnostic",
    when="k > 1 concepts of any class of two or more, agnostic",
    claim=BNS_47,
    refuses=_agnostic_silence,
    records=lambda task: agnostic(k=task.k, beta=task.accuracy.beta, **privacy(task)),
)
