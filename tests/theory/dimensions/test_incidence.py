"""Tests of ``tacit.theory.dimensions.incidence``."""

import pytest

from tacit.core import BadInput
from tacit.theory.dimensions.incidence import read


def test_a_csv_file_may_have_a_heading_and_names(tmp_path):
    file = tmp_path / "class.csv"
    file.write_text("concept,a,b\nfirst,0,1\nsecond,1,1\n")
    assert read(file).rows == (2, 3)
    file.write_text("0,1\n1,1\n")
    assert read(file).rows == (2, 3)
    file.write_text("0,1\n1\n")
    with pytest.raises(BadInput, match="equally long"):
        read(file)
    with pytest.raises(BadInput, match="cannot read"):
        read(tmp_path / "missing.csv")
