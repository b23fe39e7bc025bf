"""Drawings of what is released, as SVG without script and style: one place to look them up.

A rule or table that has none is shown in words alone.
"""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from html import escape

import numpy as np

from tacit.core import PLAIN, Labels, NamedRule
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.marginals.table import SyntheticRows
from tacit.problems.reals.real_thresholds import RealThresholdRule
from tacit.problems.tables.banded_scores import BandedScoreRule
from tacit.problems.tables.rated_rule import WithRates
from tacit.problems.tables.scores import ScoreRule
from tacit.problems.tables.trees import TreeRule
from tacit.problems.thresholds.thresholds import ThresholdRule
from tacit.report.score_svg import score_svg
from tacit.report.tree_svg import tree_svg

_WIDE, _LEFT, _BAR = 460, 20, 26
_MOST_BARS, _TALL = 40, 120
_MOST_COLUMNS, _STRIP = 8, 84


@singledispatch
def drawing(released: object, *, labels: Labels = PLAIN, column: str = "x") -> str | None:
    """The drawing of a rule or table; ``None`` if it has none."""
    del released, labels, column
    return None


@drawing.register
def _(released: NamedRule, *, labels: Labels = PLAIN, column: str = "x") -> str | None:
    own = released.label.words if labels == PLAIN else labels
    return drawing(released.rule, labels=own, column=released.column or column)


@drawing.register
def _(released: WithRates, *, labels: Labels = PLAIN, column: str = "x") -> str | None:
    return drawing(released.rule, labels=labels, column=column)  # its words have the numbers


@drawing.register
def _(released: TreeRule, *, labels: Labels = PLAIN, column: str = "x") -> str | None:
    del column
    return tree_svg(released, labels=labels)


@drawing.register(ScoreRule)
@drawing.register(BandedScoreRule)
def _(
    released: ScoreRule | BandedScoreRule, *, labels: Labels = PLAIN, column: str = "x"
) -> str | None:
    del column
    return score_svg(released, labels=labels)


@drawing.register
def _(released: ThresholdRule, *, labels: Labels = PLAIN, column: str = "x") -> str | None:
    words = released.describe(column=column, labels=labels)
    positive = int(released.orientation == ">=")
    above = released.orientation == "<="  # the cut itself belongs to the left side
    share = Fraction(min(released.cut + above, released.domain.size), released.domain.size)
    ends = "0", str(released.cut), str(released.top)
    return _line(labels, positive=positive, share=share, ends=ends, column=column, words=words)


@drawing.register
def _(released: RealThresholdRule, *, labels: Labels = PLAIN, column: str = "x") -> str | None:
    words = released.describe(column=column, labels=labels)
    cut_at = released.cut
    share = Fraction(cut_at) if 0 <= cut_at <= 1 else Fraction(int(cut_at > 1))
    low, high = (f"{released.domain.value(0, at):.6g}" for at in (0.0, 1.0))
    cut = released.domain.border(0, cut_at) if 0 < cut_at <= 1 else (high if share else low)
    return _line(labels, positive=1, share=share, ends=(low, cut, high), column=column, words=words)


@drawing.register
def _(released: SyntheticTable, *, labels: Labels = PLAIN, column: str = "x") -> str | None:
    del labels, column
    if not released.rows:
        return None
    low, high = released.rows[0][0], released.rows[-1][0]
    bars = min(_MOST_BARS, high - low + 1)
    counts = [0] * bars
    for value, count in released.rows:
        counts[(value - low) * bars // (high - low + 1)] += count
    tallest = max(counts)
    body = _bars(counts, top=20, tall=_TALL)
    ends = (_short(str(low + released.low)), _short(str(high + released.low)))
    body += _text(_LEFT, _TALL + 40, ends[0], "start")
    body += _text(_WIDE - _LEFT, _TALL + 40, ends[1], "end")
    return _page(body, high=_TALL + 52, words=f"{released.describe()}, most in a bar: {tallest}")


@drawing.register
def _(released: SyntheticRows, *, labels: Labels = PLAIN, column: str = "x") -> str | None:
    del labels, column
    if not len(released):
        return None
    names = released.schema.names[:_MOST_COLUMNS]
    body = ""
    for place, name in enumerate(names):
        top = 10 + place * _STRIP
        counts = np.bincount(released.cells[:, place], minlength=released.schema.cells[place])
        body += _text(_LEFT, top + 14, _short(name), "start")
        body += _bars(_grouped([int(count) for count in counts]), top=top + 20, tall=_STRIP - 34)
    left = released.schema.width - len(names)
    high = 10 + len(names) * _STRIP + (20 if left else 0)
    body += _text(_LEFT, high - 8, f"and {left} more columns", "start") if left else ""
    words = f"how often each cell of {', '.join(names)} stands in {len(released)} synthetic rows"
    return _page(body, high=high, words=words)


def _grouped(counts: list[int]) -> list[int]:
    """At most so many bars: neighbouring cells are added up."""
    bars = min(_MOST_BARS, len(counts))
    found = [0] * bars
    for place, count in enumerate(counts):
        found[place * bars // len(counts)] += count
    return found


def _bars(counts: list[int], *, top: float, tall: float) -> str:
    tallest, wide = max(counts), (_WIDE - 2 * _LEFT) / len(counts)
    return "".join(
        f'<rect x="{_LEFT + place * wide:.1f}" y="{top + tall * (1 - count / tallest):.1f}" '
        f'width="{max(wide - 1, 0.5):.1f}" height="{tall * count / tallest:.1f}" fill="#1b6ca8"/>'
        for place, count in enumerate(counts)
    )


def _line(
    labels: Labels,
    *,
    positive: int,
    share: Fraction,
    ends: tuple[str, str, str],
    column: str,
    words: str,
) -> str:
    """A column's range as a bar, cut in two; side ``positive`` (0 left, 1 right) is label 1."""
    sides = labels if positive else labels[::-1]
    fills = ("#f3f4f6", "#1b6ca8") if positive else ("#1b6ca8", "#f3f4f6")
    whole = _WIDE - 2 * _LEFT
    cut = _LEFT + float(share) * whole
    body = "".join(
        f'<rect x="{start:.1f}" y="34" width="{end - start:.1f}" height="{_BAR}" fill="{fill}" '
        'stroke="#374151"/>'
        for start, end, fill in ((_LEFT, cut, fills[0]), (cut, _LEFT + whole, fills[1]))
    )
    body += _text(_LEFT, 24, sides[0], "start") + _text(_WIDE - _LEFT, 24, sides[1], "end")
    places = (_LEFT, "start", ends[0]), (_WIDE - _LEFT, "end", ends[2])
    body += "".join(_text(x, 34 + _BAR + 18, _short(mark), anchor) for x, anchor, mark in places)
    near = min(max(cut, _LEFT + 60), _WIDE - _LEFT - 60)
    body += _text(near, 34 + _BAR + 36, f"{_short(column)} = {_short(ends[1])}", "middle")
    return _page(body, high=34 + _BAR + 48, words=words)


def _short(text: str) -> str:
    return text if len(text) <= 24 else f"{text[:10]}...{text[-10:]}"


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#111827">'
        f"{escape(words)}</text>"
    )


def _page(body: str, *, high: int, words: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {high}" width="{_WIDE}" '
        f'height="{high}" role="img" font-family="system-ui, sans-serif" font-size="13">'
        f'<title>{escape(words)}</title><rect width="{_WIDE}" height="{high}" fill="#ffffff"/>'
        f"{body}</svg>\n"
    )
