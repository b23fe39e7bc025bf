r"""Representations and one-way protocols: either gives the other, and records.

A protocol of ``c`` bits that errs with probability ``e`` on every input is a random class of
``2**c`` hypotheses; ``k`` copies contain one of error ``rho`` except with probability
``(e/rho)**k``. Selecting from the class is then private learning.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import least
from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import exact, probability, whole
from tacit.exact.balls import ceiling

PROOF = "problems/protocols/communication_upper.proof.md"

FX_7 = Claim(
    paper="FX14",
    locator="Theorem 7",
    statement="PRDim_{rho,b} <= c + log2 k for a public-coin protocol of c bits and error e, "
    "k = ceil(ln(1/b)/ln(rho/e)); conversely its error is at most rho + b - rho b",
    proof=PROOF,
)
FX_8 = Claim(
    paper="FX14",
    locator="Theorem 8",
    statement="DRDim_e <= R_{e/2} and DRDim_e >= R_e, private coins: a representation of error e "
    "is a protocol of error e",
    proof=PROOF,
)
FX_1 = Claim(
    paper="FX14",
    locator="Theorem 1",
    statement="PRDim_{1/4,1/4} is at most 5 c + 3 for a public-coin protocol of c bits and error "
    "1/3 (five runs, eight copies), and at least the bits of a protocol of error 7/16",
    proof=PROOF,
)
FX_6 = Claim(
    paper="FX14",
    locator="Theorem 6",
    statement="a class with PRDim_{1/4,1/4} = r is learned with n_R records from k 2^(t(r+1)) "
    "hypotheses: two copies of error 5/16, the majority of t runs of error rho/2, k copies",
    proof=PROOF,
)


@theorem(
    FX_7,
    kind="fact",
    setting="public-coin protocols to probabilistic representations",
    formula=r"k=\lceil\ln\tfrac1b/\ln\tfrac\rho e\rceil,\ |H|\le k2^c",
)
def copies(*, error: Fraction, rho: Fraction, failure: Fraction) -> int:
    """How many independent copies contain a hypothesis of error ``rho`` with failure at most
    ``failure``, if one errs with probability ``error`` on every input.

    >>> copies(error=Fraction(1, 100), rho=Fraction(1, 50), failure=Fraction(1, 20))
    5
    """
    error, rho = probability(error, name="error"), probability(rho, name="rho")
    failure = probability(failure, name="failure")
    if error >= rho:
        raise BadInput("the protocol must err less than rho")
    return max(1, ceiling(lambda: ln(1 / failure) / ln(rho / error)))


@theorem(
    FX_7,
    kind="fact",
    setting="probabilistic representations to public-coin protocols",
    formula=r"e=\rho+b-\rho b",
)
def protocol_error(*, rho: Fraction, failure: Fraction) -> Fraction:
    """The error of the protocol that sends the index of the best hypothesis.

    >>> protocol_error(rho=Fraction(1, 4), failure=Fraction(1, 4))
    Fraction(7, 16)
    """
    rho, failure = probability(rho, name="rho"), probability(failure, name="failure")
    return rho + failure - rho * failure


@theorem(
    FX_8,
    kind="fact",
    setting="private-coin protocols and deterministic representations",
    formula=r"R_e\le\mathrm{DRDim}_e\le R_{e/2}",
)
def deterministic_error(*, rho: Fraction) -> tuple[Fraction, Fraction]:
    """Errors of the private-coin protocols between which ``DRDim_rho`` lies."""
    rho = probability(rho, name="rho")
    return rho, rho / 2


def majority_error(*, runs: int, error: Fraction) -> Fraction:
    """``P[Bin(runs, error) >= runs/2]``: the majority of independent runs is wrong, exactly.

    >>> majority_error(runs=3, error=Fraction(1, 3))
    Fraction(7, 27)
    """
    error = exact(error, name="error")
    wrong = range(-(-runs // 2), runs + 1)
    return sum((comb(runs, j) * error**j * (1 - error) ** (runs - j) for j in wrong), Fraction(0))


@theorem(
    FX_1,
    kind="fact",
    setting="public-coin protocols of error 1/3",
    formula=r"\mathrm{PRDim}_{1/4,1/4}\le tc+\log_2k",
)
def representation_bits(*, message: int) -> int:
    """An upper bound on ``PRDim_{1/4,1/4}`` from a protocol of ``message`` bits and error 1/3.

    The majority of ``t`` runs has error below 1/4; ``k`` copies make it a representation. The
    best pair is taken.

    >>> representation_bits(message=10)
    53
    """
    message = whole(message, name="message", least=1)
    quarter = Fraction(1, 4)
    best = None
    for runs in range(3, 40, 2):
        error = majority_error(runs=runs, error=Fraction(1, 3))
        if error < quarter:
            k = copies(error=error, rho=quarter, failure=quarter)
            bits = runs * message + (k - 1).bit_length()
            best = bits if best is None else min(best, bits)
    assert best is not None
    return best


@theorem(
    FX_6,
    kind="upper",
    setting="any class with a known representation; any answer; realizable; pure",
    formula=r"n_R(k2^{tc}),\ t\ \text{runs},\ k\ \text{copies},\ \min_\rho",
)
def records(
    *,
    bits: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to learn a class whose ``PRDim_{1/4,1/4}`` is at most ``bits``.

    Two copies give a protocol of error 5/16 and one more bit; the majority of ``t`` runs
    errs less than ``rho/2``, and ``k`` copies of that contain a hypothesis of error ``rho``.
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    bits = whole(bits, name="bits", least=0)
    base = protocol_error(rho=Fraction(1, 4), failure=Fraction(1, 16))
    best: SampleBound | None = None
    for power in range(1, 7):
        rho = alpha / 2**power
        runs = least(lambda t, rho=rho: majority_error(runs=2 * t - 1, error=base) <= rho / 2)  # type: ignore[misc]
        k = copies(error=rho / 2, rho=rho, failure=beta / 2)
        inner = selection.realizable(
            size=k << ((2 * runs - 1) * (bits + 1)),
            alpha=alpha,
            beta=beta / 2,
            epsilon=epsilon,
            relation=relation,
            rho=rho,
        )
        if best is None or inner.n < best.n:
            choices = {"rho": rho, "runs": 2 * runs - 1, "copies": k, **inner.choices}
            best = SampleBound(n=inner.n, claim=FX_6, terms=inner.terms, choices=choices)
    assert best is not None
    return best
