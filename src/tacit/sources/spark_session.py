"""A Spark session, and the Python of its workers where they run on this machine."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PYTHON = "PYSPARK_PYTHON"
"""The variable that names the Python of the workers, for this machine and for a cluster."""


def started(builder: SparkSession.Builder) -> SparkSession:
    """Open a session of these settings; the workers of one that starts here run this Python.

    Spark takes the first ``python3`` of the search path, which has no Tacit where Tacit is run
    from an environment that was not activated. A session that was open already stays as it is,
    and so do workers on other machines, where the Python of this one need not exist.
    """
    from pyspark.sql import SparkSession
    from pyspark.sql.utils import is_remote

    ours = SparkSession.getActiveSession() is None
    session = builder.getOrCreate()
    if ours and not is_remote() and not os.environ.get(PYTHON):
        context = session.sparkContext
        if context.master.startswith("local"):
            context.pythonExec = sys.executable
    return session
