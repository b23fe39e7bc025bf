"""One-way communication complexity of evaluating a concept (FX14 section 2.3).

One party holds a concept and sends a message; the other holds a point and must say the
label, wrong with probability at most ``error`` for every concept and point.
"""

from __future__ import annotations

from tacit.core import BadInput
from tacit.core.numbers import Number, probability
from tacit.theory.dimensions import private_coins, public_coins
from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.measured import Clock, Measured, Progress, silent


def communication(
    concept_class: object,
    *,
    error: Number,
    coins: str = "public",
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Measured:
    """Bits of an optimal one-way protocol, with the protocol and a proof of optimality.

    ``coins="public"``: exact for up to 14 different concepts. The witnesses are the
    protocol and Yao's hard distribution for one bit fewer; above that, an interval.
    ``coins="private"``: an interval that is often a value. From above by a protocol, from
    below by public coins, by Radon's theorem, or by FX14 Theorem 8.

    >>> from tacit.theory.dimensions.named import points
    >>> communication(points(4), error="1/3").value
    1
    """
    rate = probability(error, name="error")
    table = read(concept_class)
    clock = Clock(time_limit)
    if coins == "public":
        least, most, witnesses = public_coins.search(
            table, error=rate, clock=clock, progress=progress
        )
    elif coins == "private":
        least, most, witnesses = private_coins.search(
            table, error=rate, clock=clock, progress=progress
        )
    else:
        raise BadInput("coins must be 'public' or 'private'")
    return Measured(
        quantity=f"R_{coins}({rate})",
        least=least,
        most=most,
        unit="bits",
        witnesses=witnesses,
        seconds=clock.seconds,
        upper_by="witness",
    )
