"""Check claims of privacy and accuracy: by exact laws on tiny data sets, and by sampling."""

from tacit.checks.audit import *  # noqa: F403
from tacit.checks.audit import __all__ as __all__
