"""The exponential choice turns at exactly the stated boundaries, whatever path decides.

The level is a function of one real uniform U: the cell of the cumulative partition that
holds ``U * total``. Each test puts U a hair to either side of a boundary.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from tacit.checks.testing import Scripted, exponential_law, seeded
from tacit.exact import levels as module
from tacit.exact.balls import at, ball
from tacit.exact.lazy import Lazy
from tacit.exact.levels import Levels, choose_level, choose_levels, settle

pytestmark = pytest.mark.exact


def _levels(errors, counts):
    kind = object if max(counts) >= 1 << 63 else np.uint64
    return Levels(np.array(errors, dtype=np.int64), np.array(counts, dtype=kind))


CASES = {
    "equal": (_levels([0, 1], [1, 1]), Fraction(1, 2)),
    "several": (_levels([3, 4, 6, 11], [1, 5, 2, 900]), Fraction(1, 3)),
    "negative errors": (_levels([-5, -1, 0], [2, 3, 1]), Fraction(7, 10)),
    "huge counts": (_levels([0, 40, 41], [1, 1 << 64, (1 << 70) + 1]), Fraction(1)),
    "astronomic counts": (_levels([0, 700, 701], [1, 1 << 1000, 1 << 1001]), Fraction(1)),
    "beyond float reach": (_levels([0, 1, 5000], [3, 4, 1 << 62]), Fraction(1, 4)),
    "far beyond float reach": (_levels([0, 1500], [1, 1 << 60]), Fraction(1)),
    "tiny rate": (_levels([0, 10**15], [1, 1]), Fraction(1, 10**15)),
    "rate below any float": (_levels([0, 1 << 60], [1, 1]), Fraction(1, 1 << 80)),
    "many blocks": (_levels(range(9000), [1 + i % 7 for i in range(9000)]), Fraction(1, 2000)),
}


def _prefixes(case, length, *, every=1):
    """``floor(boundary * 2^length)`` for the inner boundaries of the partition of [0, 1]."""
    levels, rate = case
    with at(length + 4096):
        weights = [
            ball(int(count)) * (-ball(rate) * (int(error) - int(levels.errors[0]))).exp()
            for error, count in zip(levels.errors, levels.counts, strict=True)
        ]
        total = sum(weights, ball(0))
        end, found = ball(0), []
        for index, weight in enumerate(weights[:-1]):
            end += weight
            if index % every == 0:
                cell = (end / total * ball(1 << length)).floor().unique_fmpz()
                assert cell is not None
                found.append((index, int(cell)))
    return found


@pytest.mark.parametrize("name", CASES)
def test_every_boundary_is_where_it_should_be(name):
    levels, rate = CASES[name]
    few = len(levels.errors) < 100
    length, every = (4096, 1) if few else (256, 3000)
    for index, prefix in _prefixes(CASES[name], length, every=every):
        for step, expected in ((-1, index), (1, index + 1)):
            script = prefix + step
            assert 0 <= script < 1 << length
            assert choose_level(Scripted(script, length), levels, rate=rate) == expected


@pytest.mark.parametrize("name", [name for name in CASES if name != "many blocks"])
def test_the_middle_of_each_cell_belongs_to_it(name):
    levels, rate = CASES[name]
    length = 4096
    ends = [0, *(prefix for _, prefix in _prefixes(CASES[name], length)), 1 << length]
    for index, (low, high) in enumerate(pairwise(ends)):
        assert choose_level(Scripted((low + high) // 2, length), levels, rate=rate) == index


@pytest.mark.parametrize("name", ["equal", "several", "negative errors", "beyond float reach"])
def test_a_word_on_a_boundary_is_never_decided_by_floats(name):
    levels, rate = CASES[name]
    on_boundaries = np.array([prefix for _, prefix in _prefixes(CASES[name], 64)], dtype=np.uint64)
    assert (module._float_choice(levels, rate, on_boundaries) == -1).all()
    for word in on_boundaries.tolist():
        for rest in (0, (1 << 136) - 1):
            path = choose_level(Scripted(word << 136 | rest, 200), levels, rate=rate)
            balls = settle(levels, rate, Lazy(Scripted(rest, 136), prefix=word, length=64))
            assert path == balls


def _near_boundaries(levels, rate):
    """Words within a few float spacings of each boundary, and the balls' verdict on them."""
    case = (levels, rate)
    words, verdicts = [], []
    for _, prefix in _prefixes(case, 64):
        for step in (-900, -300, -1, 1, 300, 900):
            word = prefix + step
            words.append(word)
            verdicts.append(settle(levels, rate, Lazy(seeded(1), prefix=word, length=64)))
    return np.array(words, dtype=np.uint64), np.array(verdicts)


ROUGH = [
    (_levels([0, 1, 2, 3, 4, 5, 6, 7], [3, 1, 4, 1, 5, 9, 2, 6]), Fraction(k, 97))
    for k in range(1, 13)
]


def test_the_margin_is_what_keeps_floats_from_deciding_wrongly(monkeypatch):
    """With the proved margin no float answer is wrong; with none, some are."""
    wrong = 0
    for levels, rate in ROUGH:
        words, verdicts = _near_boundaries(levels, rate)
        honest = module._float_choice(levels, rate, words)
        decided = honest >= 0
        assert (honest[decided] == verdicts[decided]).all()
        with monkeypatch.context() as patch:
            patch.setattr(module, "_margin", lambda *_: 0.0)
            reckless = module._float_choice(levels, rate, words)
        taken = reckless >= 0
        assert taken.sum() > decided.sum()
        wrong += int((reckless[taken] != verdicts[taken]).sum())
    assert wrong > 0


def test_float_weights_stay_within_their_stated_error():
    rng = seeded(4)
    offsets = np.array(sorted({0, *(rng.below(60_000) for _ in range(300))}), dtype=np.int64)
    counts = np.array([1 + rng.below(1 << 64) for _ in offsets], dtype=object)
    rate = Fraction(1, 90)
    weights, relative = module._float_weights(offsets, counts, rate)
    with at(200):
        for offset, count, weight in zip(offsets, counts, weights, strict=True):
            truth = ball(count) * (-ball(rate) * int(offset)).exp()
            assert abs(ball(Fraction(float(weight))) - truth) < truth * ball(Fraction(relative))
        # The bound has meaning: a thousandth of it does not hold for all.
        misses = [
            abs(ball(Fraction(float(w))) / (ball(c) * (-ball(rate) * int(o)).exp()) - 1)
            for o, c, w in zip(offsets, counts, weights, strict=True)
        ]
        assert any(miss > ball(Fraction(relative) / 1000) for miss in misses)


def test_the_table_is_right_even_if_another_thread_lowers_the_precision(monkeypatch):
    """flint's precision is one for all threads; a table entry must not trust it."""
    from tacit.exact.balls import at as honest_at

    asked = []

    def interfered(bits):
        asked.append(bits)
        return honest_at(40 if bits == 96 else bits)

    monkeypatch.setattr(module, "at", interfered)
    value = module.near(Fraction(355, 113))
    assert asked == [96, 192]
    with honest_at(200):
        truth = (-ball(Fraction(355, 113))).exp()
        assert abs(ball(Fraction(value)) - truth) < truth * ball(Fraction(1, 1 << 52))


def test_cells_have_the_stated_widths():
    """Cell widths, from the boundaries found above, are the law itself."""
    levels, rate = CASES["several"]
    flat = [
        int(e) for e, c in zip(levels.errors, levels.counts, strict=True) for _ in range(int(c))
    ]
    law = exponential_law(flat, rate)
    ends = [0, *(prefix for _, prefix in _prefixes(CASES["several"], 256)), 1 << 256]
    first = 0
    for count, low, high in zip(levels.counts.tolist(), ends, ends[1:], strict=False):
        with at(320):
            mass = sum((law[candidate] for candidate in range(first, first + count)), ball(0))
            assert abs(mass - ball(Fraction(high - low, 1 << 256))) < ball(Fraction(1, 1 << 250))
        first += count


def test_many_draws_are_single_draws():
    levels, rate = CASES["several"]
    words = [seeded(11).bits(64), (7 << 61) + 5, 1 << 63, 12345 << 40]
    script = 0
    for word in words:
        script = script << 64 | word
    together = choose_levels(Scripted(script, 64 * len(words)), levels, rate=rate, draws=len(words))
    alone = [choose_level(Scripted(word, 64), levels, rate=rate) for word in words]
    assert together.tolist() == alone


def test_one_level_is_drawn_with_certainty():
    lone = _levels([7], [1 << 1000])
    assert {choose_level(seeded(s), lone, rate=Fraction(3)) for s in range(20)} == {0}


def test_levels_refuse_what_they_cannot_hold():
    with pytest.raises(ValueError, match="at least one"):
        _levels([], [1])
    with pytest.raises(ValueError, match="apart"):
        _levels([-(1 << 63), (1 << 63) - 1], [1, 1])
    assert repr(_levels([0], [1])) == "Levels(private)"
