"""Every kind of rule: another program reads its words, and says what ``predict`` says.

Trees, lists, products, clauses and scores of declared columns have their reader in
``tests/core/test_words.py``; here are all other kinds, and what is released around them.
"""

import json
import re
import xml.etree.ElementTree as Xml
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from tests.core.test_words import (
    PAIRS,
    READ,
    SAID,
    Reader,
    check,
    declared,
    frame,
    random_tree,
    rows_of,
)

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.core import Label, NamedRule, hypothesis_from_dict
from tacit.core.hypothesis import _KINDS
from tacit.domains.bits import Bits
from tacit.domains.integers import Integers
from tacit.domains.plane import Plane
from tacit.domains.reals import RealBox
from tacit.domains.rows import Rows
from tacit.estimators import TreeClassifier
from tacit.estimators.several_labels import learn_labels
from tacit.problems.boxes.grid_boxes import GridBoxRule
from tacit.problems.boxes.grid_intervals import IntervalRule
from tacit.problems.finite.constant import ConstantRule
from tacit.problems.finite.listed import TableRule
from tacit.problems.formulas.k_term_dnf import CnfRule, DnfRule
from tacit.problems.lines.lines import LineRule, PairRule
from tacit.problems.one_way.sequences import OneWayRule, Tree
from tacit.problems.parities.parities import ParityRule
from tacit.problems.paths.paths import PathRule
from tacit.problems.points.hashes import Hash, HashedPointRule
from tacit.problems.points.representing_sets import PlaneLineRule
from tacit.problems.protocols.one_way_protocols import MajorityRule
from tacit.problems.reals.halfspaces import HalfspaceRule
from tacit.problems.reals.real_boxes import RealBoxRule
from tacit.problems.reals.real_thresholds import RealThresholdRule
from tacit.problems.reals.surfaces import SurfaceRule
from tacit.problems.several.rules import Rules
from tacit.problems.tables.additive_rules import AdditiveRule
from tacit.problems.tables.banded_scores import BandedScores
from tacit.problems.tables.boosted_rules import BoostedRule
from tacit.problems.tables.rated_rule import RatedRule, RatedValues, parts_of
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.set_trees import SetTrees
from tacit.problems.tables.trees import Trees
from tacit.problems.tables.valued_trees import ValuedTrees
from tacit.problems.thresholds.thresholds import ThresholdRule
from tacit.report.drawing import drawing
from tacit.sources.frames import FrameTable

READ_ELSEWHERE = {"tree", "conditions", "clauses", "score", "point", "threshold"}
READ_HERE = {"named", "rules", "rated", "rated values", "additive", "boosted", "banded score"}
OTHERS = {}


def reads(kind, values):
    """A reader ``text, value -> 0 or 1`` of one kind of rule, and values to try it on."""

    def add(reader):
        OTHERS[kind] = reader, values
        return reader

    return add


def matched(pattern, text):
    found = re.fullmatch(pattern, text, re.DOTALL)
    assert found, text
    return found.groups()


@reads("constant", [3, None])
def _constant(text, _value):
    return matched("([01]) whatever x is", text)[0]


@reads("table", [*range(9), None])
def _table(text, value):
    listed, missing = matched(r"1 if x is one of \{(.*)\}( \(or .*\))?, else 0", text)
    if value is None:
        return str(int(missing == " (or missing or not a number)"))
    ends = [part.split("..") for part in listed.split(", ") if part]
    return str(int(any(int(end[0]) <= value <= int(end[-1]) for end in ends)))


@reads("parity", range(1 << 14))
def _parity(text, value):
    (places,) = matched(r"1 if an odd number of the bits \{(.*)\} of x are 1, else 0", text)
    bits = f"{value:014b}"
    return str(sum(bits[int(place)] == "1" for place in places.split(", ")) % 2)


def _formula(text, value, outer, inner):
    (said,) = matched("1 if (.*), else 0", text)
    bits = f"{value:04b}"

    def literal(word):
        place = int(word.removeprefix("not ").removeprefix("x")) - 1
        return (bits[place] == "1") is not word.startswith("not ")

    parts = re.findall(r"\(([^)]*)\)", said)
    every, some = {"and": all, "or": any}[outer], {"and": all, "or": any}[inner]
    assert f" {outer} ".join(f"({part})" for part in parts) == said
    return str(int(every(some(map(literal, part.split(f" {inner} "))) for part in parts)))


@reads("cnf", range(16))
def _cnf(text, value):
    return _formula(text, value, "and", "or")


@reads("dnf", range(16))
def _dnf(text, value):
    return _formula(text, value, "or", "and")


@reads("line", list(product(range(7), repeat=2)))
def _line(text, value):
    a, b, p = map(
        int, matched(r"1 if \(x, y\) lies on y = (\d+) x \+ (\d+) modulo (\d+), else 0", text)
    )
    return str(int((a * value[0] + b - value[1]) % p == 0))


@reads("pair", list(product(range(7), repeat=2)))
def _pair(text, value):
    return str(
        int(value == tuple(map(int, matched(r"1 if \(x, y\) = \((\d), (\d)\), else 0", text))))
    )


@reads("plane-line", range(40))
def _plane_line(text, value):
    pattern = r"1 if \(x mod 7\) = (\d) \* \(x div 7\) \+ (\d) modulo 7, else 0"
    a, b = map(int, matched(pattern, text))
    return str(int((value % 7 - a * (value // 7) - b) % 7 == 0))


@reads("hashed-point", [0, 1, 2, 99, 1 << 33, (1 << 40) - 1])
def _hash(text, value):
    bits, bucket, again, sum_of = matched(
        r"1 if the (\d+)-bit hash of x is (\d+) \(about one value in \d+\), else 0\n"
        r"the hash is the first (\d+) of 64 bits of (.*), where x\[0\].* the last ones first",
        text,
    )
    assert bits == again
    offset, *parts = sum_of.split(" + ")
    total = int(offset)
    for part in parts:
        times, place = matched(r"(\d+) x\[(\d)\]", part)
        total += int(times) * (value >> 32 * int(place) & 0xFFFFFFFF)
    return str(int((total % (1 << 64)) >> (64 - int(bits)) == int(bucket)))


@reads("real-threshold", [*np.linspace(-2, 5, 3001).tolist(), None, "word"])
def _real_threshold(text, value):
    if text.endswith("for every record"):
        return text[0]
    (cut,) = matched("1 if x >= (.*), else 0", text)
    return str(int(isinstance(value, float) and value >= float(cut)))


_PLANE = [(a, b) for a in (-9.0, 0.0, 0.1, 0.3, 0.7, 1.0, 3.0, None) for b in (-1.0, 5.0, 7.3, 20)]


@reads("real-box", _PLANE)
def _real_box(text, value):
    if text.endswith("for every record"):
        return text[0]
    for part in matched("1 if (.*), else 0", text)[0].split(" and "):
        bottom, axis, top, missing = matched(
            r"(?:(.*) <= )?x([12])(?: < (\S+))?( \(or .*\))?", part
        )
        entry = value[int(axis) - 1]
        if entry is None:
            if missing is None:
                return "0"
        elif (bottom and entry < float(bottom)) or (top and entry >= float(top)):
            return "0"
    return "1"


@reads("grid-box", list(product([-2, 0, 1, 5, 6, 7, 99, None], repeat=2)))
def _grid_box(text, value):
    return _real_box(text, value)


@reads("interval", [-2, 0, 1, 4, 5, 6, 7, 99, None])
def _interval(text, value):
    if text.endswith("whatever x is"):
        return text[0]
    bottom, top, missing = matched(r"1 if (?:(\d+) <= )?x(?: < (\d+))?( \(or .*\))?, else 0", text)
    if value is None:
        return str(int(missing == " (or missing or not a number)"))
    return str(int(int(bottom or -9) <= value < int(top or 999)))


@reads("halfspace", list(product([-3.5, 0.0, 0.25, 1.0, None], repeat=3)))
def _halfspace(text, value):
    terms, most = matched(
        r"1 if (.*) >= 0, else 0\nfirst each row is multiplied so that its largest entry is "
        r"(\d+) or -\d+ and rounded; what is no number counts as 0, and a row of zeros as 1 in x1",
        text,
    )
    row = [0.0 if entry is None else entry for entry in value]
    largest = max(map(abs, row))
    row = [1.0, *row[1:]] if largest == 0 else [entry / largest for entry in row]
    total = 0
    for weight, axis in re.findall(r"([-+]\d+) x(\d)", terms):
        total += int(weight) * round(row[int(axis) - 1] * int(most))
    return str(int(total >= 0))


@reads("surface", list(product([-3.5, 0.0, 0.25, 2.0, 9.0, None], repeat=2)))
def _surface(text, value):
    said, placing = matched(r"1 if (.*) >= 0, else 0\n(.*)", text)
    row = [0.0 if entry is None else entry for entry in value]
    if placing.startswith("first"):
        largest = max(map(abs, row))
        row = [1.0, *row[1:]] if largest == 0 else [entry / largest for entry in row]
        (most,) = re.findall(r"largest entry is (\d+) or", placing)
        row = [round(entry * int(most)) for entry in row]
    else:
        (top,) = re.findall("from 0 to (\\d+): a fraction is rounded down", placing)
        row = [int(min(max(entry, 0), int(top))) for entry in row]
    total = sum(int(w) * row[int(i) - 1] for w, i in re.findall(r"([-+]\d+) x(\d)(?!\^)", said))
    total += sum(
        int(w) * (row[0] ** 2 + row[1] ** 2)
        for w in re.findall(r"([-+]\d+) \(x1\^2 \+ x2\^2\)", said)
    )
    total += sum(int(w) for w in re.findall(r"([-+]\d+)$", said))
    return str(int(total >= 0))


@reads("path", [*range(40), 700, 1401, 2803])
def _path(text, value):
    (said,) = matched("1 if x is (.*), else 0", text)
    if said.startswith("one of"):
        return str(int(str(value) in said.removeprefix("one of {").rstrip("}").split(", ")))
    (end,) = matched(r"(\d+) or comes of halving it again and again, rounded down, to 1", said)
    here = int(end)
    while here > value:
        here //= 2
    return str(int(here == value >= 1))


_GGM = Tree(index_bits=2, seed_bits=2, width=4)


@reads("one-way-sequence", range(1 << 6))
def _one_way(text, value):
    start, string, mark = map(
        int,
        matched(
            r"1 if x lies on the sequence that starts at step (\d+) with string (\d+) and mark "
            r"(\d), and is marked 1, else 0",
            text,
        ),
    )
    step, here = divmod(value, 16)
    if step < start:
        return "0"
    expected = (string, mark) if step == start else _GGM.forward(step, start, string)
    return str(int(expected == (here, 1)))


@reads("majority", range(12))
def _majority(text, value):
    (listed,) = matched("1 if more than half of these rules say so, else 0:\n(.*)", text)
    rules = listed.splitlines()
    cuts = [int(matched(r"1 if x >= (\d+), else 0", one)[0]) for one in rules]
    return str(int(2 * sum(value >= cut for cut in cuts) > len(rules)))


def _cut(cut):
    return ThresholdRule(domain=Integers(size=12), cut=cut, orientation=">=")


_BITS = Bits(columns=4)
RULES = [
    ConstantRule(value=True),
    ConstantRule(value=False),
    TableRule(values=(True, True, False, True, True, True, False, False, True)),
    TableRule(values=(False,) * 8 + (True,)),
    *(ParityRule(domain=Bits(columns=14), mask=mask) for mask in (1, 0b10000000000001, (1 << 14) - 1)),
    CnfRule(domain=_BITS, clauses=tuple((1 << i | 1 << j, 1 << j) for i in range(4) for j in range(i))),
    DnfRule(domain=_BITS, terms=((0b1100, 0b0100), (0b0011, 0b0011))),
    LineRule(domain=Plane(size=7), slope=3, offset=2),
    PairRule(domain=Plane(size=7), x=3, y=2),
    PlaneLineRule(domain=Integers(size=40), prime=7, slope=2, offset=5),
    *(
        HashedPointRule(
            domain=Integers(bits=40), hash=Hash((2**63 + 12345, 987654321987654321), 77, 1), bucket=b
        )
        for b in (0, 1)
    ),
    *(
        RealThresholdRule(domain=RealBox([bounds]), cut=cut)
        for bounds in ((0, 1), (-1, 3), ("0.1", "0.7"))
        for cut in (-0.5, 0.0, 1 / 3, 0.1, 0.7, 1.0, 1.5)
    ),
    *(
        RealBoxRule(domain=RealBox([(0, 1), (5, 12)]), sides=sides)
        for sides in (
            (),
            ((0.0, 1.5), (0.0, 1.5)),
            ((0.1, 0.7), (0.0, 1.5)),
            ((0.0, 0.3), (1 / 3, 1.5)),
            ((0.0, 0.7), (0.0, 0.9)),
        )
    ),
    *(
        GridBoxRule(domain=Rows(bits=3, width=2), sides=sides)
        for sides in ((), ((0, 8), (0, 8)), ((2, 6), (0, 8)), ((0, 6), (5, 8)), ((1, 7), (0, 1)))
    ),
    *(
        IntervalRule(domain=Integers(size=8), low=low, high=high)
        for low, high in ((0, 0), (0, 8), (5, 8), (0, 5), (4, 7))
    ),
    *(HalfspaceRule(normal=normal) for normal in ((1, -2, 0), (-3, 5, 7), (0, 0, -1))),
    *(OneWayRule(tree=_GGM, start=s, string=9, label=label) for s in (0, 1, 3) for label in (0, 1)),
    SurfaceRule(space="directions", bits=0, weights=(3, -2)),
    SurfaceRule(space="halfspace", bits=3, weights=(3, -2, -5)),
    SurfaceRule(space="ball", bits=3, weights=(2, 4, -1, -3)),
    *(PathRule(domain=Integers(bits=12), node=node) for node in (0, 1, 13, 2803)),
    MajorityRule(rules=(_cut(3), _cut(5), _cut(9))),
    MajorityRule(rules=(_cut(3), _cut(7))),
]  # fmt: skip


def test_every_kind_has_a_reader():
    ours = {kind for kind, cls in _KINDS.items() if cls.__module__.startswith("tacit.")}
    assert ours == set(OTHERS) | READ_ELSEWHERE | READ_HERE
    assert {rule.kind for rule in RULES} == set(OTHERS)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)
def test_words_json_and_predictions_agree(rule):
    reader, values = OTHERS[rule.kind]
    text = rule.describe()
    column = list(values)
    if isinstance(column[0], tuple):
        column = np.array(column, dtype=object)
    elif None in column:
        column = pd.Series(column, dtype=object)
    predicted = [str(int(one)) for one in rule.predict(column)]
    assert [reader(text, value) for value in values] == predicted, text
    again = hypothesis_from_dict(json.loads(json.dumps(rule.to_dict())))
    assert again.describe() == text
    assert [str(int(one)) for one in again.predict(column)] == predicted
    said = rule.describe(labels=("not ill", "ill"))
    assert "ill" in said
    assert not re.match(r"[01] (if|for|whatever)", said)


def test_the_border_of_a_real_cut_is_the_first_value_above_it():
    for bounds, cut in (
        ((0, 1), 1 / 3),
        ((-1, 3), 0.1),
        (("0.1", "0.7"), 0.7),
        ((-1000, 1), 0.999),
    ):
        rule = RealThresholdRule(domain=RealBox([bounds]), cut=cut)
        border = float(matched("1 if x >= (.*), else 0", rule.describe())[0])
        assert rule.predict([np.nextafter(border, -np.inf), border]).tolist() == [False, True]


def _points(text, row, reader):
    """What a score card says of a row."""
    first, *lines = text.splitlines()
    always = first.removeprefix("always: ") if first.startswith("always: ") else None
    if always is None:
        assert first == "1 if the points add up to more than 0, else 0"
    else:
        assert lines.pop(0) == "points that only rank: the more, the likelier 1"
    start, *rest = lines
    total = int(start.removeprefix("start: "))
    for card in re.split(r"^card \d+:$", "\n".join(rest), flags=re.MULTILINE)[1:]:
        fitting = []
        for line in card.strip("\n").splitlines():
            points, words = matched(r"  ([-+]\d+) if (.*)", line)
            if words == "always" or reader.all_of(words, row):
                fitting.append(int(points))
        assert len(fitting) == 1, card
        total += fitting[0]
    return str(int(total > 0)) if always is None else always


def _card(tree, cuts, rng):
    if isinstance(tree, bool):
        return rng.below(61) - 30
    return (cuts[tree[0]], _card(tree[1], cuts, rng), _card(tree[2], cuts, rng))


@pytest.mark.parametrize("said", ["joint", "own"])
@pytest.mark.parametrize("names", PAIRS, ids=lambda names: " ".join(names))
def test_sums_of_trees_and_rated_rules(names, said):
    rng, schema = seeded(f"sums {names} {said}"), declared(names, said)
    trees, reader = Trees(schema, depth=2), Reader({name: READ[name] for name in names})
    rows = rows_of(names, said)
    table = frame(rows, names)
    seen = set()
    for _ in range(6):
        cards = tuple(_card(random_tree(trees, 2, rng), trees.cuts, rng) for _ in range(3))
        rule = BoostedRule(schema=schema, start=rng.below(21) - 10, trees=cards)
        answers = [_points(rule.describe(), row, reader) for row in rows]
        assert answers == [str(int(one)) for one in rule.predict(table)], rule.describe()
        assert hypothesis_from_dict(json.loads(json.dumps(rule.to_dict()))) == rule
        seen |= set(answers)
        drawn = trees.hypothesis(random_tree(trees, 2, rng))
        numbers = tuple(rng.below(50) for _ in range(parts_of(drawn)))
        rated = RatedRule(rule=drawn, positives=numbers, others=numbers[::-1], scale=Fraction(2))
        plain = "\n".join(line.split("; 1 in ")[0] for line in rated.describe().splitlines())
        assert plain == drawn.describe()
        said_of = re.findall(r"; 1 in (\d+) of (\d+) ", rated.describe())
        assert [(int(a), int(b) - int(a)) for a, b in said_of] == list(
            zip(numbers, numbers[::-1], strict=True)
        )
        assert reader.rows(plain, rows) == [str(int(one)) for one in rated.predict(table)]
    assert seen == {"0", "1"}


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("names", PAIRS, ids=lambda names: " ".join(names))
def test_rated_rules_of_several_labels(names, said):
    rng = seeded(f"rated values {names} {said}")
    schema, rows = declared(names, said), rows_of(names, said)
    table, words, seen = frame(rows, names), ("a", "b", "c"), set()
    trees = ValuedTrees(schema, depth=2, values=3)
    for _ in range(6):
        drawn = trees.hypothesis(_with_values(random_tree(trees, 2, rng), rng))
        numbers = tuple(tuple(rng.below(50) for _ in words) for _ in range(parts_of(drawn)))
        rated = RatedValues(rule=drawn, numbers=numbers, scale=Fraction(2))
        told = rated.describe(labels=words)
        assert [line.split("; ")[0] for line in told.splitlines()] == drawn.describe(
            labels=words
        ).splitlines()
        each = [re.findall(r"[abc] in (\d+)", line.split("; ")[1]) for line in told.splitlines()]
        assert each == [[str(one) for one in part] for part in numbers]
        sums = [int(one) for one in re.findall(r" of (\d+) \(each", told)]
        assert sums == [sum(part) for part in numbers]
        assert rated.predict(table).tolist() == drawn.predict(table).tolist()
        seen |= set(rated.predict(table).tolist())
    assert seen == {0, 1, 2}


def _with_values(tree, rng):
    """The same tree with one of three labels in each leaf."""
    if isinstance(tree, bool | int):
        return rng.below(3)
    cut, low, high = tree
    return cut, _with_values(low, rng), _with_values(high, rng)


def _added(text, row, reader, names):
    """What a card with one block a column says of a row: one line of every block fits it."""
    first, start, *lines = text.splitlines()
    assert first == "1 if the points add up to more than 0, else 0"
    total, blocks = int(start.removeprefix("start: ")), []
    for line in lines:
        if line.startswith("  "):
            words, points = matched(r"  (.*): ([-+]\d+)", line)
            blocks[-1].append(
                int(points) if words == "always" or reader.all_of(words, row) else None
            )
        else:
            assert line.removesuffix(":") in names
            blocks.append([])
    for block in blocks:
        (points,) = (one for one in block if one is not None)
        total += points
    return str(int(total > 0))


@pytest.mark.parametrize("said", ["joint", "own"])
@pytest.mark.parametrize("names", PAIRS, ids=lambda names: " ".join(names))
def test_points_of_every_column(names, said):
    rng, schema = seeded(f"columns {names} {said}"), declared(names, said)
    reader = Reader({name: READ[name] for name in names})
    rows = rows_of(names, said)
    table = frame(rows, names)
    seen = set()
    for _ in range(8):
        columns = tuple(tuple(rng.below(4) * 7 - 10 for _ in range(many)) for many in schema.cells)
        rule = AdditiveRule(schema=schema, start=rng.below(21) - 10, columns=columns)
        if rule.always is not None:
            continue
        answers = [_added(rule.describe(), row, reader, schema.told) for row in rows]
        assert answers == [str(int(one)) for one in rule.predict(table)], rule.describe()
        assert hypothesis_from_dict(json.loads(json.dumps(rule.to_dict()))) == rule
        seen |= set(answers)
    assert seen == {"0", "1"}


def _drawn_answer(svg, row, reader):
    """Follow a drawing from its highest box: its words, and the lines between boxes."""
    page = Xml.fromstring(svg)
    tag = "{http://www.w3.org/2000/svg}"
    boxes, lines = {}, []
    for group in page.iter(f"{tag}g"):
        box = group.find(f"{tag}rect")
        at = tuple(
            round(float(box.get(a)) + float(box.get(b)) / 2, 3)
            for a, b in (("x", "width"), ("y", "height"))
        )
        boxes[at] = " ".join(span.text for span in group.iter(f"{tag}tspan"))
    for line in page.iter(f"{tag}line"):
        ends = [round(float(line.get(name)), 3) for name in ("x1", "y1", "x2", "y2")]
        lines.append((tuple(ends[:2]), tuple(ends[2:])))
    words = {
        (round(float(one.get("x")), 2), round(float(one.get("y")), 2)): one.text
        for one in page.findall(f"{tag}text")
    }
    at = min(boxes, key=lambda place: place[1])
    while following := [end for start, end in lines if start == at]:
        middle = {
            words[round((at[0] + end[0]) / 2, 2), round((at[1] + end[1]) / 2, 2)]: end
            for end in following
        }
        at = middle["if so" if reader.all_of(boxes[at], row) else "else"]
    return boxes[at]


@pytest.mark.parametrize("names", PAIRS, ids=lambda names: " ".join(names))
def test_a_drawing_says_what_the_words_say(names):
    rng, schema = seeded(f"drawn {names}"), declared(names, "own")
    trees, reader = Trees(schema, depth=3), Reader({name: READ[name] for name in names})
    label = Label(name="sick", negative="no", positive="yes")
    rows, seen = rows_of(names, "own"), set()
    for _ in range(8):
        named = NamedRule(rule=trees.hypothesis(random_tree(trees, 3, rng)), label=label)
        svg = drawing(named)
        answers = [_drawn_answer(svg, row, reader) for row in rows]
        table = frame(rows, names)
        assert answers == [f"sick is {one}" for one in named.answers(table)]
        assert answers == reader.rows(named.describe(), rows)
        seen |= set(answers)
    assert seen == {"sick is yes", "sick is no"}


def _sets_below(trees, rng):
    """Trees of two levels with sets of wards: every set by itself, and some below a cut."""
    (ward,) = trees.sets
    cells = trees.schema.cells[ward]
    every = [trees.question(ward, one, 1, 0) for one in product((False, True), repeat=cells)]
    yield from every
    for _ in range(40):
        low, high = (every[rng.below(len(every))] for _ in range(2))
        yield (trees.cuts[rng.below(len(trees.cuts))], low, high)


@pytest.mark.parametrize("said", SAID)
def test_sets_of_categories_are_their_words_and_their_drawing(said):
    names, rng = ("age", "ward"), seeded(f"sets {said}")
    trees, reader = (
        SetTrees(declared(names, said), depth=2),
        Reader({name: READ[name] for name in names}),
    )
    rows, seen, drawn = rows_of(names, said), set(), 0
    for root in _sets_below(trees, rng):
        rule = trees.hypothesis(root)
        seen |= check(rule, names, said)
        svg = drawing(rule)
        answers = [str(int(one)) for one in rule.predict(frame(rows, names))]
        assert [_drawn_answer(svg, row, reader) for row in rows] == answers, rule.describe()
        drawn += "ward is" in svg
    assert seen == {"0", "1"}
    assert drawn > 40


def _banded(text, row, reader):
    """The label that bands of a total give a row; exactly one of them must hold."""
    if text.startswith("always: "):
        return text.removeprefix("always: ")
    bands = [line for line in text.splitlines() if line.startswith("if ")]
    first, *legend = text.splitlines()[len(bands) :]
    total = reader.total(first.removeprefix("total: "), legend, row)
    found = []
    for line in bands:
        low, high, least, label = matched(
            r"if (?:(-?\d+) <= )?total(?: < (-?\d+)| >= (-?\d+)): (.*)", line
        )
        above = int(low or least) <= total if low or least else True
        if above and (high is None or total < int(high)):
            found.append(label)
    assert len(found) == 1, text
    return found[0]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("names", PAIRS, ids=lambda names: " ".join(names))
def test_bands_of_totals_are_their_words(names, said):
    rng, schema = seeded(f"bands {names} {said}"), declared(names, said)
    rules, reader = BandedScores(Scores(schema), 4), Reader({name: READ[name] for name in names})
    totals, rows, seen = list(rules.totals()), rows_of(names, said), set()
    table = frame(rows, names)
    for bands in (1, 2, 3, 4) * 6:
        total = totals[rng.below(len(totals))]
        bands = min(bands, total.many)
        places = sorted({1 + rng.below(total.many - 1) for _ in range(bands - 1)})
        labels = [rng.below(4)]
        for _ in places:
            labels.append((labels[-1] + 1 + rng.below(3)) % 4)
        rule = rules.hypothesis(total, tuple(places), tuple(labels))
        answers = [str(one) for one in rule.predict(table).tolist()]
        assert [_banded(rule.describe(), row, reader) for row in rows] == answers, rule.describe()
        again = hypothesis_from_dict(json.loads(json.dumps(rule.to_dict())))
        assert again == rule
        assert rules.prior(rule) > 0
        named = rule.describe(labels=("w", "x", "y", "z"))
        said_too = [_banded(named, row, reader) for row in rows]
        assert said_too == ["wxyz"[int(one)] for one in answers]
        for words, label in rule.bands():
            assert f"{words.replace('<', '&lt;').replace('>', '&gt;')}: {label}" in drawing(rule)
        seen |= set(answers)
    assert seen == set("0123")


def _patients():
    made = np.random.default_rng(5)
    table = pd.DataFrame(
        {"age": made.integers(0, 9, 600), "ward": made.choice(["north", "7"], 600)}
    )
    table["dx_a"] = (table["age"] > 4).map({True: "yes", False: "no"})
    table["dx_b"] = (table["ward"] == "7").map({True: "yes", False: "no"})
    return table


def test_rules_drawn_by_costs_and_several_at_once_are_their_words():
    names, table = ("age", "ward"), _patients()
    reader, rows = Reader({name: READ[name] for name in names}), rows_of(names, "joint")
    asked = frame(rows, names)
    given = {
        "domain": declared(names, "joint"), "classes": ("no", "yes"), "depth": 2, "epsilon": 50,
    }  # fmt: skip
    costed = TreeClassifier(**given, costs={"yes": 20, "no": 1}, ledger=Ledger.memory(epsilon=50))
    costed.fit(table[list(names)], table["dx_a"])
    answers = [f"dx_a is {one}" for one in costed.predict(asked)]
    assert reader.rows(costed.describe(), rows) == answers
    assert set(costed.predict(asked)) == {"no", "yes"}
    told = TreeClassifier(**given, delta="1e-6", ledger=Ledger.memory(epsilon=50, delta="1e-6"))
    found = learn_labels(told, FrameTable(table), ["dx_a", "dx_b"]).value
    assert isinstance(found, Rules)
    again = hypothesis_from_dict(json.loads(json.dumps(found.to_dict())))
    for rules in (found, again):
        lines = rules.describe().splitlines()
        for place, name in enumerate(("dx_a", "dx_b")):
            words = [one.removeprefix(f"{name}: ") for one in lines if one.startswith(f"{name}: ")]
            answers = reader.rows("\n".join(words), rows)
            assert answers == [f"{name} is {one}" for one in rules[place].answers(asked)]
            assert set(answers) == {f"{name} is yes", f"{name} is no"}


def test_no_rule_of_many_is_left_out_of_the_words():
    many = Rules(rules=tuple(_cut(place % 12) for place in range(60)))
    assert len(many.describe().splitlines()) == 60
