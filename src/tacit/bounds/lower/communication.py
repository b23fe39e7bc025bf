"""From mistakes to messages: the Littlestone dimension bounds one-way communication."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from tacit.bounds.formula import ln
from tacit.bounds.lower.packing import Budget
from tacit.core import BadInput, Claim, Relation, SampleBound, Status, theorem
from tacit.core.numbers import probability, whole
from tacit.exact.balls import Ball, ball, below

COROLLARY_11 = Claim(
    paper="FX14",
    locator="Corollary 11",
    statement="evaluating a class of Littlestone dimension d with error e takes a message of "
    "(1 - H2(e)) d bits, public coins or not",
    proof="bounds/lower/packing.proof.md",
)
LITTLESTONE = Claim(
    paper="FX14",
    locator="Theorem 2 (1)",
    statement="pure private learning needs ((1 - H2(alpha+eta)) d ln 2 - ln(ln(1/eta)/(1-beta)) "
    "- ln 2)/eps records; superseded by the shattered branch, which loses no eta",
    proof="bounds/lower/packing.proof.md",
)
CLASS_TABLE = Claim(
    paper="FX14",
    locator="Section 4.1",
    statement="Littlestone dimension at least b (thresholds), b d (boxes), b d(d-1)/2 "
    "(halfspaces); VC dimension 1, 2d (printed: d+1), d+1",
    status=Status.CITED,
)


def entropy(error: Fraction) -> Ball:
    """``H2(error)`` in bits."""
    e, rest = ball(error), ball(1 - error)
    return -(e * e.log() + rest * rest.log()) / ln(2)


@theorem(
    COROLLARY_11,
    kind="fact",
    setting="one-way protocols; error below 1/2",
    formula=r"R^{\to}_e(C)\ge(1-H_2(e))\,\mathrm{Ldim}(C)",
)
def message_bits(*, littlestone: int, error: Fraction) -> int:
    """Whole bits that a message must have.

    >>> message_bits(littlestone=64, error=Fraction(1, 3))
    6
    """
    error = probability(error, name="error")
    if 2 * error >= 1:
        raise BadInput("the error must be below 1/2")
    d = whole(littlestone, name="littlestone", least=0)
    return max(0, ceil(below(lambda: (1 - entropy(error)) * d)))


@theorem(
    LITTLESTONE,
    kind="lower",
    setting="Littlestone dimension d; any answer; pure; records",
    formula=r"n\ge\tfrac1\epsilon\bigl[(1-H_2(\alpha+\eta))d\ln2-\ln2"
    r"-\ln\tfrac{\ln(1/\eta)}{1-\beta}\bigr]",
)
def through_messages(
    *,
    littlestone: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """The paper's route, explicit: a learner run on dummy records is a short message."""
    alpha, beta = probability(alpha, name="alpha"), probability(beta, name="beta")
    d = whole(littlestone, name="littlestone", least=0)
    budget = Budget.of(epsilon=epsilon, relation=relation)
    best = 1
    for eta in (Fraction(1, 2**power) for power in range(2, 12)):
        if 2 * (alpha + eta) >= 1:
            continue
        best = max(best, _records(d, alpha, beta, eta, budget))
    return SampleBound(n=best, claim=LITTLESTONE, terms={"message": float(best)})


def _records(d: int, alpha: Fraction, beta: Fraction, eta: Fraction, budget: Budget) -> int:
    def records() -> Ball:
        bits = (1 - entropy(alpha + eta)) * d * ln(2) - ln(2)
        return (bits - (ln(1 / eta) / ball(1 - beta)).log()) / ball(budget.epsilon)

    return ceil(below(records))


@theorem(
    CLASS_TABLE,
    kind="fact",
    setting="thresholds, boxes, halfspaces and balls over d coordinates of b bits",
    formula=r"\mathrm{Ldim}\ge b,\ bd,\ bd(d-1)/2",
)
def class_table(*, name: str, bits: int, dimension: int = 1) -> dict[str, int]:
    """A lower bound on the Littlestone dimension, and the VC dimension.

    >>> class_table(name="boxes", bits=8, dimension=3)
    {'littlestone': 24, 'vc': 6}
    """
    b, d = whole(bits, name="bits", least=1), whole(dimension, name="dimension", least=1)
    table = {
        "thresholds": {"littlestone": b, "vc": 1},
        "boxes": {"littlestone": b * d, "vc": 2 * d},
        "halfspaces": {"littlestone": b * d * (d - 1) // 2, "vc": d + 1},
        # On each axis a threshold of its own: problems/reals/arrangement.proof.md, Theorem 4.
        "balls": {"littlestone": b * d, "vc": d + 1},
    }
    if name not in table:
        raise BadInput(f"name must be one of {tuple(table)}")
    return table[name]
