"""Sensitivities and calibrations: the numbers on which privacy rests, each stated once.

Mechanisms draw with them; theorems about accuracy are stated in terms of them. A proof that
covers code which uses one of them goes stale when it changes (``tacit.checks.testing.proofs``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb

from tacit.core import Claim, Relation, theorem
from tacit.core.numbers import positive, probability
from tacit.exact.balls import Ball, above, ball, below, ceiling
from tacit.exact.geometric_tails import reach

GRID = 1 << 40
"""Rates are rounded to this grid, so that parameters stay readable."""
FINE_GRID = 1 << 64
PAPER_GROWTH = Fraction(4)

LEMMA_4_4 = Claim(
    paper="BBKN13",
    locator="Lemma 4.4",
    statement="keeping each record with probability (e^eps - 1)/(e^eps* - 1) and starring "
    "the rest turns an eps*-DP mechanism into an eps-DP one; the rate is larger than printed",
    proof="mechanisms/star_sampling.proof.md",
)


def spread(relation: Relation) -> int:
    """How far numbers of records can move apart between neighbours.

    Replacing a record or flipping a label moves each number by -1, 0 or 1; adding or
    removing one moves all of them the same way, by 0 or 1.
    """
    match relation:
        case Relation.REPLACE_ONE | Relation.LABEL:
            return 2
        case Relation.ADD_REMOVE:
            return 1


def cost_spread(relation: Relation, costs: Sequence[int]) -> int:
    """How far sums of the costs of mistakes can move apart between neighbours.

    A record of label ``y`` adds 0 or ``costs[y]``. Replacing it moves a sum by the greatest cost
    at most, up or down; one that comes or goes moves all sums the same way. A label that
    changes from ``a`` to ``b`` adds at most ``costs[b]`` and takes at most ``costs[a]``.

    >>> [cost_spread(relation, (1, 5)) for relation in Relation]
    [10, 5, 6]
    """
    match relation:
        case Relation.REPLACE_ONE:
            return 2 * max(costs)
        case Relation.LABEL:
            return sum(sorted(costs)[-2:])
        case Relation.ADD_REMOVE:
            return max(costs)


def alarm_spread(relation: Relation) -> int:
    """How far missed records plus alarms beyond a fixed number can move apart between neighbours.

    A record is missed only where a rule says 0, and an alarm only where it says 1: it adds 0 or 1
    either way. A label that changes leaves the alarms alone, and moves all sums the same way, by
    0 or 1.
    """
    match relation:
        case Relation.REPLACE_ONE:
            return 2
        case Relation.LABEL | Relation.ADD_REMOVE:
            return 1


def mistakes_moved(relation: Relation, values: int) -> int:
    """By how much the mistakes on the records of each label move in all, between neighbours.

    One number for each of ``values`` label values. A replaced record may be a mistake of one
    label before and of another after; so may a record whose label changes, if the rule says
    neither of the two, which takes a third value.
    """
    match relation:
        case Relation.REPLACE_ONE:
            return 2
        case Relation.LABEL:
            return 2 if values > 2 else 1
        case Relation.ADD_REMOVE:
            return 1


def sizes_moved(relation: Relation) -> int:
    """By how much the numbers of records of each label move in all, between neighbours."""
    match relation:
        case Relation.REPLACE_ONE | Relation.LABEL:
            return 2
        case Relation.ADD_REMOVE:
            return 1


def positives_spread(relation: Relation) -> int:
    """How far numbers of records with label 1, one number a value, can move apart.

    Flipping a label moves one of them by one, and so does a record that comes or goes;
    replacing a record may lower one of them and raise another.
    """
    return 2 if relation is Relation.REPLACE_ONE else 1


def weighted_spread(relation: Relation, *, capped: bool = False) -> Fraction:
    """How far weighted mistakes can move apart, in units of the largest weight without a cap.

    A replaced record takes one weight and brings another; both weights of a flipped label are one
    unit together (``problems/tables/boosted_learner.proof.md``). ``capped`` at one half they move
    half as far, but for a flipped label, which may bring one half here and take one half there.
    """
    moved = Fraction(2 if relation is Relation.REPLACE_ONE else 1)
    return moved / 2 if capped and relation is not Relation.LABEL else moved


SLOPES_RATIO = {Relation.REPLACE_ONE: Fraction(9, 2), Relation.ADD_REMOVE: Fraction(2)}
"""How many times more exactly sums of ``p (1 - p)`` can be counted beside sums of ``y - p``."""
CAPPED_RATIO = {Relation.REPLACE_ONE: Fraction(2), Relation.ADD_REMOVE: Fraction(2)}
"""The same where ``y - p`` is capped at one half either way."""
_SQUARES = {Relation.REPLACE_ONE: Fraction(4)}
_CAPPED_SQUARES = {Relation.REPLACE_ONE: Fraction(5, 4), Relation.ADD_REMOVE: Fraction(1, 2)}
_CAPPED_SCALES = {Relation.REPLACE_ONE: Fraction(3, 2), Relation.ADD_REMOVE: Fraction(3, 4)}


def slopes_variance(*, rho: Fraction, relation: Relation, capped: bool = False) -> Fraction:
    """The variance of noise on sums of ``y - p`` that costs ``rho``, with those of ``p (1 - p)``.

    Their squared distance between neighbours is 4 where a record is replaced, else 1; 5/4 and 1/2
    where ``y - p`` is ``capped`` at one half either way, 1 still where a label is flipped.
    """
    moved = (_CAPPED_SQUARES if capped else _SQUARES).get(relation, Fraction(1))
    return moved / (2 * rho)


def slopes_scale(*, epsilon: Fraction, relation: Relation, capped: bool = False) -> Fraction:
    """The scale of geometric noise on the same sums: their distance, taken together, is 2 where a
    record is replaced, else 1; with a cap 3/2 and 3/4, and 1 still where a label is flipped.
    """
    moved = _CAPPED_SCALES.get(relation) if capped else None
    return (weighted_spread(relation) if moved is None else moved) / epsilon


def rows_moved(relation: Relation, rows: int) -> int:
    """How many rows are added and removed when one person with at most ``rows`` changes.

    A person who comes or goes brings or takes all of them, a replaced one takes and brings. So
    does one whose labels change: each row goes, and comes again with its other label.
    One row for one row counts once: there the relation is that of the rows.

    >>> [rows_moved(relation, 3) for relation in Relation]
    [6, 3, 6]
    """
    if rows == 1:
        return rows
    return spread(relation) * rows


def group_delta(*, epsilon: Fraction, delta: Fraction, steps: int) -> Fraction:
    """``delta * (1 + e^epsilon + ... + e^((steps-1) epsilon))``, rounded up: a group's delta.

    >>> round(float(group_delta(epsilon=Fraction(1), delta=Fraction(1, 1000), steps=2)), 6)
    0.003718
    """
    if steps == 1 or not delta:
        return delta
    grown = above(lambda: (steps * ball(epsilon)).expm1() / ball(epsilon).expm1())
    return delta * Fraction(-(-grown * GRID // 1), GRID)


def noise_scale(*, epsilon: Fraction, relation: Relation) -> Fraction:
    """The scale of noise on a histogram's counts.

    Replacing a record moves two counts by one, adding or removing one moves one.
    """
    return spread(relation) / epsilon


def count_scale(*, epsilon: Fraction, relation: Relation) -> Fraction:
    """The scale of noise on one number of records: a neighbour moves it by 1 at most.

    Numbers that are counted together move by 1 each at the same time, so noise of scales
    ``1 / epsilon_j`` on several of them costs the sum of the ``epsilon_j``.
    """
    match relation:
        case Relation.REPLACE_ONE | Relation.LABEL | Relation.ADD_REMOVE:
            return 1 / epsilon


def count_scales(
    spent: Iterable[tuple[Fraction, int]], *, relation: Relation
) -> tuple[Fraction, ...]:
    """The scales of noise on numbers of records that are counted together.

    ``spent`` holds epsilons, and how many numbers each pays for: one, or the numbers of records of
    each label value, which move by ``sizes_moved`` in all.
    """
    return tuple(
        count_scale(epsilon=epsilon, relation=relation)
        if numbers == 1
        else sizes_moved(relation) / epsilon
        for epsilon, numbers in spent
    )


def noise_variance(*, rho: Fraction, relation: Relation) -> Fraction:
    """The variance of Gaussian noise on a histogram's counts, for ``rho``-zCDP.

    Replacing a record moves two counts by one, so squares by 2 in all; adding or removing one
    moves one. Rounded up to 1/1024.
    """
    return Fraction(-(-1024 * spread(relation) // (2 * rho)), 1024)


def one_variance(rho: Fraction) -> Fraction:
    """The variance of Gaussian noise on a number that moves by at most 1, for ``rho``-zCDP."""
    return Fraction(-(-1024 // (2 * rho)), 1024)


def firing_scales(
    firing: int, share: Fraction, *, epsilon: Fraction | None, rho: Fraction | None
) -> tuple[Fraction, Fraction]:
    """The scales of noise on a threshold, and on each test of a count against it.

    Any number of tests, of which ``firing`` may fire, of counts that move by at most 1: one noisy
    threshold for all of them costs ``epsilon``, a fresh one after each that fired ``rho``.
    """
    most = max(1, firing)
    if rho is not None:
        given = rho
        once = below(lambda: (2 * ball(given) / most).sqrt(), bits=64)
        return 1 / (share * once), 2 / ((1 - share) * once)
    assert epsilon is not None
    return 1 / (share * epsilon), 2 * most / ((1 - share) * epsilon)


def misfit_spread(relation: Relation) -> int:
    """How far the distances of histograms from fixed ones can move apart between neighbours.

    The distance is the sum of absolute differences. It moves by at most 2, up or down, when a
    record is replaced; by at most 1 when one is added or removed.
    """
    return 2 * spread(relation)


def several_counts_variance(*, counts: int, rho: Fraction) -> Fraction:
    """The variance of discrete Gaussian noise on several numbers of records, for rho-zCDP.

    A neighbour moves each of them by 1 at most, so all together by the root of their number.
    """
    return Fraction(counts) / (2 * rho)


def shared_spread(relation: Relation, labels: int) -> int:
    """How far the mistakes of ``labels`` labels together can move apart between neighbours.

    A record is in one leaf and has all labels: each of them moves mistakes as one label does.
    """
    return labels * spread(relation)


def marks_variance(*, rho: Fraction, labels: int, relation: Relation) -> Fraction:
    """The variance of discrete Gaussian noise on the sums of marks in all leaves, for rho-zCDP.

    Marks are 1 and -1, or 0. A record that changes within its leaf, or whose labels change, moves
    each label's sum by 2 at most; one that goes to another leaf moves two sums by 1; one that
    comes or goes moves one by 1.
    """
    squared = 1 if relation is Relation.ADD_REMOVE else 4
    return Fraction(squared * labels) / (2 * rho)


def clause_sensitivity(*, variables: int, terms: int, relation: Relation) -> Fraction:
    """By how much the counts of false clauses move in all, between neighbours.

    A record of label 1 makes one clause false for each choice of variables; a record of
    label 0 makes none.
    """
    moved = 1 if relation is Relation.LABEL else spread(relation)
    return Fraction(moved * comb(variables, min(terms, variables)))


def round_down(value: Fraction) -> Fraction:
    """A shorter rational not above ``value``, so that parameters stay readable."""
    return Fraction(int(value * GRID), GRID)


def release_threshold(*, epsilon: Fraction, delta: Fraction, relation: Relation) -> int:
    """The least noisy count that may be shown: ``P(1 + noise >= threshold) <= delta``.

    >>> release_threshold(epsilon=Fraction(1), delta=Fraction(1, 10**6),
    ...                   relation=Relation.REPLACE_ONE)
    28
    """
    return 1 + reach(noise_scale(epsilon=epsilon, relation=relation), delta)


def printed_distance(*, epsilon: Fraction, delta: Fraction) -> int:
    """How far apart the two limits of BNS19 Proposition 30 must lie for privacy."""
    return reach(noise_scale(epsilon=epsilon, relation=Relation.REPLACE_ONE), delta)


def printed_private(*, alpha: Fraction, epsilon: Fraction, delta: Fraction) -> int:
    """From so many records on BNS19 Proposition 30 is private.

    >>> printed_private(alpha=Fraction(1, 10), epsilon=Fraction(1), delta=Fraction(1, 10**6))
    1120
    """
    alpha, delta = probability(alpha, name="alpha"), probability(delta, name="delta")
    distance = printed_distance(epsilon=positive(epsilon, name="epsilon"), delta=delta)
    return int(-(-4 * (distance + 1) // alpha))


def threshold_steps(*, epsilon: Fraction, delta: Fraction) -> int:
    """The least ``m >= 0`` (or one more) with ``P(Z >= m) <= delta``, ``Z`` of scale 1/epsilon.

    >>> threshold_steps(epsilon=Fraction(1), delta=Fraction(1, 10**6))
    14
    """

    def steps() -> Ball:
        return -(ball(delta) * (1 + (-ball(epsilon)).exp())).log() / ball(epsilon)

    return max(0, ceiling(steps))


@theorem(
    LEMMA_4_4,
    kind="fact",
    setting="pure; replace-one; a star is an ordinary entry",
    formula=r"q=\frac{e^{\epsilon}-1}{e^{\epsilon^*}-1}",
)
def star_rate(*, epsilon: Fraction, inner: Fraction) -> Fraction:
    """The chance to stay that turns ``inner``-DP into ``epsilon``-DP, rounded down.

    >>> round(float(star_rate(epsilon=Fraction(1), inner=Fraction(2))), 6)
    0.268941
    """
    epsilon, inner = positive(epsilon, name="epsilon"), positive(inner, name="inner")
    if epsilon >= inner:
        return Fraction(1)
    rate = below(lambda: ball(epsilon).expm1() / ball(inner).expm1())
    return Fraction(int(rate * FINE_GRID), FINE_GRID)


def resampled_epsilon(*, epsilon: Fraction, draws: int, records: int) -> Fraction:
    """``draws * ln(1 + (e^epsilon - 1) / records)``, rounded up: the cost of a mechanism that
    sees ``draws`` records drawn with replacement from ``records``.

    >>> round(float(resampled_epsilon(epsilon=Fraction(1), draws=100, records=900)), 3)
    0.191
    """
    exact = above(lambda: draws * (ball(epsilon).expm1() / records).log1p())
    # Rounding up may pass what drawing one and the same record every time would cost.
    return min(Fraction(-(-exact * GRID // 1), GRID), draws * epsilon)


def resampled_delta(*, epsilon: Fraction, delta: Fraction, draws: int, records: int) -> Fraction:
    """``delta * (e^epsilon' - 1) / (e^epsilon - 1)``, rounded up."""
    if not delta:
        return Fraction(0)

    def ratio() -> Ball:
        grown = (draws * (ball(epsilon).expm1() / records).log1p()).expm1()
        return grown / ball(epsilon).expm1()

    return delta * above(ratio)


def subsample_rate(epsilon: Fraction) -> Fraction:
    """``tanh(epsilon / 2)``, rounded down: how often a try at a parity keeps a record."""
    return round_down(below(lambda: (ball(epsilon) / 2).tanh()))


def giving_up(epsilon: Fraction) -> Fraction:
    """``1 / (e^epsilon + 2)``, rounded up: how often a try at a parity says nothing."""
    return 1 - round_down(1 - above(lambda: 1 / (ball(epsilon).exp() + 2)))


def try_growth(epsilon: Fraction) -> Fraction:
    """``e^eps*`` of a try at a point: 4 as in the paper, or just below ``e^epsilon`` if larger."""
    return max(PAPER_GROWTH, round_down(below(lambda: ball(epsilon).exp())))


def try_epsilon(epsilon: Fraction) -> Fraction:
    """The logarithm of ``try_growth``, rounded up."""
    value = above(lambda: ball(try_growth(epsilon)).log())
    return Fraction(-int(-value * GRID // 1), GRID)


def pick_rate(*, bits: int, epsilon: Fraction) -> Fraction:
    """The chance of a record to be looked at: ``p/(1-p) = (try_growth - 1) 2**-bits``."""
    odds = (try_growth(epsilon) - 1) / (1 << bits)
    return odds / (1 + odds)
