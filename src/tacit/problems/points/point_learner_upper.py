"""Several points by BNS19 Algorithm 5: heavy values first, then all their labels at once."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import least
from tacit.bounds.upper.histograms import winning_gap
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.exact.balls import ball, ceiling
from tacit.exact.geometric_tails import reach
from tacit.mechanisms.calibration import spread
from tacit.problems.points import point_tables_upper as point_tables
from tacit.problems.points.one_histogram_upper import seldom

POINT_LEARNER = Claim(
    paper="BNS19",
    locator="Theorem 40",
    statement="k points, realizable, approximate, in two steps: the values of a stability "
    "histogram that are heavy enough, then all their label vectors by one gap test; corrected, "
    "constants ours",
    proof="problems/points/point_learner_upper.proof.md",
)


def heavy_count(
    *, n: int, beta: Fraction, epsilon: Fraction, delta: Fraction
) -> tuple[int, Fraction]:
    """The noisy count from which ``point_learner`` calls a value heavy, among ``n`` records.

    A value below the lead that the gap test needs looks as heavy as this with probability
    ``beta / (4 n)`` at most; also the scale of the noise on the counts.
    """
    half, lost = epsilon / 2, delta / 2
    scale = spread(Relation.REPLACE_ONE) / half
    lead = winning_gap(beta=beta / 4, epsilon=half, delta=lost).n
    return lead - 1 + reach(scale, beta / (4 * max(1, n))), scale


@theorem(
    POINT_LEARNER,
    kind="upper",
    setting="k points; improper (a point or nothing); realizable; approximate; records",
    formula=r"\tfrac1\alpha\Pr[\mathrm{Bin}(n,\alpha)<L_n-1+r(\tfrac4\epsilon,\tfrac{\alpha\beta}4)]"
    r"\le\tfrac\beta4,\quad L_n=\mathrm{gap}-1+r(\tfrac4\epsilon,\tfrac\beta{4n})",
)
def point_learner(
    *, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction
) -> SampleBound:
    """Records to learn any number of point functions in the two steps of BNS19 Algorithm 5.

    ``one_histogram`` needs fewer; ``printed`` is the larger of two conditions of the paper's
    proof: its table within ``alpha/30`` and a lead of ``alpha n/30``.

    >>> bound = point_learner(alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1),
    ...                       delta=Fraction(1, 10**6))
    >>> bound.n, bound.printed
    (1788, 68400)
    """
    return _point_learner(*numbers(alpha=alpha, beta=beta, epsilon=epsilon, delta=delta))


@lru_cache(maxsize=1024)
def _point_learner(
    alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction
) -> SampleBound:
    def enough(n: int) -> bool:
        level, scale = heavy_count(n=n, beta=beta, epsilon=epsilon, delta=delta)
        needed = level - 1 + reach(scale, alpha * beta / 4)
        return seldom(n, alpha, needed) <= alpha * beta / 4

    n = least(enough)
    level, _ = heavy_count(n=n, beta=beta, epsilon=epsilon, delta=delta)
    half, lost = epsilon / 2, delta / 2
    tabled = point_tables.printed(alpha=alpha / 30, beta=beta / 4, epsilon=half, delta=lost)
    tested = ceiling(lambda: 30 / ball(alpha * half) * ln(2 / (beta * lost)))
    return SampleBound(
        n=n,
        claim=POINT_LEARNER,
        terms={"telling heavy values": level / float(alpha)},
        printed=max(tabled.n, tested),
        choices={"level": level},
    )
