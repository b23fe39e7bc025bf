"""The way of a record: how often a call crosses from one room to another.

``python -m benchmarks.records_way`` follows four releases with a profiler, caches warm, and
prints calls, functions, files, rooms and changes of room, beside what they were before the
algorithms owned their bounds. It also counts how often each bound is computed, how often a file
is scanned, and how often its header is read.

Calls are counted as they were then: of functions with a name, in their order, the entry into the
first room included. On the code of that time (``b0a7f9f``) the ways below count 82, 188, 59 and 59
changes in this sense; 82, 214, 61 and 69 were counted on slightly other data.
``--list WAY`` prints every visit of one way.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType

import numpy as np
import pandas as pd

import tacit
from tacit import Accuracy, Ledger, Privacy, Task, learn, sanitize
from tacit.classes import Points, Thresholds
from tacit.cli import main as command
from tacit.core import SampleBound
from tacit.estimators import TreeClassifier
from tacit.testing import seeded

PACKAGE = Path(tacit.__file__).parent
BEFORE = {"command": 82, "tree": 214, "sanitize": 61, "points": 69}
FLOORS = ("core", "exact")
"""What every room stands on; a call of theirs is a word, not a visit."""
_FILE = {
    "sources/text.py:TextFile._first_pass": "scans of the file before the charge, kept while short",
    "sources/header.py:read_header": "reads of its header",
}


class Way:
    """Calls into the package, in their order."""

    def __init__(self) -> None:
        self.frames: list[tuple[str, str]] = []
        self.bounds: Counter[str] = Counter()

    def __call__(self, frame: FrameType, event: str, value: object) -> None:
        path = Path(frame.f_code.co_filename)
        if not path.is_relative_to(PACKAGE):
            return
        inside = str(path.relative_to(PACKAGE))
        if event == "call" and not frame.f_code.co_name.startswith("<"):
            self.frames.append((inside, frame.f_code.co_qualname))
        elif event == "return" and isinstance(value, SampleBound):
            self.bounds[f"{inside}:{frame.f_code.co_qualname}"] += 1

    def rooms(self) -> list[str]:
        return [_room(path) for path, _ in self.frames]

    def changes(self, *, without: tuple[str, ...] = ()) -> int:
        """How often a room is entered."""
        rooms = [room for room in self.rooms() if room not in without]
        return sum(here != there for here, there in pairwise(["", *rooms]))

    def visits(self) -> list[tuple[str, list[str]]]:
        """The rooms in their order, each with the functions called there."""
        found: list[tuple[str, list[str]]] = []
        for path, function in self.frames:
            if not found or found[-1][0] != _room(path):
                found.append((_room(path), []))
            found[-1][1].append(f"{Path(path).stem}:{function}")
        return found


def _room(path: str) -> str:
    return path.split("/")[0].removesuffix(".py")


def followed(run: Callable[[], object]) -> Way:
    """The way of the second run: the first fills caches and compiles."""
    run()
    way = Way()
    sys.setprofile(way)
    try:
        run()
    finally:
        sys.setprofile(None)
    return way


def ways(folder: Path) -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(1)
    ages = rng.integers(0, 110, 2000)
    sick = (ages >= 77).astype(int)
    frame = pd.DataFrame({"age": ages, "sick": sick})
    people = folder / "people.csv"
    frame.to_csv(people, index=False)
    words = f"learn {people} --class thresholds --size 111 --label sick --epsilon 1 --no-ledger"
    privacy, accuracy = Privacy(1), Accuracy("0.1", "0.1")
    points = Task(Points(bits=1000), privacy=privacy, accuracy=accuracy)
    tree = TreeClassifier(domain=[(0, 110)], bins=16, depth=2)

    def by_tree() -> object:
        # The draw decides how many questions are followed: the same ones every time.
        return tree.set_params(ledger=Ledger.memory(), rng=seeded("way")).fit(
            ages.reshape(-1, 1), sick
        )

    def by_command() -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert command(words.split()) == 0

    return {
        "command": by_command,
        "tree": by_tree,
        "sanitize": lambda: sanitize(
            ages, Thresholds(size=111), privacy=privacy, ledger=Ledger.memory()
        ),
        "points": lambda: learn(points, ([int(age) for age in ages], sick), ledger=Ledger.memory()),
    }


def main() -> None:
    """Print one line a way, and what was done more than once; or the visits of one way."""
    parser = argparse.ArgumentParser(description="How often a call crosses from room to room.")
    parser.add_argument("--list", dest="one", choices=tuple(BEFORE), help="print every visit")
    one = parser.parse_args().one
    if one is None:
        _count()
        return
    with tempfile.TemporaryDirectory() as folder:
        for number, (room, calls) in enumerate(followed(ways(Path(folder))[one]).visits(), 1):
            print(f"{number:>4} {room:<11}", ", ".join(dict.fromkeys(calls)))


def _count() -> None:
    print(
        f"{'way':<10}{'calls':>7}{'functions':>11}{'files':>7}{'rooms':>7}{'changes':>9}{'before':>8}"
        f"{'floors apart':>14}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, run in ways(Path(folder)).items():
            way = followed(run)
            files = {path for path, _ in way.frames}
            rooms = set(way.rooms())
            print(
                f"{name:<10}{len(way.frames):>7}{len(set(way.frames)):>11}{len(files):>7}"
                f"{len(rooms):>7}{way.changes():>9}{BEFORE[name]:>8}"
                f"{way.changes(without=FLOORS):>14}"
            )
            twice = {bound: times for bound, times in way.bounds.items() if times > 1}
            print(f"  bounds computed more than once: {twice or 'none'}")
            calls = Counter(f"{path}:{function}" for path, function in way.frames)
            for function, what in _FILE.items():
                if calls[function]:
                    print(f"  {what}: {calls[function]}")


if __name__ == "__main__":
    main()
