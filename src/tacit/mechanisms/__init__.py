"""Mechanisms: each with its privacy proof beside it under the same name."""

from tacit.mechanisms.gap_test import GapTest
from tacit.mechanisms.interior_point import InteriorPoint
from tacit.mechanisms.noise import Geometric
from tacit.mechanisms.robust_minimum import RobustMinimum
from tacit.mechanisms.score import Mistakes, Score
from tacit.mechanisms.selection import Exponential, PermuteAndFlip
from tacit.mechanisms.stability import StabilityHistogram, StableMostFrequent
from tacit.mechanisms.stable_prefix import StablePrefix, StableRobustMinimum

__all__ = [
    "Exponential",
    "GapTest",
    "Geometric",
    "InteriorPoint",
    "Mistakes",
    "PermuteAndFlip",
    "RobustMinimum",
    "Score",
    "StabilityHistogram",
    "StableMostFrequent",
    "StablePrefix",
    "StableRobustMinimum",
]
