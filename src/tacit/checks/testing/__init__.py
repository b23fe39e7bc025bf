"""For tests and demonstrations only: seeded entropy, exact privacy, proof checks.

Nothing that touches users' records imports this package; reproductions on made-up records do.
Releases drawn from ``seeded`` are marked
*not private*.
"""

from tacit.checks.testing.entropy import Scripted, seeded
from tacit.checks.testing.enumeration import law_of
from tacit.checks.testing.laws import exponential_law, flip_law, geometric_mass
from tacit.checks.testing.privacy import divergence, exact_delta, exact_epsilon, neighbours

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
