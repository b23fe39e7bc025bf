"""Compile every counting loop on two made-up records, before anything is charged."""

from __future__ import annotations

from functools import cache

import numpy as np

from tacit.core.tally import fold
from tacit.domains.integers import Integers
from tacit.exact.compiled import steady
from tacit.tallies import kernels
from tacit.tallies.arrays import ArrayBatch
from tacit.tallies.blocks import Blocks, Keyed
from tacit.tallies.counts import JointCounts
from tacit.tallies.digits import InsideCounts, LeadingCounts, Spans, TakeInside, TakeKeys
from tacit.tallies.first import FirstPass
from tacit.tallies.parts import warm as warm_parts
from tacit.tallies.reading import Column, Label


@cache
def warm() -> None:
    """Count the same two records in every way that there is."""
    warm_parts()
    words, labels = np.array([0, 1], dtype=np.uint64), np.array([False, True])
    batches = [ArrayBatch((words, labels), 0, 2)]
    column, label = Column(0, Integers(size=2)), Label(1, positive=True)
    spans = Spans.of(words[:1], words[1:], bits=1)
    shifts, two = np.zeros(1, dtype=np.uint64), np.array([2], dtype=np.int64)
    fold(batches, LeadingCounts(column, label, 0, 2))
    fold(batches, InsideCounts(column, label, spans, shifts, two))
    fold(batches, TakeInside(column, label, spans))
    keys = fold(batches, TakeKeys(column, label, spans, 1)).sorted()
    fold(batches, FirstPass(column, label, 0, 2, few=True))
    fold(batches, FirstPass(column, label, 0, 2, kept=np.ones(2, dtype=np.uint8)))
    none = np.zeros((2, 1), dtype=np.int64)
    whole = Blocks(words[:1], np.array([2], dtype=np.uint64), none, none)
    Keyed(whole, keys).walk(none[0], (1, -1))
    kernels.largest_by_error(steady(words), steady(none[:, 0].copy()), 0, words.copy())
    kernels.sort_words(words.copy(), words.copy(), np.zeros((1, 256), dtype=np.int64))
    fold(batches, JointCounts((column,), (2,), label))
    inside = np.zeros((2, 2), dtype=np.int64)
    kernels.count_runs(words, words.copy(), inside[0], inside[1])
    first, last = np.array([0], dtype=np.int64), np.array([2], dtype=np.int64)
    below, stops = np.zeros((2, 1), dtype=np.int64), np.array([2], dtype=np.uint64)
    kernels.before_and_until(words, inside, first, last, below, stops, inside.copy(), words.copy())
