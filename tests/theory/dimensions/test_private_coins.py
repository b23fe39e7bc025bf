"""Tests of ``tacit.theory.dimensions.private_coins``."""

import json

import numpy as np
import pytest
from tests.theory.dimensions.witnesses.dimensions_witnesses_cases import made

from tacit.theory.dimensions import (
    verify,
    why_not,
    witness_from_dict,
)

pytestmark = pytest.mark.property


def test_round_trip_and_the_right_table_only():
    for witness, table in made():
        again = witness_from_dict(json.loads(json.dumps(witness.to_dict())))
        assert again == witness
        assert verify(again, table), witness
        assert why_not(witness, ~np.asarray(table)) == "it was made for another table"
