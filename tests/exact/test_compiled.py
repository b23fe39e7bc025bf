"""Compiling before the charge, and without a folder to keep the result in."""

import os
import subprocess
import sys
import textwrap

import pytest

from tacit import Ledger
from tacit.core import BadInput
from tacit.estimators import TreeClassifier
from tacit.exact import compiled as module
from tacit.problems.tables.tree_learner import TreeLearner

NOWHERE = """
import os, sys
import numba.core.caching as caching
# A read-only installation of an account whose home cannot be written.
for locator in list(caching.CacheImpl._locator_classes):
    locator.from_function = classmethod(lambda cls, function, file: None)
import numpy as np
from tacit import Ledger
from tacit.estimators import StumpClassifier
x = np.arange(200.0)[:, None]
ledger = Ledger.memory(1)
model = StumpClassifier(domain=[(0, 200)], ledger=ledger).fit(x, (x[:, 0] >= 100).astype(int))
print(len(ledger.entries), model.describe())
"""


def test_learning_works_where_nothing_can_be_cached():
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(NOWHERE)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 ")


def test_what_cannot_be_prepared_is_not_charged(monkeypatch):
    def broken(self):
        raise BadInput("no compiler")

    monkeypatch.setattr(TreeLearner, "prepare", broken)
    ledger = Ledger.memory(1)
    model = TreeClassifier(domain=[(0, 1)], depth=1, ledger=ledger)
    with pytest.raises(BadInput, match="no compiler"):
        model.fit([[0.2], [0.8]], [0, 1])
    assert not ledger.entries


def test_a_cache_that_fails_is_passed_over(tmp_path, monkeypatch):
    class Broken:
        def load_overload(self, signature, context):
            raise ValueError("damaged")

        def save_overload(self, signature, data):
            raise OSError(28, "No space left on device")

    cache = module._Forgiving(Broken())
    assert cache.load_overload(None, None) is None
    assert cache.save_overload(None, None) is None
    assert os.listdir(tmp_path) == []
