"""Tests of ``tacit.dimensions``."""

import numpy as np
import pytest

from tacit import dimensions

pytestmark = pytest.mark.exact


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
