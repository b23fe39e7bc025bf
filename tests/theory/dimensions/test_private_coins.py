"""Tests of ``tacit.theory.dimensions.private_coins``."""

import json

import numpy as np
import pytest
from tests.theory.dimensions.certificates.dimensions_certificates_cases import MADE

from tacit.theory.dimensions import (
    certificate_from_dict,
    verify,
    why_not,
)

pytestmark = pytest.mark.property


@pytest.mark.parametrize(("certificate", "table"), MADE, ids=lambda v: type(v).__name__)
def test_round_trip_and_the_right_table_only(certificate, table):
    again = certificate_from_dict(json.loads(json.dumps(certificate.to_dict())))
    assert again == certificate
    assert verify(again, table)
    assert why_not(certificate, ~np.asarray(table)) == "it was made for another table"
