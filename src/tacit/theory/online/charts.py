"""The curves of the one-way game as a picture. Altair is an extra and is imported when needed."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.core import BadInput
from tacit.theory.online.one_way_game import Curve

_MOST_MARKS = 200


def chart(curves: Sequence[Curve]) -> object:
    """Draw mistakes against rounds, a line a learner; its dashes tell the order of the game."""
    try:
        import altair
    except ImportError:  # pragma: no cover - depends on the installation
        raise BadInput("charts need the plots extra: pip install 'tacit[plots]'") from None
    if not curves:
        raise BadInput("there is no game to draw")
    rows = [row for curve in curves for row in _rows(curve)]
    return (
        altair.Chart(altair.Data(values=rows))
        .mark_line()
        .encode(
            x=altair.X("round:Q", title="round"),
            y=altair.Y("mistakes:Q", title="mistakes", scale=altair.Scale(type="symlog")),
            color=altair.Color("learner:N", title="learner", sort=None),
            strokeDash=altair.StrokeDash("order:N", title="order"),
            tooltip=[altair.Tooltip(f"{name}:N") for name in rows[0]],
        )
        .properties(width=560, height=320, title="One-way sequences, played online")
    )


def _rows(curve: Curve) -> list[dict[str, object]]:
    mistakes = curve.mistakes.tolist()
    step = max(1, len(mistakes) // _MOST_MARKS)
    marks = sorted({*range(0, len(mistakes), step), len(mistakes) - 1})
    return [
        {"learner": curve.name, "order": curve.order, "round": t + 1, "mistakes": mistakes[t]}
        for t in marks
        if t >= 0
    ]
