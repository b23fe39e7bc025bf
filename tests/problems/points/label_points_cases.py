"""Cases that several tests share: Points under label privacy: exact privacy, exact failure on small laws, simulated at 118."""

from fractions import Fraction as F

ALPHA, BETA = F(1, 10), F(1, 20)
