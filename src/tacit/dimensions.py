"""Compute dimensions of concept classes, each with a witness that can be checked."""

from tacit.theory.dimensions import *  # noqa: F403
from tacit.theory.dimensions import __all__ as __all__
