r"""Public records without labels make the cover; private ones choose from it.

A concept is fixed, and the cover is made from the public records alone. A rule of the cover
is decided by a few of them; to all others it is a stranger. So a union over the choices of
the few says how far the nearest rule can be from the concept (``public_cover.proof.md``),
and the master bounds of ``selection`` say how many private records choose well.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial

from tacit.bounds.binomial import log_at_most
from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import greatest, least
from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import whole
from tacit.exact.balls import Ball, certainly_less
from tacit.problems.reals.label_covers_upper import CoverableOn

CLAIM = Claim(
    paper="own",
    locator="Theorem 2 of problems/reals/public_cover.proof.md",
    statement="m public records without labels make a cover of N' rules that comes within "
    "rho = kappa r of every fixed concept but with probability N P[Bin(m - k, r) <= reach]; "
    "selecting from it by private mistakes needs n_R or n_A records at rho",
    proof="problems/reals/public_cover.proof.md",
)

_RADII = tuple(Fraction(share, 64) for share in (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40))
_SHARES = tuple(Fraction(1, part) for part in (2, 4, 8, 16, 64))
_MOST_PUBLIC = 1 << 32


@theorem(
    CLAIM,
    kind="fact",
    setting="public records without labels; every law",
    formula=r"N\,P[\mathrm{Bin}(m-k,r)\le\mathrm{reach}]",
)
def log_far_chance(*, rules: int, support: int, records: int, reach: int, radius: Fraction) -> Ball:
    """Not below the logarithm of the chance that no rule of the public cover is within
    ``radius`` of a concept.

    >>> float(log_far_chance(rules=1001, support=1, records=1000, reach=0,
    ...                      radius=Fraction(1, 50)))  # doctest: +ELLIPSIS
    -13.27...
    """
    whole(records, name="records", least=support + 1)
    return ln(rules) + log_at_most(n=records - support, p=radius, count=reach)


def public_cover(
    family: CoverableOn,
    *,
    records: int,
    kappa: Fraction,
    setting: str,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Private records to learn ``family`` from a cover that ``records`` public ones make.

    ``choices`` has the ``reach`` of that cover on the public records, and the ``epsilon``
    that the selection must spend.
    """
    kappa, alpha, beta, epsilon = numbers(kappa=kappa, alpha=alpha, beta=beta, epsilon=epsilon)
    return _public_cover(
        family,
        records=whole(records, name="records", least=1),
        kappa=kappa,
        setting=setting,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        relation=relation,
    )


@lru_cache(maxsize=1024)
def _public_cover(
    family: CoverableOn,
    *,
    records: int,
    kappa: Fraction,
    setting: str,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
) -> SampleBound:
    select = selection.realizable if setting == "realizable" else selection.agnostic
    best: tuple[SampleBound, int, Fraction, int] | None = None
    for radius in (share * alpha for share in _RADII):
        for share in _SHARES:
            reach = _widest(family, records, radius=radius / kappa, chance=share * beta)
            if reach is None:
                continue
            size = family.most_on(records, reach)
            if size > family.listed:
                continue
            bound = select(
                size=size,
                alpha=alpha,
                beta=(1 - share) * beta,
                epsilon=epsilon,
                relation=relation,
                rho=radius,
            )
            if best is None or bound.n < best[0].n:
                best = bound, reach, radius, size
    if best is None:
        raise BadInput(_too_few(family, records, kappa=kappa, alpha=alpha, beta=beta))
    bound, reach, radius, size = best
    return SampleBound(
        n=bound.n,
        claim=CLAIM,
        terms=bound.terms,
        choices={**bound.choices, "reach": reach, "radius": radius, "size": size},
    )


def _widest(family: CoverableOn, records: int, *, radius: Fraction, chance: Fraction) -> int | None:
    """The largest reach on the public records that leaves this chance of missing a concept."""
    if records <= family.support:
        return None

    def holds(reach: int) -> bool:
        chance_of = partial(
            log_far_chance,
            rules=family.rules_on(records),
            support=family.support,
            records=records,
            reach=reach,
            radius=radius,
        )
        return certainly_less(chance_of, lambda: ln(chance))

    return greatest(holds) if holds(0) else None


def _too_few(
    family: CoverableOn, records: int, *, kappa: Fraction, alpha: Fraction, beta: Fraction
) -> str:
    radius, share = max(_RADII) * alpha / kappa, max(_SHARES)

    def enough(count: int) -> bool:
        reach = _widest(family, count, radius=radius, chance=share * beta)
        return reach is not None and family.most_on(count, reach) <= family.listed

    if not enough(_MOST_PUBLIC):
        return (
            f"a cover fine enough for this alpha and kappa has more than {family.listed} rules; "
            "choose a larger alpha, a smaller kappa or fewer columns"
        )
    needed = least(enough, most=_MOST_PUBLIC)
    return f"needs about {needed} public records for this alpha, and there are {records}"
