"""Cases that several tests share: The front door to one-way sequences, parities, Littlestone dimension 1 and conversions."""

from fractions import Fraction

ONE, SOME, TINY = Fraction(1), Fraction(1, 20), Fraction(1, 10**6)
