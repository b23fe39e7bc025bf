"""When a log-star algorithm for an interior point would pay, with the constants as published."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from tacit.bounds.literature import iterated_logarithm
from tacit.problems.thresholds.interior_point_upper import stable_prefix
from tacit.reproduce.experiment import Chart, Experiment, Part, Row, reproduction

BETA, EPSILON, DELTA = Fraction(1, 20), Fraction(1), Fraction(1, 10**6)
EXPONENTS = (3, 6, 10, 16, 64, 200, 1000)


def published(bits: int) -> int:
    """Records of the recursive algorithm of Bun, Nissim, Stemmer and Vadhan (2015).

    ``(18500/epsilon) 2^s s ln(4 s / (beta epsilon delta))`` with ``s`` the iterated
    logarithm, as the constant is usually quoted; we have not proved it.
    """
    s = iterated_logarithm(bits)
    inner = math.log(4 * s / (float(BETA) * float(EPSILON) * float(DELTA)))
    return math.ceil(18_500 / float(EPSILON) * (1 << s) * s * inner)


def _row(exponent: int) -> Sequence[Row]:
    # Values of 2^exponent bits: domains too large for any file, which is the point.
    bits = 1 << exponent
    ours = stable_prefix(bits=bits, beta=BETA, epsilon=EPSILON, delta=DELTA).n
    return [
        {
            "log2 of the bits": exponent,
            "iterated logarithm": iterated_logarithm(bits),
            "stable prefix: enough": ours,
            "log-star, as quoted": published(bits),
        }
    ]


LOG_STAR = reproduction(
    Experiment(
        name="log-star",
        title="When would a log-star algorithm pay?",
        says="Bun, Nissim, Stemmer and Vadhan (2015) and later papers find an interior point of "
        "a domain X from a number of records that grows as a power of the iterated logarithm of "
        "|X|; BNS19 builds on them.",
        changed="The only constant that we found quoted is 18,500; later papers publish none. "
        "Our stable prefix grows as log log |X|: by 5.2 records each time that the bits of a "
        "value double, so the quoted algorithm would need fewer records only for values of about "
        "2^(6 x 10^7) bits.",
        columns=(
            "log2 of the bits",
            "iterated logarithm",
            "stable prefix: enough",
            "log-star, as quoted",
        ),
        parts=lambda _: [Part(key=f"2^{e} bits", rows=partial(_row, e)) for e in EXPONENTS],
        chart=Chart(x="log2 of the bits", y=("stable prefix: enough", "log-star, as quoted")),
    )
)
