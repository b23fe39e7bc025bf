"""Mechanisms: each with its privacy proof beside it under the same name."""

from tacit.mechanisms.noise import Geometric
from tacit.mechanisms.score import Mistakes, Score
from tacit.mechanisms.selection import Exponential, PermuteAndFlip

__all__ = ["Exponential", "Geometric", "Mistakes", "PermuteAndFlip", "Score"]
