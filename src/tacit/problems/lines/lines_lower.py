"""Lines in the plane over a prime field: one answer is good for few lines."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.lower.applies import attribute, privacy, register, silence
from tacit.bounds.lower.packing import Budget, everything_at
from tacit.core import BadInput, Claim, Relation, SampleBound, Task, theorem
from tacit.core.numbers import probability, whole

CLAIM = Claim(
    paper="FX14",
    locator="Theorem 2",
    statement="lines over Z_p have Littlestone dimension 2 but need (1/eps) ln(p (1-beta)/kappa) "
    "records, kappa = (2 alpha + 1/p)/(1 - 4 alpha - 1/p)^2; short proof by pairwise "
    "independence",
    proof="bounds/lower/packing.proof.md",
)


def share(*, p: int, alpha: Fraction) -> Fraction:
    """At most this share of the non-vertical lines has a given hypothesis as a good answer.

    A line's distribution is half uniform on the line, half uniform on the plane. A good
    answer covers a share of at least ``1 - 2 alpha`` of the line and at most ``2 alpha + 1/p``
    of the plane; Chebyshev's inequality for the ``p`` pairwise independent points of a
    random line bounds how often both hold.
    """
    room = 1 - 4 * alpha - Fraction(1, p)
    if room <= 0:
        raise BadInput("this bound needs alpha below (1 - 1/p)/4")
    return (2 * alpha + Fraction(1, p)) / room**2 / p


@theorem(
    CLAIM,
    kind="lower",
    setting="lines over Z_p; any answer; alpha < (1-1/p)/4; pure or approximate; records",
    formula=r"n\ge\tfrac1\epsilon\ln\tfrac{p(1-\beta)}{\kappa},\quad"
    r"\kappa=\tfrac{2\alpha+1/p}{(1-4\alpha-1/p)^2}",
)
def random_line(
    *,
    p: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records needed to learn the lines of ``Z_p x Z_p`` in any way.

    >>> random_line(p=2**61 - 1, alpha=Fraction(1, 20), beta=Fraction(1, 10),
    ...             epsilon=Fraction(1)).n
    45
    """
    beta = probability(beta, name="beta")
    room = share(p=whole(p, name="p", least=2), alpha=probability(alpha, name="alpha"))
    n = 1
    if room < 1:
        budget = Budget.of(epsilon=epsilon, delta=delta, relation=relation)
        n = everything_at(room=room, beta=beta, budget=budget)
    return SampleBound(n=n, claim=CLAIM, terms={"telling lines apart": float(n)})


def _silence(task: Task) -> str | None:
    if attribute(task, "p") < 2:
        return "is about lines over a prime field"
    if 4 * task.accuracy.alpha >= 1 - Fraction(1, attribute(task, "p")):
        return "needs alpha below (1 - 1/p)/4"
    return silence(task, classes=("lines",))


def _records(task: Task) -> SampleBound:
    accuracy = task.accuracy
    return random_line(
        p=attribute(task, "p"), alpha=accuracy.alpha, beta=accuracy.beta, **privacy(task)
    )


register(
    name="random line",
    when="lines over a prime field, any answer, record privacy",
    claim=CLAIM,
    refuses=_silence,
    records=_records,
)
