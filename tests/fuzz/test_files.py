"""A part of the fuzzing of files; ``python -m tests.fuzz.files`` does all of it."""

import pytest
from tests.fuzz.files import main


@pytest.mark.parametrize("seed", [1, 2])
def test_mutated_files_are_read_or_refused(seed):
    for found in main(600, seed):
        assert found["refused"] > 0
        assert sum(found.values()) >= 60
