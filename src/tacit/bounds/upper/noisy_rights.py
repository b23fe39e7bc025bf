"""What noisy numbers of a rule's mistakes and right answers say about its true error.

For where the number of records is private: both numbers together stand in for it.
``noisy_rights.proof.md``, Theorem 1.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.upper.noisy_count import share_at_most
from tacit.core import Claim, theorem
from tacit.core.numbers import positive, probability
from tacit.exact.geometric_tails import reach

_MISTAKES, _RIGHT, _SAMPLE = Fraction(6, 10), Fraction(1, 10), Fraction(3, 10)
"""The parts of ``beta``: too few mistakes counted, too many right answers, unusual records."""

NOISY_RIGHTS = Claim(
    paper="own",
    locator="Noisy right answers, Theorem 1",
    statement="with probability 1 - beta over the records and the noise, whatever their number is, "
    "every rule h has an error p with P(Bin(m + r, p) <= m) > 3 prior(h) beta/10, where m is the "
    "noisy mistakes raised, and r the noisy right answers lowered, by what noise reaches but for "
    "6 beta/10 and beta/10",
    proof="bounds/upper/noisy_rights.proof.md",
)


@theorem(
    NOISY_RIGHTS,
    kind="upper",
    setting="any distribution; any rule, however it was chosen; public prior; geometric noise; a "
    "private number of records",
    formula=r"p = \sup\{p: P[\mathrm{Bin}(m+r,p)\le m] > 3\pi\beta/10\},\quad "
    r"m=\tilde k+t-1,\quad r=\tilde r-s+1",
)
def certified_by_both(
    *, noisy_mistakes: int, noisy_right: int, prior: Fraction, epsilon: Fraction, beta: Fraction
) -> Fraction:
    """A bound on the true error of a rule with this prior and these noisy numbers.

    Each number has noise of scale ``1/epsilon``.

    >>> certified_by_both(noisy_mistakes=30, noisy_right=539, prior=Fraction(1, 22026),
    ...                   epsilon=Fraction(1, 5), beta=Fraction(1, 20))
    Fraction(293, 2000)
    """
    prior, scale = positive(prior, name="prior"), 1 / positive(epsilon, name="epsilon")
    beta = probability(beta, name="beta")
    mistakes = max(0, noisy_mistakes + reach(scale, beta * _MISTAKES) - 1)
    right = noisy_right - reach(scale, beta * _RIGHT) + 1
    if right < 1:
        return Fraction(1)
    return share_at_most(mistakes, right, level=min(prior, Fraction(1)) * beta * _SAMPLE)
