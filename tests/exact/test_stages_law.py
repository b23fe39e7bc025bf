"""Draws by stages: every stage says the truth, and the draw is the function of all of them.

A draw is a function of one or two real uniforms over cells laid out stage by stage. Its law is
exact if the cells are all candidates with their errors, the bounds hold, and the draw returns
this function's value; each is checked on every data set of a tiny domain, with bounds from
sharp to worthless.
"""

from fractions import Fraction
from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest

from tacit.classes import Thresholds
from tacit.core import Sample
from tacit.exact.balls import at, ball
from tacit.exact.flips import settle_flip
from tacit.exact.landscape import Flat
from tacit.exact.lazy import Lazy
from tacit.exact.levels import Levels
from tacit.exact.stages import Stage, draw_exponential, draw_flip, in_stages
from tacit.tallies.blocks import Blocks, Occurring
from tacit.tallies.ordered import Ordered
from tacit.tallies.scores import CutMistakes, RankErrors
from tacit.testing import seeded

SIZE = 8
RECORDS = [(x, y) for x in range(SIZE) for y in (0, 1)]
RATES = (Fraction(3, 2), Fraction(4))


class Halving:
    """Blocks by their first bit, then the next; never tells more than it is asked."""

    def __init__(self, data, size=SIZE):
        self._data, self._size = data, size

    def _count(self, starts, sizes):
        before = [[sum(x < s and y == k for x, y in self._data) for s in starts] for k in (0, 1)]
        inside = [
            [sum(s <= x < s + m and y == k for x, y in self._data) for s, m in zip(starts, sizes, strict=True)]
            for k in (0, 1)
        ]  # fmt: skip
        return Blocks(
            np.array(starts, dtype=np.uint64),
            np.array(sizes, dtype=np.uint64),
            np.array(before, dtype=np.int64).reshape(2, -1),
            np.array(inside, dtype=np.int64).reshape(2, -1),
        )

    def first(self, _likely):
        return self._count([0], [self._size]), None

    def refine(self, blocks, _held):
        assert (np.diff(blocks.starts.astype(np.int64)) > 0).all()
        assert not blocks.plain.any()
        halves = [
            half
            for s, m in zip(blocks.starts.tolist(), blocks.sizes.tolist(), strict=True)
            for half in ((s, m // 2), (s + m // 2, m - m // 2))
        ]
        return self._count([s for s, _ in halves], [m for _, m in halves])


class Taking(Halving):
    """Four quarters first, then the values that occur."""

    def first(self, _likely):
        return self._count([0, 2, 4, 6], [2] * 4), None

    def refine(self, blocks, _held):
        wanted = [
            x
            for x in range(self._size)
            for s, m in zip(blocks.starts.tolist(), blocks.sizes.tolist(), strict=True)
            if s <= x < s + m and any(x == v for v, _ in self._data)
        ]
        counts = [[sum((x, k) == r for r in self._data) for x in wanted] for k in (0, 1)]
        inside = np.array(counts, dtype=np.int64).reshape(2, -1)
        return Occurring(blocks, np.array(wanted, dtype=np.uint64), inside)


class Loose(CutMistakes):
    """Bounds that are further away than they need be."""

    def __init__(self, low, slack):
        super().__init__(low)
        object.__setattr__(self, "slack", slack)

    def least(self, before, inside, total):
        return super().least(before, inside, total) - self.slack

    def most(self, before, inside, total):
        return super().most(before, inside, total) + 2 * self.slack


def _mistakes(data, first):
    return {t: sum((x >= t) != y for x, y in data) for t in range(first, SIZE + 1)}


def _median_error(below, at_most, n):
    return np.maximum(np.maximum(2 * below - n, n - 2 * at_most), 0)


def _candidates(stage):
    levels = stage.listed.levels()
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in range(int(count)):
            yield stage.listed.member(error, rank), error


def _check(stages, truth):
    """All candidates once with their errors; what is left is bounded one to one."""
    seen = {}
    for stage in stages:
        for candidate, error in _candidates(stage):
            assert candidate not in seen
            seen[candidate] = error
        left = sorted(error for candidate, error in truth.items() if candidate not in seen)
        if stage.rest is None:
            assert not left
        else:
            bounds = np.repeat(stage.rest.errors, stage.rest.counts.astype(int)).tolist()
            assert len(bounds) == len(left)
            assert all(low <= error for low, error in zip(bounds, left, strict=True))
    assert stages[-1].rest is None
    assert seen == truth
    return len(stages)


@pytest.mark.parametrize("counter", [Halving, Taking])
@pytest.mark.parametrize("rate", RATES)
def test_every_stage_says_the_truth(counter, rate):
    most = 0
    for n in range(4):
        for data in combinations_with_replacement(RECORDS[:: 2 if n == 3 else 1], n):
            for bits, slack in ((0.01, 0), (0.5, 0), (2, 1), (40, 3)):
                for edge in (True, False):
                    view = Ordered(counter(data), Loose(0, slack), shift=1, edge=edge, bits=bits)
                    stages = list(view.stages(rate))
                    most = max(most, _check(stages, _mistakes(data, 0 if edge else 1)))
            ranks = Ordered(counter(data), RankErrors(_median_error), bits=0.3)
            truth = {
                r: max(2 * sum(x < r for x, _ in data) - n, n - 2 * sum(x <= r for x, _ in data), 0)
                for r in range(SIZE)
            }
            _check(list(ranks.stages(rate)), truth)
    assert most >= 2, "no draw ever needs a second stage: the test shows nothing"


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


@pytest.mark.parametrize("orientation", [">=", "<", "<="])
@pytest.mark.parametrize("size", [2, 5, 1 << 16, (1 << 17) + 3, 10**9 + 7, 1 << 63, 1 << 64])
def test_thresholds_by_stages_have_the_mistakes_of_all_thresholds(orientation, size, monkeypatch):
    import tacit.problems.thresholds.thresholds as module

    monkeypatch.setattr(module, "_MANY_ROWS", 0)
    monkeypatch.setattr(module, "_MANY_WIDE_ROWS", 0)
    generator = np.random.default_rng(size % 1000)
    kinds = Thresholds(size=size, orientation=orientation)
    for n in (0, 1, 7, 300):
        x = np.minimum(generator.integers(0, 2**64, n, dtype=np.uint64), np.uint64(size - 1))
        x[: n // 3] = generator.integers(0, min(size, 4), n // 3)
        x[n // 3 : n // 2] = np.uint64(size - 1)
        y = generator.integers(0, 2, n)
        _same_landscape(kinds, x, y)


@pytest.mark.parametrize("top", [1 << 20, 1 << 70, 1 << 200])
def test_wide_thresholds_by_stages_have_the_mistakes_of_all_thresholds(top, monkeypatch):
    import tacit.problems.thresholds.thresholds as module

    monkeypatch.setattr(module, "_MANY_WIDE_ROWS", 0)
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


@pytest.mark.parametrize("size", [9, (1 << 18) + 1, 1 << 64, 1 << 90])
def test_ranks_by_stages_have_the_errors_of_all_values(size, monkeypatch):
    from tacit.domains.integers import Integers
    from tacit.mechanisms import ranks
    from tacit.mechanisms.interior_point import Depth
    from tacit.mechanisms.robust_minimum import RankWindow

    monkeypatch.setattr(ranks, "_MANY_ROWS", 0)
    monkeypatch.setattr(ranks, "_MANY_WIDE_ROWS", 0)
    rng, domain = seeded(size), Integers(size=size)
    for n in (0, 1, 5, 400):
        x = [rng.below(size) if i % 3 else rng.below(3) for i in range(n)]
        data = np.array(x, dtype=np.uint64 if size <= 1 << 64 else object)
        for score in (Depth(domain), RankWindow(domain, 3, 40)):
            whole = score(data).levels()
            found = {}
            for stage in score.staged(data).stages(Fraction(1, 4)):
                levels = stage.listed.levels()
                for e, c in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
                    found[e] = found.get(e, 0) + int(c)
            assert found == dict(zip(whole.errors.tolist(), map(int, whole.counts), strict=True))


def test_a_long_list_by_stages_is_the_list():
    errors = np.random.default_rng(0).permutation(1 << 16)
    staged = in_stages(Flat(errors))
    stages = list(staged.stages(Fraction(1)))
    assert len(stages) == 2
    assert len(stages[0].listed.levels().errors) < 100
    _check(stages, dict(enumerate(errors.tolist())))
    assert in_stages(Flat(errors[:100])) is None


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
