"""``python -m tacit.cli``."""

import sys

from tacit.cli import main

sys.exit(main())
