"""The dimensions of the named classes at small sizes, side by side.

``python -m tacit.theory.dimensions.compared > docs/dimensions.md`` writes the documentation page:
no number on it is typed. Every cell is a proved value or a proved interval, and the theorems
that relate the columns are checked on every row before anything is printed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.bounds.lower.communication import message_bits
from tacit.theory.dimensions.communication_complexity import communication
from tacit.theory.dimensions.doubling_dimension import doubling
from tacit.theory.dimensions.littlestone_dimension import littlestone
from tacit.theory.dimensions.measured import Measured
from tacit.theory.dimensions.named import FORMULAS, Matrix
from tacit.theory.dimensions.representation_dimension import representation
from tacit.theory.dimensions.vc_dimension import vc

INSTANCES: tuple[tuple[str, int], ...] = (
    ("points", 4),
    ("points", 8),
    ("thresholds", 3),
    ("thresholds", 7),
    ("intervals", 3),
    ("intervals", 4),
    ("boxes", 2),
    ("boxes", 3),
    ("halfspaces", 2),
    ("halfspaces", 3),
    ("balls", 3),
    ("lines", 2),
    ("lines", 3),
    ("parities", 2),
    ("parities", 3),
    ("conjunctions", 2),
    ("conjunctions", 3),
    ("one_way_sequences", 2),
    ("one_way_sequences", 3),
)
THIRD, QUARTER, SEVEN_SIXTEENTHS = Fraction(1, 3), Fraction(1, 4), Fraction(7, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One class and everything that was found about it."""

    title: str
    concepts: int
    points: int
    found: dict[str, Measured]

    def broken(self) -> list[str]:
        """The theorems that the intervals contradict: none, unless something is wrong."""
        f = self.found
        size = f["Ldim"]
        chains = {
            "VC <= Ldim": f["VC"].lower <= size.upper,
            "Ldim <= log2|C|": size.lower <= math.log2(self.concepts),
            "PRDim <= DRDim at 1/3": f["PRDim(1/3,1/3)"].least <= f["DRDim(1/3)"].most,
            "PRDim <= DRDim at 1/4": f["PRDim(1/4,1/4)"].least <= f["DRDim(1/4)"].most,
            "DRDim falls with alpha": f["DRDim(1/3)"].least <= f["DRDim(1/4)"].most,
            "DRDim <= log2|C|": f["DRDim(1/4)"].least <= self.concepts,
            "public <= private": f["Rpub(1/3)"].least <= f["Rpriv(1/3)"].most,
            "private <= DRDim (Theorem 8)": f["Rpriv(1/3)"].least <= _bits(f["DRDim(1/3)"].most),
            "public <= PRDim (Theorem 7)": f["Rpub(7/16)"].least <= _bits(f["PRDim(1/4,1/4)"].most),
            "Ldim <= public (Corollary 11)": self.needed(THIRD) <= f["Rpub(1/3)"].most,
            "the same at 7/16": self.needed(SEVEN_SIXTEENTHS) <= f["Rpub(7/16)"].most,
        }
        return [name for name, holds in chains.items() if not holds]

    def needed(self, error: Fraction) -> int:
        """Bits that the Littlestone dimension forces on every protocol (Corollary 11)."""
        return message_bits(littlestone=self.found["Ldim"].least, error=error)


def _bits(size: int) -> int:
    return (size - 1).bit_length()


def _searches(limit: float) -> dict[str, Callable[[Matrix], Measured]]:
    t: dict[str, Any] = {"time_limit": limit}
    return {
        "VC": lambda m: vc(m, **t),
        "Ldim": lambda m: littlestone(m, **t),
        "DRDim(1/3)": lambda m: representation(m, alpha=THIRD, **t),
        "PRDim(1/3,1/3)": lambda m: representation(m, alpha=THIRD, beta=THIRD, **t),
        "Rpub(1/3)": lambda m: communication(m, error=THIRD, **t),
        "Rpriv(1/3)": lambda m: communication(m, error=THIRD, coins="private", **t),
        "DRDim(1/4)": lambda m: representation(m, alpha=QUARTER, **t),
        "PRDim(1/4,1/4)": lambda m: representation(m, alpha=QUARTER, beta=QUARTER, **t),
        "Rpub(7/16)": lambda m: communication(m, error=SEVEN_SIXTEENTHS, **t),
        "doubling": lambda m: doubling(m, **t),
    }


def rows(*, time_limit: float, instances: tuple[tuple[str, int], ...] = INSTANCES) -> Iterator[Row]:
    """Compute the table, one class after another; stop if a theorem is contradicted."""
    searches = _searches(time_limit)
    for family, size in instances:
        matrix = FORMULAS[family].table(size)
        row = Row(
            title=f"{FORMULAS[family].title}, {size}",
            concepts=matrix.shape[0],
            points=matrix.shape[1],
            found={name: search(matrix) for name, search in searches.items()},
        )
        broken = row.broken()
        assert not broken, f"{row.title}: {broken}"
        yield row


def _cell(found: Measured) -> str:
    if found.logarithmic:
        low, high = f"{found.lower:.2f}", f"{found.upper:.2f}"
        sizes = f"{found.least}" if found.decided else f"{found.least}..{found.most}"
        return f"{low} ({sizes})" if found.decided else f"{low} to {high} ({sizes})"
    return str(found.least) if found.decided else f"{found.least} to {found.most}"


def _sheet(headings: list[str], lines: list[list[str]]) -> str:
    marks = ["---"] + ["--:"] * (len(headings) - 1)
    return "\n".join("| " + " | ".join(line) + " |" for line in [headings, marks, *lines])


def page(*, time_limit: float, instances: tuple[tuple[str, int], ...] = INSTANCES) -> str:
    """The documentation page, in Markdown."""
    found = list(rows(time_limit=time_limit, instances=instances))
    first = ["VC", "Ldim", "DRDim(1/3)", "PRDim(1/3,1/3)", "Rpub(1/3)", "Rpriv(1/3)", "doubling"]
    second = ["DRDim(1/4)", "PRDim(1/4,1/4)", "Rpub(7/16)"]
    one = _sheet(
        ["class", "concepts", "points", "log2 C", *first],
        [
            [
                row.title,
                str(row.concepts),
                str(row.points),
                f"{math.log2(row.concepts):.2f}",
                *(_cell(row.found[name]) for name in first),
            ]
            for row in found
        ],
    )
    two = _sheet(
        ["class", *second, "bits needed at 1/3 by Ldim"],
        [
            [
                row.title,
                *(_cell(row.found[name]) for name in second),
                str(row.needed(THIRD)),
            ]
            for row in found
        ],
    )
    return _PAGE.format(limit=f"{time_limit:g}", one=one, two=two)


_PAGE = """# Dimensions of named classes

What decides whether, and how cheaply, a class can be learned privately, computed for small
members of each family. Every number is a value with a witness, or an interval both ends
of which are proved ("3 to 5"); the searches had {limit} seconds for each cell. The page is
written by `python -m tacit.theory.dimensions.compared`, which refuses to print a row that
contradicts one of the theorems below.

* **VC**, **Ldim**: VC and Littlestone dimension.
* **DRDim(a)**: log2 of the fewest hypotheses that represent the class to within error `a`
  (their number in brackets). **PRDim(a,b)**: the same for a random set that may fail with
  probability `b`.
* **Rpub(e)**, **Rpriv(e)**: bits of the best one-way protocol that evaluates a concept with
  error `e`, with public or private coins.
* **doubling**: doubling dimension under the uniform law (half balls in brackets).

Sizes: points and thresholds are given by the number of points (thresholds include the
constant 0), intervals too; boxes, halfplanes and discs by the side of a square grid; lines by
`p`; parities and conjunctions by the number of variables; one-way sequences by the depth of
the tree.

## At error 1/3

{one}

## At error 1/4, and what it implies at 7/16

A random representation with error 1/4 and failure 1/4 gives a protocol of error 7/16 =
1/4 + 1/4 - 1/16.

{two}

## What to see in it

* `VC <= Ldim <= log2 C` and `PRDim <= DRDim <= log2 C`, in every row.
* `Rpub <= Rpriv <= ceil(DRDim)` at equal error (FX14 Theorem 8), and
  `Rpub(7/16) <= ceil(PRDim(1/4,1/4))` (FX14 Theorem 7 with its error corrected).
* `(1 - H2(e)) Ldim <= Rpub(e)` (FX14 Corollary 11).
* `Ldim <= DRDim` is **false**: thresholds on 7 points have Littlestone dimension 3, but 6
  hypotheses represent them to within 1/3, and log2 6 is 2.58.
* Points: 1 bit is enough with public coins, but not with private ones; random representations
  are smaller than fixed ones.
* Boxes on a grid of side 3 have VC dimension 4, not 3 (FX14 section 4.1 prints `d + 1`).

`tacit dims class.csv --all --save proof.json` computes the same for any table of 0 and 1, and
`tacit dims --verify proof.json class.csv` checks the witnesses without searching.
"""


if __name__ == "__main__":
    sys.stdout.write(page(time_limit=float(sys.argv[1]) if sys.argv[1:] else 10.0))
