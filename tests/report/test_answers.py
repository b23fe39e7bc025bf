"""Tests of ``tacit.report.answers``."""

import numpy as np
import pytest

from tacit.classes import Parities, Points, Table, Thresholds
from tacit.core import BadInput
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.report.answers import answers, answers_chart, asked_of, save_chart


@pytest.mark.parametrize(
    "concepts",
    [
        Points(size=8),
        Thresholds(size=8),
        Thresholds(size=8, orientation="<="),
        Thresholds(bits=64),
        Parities(bits=3),
        Table(np.eye(8)),
    ],
    ids=lambda c: c.describe()[:14],
)
def test_charts_of_every_class(concepts, tmp_path):
    table = SyntheticTable.of(concepts.domain, [1, 1, 6], column="age")
    released = answers(table, concepts)
    assert list(released) == asked_of(table, concepts)
    for query, answer in list(released.items())[:20]:
        rule = concepts.hypothesis(query)
        assert answer == pytest.approx(np.mean(rule.predict(np.array([1, 1, 6]))))
    chart = answers_chart(table, concepts, truth=[1, 2, 3])
    kinds = {row["series"] for row in chart.to_dict()["data"]["values"]}
    assert kinds == {"released", "exact (not private)"}
    save_chart(chart, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    with pytest.raises(BadInput, match=r"\.html"):
        save_chart(chart, tmp_path / "a.gif")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
