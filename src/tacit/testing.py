"""Draw with seeds and compute exact laws, for tests."""

from tacit.checks.testing import *  # noqa: F403
from tacit.checks.testing import __all__ as __all__
