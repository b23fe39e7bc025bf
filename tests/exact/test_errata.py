"""What the errata page says can be checked here is checked here."""

from fractions import Fraction as F
from itertools import combinations_with_replacement
from math import inf, log
from pathlib import Path

import numpy as np
import pytest

from tacit import dimensions
from tacit.audit import law
from tacit.checks.attacks.faulty import PrintedPointSampler
from tacit.checks.testing.proofs import ROOT
from tacit.classes import Points
from tacit.core import Sample
from tacit.problems.finite.finite_class import FiniteClassLearner

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errata.md"


def _true_epsilon(size, n, laws):
    records = [(x, y) for x in range(size) for y in (0, 1)]
    found = {data: laws(data) for data in combinations_with_replacement(records, n)}
    worst = 0.0
    for data, chances in found.items():
        for at in range(n):
            for other in records:
                near = found[tuple(sorted((*data[:at], *data[at + 1 :], other)))]
                for p, q in zip(chances, near, strict=True):
                    if p > 1e-12:
                        worst = max(worst, log(p / q) if q > 1e-12 else inf)
    return worst


def _printed(size):
    sampler = PrintedPointSampler(size, F(1))
    return lambda data: [float(p) for p in sampler.law(*zip(*data, strict=True))]


def test_a2_the_printed_point_sampler_sums_to_one_and_is_not_private():
    chances = _printed(4)(((0, 1), (1, 0), (1, 0)))
    assert sum(chances) == pytest.approx(1)
    assert _true_epsilon(4, 3, _printed(4)) == pytest.approx(1.62, abs=0.005)
    assert _true_epsilon(3, 3, _printed(3)) == inf


def test_a2_the_corrected_one_is():
    learner = FiniteClassLearner(concept_class=Points(size=3), epsilon=F(1))

    def laws(data):
        x, y = zip(*data, strict=True)
        found = law(learner, Sample(np.array(x), np.array(y))).masses
        return [float(mass) for _, mass in sorted(found.items(), key=lambda pair: repr(pair[0]))]

    assert _true_epsilon(3, 2, laws) <= 1.000001


@pytest.mark.parametrize(("sides", "vc"), [((2, 2), 2), ((2, 2, 2), 3), ((4, 4), 4)])
def test_f5_boxes_on_grids(sides, vc):
    cells = list(np.ndindex(*sides))
    spans = [[(a, b) for a in range(s) for b in range(a, s)] for s in sides]
    boxes = [[0] * len(cells)]
    for choice in np.ndindex(*[len(span) for span in spans]):
        box = [span[i] for span, i in zip(spans, choice, strict=True)]
        boxes.append(
            [int(all(a <= c <= b for c, (a, b) in zip(cell, box, strict=True))) for cell in cells]
        )
    assert dimensions.vc(boxes).value == vc


def test_every_erratum_has_its_place_check_and_repair():
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    entries = [
        line for line in rows if not line.startswith(("| id", "|---", "| t |")) and "|" in line
    ]
    names = [entry.split("|")[1].strip().removesuffix(" †") for entry in entries]
    assert len(names) == len(set(names)) >= 36
    for entry in entries:
        cells = [cell.strip() for cell in entry.strip("|").split("|")]
        assert len(cells) == 6, entry
        assert all(cells), entry
    assert ROOT.exists()
