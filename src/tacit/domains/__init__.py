"""Public domains: where records live, and the rule that puts every record there."""

from tacit.domains.bits import Bits
from tacit.domains.categories import Categories
from tacit.domains.integers import Integers

__all__ = ["Bits", "Categories", "Integers"]
