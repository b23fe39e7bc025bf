"""Load what placing and counting many records needs, before anything is charged."""

from __future__ import annotations

from functools import cache

import numpy as np

from tacit.core import Sample
from tacit.domains.placing import MANY_ROWS


def make_ready(data: object, n: int | None = None) -> None:
    """Compile the loops that these records will be placed and counted with.

    A machine on which that fails is found before the charge. A few records in memory need
    none of them; where records are read in batches their number is not asked for here. ``n`` is
    their number where it is known already.
    """
    if not isinstance(data, Sample) or (len(data) if n is None else n) >= MANY_ROWS:
        _compile()


@cache
def _compile() -> None:
    """Place and count two made-up records in every way that there is."""
    import pyarrow as pa

    from tacit.domains.kernels import warm as warm_placing
    from tacit.problems.thresholds.threshold_kernels import count_labels
    from tacit.tallies.warm import warm as warm_counting

    pa.chunked_array([["0"]]).to_numpy()  # Arrow loads its own parts when first asked
    warm_placing()
    warm_counting()
    count_labels(np.array([0, 1], dtype=np.uint64), np.array([False, True]), 2)
