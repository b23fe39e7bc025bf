"""Thresholds drawn by stages against the law over all thresholds, and against wrong rates."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from tests.exact.stages_law_cases import RATES, Halving, Loose, _check
from tests.tools.levels import LEAST_EXPECTED, SIGNIFICANCE, accepts

import tacit.problems.thresholds.thresholds as module
from tacit.classes import Thresholds
from tacit.core import Sample
from tacit.exact.balls import at, ball
from tacit.exact.flips import settle_flip
from tacit.exact.landscape import Flat
from tacit.exact.lazy import Lazy
from tacit.exact.levels import Levels
from tacit.exact.stages import Stage, draw_exponential, draw_flip, in_stages
from tacit.tallies.ordered import Ordered
from tacit.testing import flip_law, seeded

RATE = Fraction(1, 2)

SIZE = 1 << 18

RUNS = {"exponential": (draw_exponential, 3_000), "permute-and-flip": (draw_flip, 3_000)}
"""So many that a rate that is wrong by a fifth is seen: ``test_the_runs_are_enough``."""


def _data():
    generator = np.random.default_rng(11)
    x = generator.integers(0, SIZE, 100)
    return x, np.where(generator.random(100) < 0.25, x < 150_000, x >= 150_000).astype(np.int64)


def _exponential(errors, counts, rate):
    weights = counts * np.exp(-float(rate) * (errors - errors.min()))
    return weights / weights.sum()


def _flip(errors, counts, rate):
    """The integral of ``N p / (1 - p s) * S(s)`` over a fine grid."""
    p = np.exp(-float(rate) * (errors - errors.min()))
    s = 1 - np.exp(-np.linspace(0, 30, 20_001) / counts[0])
    logs = sum(n * np.log1p(-q * s) for n, q in zip(counts, p, strict=True))
    law = [
        np.trapezoid(n * q / (1 - q * s) * np.exp(logs), s) for n, q in zip(counts, p, strict=True)
    ]
    return np.array(law) / sum(law)


LAWS = {"exponential": _exponential, "permute-and-flip": _flip}


@pytest.mark.statistical
def test_the_integral_is_the_law_of_few_candidates():
    errors, counts = np.array([0, 2, 3]), np.array([1, 2, 3])
    plain = flip_law([0, 2, 2, 3, 3, 3], RATE)
    wanted = [sum(float(plain[c]) for c in cells) for cells in ((0,), (1, 2), (3, 4, 5))]
    assert np.allclose(_flip(errors, counts, RATE), wanted, atol=1e-6)


@pytest.mark.statistical
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("factor", [Fraction(4, 5), Fraction(6, 5)])
def test_the_runs_are_enough(name, factor):
    """A wrong rate is taken for the right one more seldom than the reverse."""
    x, y = _data()
    whole = Thresholds(size=SIZE).landscape(x.astype(np.uint64), y == 1).levels()
    counts, runs = whole.counts.astype(np.float64), RUNS[name][1]
    right, wrong = (LAWS[name](whole.errors, counts, RATE * by) * runs for by in (1, factor))
    many = wrong >= LEAST_EXPECTED  # those that are merged only add
    moved, free = ((right - wrong)[many] ** 2 / wrong[many]).sum(), np.count_nonzero(many)
    assert stats.ncx2.cdf(stats.chi2.isf(SIGNIFICANCE, free), free, moved) < SIGNIFICANCE


@pytest.mark.statistical
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("bits", [0.1, 40])
def test_the_law_by_stages(name, bits, monkeypatch):
    monkeypatch.setattr(module, "_MANY_ROWS", 0)
    kinds = Thresholds(size=SIZE)
    x, y = _data()
    stages = list(replace(kinds.counted(Sample(x, y)), bits=bits).stages(RATE))
    assert (len(stages) > 1) == (bits < 1)
    whole = kinds.landscape(x.astype(np.uint64), y == 1).levels()
    draw, runs = RUNS[name]
    rng = seeded(f"stages {name} {bits}")
    cuts = np.array([draw(rng, stages, rate=RATE) for _ in range(runs)])
    order = np.argsort(x)
    below = np.searchsorted(x[order], cuts)
    walk = np.concatenate([[0], np.cumsum(np.where(y[order] == 1, 1, -1))]) + np.sum(y == 0)
    seen = np.bincount(np.searchsorted(whole.errors, walk[below]), minlength=len(whole.errors))
    counts = whole.counts.astype(np.float64)
    for factor, verdict in ((1, True), (Fraction(4, 5), False), (Fraction(6, 5), False)):
        assert accepts(seen, LAWS[name](whole.errors, counts, RATE * factor)) is verdict
    # And uniform among the candidates of one error.
    level = int(np.argmax(seen))
    here = cuts[walk[below] == whole.errors[level]]
    members = np.flatnonzero(np.isin(walk, whole.errors[level]))
    edges = np.concatenate([[-1], x[order], [SIZE]])
    sizes = [edges[m + 1] - edges[m] for m in members]
    hits = [np.count_nonzero(below[walk[below] == whole.errors[level]] == m) for m in members]
    assert sum(hits) == len(here)
    if len(members) > 1:
        assert accepts(hits, np.array(sizes) / sum(sizes))


class _Bits:
    """Gives ``Lazy`` the bits of chosen uniforms, in the order in which a draw asks."""

    private = False

    def __init__(self, uniforms, length):
        self._left = [[u, length] for u in uniforms]
        self._turn = 0

    def bits(self, count):
        mine = self._left[self._turn % len(self._left)]
        self._turn += 1
        mine[1] -= count
        value, mine[0] = mine[0] >> mine[1], mine[0] & ((1 << mine[1]) - 1)
        return value

    def bytes(self, count):
        return self.bits(8 * count).to_bytes(count, "little")

    def below(self, bound):
        return 0


def _cells(stages):
    """Error and count of every cell, in the order of the stages, and its first member."""
    return [
        (int(e), int(c), stage.listed.member(int(e), 0))
        for stage in stages
        for levels in [stage.listed.levels()]
        for e, c in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True)
    ]


LENGTH = 4096

SOME_DATA = [
    (),
    ((3, 1),),
    ((0, 0), (7, 1)),
    ((2, 1), (2, 1), (5, 0)),
    ((1, 0), (1, 1), (6, 0), (6, 1)),
    ((0, 1), (3, 0), (4, 1), (7, 0)),
    ((0, 0), (1, 0), (2, 0), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (7, 1)),
]


@pytest.mark.exact
@pytest.mark.parametrize("data", SOME_DATA)
@pytest.mark.parametrize("bits", [0.01, 1, 40])
@pytest.mark.parametrize("rate", RATES)
def test_the_exponential_draw_stands_on_every_border(data, bits, rate):
    view = Ordered(Halving(data), Loose(0, 1), shift=1, edge=True, bits=bits)
    stages = list(view.stages(rate))
    cells = _cells(stages)
    with at(LENGTH + 100):
        weights = [ball(count) * (-ball(rate) * error).exp() for error, count, _ in cells]
        total = sum(weights, ball(0))
        ends = [sum(weights[: i + 1], ball(0)) / total for i in range(len(cells) - 1)]
        borders = [int((end * ball(1 << LENGTH)).floor().unique_fmpz()) for end in ends]
    hits = 0
    for place, border in enumerate(borders):
        # 300 bits on either side of a border: no float and no early stage can tell them apart.
        for step, expected in ((-(1 << (LENGTH - 300)), place), (1 << (LENGTH - 300), place + 1)):
            drawn = draw_exponential(_Bits([border + step], LENGTH), view.stages(rate), rate=rate)
            assert drawn == cells[expected][2]
            hits += 1
    middles = [(a + b) // 2 for a, b in pairwise([0, *borders, 1 << LENGTH])]
    for place, middle in enumerate(middles):
        drawn = draw_exponential(_Bits([middle], LENGTH), view.stages(rate), rate=rate)
        assert drawn == cells[place][2]
        hits += 1
    assert hits == 3 * len(cells) - 2


@pytest.mark.exact
@pytest.mark.parametrize("data", SOME_DATA[1:])
@pytest.mark.parametrize("bits", [0.01, 1, 40])
def test_the_flip_is_the_function_of_all_cells(data, bits):
    """Whatever is left out at first, the answer is the one that full knowledge gives."""
    rate = Fraction(3, 2)
    view = Ordered(Halving(data), Loose(0, 1), shift=1, edge=True, bits=bits)
    stages = list(view.stages(rate))
    cells = _cells(stages)
    known = [stage.listed.levels() for stage in stages]
    rng = seeded(f"{data}{bits}")
    answers = set()
    for _ in range(60):
        u, v = rng.bits(LENGTH), rng.bits(LENGTH)
        first, second = (Lazy(_Bits([w], LENGTH)) for w in (u, v))
        whole = settle_flip(known, None, rate=rate, first=first, second=second, bits=400)
        assert whole is not None
        drawn = draw_flip(_Bits([u, v], LENGTH), view.stages(rate), rate=rate)
        assert drawn == cells[whole][2]
        answers.add(drawn)
    assert len(answers) > 1 or len(cells) == 1


@pytest.mark.exact
def test_a_far_stage_and_a_huge_rest_are_settled():
    """A stage whose levels are all out of reach, and more candidates than a float can count."""
    near = Flat(np.array([3, 4, 4]))
    far = Flat(np.array([90_000]))
    many = Levels(np.array([90_000]), np.array([1 << 2000], dtype=object))
    last = [Stage(near, Levels(np.array([4]), np.array([1]))), Stage(far, None)]
    asked = []

    def lazily():
        for stage in (Stage(near, many), Stage(far, None)):
            asked.append(stage)
            yield stage

    for draw in (draw_exponential, draw_flip):
        drawn = {draw(seeded(i), last, rate=Fraction(1)) for i in range(30)}
        assert drawn == {0, 1, 2}
        assert {draw(seeded(i), lazily(), rate=Fraction(1)) for i in range(10)} <= {0, 1, 2}
    assert len(asked) == 20, "the rest weighs nothing, however many they are"


@pytest.mark.exact
@pytest.mark.parametrize("orientation", [">=", "<", "<="])
@pytest.mark.parametrize("size", [2, 5, 1 << 16, (1 << 17) + 3, 10**9 + 7, 1 << 63, 1 << 64])
def test_thresholds_by_stages_have_the_mistakes_of_all_thresholds(orientation, size, monkeypatch):
    import tacit.problems.thresholds.thresholds as module

    monkeypatch.setattr(module, "_MANY_ROWS", 0)
    generator = np.random.default_rng(size % 1000)
    kinds = Thresholds(size=size, orientation=orientation)
    for n in (0, 1, 7, 300):
        x = np.minimum(generator.integers(0, 2**64, n, dtype=np.uint64), np.uint64(size - 1))
        x[: n // 3] = generator.integers(0, min(size, 4), n // 3)
        x[n // 3 : n // 2] = np.uint64(size - 1)
        y = generator.integers(0, 2, n)
        _same_landscape(kinds, x, y)


@pytest.mark.exact
@pytest.mark.parametrize("top", [1 << 20, 1 << 70, 1 << 200])
def test_wide_thresholds_by_stages_have_the_mistakes_of_all_thresholds(top, monkeypatch):
    import tacit.problems.thresholds.thresholds as module

    monkeypatch.setattr(module, "_MANY_ROWS", 0)
    rng = seeded(top)
    for orientation in (">=", "<="):
        kinds = Thresholds(size=(1 << 200) + 5, orientation=orientation)
        for n in (0, 1, 6, 200):
            x = [rng.below(min(top, kinds.domain.size)) for _ in range(n)]
            x[: n // 3] = [top // 2 + i % 3 for i in range(n // 3)]
            y = [rng.bits(1) for _ in range(n)]
            _same_landscape(kinds, np.array(x, dtype=object), np.array(y, dtype=np.int64))


def _same_landscape(kinds, x, y):
    whole = kinds.landscape(kinds.domain.coerce(x), y == 1).levels()
    wanted = dict(zip(whole.errors.tolist(), map(int, whole.counts.tolist()), strict=True))
    found, least = {}, []
    for stage in kinds.counted(Sample(x, y)).stages(Fraction(1, 5)):
        levels = stage.listed.levels()
        for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
            found[error] = found.get(error, 0) + int(count)
            for rank in {0, int(count) - 1, int(count) // 2}:
                cut = stage.listed.member(error, rank)
                assert kinds.first <= cut <= kinds.domain.size
                wrong = (
                    np.count_nonzero(kinds.hypothesis(cut).predict(x) != (y == 1)) if len(x) else 0
                )
                assert wrong == error
        least.append(min(found))
    assert found == wanted
    assert least[0] == min(wanted), "the best cut must be in the first stage"


@pytest.mark.exact
def test_a_long_list_by_stages_is_the_list():
    errors = np.random.default_rng(0).permutation(1 << 16)
    staged = in_stages(Flat(errors))
    stages = list(staged.stages(Fraction(1)))
    assert len(stages) == 2
    assert len(stages[0].listed.levels().errors) < 100
    _check(stages, dict(enumerate(errors.tolist())))
    assert in_stages(Flat(errors[:100])) is None


@pytest.mark.exact
def test_a_long_list_of_good_candidates_is_not_copied_and_is_the_list():
    generator = np.random.default_rng(1)
    errors = generator.integers(3, 9, 1 << 16)
    errors[generator.permutation(1 << 16)[:500]] = 10**5
    first, last = in_stages(Flat(errors)).stages(Fraction(1))
    assert first.rest.counts.tolist() == last.listed.levels().counts.tolist() == [500]
    assert first.rest.errors[0] <= 10**5
    for stage, wanted in ((first, range(3, 9)), (last, [10**5])):
        found = stage.listed.levels()
        assert found.errors.tolist() == list(wanted)
        for error, count in zip(wanted, found.counts.tolist(), strict=True):
            places = np.flatnonzero(errors == error)
            assert count == len(places)
            ranks = (0, 1, count // 2, count - 1)
            assert [stage.listed.member(error, r) for r in ranks] == places[list(ranks)].tolist()


@pytest.mark.exact
def test_the_rest_is_weighed_from_above():
    from tacit.exact.levels import upper_weight

    generator = np.random.default_rng(4)
    for rate in (Fraction(1, 1000), Fraction(1, 3), Fraction(40)):
        for top in (10, 10**5, 10**15):
            errors = np.unique(generator.integers(0, top, 50))
            counts = generator.integers(1, 1 << 40, len(errors)).astype(np.uint64)
            with at(300):
                true = sum(
                    (
                        ball(int(c)) * (-ball(rate) * int(e)).exp()
                        for e, c in zip(errors, counts, strict=True)
                    ),
                    ball(0),
                )
                bound = upper_weight(Levels(errors, counts), rate, least=0)
                assert not ball(Fraction(bound)) < true
                assert ball(Fraction(bound)) < true * ball(Fraction(101, 100)) + ball(
                    Fraction(1, 10**280)
                )
