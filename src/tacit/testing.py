"""The public names of ``tacit.checks.testing``."""

from tacit.checks.testing import *  # noqa: F403
from tacit.checks.testing import __all__ as __all__
