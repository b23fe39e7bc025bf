"""Cases that several tests share: The only door to data: charge first, then touch; refuse before either; tell nothing."""

from fractions import Fraction

from tacit.core import (
    LABEL,
    Claim,
    Pure,
)

CLAIM = Claim(paper="own", locator="here", statement="nothing is claimed at all")


EVENT = Pure(epsilon=Fraction(1, 2), relation=LABEL)
