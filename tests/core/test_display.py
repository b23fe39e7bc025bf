"""What a notebook shows: words, drawing and certificate, escaped; and a summary of one screen."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import tacit
from tacit import Accuracy, Ledger, Privacy, Task, learn, plan, sanitize
from tacit.checks.testing.entropy import seeded
from tacit.classes import Points, Thresholds
from tacit.core import Hypothesis
from tacit.core.hypothesis import _KINDS
from tacit.core.registry import load_rooms
from tacit.domains.schema import Schema
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.trees import TreeRule

ACCURACY = Accuracy("0.1", "0.05")


@pytest.fixture
def release():
    x = np.arange(4000) % 100
    task = Task(Thresholds(size=100), privacy=Privacy(1), accuracy=ACCURACY)
    return learn(task, (x, x >= 40), ledger=Ledger.memory(epsilon=2), rng=seeded(1))


def _is_html(text: str) -> None:
    ElementTree.fromstring(text)  # ours is well-formed XML too
    assert "<script" not in text


def test_a_release_shows_rule_drawing_and_certificate(release):
    text = release._repr_html_()
    _is_html(text)
    assert "<svg" in text
    assert "Certificate" in text
    assert "NOT PRIVATE" in text  # it was drawn from a seed


def test_a_summary_fits_on_one_screen(release):
    text = release.summary()
    lines = text.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 79
    for word in ("x >=", "Accuracy: ", "Privacy: ", "Budget: ", "NOT PRIVATE"):
        assert word in text


def test_a_long_rule_is_cut_in_the_summary(release):
    from dataclasses import replace

    schema = Schema.of({"age": (0, 64)}, bins=64)
    root = True
    for cell in reversed(range(0, 60, 2)):
        root = (Cut(0, cell, ordered=True), bool(cell % 4), root)
    text = replace(release, value=TreeRule(schema=schema, root=root)).summary()
    assert "more lines" in text
    assert len(text.splitlines()) <= 24


def test_every_kind_of_rule_is_shown(release):
    load_rooms("tacit.problems")
    assert len(_KINDS) > 15
    for kind, cls in _KINDS.items():
        assert callable(cls._repr_html_), kind
    _is_html(release.value._repr_html_())
    assert isinstance(release.value, Hypothesis)


def test_names_are_escaped(release, tmp_path):
    label = tacit.core.Label(name="<script>alert(1)</script>", negative="a&b", positive="<b>")
    rule = tacit.core.NamedRule(rule=release.value, label=label, column="<i>")
    _is_html(rule._repr_html_())
    assert "<b>" not in rule._repr_html_()


def test_synthetic_columns_and_plans_are_shown():
    table = sanitize(
        np.arange(3000) % 50,
        Thresholds(size=50),
        privacy=Privacy(1),
        accuracy=ACCURACY,
        ledger=Ledger.memory(epsilon=1),
    )
    _is_html(table.value._repr_html_())
    assert "<svg" in table.value._repr_html_()
    for concepts in (Thresholds(bits=32), Points(bits=1000)):
        found = plan(Task(concepts, privacy=Privacy(1), accuracy=ACCURACY, setting="agnostic"))
        text = found._repr_html_()
        _is_html(text)
        assert f"{found.best.n} suffice" in text


def test_a_release_file_is_shown(release, tmp_path):
    path = tacit.save(release, tmp_path / "r.json")
    loaded = tacit.load(path)
    _is_html(loaded._repr_html_())
    assert "<svg" in loaded._repr_html_()
    assert "Privacy: " in loaded.summary()
