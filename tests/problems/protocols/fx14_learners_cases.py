"""Cases that several tests share: FX14: protocols as classes of rules, and lines whose records do not grow with the prime."""

from fractions import Fraction

NUMBERS = {"alpha": Fraction(1, 10), "beta": Fraction(1, 20), "epsilon": Fraction(1)}
