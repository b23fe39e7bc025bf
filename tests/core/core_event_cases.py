"""Cases that several tests share: Costs as data: immutable, hashable, readable back."""

from fractions import Fraction

from tacit.core import (
    ADD_REMOVE,
    LABEL,
    REPLACE_ONE,
    ZCDP,
    Approximate,
    Composed,
    Pure,
    Selection,
)

EVENTS = [
    Pure(epsilon=Fraction(1, 3), relation=REPLACE_ONE),
    Selection(epsilon=Fraction(1, 7), relation=ADD_REMOVE),
    Approximate(epsilon=Fraction(2), delta=Fraction(1, 10**9), relation=LABEL),
    ZCDP(rho=Fraction(1, 8), relation=REPLACE_ONE),
]


NESTED = Composed(
    events=(
        Pure(epsilon=Fraction(1), relation=REPLACE_ONE),
        Composed(events=(EVENTS[0], EVENTS[3]), relation=REPLACE_ONE),
    ),
    relation=REPLACE_ONE,
)
