"""Kill, starve and crowd a ledger: ``python -m tests.fuzz.kill [KILLS]``.

After every blow the chain must verify, what was acknowledged must be there, and the limit
must not be passed.
"""

import os
import random
import resource
import signal
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from tacit.accounting import Ledger
from tacit.core import REPLACE_ONE, BudgetRefused, Pure

STEP = Pure(epsilon="1/1000", relation=REPLACE_ONE)


def child(action):
    """Run ``action(tell)`` in a forked process; the value is its id and where it tells."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        code = 1
        try:
            action(lambda: os.write(write, b"."))
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    return pid, read


def told(read):
    """How often a child told something."""
    count = 0
    while piece := os.read(read, 65536):
        count += len(piece)
    os.close(read)
    return count


def sound(path, least, most):
    """The number of entries of a ledger that verifies."""
    ledger = Ledger.open_existing(path)
    entries = ledger.entries
    assert least <= len(entries) <= most, (least, len(entries), most)
    assert [one.index for one in ledger.history] == list(range(1, len(ledger.history) + 1))
    spent = ledger.spent.epsilon
    assert spent == Fraction(len(entries), 1000)
    assert spent <= ledger.epsilon
    return len(entries)


def kills(folder, count, rng):
    """Kill a spending process at random moments; nothing acknowledged is lost."""
    path = folder / "killed.db"
    ledger, start = Ledger.create(path, 10**6), time.perf_counter()
    for _ in range(5):
        ledger.charge(STEP, note="x")
    usual = (time.perf_counter() - start) / 5
    entries = 5

    def spend(tell):
        ledger = Ledger.open_existing(path)
        while True:
            ledger.charge(STEP, note="x")
            tell()

    for _ in range(count):
        pid, read = child(spend)
        time.sleep(rng.random() * 5 * usual)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        acknowledged = told(read)
        # The last charge may be durable and not yet acknowledged.
        entries = sound(path, entries + acknowledged, entries + acknowledged + 1)
    return entries


def starved(folder):
    """Let writes fail at every length of the files; a charge is there whole, or refused."""
    path = folder / "starved.db"
    ledger = Ledger.create(path, 10**6)
    ledger.charge(STEP)
    entries = 1
    sizes = [0, 1, 100, 512, 1024, 4096, 8192, 12000, 16384, 20480, 24576, 28672, 1 << 20]
    for limit in sizes:

        def spend(tell, limit=limit):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            book = Ledger.open_existing(path)
            for _ in range(3):
                try:
                    book.charge(STEP, note="x" * 500)
                    tell()
                except BudgetRefused:
                    pass

        pid, read = child(spend)
        code = os.waitpid(pid, 0)[1]
        acknowledged = told(read)
        assert code == 0, (limit, code)
        entries = sound(path, entries + acknowledged, entries + acknowledged)
    return entries


def crowded(folder, processes=16, each=12, room=100):
    """Let many processes spend at once; exactly what fits is admitted."""
    path = folder / "crowded.db"
    Ledger.create(path, Fraction(room, 1000))

    def spend(tell):
        book = Ledger.open_existing(path)
        for _ in range(each):
            try:
                book.charge(STEP)
                tell()
            except BudgetRefused:
                pass

    racers = [child(spend) for _ in range(processes)]
    won = 0
    for pid, read in racers:
        won += told(read)
        assert os.waitpid(pid, 0)[1] == 0
    expected = min(room, processes * each)
    assert won == expected == sound(path, expected, expected)
    return won


def main(count=500, seed=1):
    """All three, with this many kills."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{count} kills, {kills(folder, count, rng)} entries")
        print(f"starved of disk: {starved(folder)} entries")
        print(f"16 processes: {crowded(folder)} admitted")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
