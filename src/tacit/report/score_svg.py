"""A scoring rule as an SVG drawing: a card to fill in by hand."""

from __future__ import annotations

from html import escape
from textwrap import wrap

from tacit.core import PLAIN, Labels
from tacit.problems.tables.banded_scores import BandedScoreRule
from tacit.problems.tables.scores import ScoreRule

_WIDE, _LINE = 460, 24
_LETTERS, _LEGEND_LINE, _LEGEND_LETTERS = 56, 16, 72


def score_svg(rule: ScoreRule | BandedScoreRule, *, labels: Labels = PLAIN) -> str:
    """One line per column with its points, then what the total decides."""
    points = [
        f"{weight:+d} x level of {rule.schema.told[column]} (0 to {rule.top})"
        for column, weight in zip(rule.columns, rule.weights, strict=True)
    ]
    said = (*(("Add up",) if points else ()), *points, *_verdicts(rule, labels))
    lines = [part for line in said for part in wrap(line, _LETTERS)]
    # A level stays on one line with what it stands for.
    gap = "\N{NO-BREAK SPACE}"
    told = rule.legend() if isinstance(rule, ScoreRule) else rule.card.legend()
    glued = (line.replace(" ", gap).replace(f",{gap}", ", ") for line in told)
    legend = [part for line in glued for part in wrap(line, _LEGEND_LETTERS)]
    below = _LINE * len(lines) + 24
    height = below + _LEGEND_LINE * len(legend)
    rows = "\n".join(
        f'<text x="20" y="{28 + _LINE * place}" fill="#111827">{escape(line)}</text>'
        for place, line in enumerate(lines)
    )
    rows += "".join(
        f'\n<text x="20" y="{below + _LEGEND_LINE * place}" fill="#374151" font-size="11">'
        f"{escape(line)}</text>"
        for place, line in enumerate(legend)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {height}" '
        f'width="{_WIDE}" height="{height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="14">\n'
        f"<title>{escape(rule.describe(labels=labels))}</title>\n"
        f'<rect x="1" y="1" width="{_WIDE - 2}" height="{height - 2}" rx="6" fill="#ffffff" '
        f'stroke="#374151"/>\n{rows}\n</svg>\n'
    )


def _verdicts(rule: ScoreRule | BandedScoreRule, labels: Labels) -> list[str]:
    """What the total decides, a line each."""
    if isinstance(rule, ScoreRule):
        return [f"total at least {rule.threshold}: {labels[1]}, otherwise: {labels[0]}"]
    told = rule.told(labels)
    return [f"{words}: {told[label]}" for words, label in rule.bands()]
