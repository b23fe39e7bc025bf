"""For tests and demonstrations only: seeded entropy, exact privacy, proof checks.

Nothing in the package imports this room. Releases drawn from ``seeded`` are marked
*not private*.
"""

from tacit.testing.entropy import Scripted, seeded
from tacit.testing.enumeration import law_of
from tacit.testing.laws import exponential_law, flip_law, geometric_mass
from tacit.testing.privacy import divergence, exact_delta, exact_epsilon, neighbours

__all__ = [
    "Scripted",
    "divergence",
    "exact_delta",
    "exact_epsilon",
    "exponential_law",
    "flip_law",
    "geometric_mass",
    "law_of",
    "neighbours",
    "seeded",
]
