"""Cases that several tests share: A witness for every theorem that has no learner of its own: tiny instances, checked exactly."""

from fractions import Fraction as F

A, B, E = F(1, 10), F(1, 10), F(1)
