"""Lets test files import what rooms share: `from tests.statistical.levels import ...`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
