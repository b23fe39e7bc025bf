"""The pictures of the explorables."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from tacit.page.charts import Scale, dotted, label, svg
from tacit.page.teaching import Game, Region, Traced, Weights

_WIDE, _HIGH = 480, 300


def tree_picture(game: Game) -> Markup:
    """The mistake tree, with the way of the game so far; right means that the label was 1."""
    way = [0]
    for one in game.rounds:
        way.append(2 * way[-1] + 1 + one.label)
    step = (_HIGH - 60) / game.depth
    nodes, edges = [], []
    for level in range(game.depth + 1):
        for place in range(1 << level):
            node = (1 << level) - 1 + place
            x, y = (2 * place + 1) * _WIDE / (2 << level), 30 + level * step
            on = node in way
            if level:
                parent = (node - 1) // 2
                up = (place // 2 * 2 + 1) * _WIDE / (1 << level)
                mark = " on" if on and parent in way else ""
                edges.append(
                    f'<line class="edge{mark}" x1="{up:.1f}" y1="{y - step:.1f}" x2="{x:.1f}" '
                    f'y2="{y:.1f}"/>'
                )
                if level <= 3:
                    edges.append(label((x + up) / 2, y - step / 2 + 4, str(place & 1)))
            small = level == game.depth
            nodes.append(
                f'<circle class="node{" on" if on else ""}" cx="{x:.1f}" cy="{y:.1f}" '
                f'r="{5 if small else 14}"/>'
            )
            if not small:
                nodes.append(label(x, y + 4.5, f"x{game.points[node]}"))
    told = "; ".join(
        f"x{one.point}: predicted {one.predicted}, told {one.label}" for one in game.rounds
    )
    words = told or "nothing was asked yet"
    return svg([*edges, *nodes], title=f"Mistake tree of {game.title}", words=words)


def weight_picture(found: Weights) -> Markup:
    """The chance of every rule before and after one record changes, as pairs of bars."""
    top = max(max(one.chance, one.changed) for one in found.weights)
    y = Scale(0, top, _HIGH - 44, 16, log=False)
    wide = (_WIDE - 40) / len(found.weights)
    body = []
    for place, one in enumerate(found.weights):
        x = 30 + place * wide
        for shift, chance, kind in ((0.08, one.chance, ""), (0.5, one.changed, " bad")):
            high = y(0) - y(chance)
            body.append(
                f'<rect class="bar{kind}" x="{x + shift * wide:.1f}" y="{y(chance):.1f}" '
                f'width="{0.38 * wide:.1f}" height="{max(high, 0.5):.1f}"/>'
            )
        body.append(label(x + wide / 2, _HIGH - 26, str(one.cut)))
    body.append(label(_WIDE / 2, _HIGH - 6, "the rule: sick if age is at least ..."))
    words = "; ".join(
        f"at least {one.cut}: {one.mistakes} mistakes, chance {one.chance:.3f}, "
        f"after the change {one.changed:.3f}"
        for one in found.weights
    )
    return svg(body, title=f"Chances at epsilon {found.epsilon}", words=words)


def region_picture(found: Region) -> Markup:
    """False alarms to the right, misses upwards; the dashed line is what the claim allows."""
    x, y = Scale(0, 1, 60, _HIGH + 20, log=False), Scale(0, 1, _HIGH - 20, 36, log=False)
    body = []
    for share in (0.0, 0.5, 1.0):
        body.append(f'<line class="grid" x1="{x(0)}" x2="{x(1)}" y1="{y(share)}" y2="{y(share)}"/>')
        body.append(label(x(0) - 8, y(share) + 5, f"{share:g}", anchor="end"))
        body.append(label(x(share), y(0) + 18, f"{share:g}"))
    line = [(x(a), y(b)) for a, b in found.allowed]
    seen = [(x(a), y(b)) for a, b in sorted(found.found)]
    body.append(f'<polyline class="upper" points="{dotted(seen)}"/>')
    body.append(f'<polyline class="lower" points="{dotted(line)}"/>')
    body.append(label((x(0) + x(1)) / 2, _HIGH + 18, "false alarms"))
    body.append(label(x(0) - 30, 16, "misses", anchor="start"))
    words = (
        f"claimed epsilon {found.claimed} and delta {found.delta}; exact epsilon {found.exact}; "
        f"{len(found.found)} corners, which the table below lists"
    )
    return svg(body, title=f"Privacy region of {found.name}", words=words, high=_HIGH + 26)


def accused_picture(found: Sequence[Traced]) -> Markup:
    """In how many runs each record was accused, by learner."""
    body, words, y = [], [], 30.0
    for one in found:
        body.append(label(16, y, f"Learner: {one.learner}", anchor="start", strong=True))
        named = [(f"record {place + 1}", count) for place, count in enumerate(one.accused)]
        for name, count in [*named, ("nobody", one.nobody)]:
            y += 24
            wide = 300 * count / one.runs
            kind = " faint" if name == "nobody" else " bad"
            body.append(label(90, y + 4, name, anchor="end"))
            body.append(
                f'<rect class="bar{kind}" x="98" y="{y - 8:.1f}" width="{max(wide, 1):.1f}" '
                'height="16"/>'
            )
            body.append(label(104 + wide, y + 4, f"{count} of {one.runs}", anchor="start"))
            words.append(f"{one.learner}, {name}: {count} of {one.runs} runs")
        y += 42
    return svg(body, title="Who was accused", words="; ".join(words), high=int(y))
