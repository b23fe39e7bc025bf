"""Public domains: what a record may be, and the rule that places every value."""

from tacit.domains.bits import Bits
from tacit.domains.categories import Categories
from tacit.domains.integers import Integers
from tacit.domains.plane import Plane
from tacit.domains.public_grid import grid_from_public
from tacit.domains.reals import RealBox
from tacit.domains.references import Reference, band, caps, spike, uniform_cube, uniform_sphere
from tacit.domains.schema import Schema
from tacit.domains.sphere import Sphere

__all__ = [
    "Bits",
    "Categories",
    "Integers",
    "Plane",
    "RealBox",
    "Reference",
    "Schema",
    "Sphere",
    "band",
    "caps",
    "grid_from_public",
    "spike",
    "uniform_cube",
    "uniform_sphere",
]
