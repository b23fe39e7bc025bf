"""Cases that several tests share: Every value has a place, silently, and no record moves another."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st


class Hostile:
    """Fails whatever it is asked."""

    def _fail(self, *_):
        raise RuntimeError("private: 4711")

    __int__ = __float__ = __index__ = __eq__ = __str__ = __bool__ = _fail

    def __hash__(self):
        raise RuntimeError("private: 4711")

    def __repr__(self):
        return "hostile"


GARBAGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(min_value=-(2**5000), max_value=2**5000),
    st.floats(),
    st.text(max_size=6),
    st.binary(max_size=4),
    st.decimals(allow_nan=True, allow_infinity=True),
    st.fractions(),
    st.complex_numbers(),
    st.sampled_from(
        [
            pd.NA,
            pd.NaT,
            np.nan,
            np.float32("inf"),
            np.datetime64("NaT"),
            "9" * 5000,
            "1e999",
            {},
            set(),
        ]
    ),
    st.builds(Hostile),
)


COLUMNS = st.lists(GARBAGE, max_size=12)


def _column(values):
    """An object column, filled one by one (numpy would look into nested values)."""
    column = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        column[place] = value
    return column


PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=4)
)
