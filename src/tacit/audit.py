"""The public names of ``tacit.checks.audit``."""

from tacit.checks.audit import *  # noqa: F403
from tacit.checks.audit import __all__ as __all__
