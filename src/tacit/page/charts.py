"""Charts as SVG text: every word escaped, a text alternative in each, colours by class.

The stylesheet colours them for light and dark; shapes and dashes tell lines apart without it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from tacit.core.numbers import grouped

_WIDE, _HIGH = 480, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 16, 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Records at one value of a parameter: ``high`` suffice, ``low`` no algorithm can avoid."""

    x: float
    label: str
    high: int | None
    low: int | None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """A logarithmic or a linear axis from ``low`` to ``high``, in pixels."""

    low: float
    high: float
    start: float
    end: float
    log: bool

    def __call__(self, value: float) -> float:
        a, b, at = (
            (math.log(self.low), math.log(self.high), math.log(value))
            if self.log
            else (self.low, self.high, value)
        )
        share = (at - a) / (b - a) if b > a else 0.5
        return round(self.start + share * (self.end - self.start), 1)


def svg(
    body: Iterable[str], *, title: str, words: str, wide: int = _WIDE, high: int = _HIGH
) -> Markup:
    """One picture; a screen reader hears ``title`` and ``words``."""
    text = escape(f"{title}. {words}")
    return Markup(  # noqa: S704 - the parts are escaped where they are made
        f'<svg class="chart" viewBox="0 0 {wide} {high}" role="img" aria-label="{text}">'
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>{''.join(body)}</svg>"
    )


def band_chart(bands: Sequence[Band], *, axis: str, at: float) -> Markup:
    """Records against a parameter: what suffices, what is needed, and the gap between them."""
    counts = [n for one in bands for n in (one.high, one.low) if n]
    x = Scale(bands[0].x, bands[-1].x, _LEFT, _WIDE - _RIGHT, log=True)
    y = Scale(_below(min(counts)), _above(max(counts)), _HIGH - _BOTTOM, _TOP, log=True)
    upper = [(x(one.x), y(one.high)) for one in bands if one.high]
    lower = [(x(one.x), y(one.low)) for one in bands if one.low]
    both = [one for one in bands if one.high and one.low]
    body = [_grid(y), *_ticks(bands, x)]
    if len(both) > 1:
        outline = [(x(one.x), y(one.high or 1)) for one in both]
        outline += [(x(one.x), y(one.low or 1)) for one in reversed(both)]
        body.append(f'<polygon class="gap" points="{dotted(outline)}"/>')
    body.append(f'<polyline class="lower" points="{dotted(lower)}"/>')
    body.append(f'<polyline class="upper" points="{dotted(upper)}"/>')
    body += [f'<circle class="upper dot" cx="{a}" cy="{b}" r="3.5"/>' for a, b in upper]
    body += [f'<circle class="lower dot" cx="{a}" cy="{b}" r="2.5"/>' for a, b in lower]
    body.append(
        f'<line class="here" x1="{x(at)}" x2="{x(at)}" y1="{_TOP}" y2="{_HIGH - _BOTTOM}"/>'
    )
    body.append(label((_LEFT + _WIDE - _RIGHT) / 2, _HIGH - 6, axis))
    words = "; ".join(
        f"at {axis} {one.label}: {_or(one.high)} suffice, {_or(one.low)} are needed"
        for one in bands
    )
    return svg(body, title=f"Records against {axis}", words=words)


def _or(count: int | None) -> str:
    return "no known number" if count is None else grouped(count)


def _below(value: float) -> float:
    return float(10.0 ** math.floor(math.log10(value))) if value >= 1 else value


def _above(value: float) -> float:
    top = 10.0 ** math.ceil(math.log10(value))
    return top if top > value else 10 * top


def _grid(y: Scale) -> str:
    lines = []
    first, last = round(math.log10(y.low)), round(math.log10(y.high))
    step = max(1, (last - first) // 5)
    for power in range(first, last + 1, step):
        at = y(10.0**power)
        lines.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{at}" y2="{at}"/>')
        lines.append(label(_LEFT - 8, at + 5, _power(power), anchor="end"))
    return "".join(lines)


def _power(power: int) -> str:
    return grouped(10**power) if 0 <= power < 6 else f"1e{power}"


def _ticks(bands: Sequence[Band], x: Scale) -> list[str]:
    return [label(x(one.x), _HIGH - _BOTTOM + 20, _brief(one.label, one.x)) for one in bands]


def _brief(word: str, value: float) -> str:
    return word if len(word) <= 6 else f"{value:.2g}"


def label(x: float, y: float, words: str, *, anchor: str = "middle", strong: bool = False) -> str:
    """Words in a picture, escaped."""
    kind = ' class="strong"' if strong else ""
    return f'<text{kind} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def dotted(places: Iterable[tuple[float, float]]) -> str:
    """Places as the points of a line."""
    return " ".join(f"{a},{b}" for a, b in places)


def line_chart(
    points: Sequence[tuple[float, str, float | None]],
    *,
    title: str,
    x_name: str,
    y_name: str,
    at: float,
) -> Markup:
    """One line over a logarithmic axis; a point without a value is left out and said."""
    known = [(x, y) for x, _, y in points if y is not None]
    words = "; ".join(
        f"at {x_name} {name}: {'nothing certain' if y is None else f'{y:.3g} {y_name}'}"
        for _, name, y in points
    )
    if not known:
        return svg([label(_WIDE / 2, _HIGH / 2, "nothing certain")], title=title, words=words)
    x = Scale(points[0][0], points[-1][0], _LEFT, _WIDE - _RIGHT, log=True)
    top = _round_up(max(value for _, value in known))
    y = Scale(0, top, _HIGH - _BOTTOM, _TOP, log=False)
    body = [_levels(y, top)]
    body += [label(x(at_x), _HIGH - _BOTTOM + 20, name) for at_x, name, _ in points]
    places = [(x(a), y(b)) for a, b in known]
    body.append(f'<polyline class="upper" points="{dotted(places)}"/>')
    body += [f'<circle class="upper dot" cx="{a}" cy="{b}" r="3.5"/>' for a, b in places]
    if points[0][0] <= at <= points[-1][0]:
        body.append(
            f'<line class="here" x1="{x(at)}" x2="{x(at)}" y1="{_TOP}" y2="{_HIGH - _BOTTOM}"/>'
        )
    body.append(label((_LEFT + _WIDE - _RIGHT) / 2, _HIGH - 6, x_name))
    return svg(body, title=title, words=words)


def _round_up(value: float) -> float:
    step = 10.0 ** math.floor(math.log10(value)) if value > 0 else 1.0
    return math.ceil(value / step) * step


def _levels(y: Scale, top: float) -> str:
    lines = []
    for quarter in range(5):
        value = top * quarter / 4
        at = y(value)
        lines.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{at}" y2="{at}"/>')
        lines.append(label(_LEFT - 8, at + 5, f"{value:.3g}", anchor="end"))
    return "".join(lines)
