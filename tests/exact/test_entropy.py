"""The source of randomness: never the same bits twice, not even after a fork."""

import copy
import os
import pickle
import threading

import numpy as np
import pytest
from tests.tools.levels import DRAWS, accepts

from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.exact import entropy
from tacit.exact.entropy import SYSTEM, CounterRng, SystemRng

pytestmark = pytest.mark.system_entropy


def _in_child(action):
    """Run ``action`` in a forked child and bring back the bytes it returns."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, action())
        os._exit(0)
    os.close(write)
    answer = b""
    while piece := os.read(read, 4096):
        answer += piece
    os.close(read)
    assert os.waitpid(child, 0)[1] == 0
    return answer


def test_a_forked_child_does_not_repeat_its_parent():
    rng = SystemRng()
    rng.bytes(100)
    first, second = (_in_child(lambda: rng.bytes(64)) for _ in range(2))
    mine = rng.bytes(64)
    assert len({first, second, mine}) == 3


def test_a_grandchild_with_its_grandparents_number_does_not_repeat_it(monkeypatch):
    """Process numbers come round; a middle process that never drew must not hide that."""
    rng = SystemRng()
    rng.bytes(10)
    mine = os.getpid()

    def grandchild():
        monkeypatch.setattr(entropy.os, "getpid", lambda: mine)
        return rng.bytes(64)

    theirs = _in_child(lambda: _in_child(grandchild))
    assert len(theirs) == 64
    assert theirs != rng.bytes(64)


def test_a_child_can_draw_although_another_thread_held_the_lock():
    rng = SystemRng()
    rng._own[1]._lock.acquire()
    try:
        assert len(_in_child(lambda: rng.bytes(16))) == 16
    finally:
        rng._own[1]._lock.release()


def test_without_a_fork_the_stream_goes_on():
    rng = SystemRng()
    source = rng._own[1]
    rng.bytes(10)
    assert rng._own[1] is source


@pytest.mark.parametrize("piece", [1, 7, 1000, 40_000, 70_000, 200_000])
def test_no_byte_is_used_twice_across_refills(piece):
    """However it is cut, the stream is made of the refills' streams, each once."""
    rng = seeded(3)
    taken = b"".join(rng.bytes(piece) for _ in range(max(3, 300_000 // piece)))
    blocks = [taken[i : i + 16] for i in range(0, len(taken) - 15, 16)]
    assert len(set(blocks)) == len(blocks)


def test_refills_follow_the_stated_chain():
    """Each key gives one stream: first the next key, then what is handed out."""
    key = b"k" * 32
    rng = CounterRng(key)
    taken = rng.bytes(3 * entropy._BUFFER_BYTES)
    first = entropy._stream(key, 32 + 3 * entropy._BUFFER_BYTES)
    assert taken == first[32:]
    assert rng._key == first[:32]
    second = entropy._stream(first[:32], 32 + entropy._BUFFER_BYTES)
    assert rng.bytes(100) == second[32:132]
    assert key not in (rng._key, rng._buffer)


def test_a_left_over_is_handed_out_before_the_refill():
    whole, cut = seeded(8), seeded(8)
    expected = whole.bytes(entropy._BUFFER_BYTES)
    got = cut.bytes(entropy._BUFFER_BYTES - 5)
    tail = cut.bytes(9)
    assert got + tail[:5] == expected


def test_long_requests_are_cut_into_streams(monkeypatch):
    monkeypatch.setattr(entropy, "_LONGEST_BYTES", 1000)
    assert len(seeded(1).bytes(3500)) == 3500
    assert len(SystemRng().bytes(3500)) == 3500


def test_threads_share_a_source_without_repeats():
    rng, pieces = SystemRng(), []

    def draw():
        pieces.extend(rng.bytes(16) for _ in range(3000))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pieces) == 12_000
    assert len(set(pieces)) == 12_000
    assert all(len(piece) == 16 for piece in pieces)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 63, 64, 65, 1000])
def test_bits_have_the_asked_width(count):
    rng = seeded(count)
    draws = [rng.bits(count) for _ in range(200)]
    assert all(0 <= draw < 1 << count for draw in draws)
    if count >= 7:
        assert max(draws).bit_length() == count


@pytest.mark.parametrize("bound", [1, 2, 3, 255, 256, 257, 2**64, 2**64 + 1, 3**700])
def test_below_stays_below(bound):
    rng = seeded(str(bound)[:20])
    draws = [rng.below(bound) for _ in range(100)]
    assert all(0 <= draw < bound for draw in draws)
    assert bound == 1 or len(set(draws)) > 1


def test_below_takes_no_bits_for_a_certain_answer():
    rng = seeded(1)
    assert rng.below(1) == 0
    assert rng._buffer == b""


@pytest.mark.parametrize("bound", [0, -1])
def test_an_empty_range_is_refused(bound):
    with pytest.raises(BadInput, match="at least 1"):
        seeded(0).below(bound)


def test_who_is_private():
    assert SYSTEM.private
    assert not seeded(0).private


def test_a_copy_is_the_source_itself():
    """Two copies of one state would repeat each other's draws."""
    for source in (SYSTEM, seeded(0)):
        assert copy.copy(source) is source
        assert copy.deepcopy(source) is source


def test_a_pickle_carries_no_state():
    other = pickle.loads(pickle.dumps(SYSTEM))
    assert other is not SYSTEM
    assert other.bytes(32) != SYSTEM.bytes(32)
    with pytest.raises(TypeError, match="make a new one"):
        pickle.dumps(seeded(0))


def test_equal_seeds_give_equal_draws():
    assert seeded(5).bytes(50) == seeded(5).bytes(50) != seeded(6).bytes(50)


def test_bytes_that_were_handed_out_are_erased():
    rng = SystemRng()
    for count in (1, 16, 700, 40_000):
        piece = rng.bytes(count)
        source = rng._own[1]
        assert piece[-8:] not in bytes(source._buffer) or count < 8
        assert not any(source._buffer[: source._position])
        assert any(source._buffer[source._position :])


def test_twins_of_one_machine_part_at_the_next_release(monkeypatch):
    """A cloned machine holds the same key and buffer; only fresh bits tell it from its twin."""
    rng = SystemRng()
    rng.bytes(10)

    def clone():
        twin, source = SystemRng(), CounterRng(rng._own[1]._key)
        source._buffer[:] = rng._own[1]._buffer
        source._position = rng._own[1]._position
        twin._own = rng._own[0], source
        return twin

    one, other = clone(), clone()
    assert one.bytes(8) == other.bytes(8)
    one.renew()
    other.renew()
    assert one.bytes(32) != other.bytes(32)
    # The operating system alone is not trusted either: with equal fresh bits the keys differ.
    monkeypatch.setattr(entropy.os, "urandom", lambda count: b"0" * count)
    first, second = SystemRng(), clone()
    second.bytes(40)
    first.renew()
    second.renew()
    assert first.bytes(32) != second.bytes(32)


def test_every_release_starts_from_fresh_bits():
    from fractions import Fraction

    from tacit.accounting import Ledger
    from tacit.api import run
    from tacit.core import REPLACE_ONE
    from tacit.mechanisms.noise import Geometric

    class One:
        unit = Fraction(1)

        def sensitivity(self, relation):
            return Fraction(1)

        def __call__(self, data):
            return (Fraction(len(data)),)

    noise = Geometric(query=One(), epsilon=1, relation=REPLACE_ONE)
    before = SYSTEM._own[1]._key
    run(noise, [1, 2], ledger=Ledger.memory(1))
    assert SYSTEM._own[1]._key != before


SOURCES = {"seeded": lambda: seeded("uniform"), "system": SystemRng}


def _skewed(bound, factor):
    """One value ``factor`` times as likely as the others."""
    weights = [factor, *[1.0] * (bound - 1)]
    return [w / sum(weights) for w in weights]


@pytest.mark.statistical
@pytest.mark.parametrize("source", SOURCES)
def test_bytes_are_uniform(source):
    data = np.frombuffer(SOURCES[source]().bytes(4 * DRAWS), dtype=np.uint8)
    counts = np.bincount(data, minlength=256)
    assert accepts(counts, [1 / 256] * 256)
    assert not accepts(counts, _skewed(256, 1.2))
    assert not accepts(counts, _skewed(256, 0.8))


@pytest.mark.statistical
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("bound", [2, 3, 7, 10])
def test_integers_below_a_bound_are_uniform(source, bound):
    rng = SOURCES[source]()
    counts = np.zeros(bound)
    for _ in range(DRAWS // 4):
        counts[rng.below(bound)] += 1
    assert accepts(counts, [1 / bound] * bound)
    assert not accepts(counts, _skewed(bound, 1.06))
    assert not accepts(counts, _skewed(bound, 0.94))


@pytest.mark.statistical
def test_big_bounds_are_uniform_at_the_top():
    """Above 3/4 of the next power of two, taking a remainder instead would be far off."""
    bound = 3 << 98
    rng = seeded("top")
    counts = np.bincount([rng.below(bound) >> 98 for _ in range(DRAWS // 4)], minlength=3)
    assert accepts(counts, [1 / 3] * 3)
    assert not accepts(counts, [0.34, 0.33, 0.33])
    assert not accepts(counts, [1 / 2, 1 / 4, 1 / 4])


@pytest.mark.statistical
def test_successive_bytes_are_independent():
    data = np.frombuffer(seeded("pairs").bytes(2 * DRAWS), dtype=np.uint8) >> 4
    pairs = np.bincount(data[::2].astype(int) * 16 + data[1::2], minlength=256)
    assert accepts(pairs, [1 / 256] * 256)
    lagged = np.bincount(data[::2].astype(int) * 16 + data[::2], minlength=256)
    assert not accepts(lagged, [1 / 256] * 256)
