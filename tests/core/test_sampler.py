"""Tests of ``tacit.core.sampler``."""

import inspect

from tests.exact.sampler_cases import DRAWS

from tacit.core import Sampler
from tacit.exact.sampler import ExactSampler

OTHERS = {"part", "hash_words", "hash_rows", "bits", "below", "bytes", "private"}


def _asked() -> set[str]:
    return {name for name in dir(Sampler) if not name.startswith("_")}


def test_the_seam_and_its_implementation_offer_the_same():
    assert _asked() == {*DRAWS, *OTHERS}
    for name in _asked() - {"private"}:
        stated = list(inspect.signature(getattr(Sampler, name)).parameters.values())
        given = list(inspect.signature(getattr(ExactSampler, name)).parameters.values())
        assert [(one.name, one.kind) for one in stated] == [(one.name, one.kind) for one in given]
