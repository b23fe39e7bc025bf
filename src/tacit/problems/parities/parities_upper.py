r"""Parities: records for the three efficient ways to learn one (BNS19 and our own)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.binomial import at_most, noisy_below
from tacit.bounds.search import least
from tacit.bounds.upper import selection
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import Ball, ball, below, ceiling
from tacit.exact.geometric_tails import reach
from tacit.mechanisms.calibration import giving_up, round_down, subsample_rate

VOTES = Claim(
    paper="BNS19",
    locator="Theorem 39",
    statement="m blocks of t records learn a parity of d bits under the uniform marginal once "
    "P[Bin(m, prod (1 - 2^(i-t))) + noise < T] <= beta: Theta((d/epsilon) ln(1/(beta delta))) "
    "records; the additive bound needs the gap test on all records (parities-gap); constants ours",
    proof="problems/parities/parity_learner.proof.md",
)
ELIMINATION = Claim(
    paper="own",
    locator="parities by subsampled elimination",
    statement="solving the equations of a secret subsample of rate tanh(epsilon/2), or giving up "
    "with probability 1/(e^epsilon + 2), is epsilon-DP; a few such tries and a selection learn "
    "a parity from O(d/(alpha epsilon)) records, efficiently and purely",
    proof="problems/parities/parity_learner.proof.md",
)


def full_rank(*, bits: int, rows: int) -> Ball:
    """The chance that ``rows`` uniform rows of ``bits`` bits determine a parity."""
    chance = ball(1)
    for i in range(bits):
        chance *= 1 - ball(2) ** (i - rows)
    return chance


@theorem(
    VOTES,
    kind="upper",
    setting="parities; proper; realizable; approximate; uniform marginal",
    formula=r"n = t m,\quad P[\mathrm{Bin}(m,\prod_{i<d}(1-2^{i-t}))+\mathrm{DLap}(2/\epsilon)<T]"
    r"\le\beta,\ T=2+r(2/\epsilon,\delta)",
)
def block_votes(*, bits: int, beta: Fraction, epsilon: Fraction, delta: Fraction) -> SampleBound:
    """Records for blocks that each solve for the parity, and a gap test among them.

    >>> block_votes(bits=64, beta=Fraction(1, 20), epsilon=Fraction(1),
    ...             delta=Fraction(1, 10**6)).n
    2380
    """
    return _block_votes(
        bits=whole(bits, name="bits", least=1),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        delta=probability(delta, name="delta"),
    )


@lru_cache(maxsize=1024)
def _block_votes(*, bits: int, beta: Fraction, epsilon: Fraction, delta: Fraction) -> SampleBound:
    scale = 2 / epsilon
    threshold = 2 + reach(scale, delta)
    best: tuple[int, int, int] | None = None
    for rows in range(bits + 1, bits + 16):
        solved = round_down(below(lambda t=rows: full_rank(bits=bits, rows=t)))  # type: ignore[misc]
        blocks = least(
            lambda m, p=solved: noisy_below(n=m, p=p, scale=scale, threshold=threshold) <= beta  # type: ignore[misc]
        )
        if best is None or rows * blocks < best[0]:
            best = (rows * blocks, rows, blocks)
        elif rows * threshold > best[0]:
            break
    assert best is not None
    n, rows, blocks = best
    return SampleBound(
        n=n,
        claim=VOTES,
        terms={"equations per block": float(rows), "blocks": float(blocks)},
        choices={"rows": rows, "blocks": blocks},
    )


@theorem(
    ELIMINATION,
    kind="upper",
    setting="parities; proper; realizable; pure; any marginal, fewer records if it is uniform",
    formula=r"n = \tau m + n_R(\tau),\quad (z+u)^{\tau}\le\beta/2,\ z = \frac{1}{e^{\epsilon}+2},\ "
    r"u = P[\mathrm{Bin}(m,\tanh\tfrac{\epsilon}{2}) < t] + 2^d(1-\rho)^t",
)
def elimination(
    *, bits: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, marginal: str = "any"
) -> SampleBound:
    """Records for a few tries at solving a secret subsample, and a selection among them.

    >>> elimination(bits=64, alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1),
    ...             marginal="uniform").n
    543
    """
    return _elimination(
        bits=whole(bits, name="bits", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        marginal=marginal,
    )


@lru_cache(maxsize=1024)
def _elimination(
    *, bits: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, marginal: str
) -> SampleBound:
    rate, lost = subsample_rate(epsilon), giving_up(epsilon)
    # Under the uniform marginal two parities differ on half of the points, so equations
    # of full rank and a choice that tells 0 from 1/2 settle it.
    uniform = marginal == "uniform"
    shares = (Fraction(1, 2),) if uniform else (Fraction(1, 4), Fraction(2, 5), Fraction(3, 5))
    options = []
    first = ceiling(lambda: ball(beta / 2).log() / ball(lost).log())
    for tries in range(first, first + 4):
        unlucky = round_down(below(lambda t=tries: (ball(beta / 2).log() / t).exp()) - lost)  # type: ignore[misc]
        if unlucky <= 0:
            continue
        for share in shares:
            rho = Fraction(1, 2) if uniform else share * alpha
            rows = _equations(bits=bits, rho=rho, chance=unlucky / 4)
            block = _enough_draws(rows=rows, rate=rate, chance=3 * unlucky / 4)
            choice = selection.realizable(
                size=tries,
                alpha=rho if uniform else alpha,
                beta=beta / 2,
                epsilon=epsilon,
                relation=Relation.REPLACE_ONE,
                rho=0 if uniform else rho,
            )
            options.append((tries * block + choice.n, tries, block, choice))
    n, tries, block, choice = min(options, key=lambda option: option[0])
    return SampleBound(
        n=n,
        claim=ELIMINATION,
        terms={"equations": float(tries * block), "choice": float(choice.n)},
        choices={"tries": tries, "block": block, "epsilon_choice": choice.choices["epsilon"]},
    )


def _equations(*, bits: int, rho: Fraction, chance: Fraction) -> int:
    # Records that rule out all wrong parities: 2^bits (1 - rho)^t <= chance.
    return ceiling(lambda: (bits * ball(2).log() - ball(chance).log()) / -ball(1 - rho).log())


def _enough_draws(*, rows: int, rate: Fraction, chance: Fraction) -> int:
    return least(lambda m: m >= rows and at_most(n=m, p=rate, count=rows - 1) <= chance)
