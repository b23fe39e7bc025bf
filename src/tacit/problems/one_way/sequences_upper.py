r"""One-way sequences: how many records the efficient learner needs (B20, corrected)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import log

from tacit.bounds.binomial import at_most
from tacit.bounds.search import least
from tacit.bounds.split import best_shares
from tacit.bounds.upper.histograms import lead
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.geometric_tails import reach
from tacit.mechanisms.calibration import release_threshold, spread

PURE = Claim(
    paper="B20",
    locator="Theorem 16",
    statement="the pure learner needs Theta((d + ln(1/beta))/(alpha epsilon)) records of d bits: "
    "the number at which a set of probability alpha holds `high` of them; the printed sqrt(d) "
    "does not follow; constants ours",
    proof="problems/one_way/sequence_learner.proof.md",
)
APPROXIMATE = Claim(
    paper="B20",
    locator="Theorem 17",
    statement="with the stability histogram O((sqrt(d) + ln(1/(beta delta)))/(alpha epsilon)) "
    "records suffice; constants ours",
    proof="problems/one_way/sequence_learner.proof.md",
)


@theorem(
    PURE,
    kind="upper",
    setting="one-way sequences; improper; realizable; pure; all relations",
    formula=r"P[\mathrm{Bin}(n,\alpha)\le \mathrm{hi}]\le\beta_0,\quad "
    r"\mathrm{lo}=\tfrac{w}{\epsilon_3}\ln\tfrac{2^{k\lambda+1}}{\beta_3},\ "
    r"\mathrm{hi}-\mathrm{lo}\ge\tfrac{4}{\epsilon_2}\ln\tfrac{2^k}{\beta_2}",
)
def pure(
    *,
    index_bits: int,
    seed_bits: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to learn a one-way sequence of ``2**index_bits`` steps, purely.

    >>> pure(index_bits=7, seed_bits=7, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...      epsilon=Fraction(1)).n
    2951
    """
    return approximate(
        index_bits=index_bits,
        seed_bits=seed_bits,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        delta=Fraction(0),
        relation=relation,
    )


@theorem(
    APPROXIMATE,
    kind="upper",
    setting="one-way sequences; improper; realizable; approximate; all relations",
    formula=r"P[\mathrm{Bin}(n,\alpha)\le \mathrm{hi}]\le\beta_0,\quad "
    r"\mathrm{lo}=T-1+r(w/\epsilon_3,\beta_3),\ "
    r"\mathrm{hi}-\mathrm{lo}\ge\tfrac{4}{\epsilon_2}\ln\tfrac{2^k}{\beta_2}",
)
def approximate(
    *,
    index_bits: int,
    seed_bits: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to learn a one-way sequence; ``delta = 0`` gives the pure learner.

    ``choices`` are the parameters of the learner.

    >>> approximate(index_bits=7, seed_bits=7, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...             epsilon=Fraction(1), delta=Fraction(1, 10**6)).n
    2024
    """
    return _bound(
        index_bits=whole(index_bits, name="index_bits", least=1),
        seed_bits=whole(seed_bits, name="seed_bits", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        delta=probability(delta, name="delta", zero="allowed"),
        relation=relation,
    )


@lru_cache(maxsize=1024)
def _bound(
    *,
    index_bits: int,
    seed_bits: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation,
) -> SampleBound:
    # A flipped label brings one value or takes it away, like a record that comes or goes.
    votes = Relation.REPLACE_ONE if relation is Relation.REPLACE_ONE else Relation.ADD_REMOVE
    strings = index_bits * seed_bits + 1
    b0, part = beta / 2, beta / 6

    def rough(shares: tuple[int, ...]) -> float:
        e1, e2, e3 = (float(epsilon) * share / sum(shares) for share in shares)
        size = -log(delta) if delta else strings * log(2)
        top = spread(votes) / e3 * (size - log(part))
        return top + max(4 / e2 * (index_bits * log(2) - log(part)), -2 / e1 * log(part * beta))

    shares = best_shares(rough, parts=3)
    e1, e2, e3 = (epsilon * share / sum(shares) for share in shares)
    if delta:
        threshold = release_threshold(epsilon=e3, delta=delta, relation=votes)
        low = threshold - 1 + reach(spread(votes) / e3, part)
    else:
        low = lead(wrong=(1 << strings) - 1, beta=part, rate=e3 / spread(votes))
    low = max(1, low)
    # The best rank leads every wrong one by `depth`, and noise tells `middle` from `high`.
    depth = lead(wrong=(1 << index_bits) - 1, beta=part, rate=e2 / 2)
    high = low + max(0, 2 * (depth - 1) - 1)
    surely, hardly = reach(1 / e1, part), reach(1 / e1, beta)
    high += max(0, 2 * (surely + hardly - 3 - (high - (low + high + 1) // 2)))
    n = least(lambda m: m > high and at_most(n=m, p=alpha, count=high) <= b0)
    return SampleBound(
        n=n,
        claim=APPROXIMATE if delta else PURE,
        terms={
            "the common string": low / float(alpha),
            "a robust first index": (high - low) / float(alpha),
            "sampling": max(0.0, n - high / float(alpha)),
        },
        choices={
            "epsilon_count": e1,
            "epsilon_index": e2,
            "epsilon_string": e3,
            "enough": high + 1 - surely,
            "low": low,
            "high": high,
        },
    )
