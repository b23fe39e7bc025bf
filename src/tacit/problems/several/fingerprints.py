r"""k-learners and fingerprinting codes: who is in the data cannot be hidden among many tasks.

Boneh and Shaw's code for ``m`` records has ``m + 1`` types of columns, each ``D`` times: the
first ``i`` records have a 1 in type ``i = 0..m``, so the first type is all 0 and the last all 1.
With ``L = ln(1/xi)`` and ``D = floor(m(m+1) L) + 1`` a word that is right on these two accuses
somebody, and *every* word accuses a record that was replaced with probability at most ``xi``.
If all ``(m+1) D`` columns are tasks of an accurate learner, some record is accused with
probability ``(1-beta)/m``, yet with at most ``xi`` once it is replaced: privacy demands
``(1-beta)/m <= exp(eps) xi + delta``. Tardos' code is shorter but needs arbitrary columns; its
length is certified by ``symmetric_code``.

The paper's code lacks the two outer types. Its first and last user are then accused by words
that no user could have made, and the statement is false as printed (``docs/errata.md``, B8).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.lower.applies import ALL, privacy
from tacit.bounds.search import greatest
from tacit.core import (
    LOWER_BOUNDS,
    BadInput,
    Claim,
    LowerBound,
    Relation,
    SampleBound,
    Speaks,
    Task,
    theorem,
)
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import above, ball, below
from tacit.mechanisms.calibration import resampled_delta, resampled_epsilon
from tacit.problems.parities.parities import Parities
from tacit.problems.points.points import Points
from tacit.problems.several.symmetric_code import suffices
from tacit.problems.thresholds.thresholds import Thresholds

BNS_43 = Claim(
    paper="BNS19",
    locator="Theorem 43",
    statement="an empirical k-learner whose tasks can spell a fingerprinting code of length k for "
    "m users with per-user error xi < ((1-beta)/m - delta) e^-eps needs more than m records",
    proof="problems/several/fingerprints.proof.md",
)
BNS_46 = Claim(
    paper="BNS19",
    locator="Corollary 46",
    statement="k-learning thresholds, alpha < 1/2, needs more than m records if "
    "k >= (l+1)(floor(l(l+1) L) + 1), l = floor(2 alpha m) + 1 (Boneh and Shaw's code, "
    "sharpened, with columns of all zeros and all ones: the printed one is not sound)",
    proof="problems/several/fingerprints.proof.md",
)
BNS_47 = Claim(
    paper="BNS19",
    locator="Theorem 47",
    statement="agnostic k-learning of any two concepts needs more than m records if k is at least "
    "the length of a fingerprinting code for m users",
    proof="problems/several/fingerprints.proof.md",
)
BNS_50 = Claim(
    paper="BNS19",
    locator="Corollary 50",
    statement="agnostic k-learning of points, thresholds or parities needs more than m records if "
    "k columns of Tardos' code suffice for m users, about (pi^2/2) m^2 ln(1/xi) of them (printed: "
    "100 m^2 ln(1/xi)), or as in Corollary 46",
    proof="problems/several/fingerprints.proof.md",
)


_HALF = Fraction(1, 2)
_MISSED = (Fraction(1, 5), Fraction(1, 20), Fraction(1, 100))
"""How often Tardos' code may accuse nobody, as shares of ``1 - beta``."""


def _xi(*, users: int, beta: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    # Not above the greatest per-user error that contradicts privacy; 0 if there is none.
    room = (1 - beta) / users - delta
    return below(lambda: ball(room) * ball(-epsilon).exp()) if room > 0 else Fraction(0)


def boneh_shaw_length(*, users: int, xi: Fraction) -> int:
    """Columns of the code for ``users`` records, none of whom is framed more often than ``xi``."""
    copies = int(above(lambda: users * (users + 1) * -ball(xi).log())) + 1
    return (users + 1) * copies


def impossible(
    *, users: int, k: int, beta: Fraction, epsilon: Fraction, delta: Fraction, code: str
) -> bool:
    """Whether no empirical k-learner on ``users`` records can be this private and accurate."""
    xi = _xi(users=users, beta=beta, epsilon=epsilon, delta=delta)
    if users < 1 or xi <= 0:
        return False
    if k >= boneh_shaw_length(users=users, xi=xi):
        return True
    if code != "any" or k < 4 * users * users:
        return False
    for share in _MISSED:
        missed = (1 - beta) * share
        xi = _xi(users=users, beta=beta + missed, epsilon=epsilon, delta=delta)
        if xi > 0 and suffices(columns=k, users=users, innocent=xi, missed=missed):
            return True
    return False


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
    [14, 58, 514]
    """
    k = whole(k, name="k", least=1)
    beta, epsilon = probability(beta, name="beta"), positive(epsilon, name="epsilon")
    delta = probability(delta, name="delta", zero="allowed")

    def fails(n: int) -> bool:
        return impossible(users=n, k=k, beta=beta, epsilon=epsilon, delta=delta, code=code)

    n = greatest(fails) + 1
    return SampleBound(n=n, claim=BNS_43, terms={"tracing a record": float(n)})


@theorem(
    BNS_46,
    kind="lower",
    setting="k thresholds; any answer; alpha < 1/2; realizable and agnostic; records",
    formula=r"k\ge(l+1)\bigl(\lfloor l(l+1)\ln\tfrac1\xi\rfloor+1\bigr),\ "
    r"l=\lfloor2\alpha m\rfloor+1",
)
def thresholds(
    *,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
    values: int | None = None,
) -> SampleBound:
    """Records needed to PAC-learn ``k`` thresholds over ``values`` values, or any number.

    A PAC learner on ``n`` draws from ``m`` records is an empirical learner of smaller privacy
    loss; of the ``m`` a part just above ``2 alpha`` carries the code, on a value each, and the
    others lie on one value more, where all thresholds in use agree (Remarks 44 and 48).
    """
    n = _pac(
        k=k,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        delta=delta,
        relation=relation,
        code="thresholds",
        most=None if values is None else values - 1,
    )
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
    alpha: Fraction | None = None,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records needed to learn ``k`` concepts agnostically to within less than 1/2: all records
    share one value. With ``alpha`` some two concepts that differ there must agree elsewhere,
    and only a part just above ``2 alpha`` of the records carries the code (Remark 48).
    """
    n = _pac(
        k=k, alpha=alpha, beta=beta, epsilon=epsilon, delta=delta, relation=relation, code="any"
    )
    return SampleBound(n=n, claim=BNS_47, terms={"tracing a record": float(n)})


@theorem(
    BNS_50,
    kind="lower",
    setting="k points, thresholds or parities, agnostic; any answer; every relation",
    formula=r"k\ge\mathrm{Tardos}(l,\xi)\approx\tfrac{\pi^2}2l^2\ln\tfrac1\xi\Rightarrow n>m,\ "
    r"l=\lfloor2\alpha m\rfloor+1",
)
def agnostic_named(
    *,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Theorem 47 with Tardos' code, for the classes of the paper: their concepts agree
    somewhere, so the bound grows with ``1/alpha``.
    """
    n = _pac(
        k=k, alpha=alpha, beta=beta, epsilon=epsilon, delta=delta, relation=relation, code="any"
    )
    return SampleBound(n=n, claim=BNS_50, terms={"tracing a record": float(n)})


def replaced(epsilon: Fraction, delta: Fraction, relation: Relation) -> tuple[Fraction, Fraction]:
    """What replacing a record costs: under add/remove it is one removed and one added."""
    if relation is not Relation.ADD_REMOVE:
        return epsilon, delta
    return 2 * epsilon, above(lambda: ball(delta) * (1 + ball(epsilon).exp()))


def _pac(
    *,
    k: int,
    alpha: Fraction | None,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int,
    relation: Relation,
    code: str,
    most: int | None = None,
) -> int:
    step, lost = replaced(
        positive(epsilon, name="epsilon"),
        probability(delta, name="delta", zero="allowed"),
        relation,
    )
    asked = _HALF if alpha is None else probability(alpha, name="alpha")
    if 2 * asked > 1 or (2 * asked == 1 and alpha is not None):
        raise BadInput("the argument needs alpha below 1/2")
    return _pac_records(
        whole(k, name="k", least=1),
        asked,
        probability(beta, name="beta"),
        step,
        lost,
        code,
        most,
    )


@lru_cache(maxsize=4096)
def _pac_records(
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    code: str,
    most: int | None,
) -> int:
    def fails(n: int) -> bool:
        for times in (Fraction(5, 4), Fraction(3, 2), 2, 3, 5):
            m = max(n + 1, int(times * n))
            # More than 2 alpha m records carry the code: alpha m mistakes are less than half.
            users = min(m, int(2 * alpha * m) + 1)
            loss = resampled_epsilon(epsilon=epsilon, draws=n, records=m)
            if loss > epsilon or (most is not None and users > most):
                continue
            left = resampled_delta(epsilon=epsilon, delta=delta, draws=n, records=m)
            if impossible(users=users, k=k, beta=beta, epsilon=loss, delta=left, code=code):
                return True
        return False

    return greatest(fails) + 1


def _padding(task: Task) -> Fraction | None:
    # Whether two concepts surely differ at one value and agree at another.
    family = task.concept_class
    spare = {Points: 3, Thresholds: 2, Parities: 1}.get(type(family))
    return None if spare is None or family.domain.size < spare else task.accuracy.alpha


LOWER_BOUNDS.add(
    LowerBound(
        name="tracing thresholds",
        applies=Speaks(classes=(Thresholds,), several=True, alpha=Fraction(1, 2)),
        claim=BNS_46,
        records=lambda task: thresholds(
            k=task.k,
            values=task.concept_class.domain.size,
            **task.asked("alpha", "beta"),
            **privacy(task),
        ),
    )
)
LOWER_BOUNDS.add(
    LowerBound(
        name="tracing, agnostic",
        applies=Speaks(
            several=True, settings=("agnostic",), alpha=Fraction(1, 2), concepts=2, relations=ALL
        ),
        claim=BNS_47,
        records=lambda task: agnostic(
            k=task.k, alpha=_padding(task), beta=task.accuracy.beta, **privacy(task)
        ),
    )
)
