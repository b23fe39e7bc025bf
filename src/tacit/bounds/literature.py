"""Where the field stands beyond the five papers: how needed records grow, without constants.

None of these can be planned with, because their constants are not proved anywhere: each function
says how the number grows, and at what it stands for a domain. What is run in their place is in
``tacit plan`` and ``tacit reproduce log-star``.
"""

from __future__ import annotations

import math

from tacit.core import Claim, Status, theorem
from tacit.core.numbers import whole

_UNKNOWN = "no constant is published"
_QUOTED = "a constant of 18,500 is quoted for it, not proved here"


def _cited(paper: str, statement: str, constant: str = _UNKNOWN) -> Claim:
    return Claim(
        paper=paper,
        locator="Section 1",
        statement=f"{statement}; {constant}",
        status=Status.CITED,
    )


def iterated_logarithm(bits: int) -> int:
    """How often log2 is taken of ``2**bits`` until it is at most 1.

    >>> iterated_logarithm(64)
    5
    """
    count, value = 2, math.log2(whole(bits, name="bits", least=2))
    while value > 1:
        value, count = math.log2(value), count + 1
    return count


@theorem(
    _cited(
        "ALMM19",
        "a class of Littlestone dimension d, thresholds over 2^d values among them, needs a number "
        "of records that grows as log*(d), for every (epsilon, delta)-private learner, proper or "
        "not, with delta of the order of 1/n^2",
    ),
    kind="lower",
    setting="thresholds and Littlestone classes; approximate; any output",
    formula=r"n\ge\Omega(\log^*d)",
)
def log_star_needed(*, bits: int) -> str:
    """How many records are needed, but for a constant factor that is not known.

    >>> log_star_needed(bits=64)
    'at least a constant times 4; no constant is published'
    """
    return f"at least a constant times {iterated_logarithm(bits) - 1}; {_UNKNOWN}"


@theorem(
    _cited(
        "BNSV15",
        "proper thresholds over X, and an interior point, need a number of records that grows as "
        "log*|X|, and 2^((1 + o(1)) log*|X|) suffice",
        _QUOTED,
    ),
    kind="upper",
    setting="thresholds; approximate; proper",
    formula=r"n\le2^{(1+o(1))\log^*|X|}",
)
def recursive_interior_point(*, bits: int) -> str:
    """How many records suffice, but for a factor that is not known.

    >>> recursive_interior_point(bits=64)
    'about a constant times 32; a constant of 18,500 is quoted for it, not proved here'
    """
    return f"about a constant times {1 << iterated_logarithm(bits)}; {_QUOTED}"


@theorem(
    _cited("KLMNS20", "thresholds over X are learned from (log*|X|)^1.5 records, up to logarithms"),
    kind="upper",
    setting="thresholds; approximate; proper",
    formula=r"n\le\tilde O((\log^*|X|)^{1.5})",
)
def closed_gap(*, bits: int) -> str:
    """How many records suffice, but for logarithms and a constant that are not known.

    >>> closed_gap(bits=64)
    'about a constant times 11.2, up to logarithms; no constant is published'
    """
    grown = iterated_logarithm(bits) ** 1.5
    return f"about a constant times {grown:.1f}, up to logarithms; {_UNKNOWN}"


@theorem(
    _cited(
        "CLNSS23",
        "thresholds over X are learned from log*|X| records, up to logarithms: the order of the "
        "lower bound of Alon, Livni, Malliaris and Moran",
    ),
    kind="upper",
    setting="thresholds; approximate; proper",
    formula=r"n\le\tilde O(\log^*|X|)",
)
def log_star_enough(*, bits: int) -> str:
    """How many records suffice, but for logarithms and a constant that are not known.

    >>> log_star_enough(bits=64)
    'about a constant times 5, up to logarithms; no constant is published'
    """
    return f"about a constant times {iterated_logarithm(bits)}, up to logarithms; {_UNKNOWN}"


@theorem(
    _cited(
        "GGKM21",
        "every class of Littlestone dimension d is learned properly from d^6 records, up to "
        "logarithms, with a delta",
    ),
    kind="upper",
    setting="Littlestone classes; approximate; proper",
    formula=r"n\le\tilde O(d^6)",
)
def sixth_power(*, littlestone: int) -> str:
    """How many records suffice, but for logarithms and a constant that are not known.

    >>> sixth_power(littlestone=2)
    'about a constant times 64, up to logarithms; no constant is published'
    """
    d = whole(littlestone, name="littlestone", least=1)
    return f"about a constant times {d**6}, up to logarithms; {_UNKNOWN}"
