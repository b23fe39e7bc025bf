"""For tests and demonstrations only: seeded entropy, exact privacy, proof checks.

Nothing in the package imports this room. Releases drawn from ``seeded`` are marked
*not private*.
"""

from tacit.testing.entropy import Scripted, seeded
from tacit.testing.privacy import divergence, exact_delta, exact_epsilon, neighbours

__all__ = ["Scripted", "divergence", "exact_delta", "exact_epsilon", "neighbours", "seeded"]
