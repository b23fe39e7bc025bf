"""Draw the error of each marginal of a synthetic table: released numbers, as an SVG picture."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from itertools import combinations

from tacit.core import BadInput
from tacit.core.certificate import Answered
from tacit.core.numbers import show_rounded_up
from tacit.core.printable import one_line
from tacit.problems.marginals.worst_error import budget_of

_CELL, _SIDE, _TOP, _LETTER = 34, 22, 40, 7
_PALE, _DARK = (247, 251, 255), (8, 81, 156)


def shares(found: Answered) -> dict[tuple[str, ...], float]:
    """The noisy error of each marginal as a share of the records, between 0 and 1."""
    return {
        one.columns: min(1.0, max(0.0, one.noisy / max(1, found.records))) for one in found.each
    }


def error_text(found: Answered) -> str:
    """The same as lines of text, the worst first."""
    worst_first = sorted(shares(found).items(), key=lambda item: -item[1])
    lines = ((" x ".join(map(one_line, columns)), share) for columns, share in worst_first)
    return "\n".join(f"{told}: {share:.3f}" for told, share in lines)


def error_svg(found: Answered) -> str:
    """A grid with one square for each pair of columns, darker where the table errs more.

    One-way marginals make a diagonal. Of marginals about three columns or more a square shows the
    worst that has both of its columns. The picture carries every number as text, and says how far
    noise may have moved one.
    """
    known = shares(found)
    if not known:
        raise BadInput("there are no errors to draw: they were not paid for (errors=True)")
    within = Fraction(_reach(found), max(1, found.records))
    names = list(dict.fromkeys(name for columns in known for name in columns))
    told = list(map(one_line, names))  # XML has no form for controls
    left = _SIDE + _LETTER * max(map(len, told))
    below = 12 + _LETTER * max(map(len, told))
    size = _CELL * len(names)
    width, height = left + size + _SIDE, _TOP + size + below
    most = max(max(known.values()), 1e-9)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
        "<title>Error of each marginal, with noise</title>",
        f"<desc>{escape(error_text(found))}</desc>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="{_TOP // 2}" font-size="13">{_heading(known)} (share of records, '
        "with noise)</text>",
        f'<text x="{left}" y="{_TOP - 6}">Noise moves a number by at most '
        f"{show_rounded_up(within, digits=2)}, 19 times of 20.</text>",
    ]
    for (first, last), share in _squares(known).items():
        row, column = names.index(last), names.index(first)
        parts.append(_square(left + column * _CELL, _TOP + row * _CELL, share, share / most))
    for place, name in enumerate(told):
        middle = place * _CELL + _CELL // 2 + 4
        parts.append(
            f'<text x="{left - 6}" y="{_TOP + middle}" text-anchor="end">{escape(name)}</text>'
        )
        x, y = left + middle - 4, _TOP + size + 8
        parts.append(
            f'<text x="{x}" y="{y}" text-anchor="end" transform="rotate(-90 {x} {y})">'
            f"{escape(name)}</text>"
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _reach(found: Answered) -> int:
    """By how many records noise moves the error of one set of columns at most, 19 times of 20.

    All of them together cost as much as the worst one did (``sanitize(errors=True)``).
    """
    each = budget_of(found.cost).share(Fraction(1, len(found.each)))
    return each.margin(Fraction(1, 40))


def _heading(known: dict[tuple[str, ...], float]) -> str:
    least, most = min(map(len, known)), max(map(len, known))
    if most <= 2:
        return "Error of each marginal"
    many = str(most) if least == most else f"{least} to {most}"
    return f"Worst error among marginals of {many} columns that have both"


def _squares(known: dict[tuple[str, ...], float]) -> dict[tuple[str, str], float]:
    """The worst error of all marginals that have both columns; one column is its own pair."""
    worst: dict[tuple[str, str], float] = {}
    for columns, share in known.items():
        pairs = combinations(columns, 2) if len(columns) > 1 else [(columns[0], columns[0])]
        for pair in pairs:
            worst[pair] = max(worst.get(pair, 0.0), share)
    return worst


def _square(x: int, y: int, share: float, dark: float) -> str:
    colour = ",".join(str(round(a + (b - a) * dark)) for a, b in zip(_PALE, _DARK, strict=True))
    ink = "white" if dark > 0.55 else "black"
    return (
        f'<rect x="{x}" y="{y}" width="{_CELL - 1}" height="{_CELL - 1}" fill="rgb({colour})"/>'
        f'<text x="{x + _CELL // 2}" y="{y + _CELL // 2 + 4}" text-anchor="middle" font-size="9" '
        f'fill="{ink}">{share:.3f}</text>'
    )
