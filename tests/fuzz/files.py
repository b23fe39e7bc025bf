"""Mutated release, schema and ledger files: ``python -m tests.fuzz.files [COUNT] [SEED]``.

Every file must be read, or refused with a ``TacitError``, within two seconds of work; a ledger that
is read must still show everything that was charged.
"""

import json
import random
import resource
import signal
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager, suppress
from copy import deepcopy
from pathlib import Path

import numpy as np
from tests.contract.test_verify import first

import tacit
from tacit.accounting import About, Ledger
from tacit.classes import Points, Thresholds
from tacit.core import ALGORITHMS, REPLACE_ONE, Pure, TacitError
from tacit.domains import Schema
from tacit.estimators import (
    BoxClassifier,
    MultiTaskClassifier,
    StumpClassifier,
    TreeClassifier,
)
from tacit.problems.several.rules import Rules
from tacit.queries import Marginals
from tacit.report.formats import FORMATS
from tacit.report.release_file import digest_of, read_release, release_record, release_text

SECONDS = 2
ODD = [
    None, True, False, 0, -1, 1, 2**63, 10**30, -(10**30), 1.5, 1e308, -0.0, "", "x", "0", "-1",
    "1/0", "1e99999999", "1e-99999999", "9" * 5000, "nan", "inf", "\ud800", "\x00", "../../etc",
    "__class__", [], {}, [[]], [None], {"": {}}, [[[[[[]]]]]], {"kind": "Composed", "events": []},
    "1" + "0" * 300, "replace-one", "label", 10**400, "\x1b[2J\u202e\n<script>",
]  # fmt: skip
"""What stands in a file where something else should."""

SCHEMA = """\
[columns.age]
kind = "integer"
low = 0
high = 99
bins = 10
[columns.dose]
kind = "number"
low = 0.5
high = "7/2"
missing = true
[columns.ward]
kind = "category"
values = ["north", "south", "3"]
[columns.smoker]
kind = "boolean"
"""


@contextmanager
def limited_memory(most=8 << 30):
    """Let allocations beyond this many bytes fail."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@contextmanager
def in_time():
    """Raise after two seconds of work."""

    def late(number, frame):
        raise TimeoutError("a file took longer than two seconds")

    old = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)


def releases():
    """Release files of several kinds."""
    x = np.arange(300) % 100
    table = np.stack([x, x % 7], axis=1).astype(float)
    y = (x >= 40).astype(int)
    task = tacit.Task(
        Thresholds(size=100), privacy=tacit.Privacy(1), accuracy=tacit.Accuracy("0.2", "0.1")
    )
    yield tacit.learn(task, (x, y), ledger=Ledger.memory(9))
    task = tacit.Task(
        Points(bits=40), privacy=tacit.Privacy(1), accuracy=tacit.Accuracy("0.2", "0.1")
    )
    yield tacit.learn(task, (x, x == 3), ledger=Ledger.memory(9))
    domain = {"a": (0, 100), "b": range(7)}
    for kind in (TreeClassifier, BoxClassifier):
        model = kind(domain=list(domain.values()), bins=4, ledger=Ledger.memory(9))
        yield model.fit(table, y).release_
    yield tacit.sanitize(x, Thresholds(size=100), privacy=tacit.Privacy(1), ledger=Ledger.memory(9))
    persons = tacit.Privacy(1, unit="person", rows_per_unit=3)
    task = tacit.Task(Thresholds(size=100), privacy=persons, accuracy=tacit.Accuracy("0.2", "0.1"))
    yield tacit.learn(task, (x, y), groups=np.arange(300) // 3, ledger=Ledger.memory(9))
    schema = Schema.of(list(domain.values()), bins=4)
    yield tacit.sanitize(
        table, Marginals(schema, ways=2), privacy=tacit.Privacy(1), ledger=Ledger.memory(9)
    )
    book = Ledger.memory(9, "1/1000")
    stump = StumpClassifier(domain=list(domain.values()), bins=4, ledger=book, delta="1/1000000")
    yield MultiTaskClassifier(stump).fit(table, np.stack([y, 1 - y], axis=1)).release_


def of_every_kind():
    """A release of every kind of rule and table that an algorithm of the registry makes."""
    found = {}
    for entry in ALGORITHMS:
        release = first(entry)
        rules = release.value.rules if isinstance(release.value, Rules) else [release.value]
        found.setdefault((type(release.value), type(rules[0])), release)
    return found.values()


def places(value, at=()):
    """Every place in a record, containers too."""
    yield at
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*at, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from places(value[index], (*at, index))


def changed_record(record, rng):
    """A record with one to three places changed, deleted, moved or deepened."""
    other = json.loads(json.dumps(record))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        found = [at for at in places(other) if at]
        if not found:
            break
        place = rng.choice(found)
        inner = other
        for step in place[:-1]:
            inner = inner[step]
        how = rng.randrange(5)
        if how == 0 and isinstance(inner, dict):
            del inner[place[-1]]
        elif how == 1:
            inner[place[-1]] = [inner[place[-1]]] * rng.choice((1, 2, 50))
        elif how == 2 and isinstance(inner, dict):
            inner[f"{place[-1]}x"] = inner.pop(place[-1])
        elif how == 3:
            deep = inner[place[-1]]
            for _ in range(rng.choice((5, 99, 300))):
                deep = [deep]
            inner[place[-1]] = deep
        else:
            inner[place[-1]] = deepcopy(rng.choice(ODD))
    return other


def changed_bytes(content, rng):
    """Bytes with some flipped, dropped, doubled or cut off."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8, 64))):
        if not data:
            break
        at = rng.randrange(len(data))
        how = rng.randrange(5)
        if how == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            del data[at : at + rng.choice((1, 4, 100))]
        elif how == 2:
            data[at:at] = data[max(0, at - 50) : at]
        elif how == 3:
            data[at : at + 4] = rng.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b'{"a"', b"1e99"))
        else:
            del data[at:]
    return bytes(data)


def try_release(content):
    """Read, verify, show and apply a release."""
    release = read_release(content, name="fuzz.json")
    for form in FORMATS.values():
        told = form(release, None)
        assert all(line.isprintable() for line in told.split("\n")), "it steers a terminal"
    if "rule" in release.record:
        width = 2 if "schema" in release.record["rule"] else 1
        release.predict(np.zeros((3, width)) if width > 1 else np.zeros(3, dtype=np.int64))
    with limited_memory(), suppress(TimeoutError, MemoryError):
        # What takes longer, or more, `tacit verify` gives up in a process of its own.
        release.verify(seconds=None)


def fuzz_releases(count, rng):
    """Outcomes of mutated release files."""
    records = [
        release_record(one, about=About(data_set="d", label="y"), classes=(0, 1), counted=True)
        for one in (*releases(), *of_every_kind())
    ]
    found = Counter()
    for number in range(count):
        record = rng.choice(records)
        if number % 3 == 0:
            content = changed_bytes(release_text(record).encode(), rng)
        else:
            other = json.loads(json.dumps(record))
            part = rng.choice(("rule", "table", "certificate", None))
            if part in other:  # its reader is met only where all else is sound
                other[part] = changed_record(other[part], rng)
            else:
                other = changed_record(other, rng)
            if rng.random() < 0.5 and isinstance(other.get("digests"), dict):
                other["digests"]["release"] = digest_of(other)  # a cheat does so
            content = json.dumps(other).encode()
        found[_outcome(lambda content=content: try_release(content), content)] += 1
    return found


def fuzz_schemas(count, rng, folder):
    """Outcomes of mutated schema files."""
    found, path = Counter(), folder / "s.toml"
    for _ in range(count):
        content = changed_bytes(SCHEMA.encode(), rng)
        path.write_bytes(content)
        found[_outcome(lambda: Schema.of(path).coerce(np.zeros((2, 4))), content)] += 1
    return found


def fuzz_ledgers(count, rng, folder):
    """Outcomes of mutated ledger files; what is read must show the whole charge."""
    path = folder / "book.db"
    ledger = Ledger.create(path, 3, data_set="d")
    for _ in range(3):
        ledger.charge(Pure(epsilon="1/2", relation=REPLACE_ONE), note="a release")
    sound = {one: one.read_bytes() for one in (path, folder / "book.db.counter")}
    found = Counter()

    def attempt():
        again = Ledger.open_existing(path)
        assert again.spent.epsilon * 2 >= 3, "a charge was lost"
        assert not again.would_allow(Pure(epsilon=2, relation=REPLACE_ONE))

    for _ in range(count):
        for one, content in sound.items():
            one.write_bytes(content)
        victim = rng.choice((path, path, folder / "book.db.counter"))
        content = changed_bytes(sound[victim], rng)
        victim.write_bytes(content)
        found[_outcome(attempt, content)] += 1
        for left in folder.glob("book.db-*"):
            left.unlink()
    return found


def _outcome(attempt, content):
    try:
        with in_time():
            attempt()
    except TacitError:
        return "refused"
    except BaseException:
        Path(tempfile.gettempdir(), "tacit-fuzz-failure").write_bytes(content)
        raise
    return "read"


def main(count=100_000, seed=1):
    """Fuzz all three kinds of files and print how many were read and refused."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        releases_found = fuzz_releases(count * 6 // 10, rng)
        schemas_found = fuzz_schemas(count * 3 // 10, rng, folder)
        ledgers_found = fuzz_ledgers(count // 10, rng, folder)
    print("releases", dict(releases_found))
    print("schemas", dict(schemas_found))
    print("ledgers", dict(ledgers_found))
    return releases_found, schemas_found, ledgers_found


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
