"""Drawings of rules and tables: well-formed, escaped, without script or style."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from tacit.core import Label, NamedRule
from tacit.domains import Integers
from tacit.domains.reals import RealBox
from tacit.domains.schema import Schema
from tacit.problems.finite.constant import ConstantRule
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.marginals.table import SyntheticRows
from tacit.problems.reals.real_thresholds import RealThresholdRule
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.trees import TreeRule
from tacit.problems.thresholds.thresholds import ThresholdRule
from tacit.report.drawing import drawing

SIDES = ">=", "<", "<="


def _parts(svg: str) -> ElementTree.Element:
    assert "<script" not in svg
    assert "<style" not in svg
    assert "style=" not in svg
    return ElementTree.fromstring(svg)


def _bars(svg: str) -> list[tuple[str, float]]:
    """Fill and width of the two sides of a number line."""
    found = _parts(svg).findall("{http://www.w3.org/2000/svg}rect")[1:]
    return [(one.attrib["fill"], float(one.attrib["width"])) for one in found]


@pytest.mark.parametrize("orientation", SIDES)
@pytest.mark.parametrize("cut", [0, 25, 99, 100])
def test_a_threshold_colours_the_side_that_it_predicts(orientation, cut):
    rule = ThresholdRule(
        domain=Integers(size=100), cut=min(cut, 99 + (orientation != "<=")), orientation=orientation
    )
    svg = drawing(
        NamedRule(rule=rule, label=Label(name="sick", negative="no", positive="yes"), column="age")
    )
    assert svg is not None
    assert "sick is yes" in svg
    said = rule.predict(range(100))
    for place, (fill, width) in enumerate(_bars(svg)):
        side = said[: round(width / 4.2)] if place == 0 else said[100 - round(width / 4.2) :]
        assert all(one == (fill == "#1b6ca8") for one in side)
        assert len(side) == round(width / 4.2)


def test_names_are_escaped():
    rule = ThresholdRule(domain=Integers(size=10), cut=5)
    label = Label(name="<script>", negative="a&b", positive='"><script>alert(1)</script>')
    svg = drawing(NamedRule(rule=rule, label=label, column="<b>"))
    assert svg is not None
    assert "<script" not in svg
    assert _parts(svg) is not None


def test_trees_and_real_thresholds_are_drawn():
    schema = Schema.of({"age": (0, 10)}, bins=2)
    tree = TreeRule(schema=schema, root=(Cut(0, 0, ordered=True), True, False))
    assert "age" in str(drawing(tree))
    for cut in (0.25, 2.0, -1.0):
        rule = RealThresholdRule(domain=RealBox.from_list([["0", "1"]]), cut=cut)
        svg = drawing(rule)
        assert svg is not None
        assert sum(width for _, width in _bars(svg)) == pytest.approx(420, abs=0.2)


def test_a_synthetic_column_is_drawn_as_counts():
    table = SyntheticTable.of(Integers(size=1000), [3] * 5 + [900] * 10, column="age")
    svg = drawing(table)
    assert svg is not None
    heights = [
        float(one.attrib["height"])
        for one in _parts(svg).findall("{http://www.w3.org/2000/svg}rect")
    ][1:]
    assert sorted(set(heights)) == [0.0, 60.0, 120.0]
    assert drawing(SyntheticTable(domain=Integers(size=5), rows=())) is None


def test_a_synthetic_table_is_drawn_column_by_column():
    schema = Schema.of({"age": (0, 10), "<b>ward": ("north", "south")}, bins=4)
    cells = np.array([[0, 0], [1, 0], [1, 1]], dtype=np.int32)
    table = SyntheticRows(schema, cells)
    svg = drawing(table)
    assert svg is not None
    parts = _parts(svg).findall("{http://www.w3.org/2000/svg}rect")[1:]
    assert len(parts) == sum(schema.cells)
    tall = max(float(one.attrib["height"]) for one in parts)
    assert [float(one.attrib["height"]) / tall for one in parts][:2] == [0.5, 1.0]
    assert "<b>" not in table._repr_html_()
    assert drawing(SyntheticRows(schema, cells[:0])) is None


def test_what_has_no_drawing_has_none():
    assert drawing(ConstantRule(value=True)) is None
    assert drawing("words") is None
