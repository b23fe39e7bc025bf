"""The public names of ``tacit.theory.dimensions``."""

from tacit.theory.dimensions import *  # noqa: F403
from tacit.theory.dimensions import __all__ as __all__
