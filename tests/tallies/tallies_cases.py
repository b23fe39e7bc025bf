"""Cases that several tests share: Tallies are commutative monoids: how records are cut, ordered and merged changes nothing."""

from collections import Counter
from copy import deepcopy

import numpy as np

from tacit.domains.integers import Integers
from tacit.tallies.arrays import ArrayBatch
from tacit.tallies.counts import HashedCounts, JointCounts
from tacit.tallies.digits import InsideCounts, LeadingCounts, Spans, TakeInside, TakeKeys
from tacit.tallies.distinct import DistinctCells
from tacit.tallies.first import FirstPass
from tacit.tallies.kept import CollectedRecords
from tacit.tallies.reading import Column, Label
from tacit.tallies.sums import Sums

SMALL = Integers(size=5)


WORDS = Integers(bits=16)


LABEL = Label(2)


class _Low:
    """The lowest three bits."""

    def __call__(self, values):
        return values & np.uint64(7)


class _Value:
    top = 1 << 61

    def values(self, batch):
        return np.asarray(batch.column(0)).astype(np.int64) << 46


SPANS = Spans.of(
    np.array([8, 512, 40000], dtype=np.uint64), np.array([11, 515, 40003], dtype=np.uint64), bits=16
)


TALLIES = {
    "leading": LeadingCounts(Column(0, WORDS), LABEL, 10, 64),
    "inside": InsideCounts(
        Column(0, WORDS),
        LABEL,
        SPANS,
        np.array([0, 1, 2], dtype=np.uint64),
        np.array([4, 2, 1]),
    ),
    "taken": TakeInside(Column(0, WORDS), LABEL, SPANS),
    "keys": TakeKeys(Column(0, WORDS), LABEL, SPANS, 514),
    "few": FirstPass(Column(0, WORDS), LABEL, 10, 64, few=True),
    "kept": FirstPass(
        Column(0, WORDS), LABEL, 10, 64, kept=(np.arange(64) == 0).astype(np.uint8), most=9
    ),
    "one column": JointCounts((Column(1, SMALL),), (5,)),
    "joint": JointCounts((Column(1, SMALL), Column(2, Integers(size=2))), (5, 2), LABEL),
    "hashed": HashedCounts(Column(0, WORDS), _Low(), 8, LABEL),
    "distinct": DistinctCells(WORDS),
    "collected": CollectedRecords((Column(0, WORDS), Column(1, SMALL)), 6, LABEL, key=1),
    "sums": Sums((_Value(),)),
}


def _batch(records):
    columns = tuple(np.array([r[i] for r in records], dtype=np.int64) for i in range(3))
    return ArrayBatch(columns, 0, len(records))


def _plain(name, counter):
    """The counter as something to compare."""
    if name in ("leading", "inside", "hashed"):
        return counter.counts().tolist()
    if name == "taken":
        values, labels = counter.all()
        return sorted(zip(values.tolist(), labels.tolist(), strict=True))
    if name == "keys":
        keys = counter.sorted().tolist()
        assert keys == sorted(keys)
        return [(key >> 1, bool(key & 1)) for key in keys]
    if name in ("few", "kept"):
        counts, held = TALLIES[name].found(deepcopy(counter))
        return counts.tolist(), held and (held.values.tolist(), held.inside.tolist())
    if name == "distinct":
        values, counts = counter.table()
        return values.tolist(), counts.tolist()
    return counter if isinstance(counter, tuple) else counter.tolist()


def _brute(name, records):
    match name:
        case "leading":
            seen = Counter((x >> 10, y) for x, _, y in records)
            return [[seen[c, y] for c in range(64)] for y in (0, 1)]
        case "inside":
            cells = {}
            for start, shift, first in ((8, 0, 0), (512, 1, 4), (40000, 2, 6)):
                cells |= {start + i: first + (i >> shift) for i in range(4)}
            seen = Counter((cells[x], y) for x, _, y in records if x in cells)
            return [[seen[c, y] for c in range(7)] for y in (0, 1)]
        case "taken":
            inside = {*range(8, 12), *range(512, 516), *range(40000, 40004)}
            return sorted((x, bool(y)) for x, _, y in records if x in inside)
        case "keys":
            return _brute("taken", records)
        case "few" | "kept":
            some = [(x, y) for x, _, y in records if name == "few" or x < 1024]
            values = sorted({x for x, _ in some})
            seen = Counter(some)
            held = values, [[seen[x, y] for x in values] for y in (0, 1)]
            return _brute("leading", records), None if name == "kept" and len(some) > 9 else held
        case "one column":
            seen = Counter(min(max(z, 0), 4) for _, z, _ in records)
            return [seen[c] for c in range(5)]
        case "joint":
            seen = Counter((min(max(z, 0), 4), y) for _, z, y in records)
            return [[[seen[c, d] * (d == y) for y in (0, 1)] for d in (0, 1)] for c in range(5)]
        case "hashed":
            seen = Counter((x & 7, y) for x, _, y in records)
            return [[seen[c, y] for c in range(8)] for y in (0, 1)]
        case "distinct":
            seen = Counter(x for x, _, _ in records)
            return sorted(seen), [[seen[x] for x in sorted(seen)]]
        case "collected":
            return None
        case "sums":
            return len(records), sum(min(x << 46, 1 << 61) for x, _, _ in records)
