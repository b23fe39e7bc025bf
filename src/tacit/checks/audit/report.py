"""Write an audit down: JSON, or a page with the privacy region that works without a network."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tacit.checks.audit.enumeration import ExactAudit
from tacit.checks.audit.estimates import Estimate
from tacit.core import BadInput

_POINTS = 80
_CAPTION = (
    "A test looks at one output and guesses which of two neighbouring data sets it came from. The "
    "claim allows tests on or above its line; one below it breaks the claim."
)


def region_chart(audits: Sequence[ExactAudit | Estimate]) -> Any:
    """False alarms against misses: what the claim allows, and what was found.

    Every test between two neighbours lies above the claim's line if the claim is true.
    """
    try:
        import altair as alt
    except ImportError:  # pragma: no cover - depends on the installation
        raise BadInput("charts need the plots extra: pip install 'tacit[plots]'") from None
    rows = [
        {"alarms": a, "misses": m, "series": _series(audit)}
        for audit in audits
        for a, m in audit.region
    ]
    rows += [
        {"alarms": a, "misses": m, "series": "seen, not certified"}
        for audit in audits
        if isinstance(audit, Estimate) and len(audit.curve) > 3
        for a, m in audit.curve
    ]
    epsilon = next((a.claimed_epsilon for a in audits if a.claimed_epsilon is not None), None)
    if epsilon is not None:
        delta = max(
            float(a.claimed_delta if isinstance(a, ExactAudit) else a.delta) for a in audits
        )
        rows += [
            {"alarms": a, "misses": allowed(a, float(epsilon), delta), "series": "claim"}
            for a in (i / _POINTS for i in range(_POINTS + 1))
        ]
    return (
        alt.Chart(alt.Data(values=rows), width=420, height=420, title="Privacy region")
        .mark_line(point=True)
        .encode(
            x=alt.X("alarms:Q", title="false alarms"),
            y=alt.Y("misses:Q", title="misses"),
            color=alt.Color("series:N", title=None),
            order="alarms:Q",
        )
    )


def allowed(alarms: float, epsilon: float, delta: float) -> float:
    """The fewest misses that (epsilon, delta) allows a test with so many false alarms."""
    return max(
        0.0,
        1 - delta - math.exp(epsilon) * alarms,
        math.exp(-epsilon) * (1 - delta - alarms),
    )


def _series(audit: ExactAudit | Estimate) -> str:
    return "exact, worst pair" if isinstance(audit, ExactAudit) else "confirmed test"


def write(
    audits: Sequence[ExactAudit | Estimate], path: Path, *, notes: Sequence[str] = ()
) -> None:
    """Write ``.json`` or ``.html``, by the ending of the path."""
    records = [audit.to_dict() for audit in audits]
    match path.suffix.lower():
        case ".json":
            text = json.dumps({"audits": records, "notes": list(notes)}, indent=2) + "\n"
        case ".html":
            text = _page(audits, records, notes)
        case _:
            raise BadInput("an audit is written as .html or .json")
    path.write_text(text, encoding="utf-8")


def _page(
    audits: Sequence[ExactAudit | Estimate], records: list[dict[str, object]], notes: Sequence[str]
) -> str:
    try:
        import vl_convert
    except ImportError:  # pragma: no cover - depends on the installation
        raise BadInput("pages need the plots extra: pip install 'tacit[plots]'") from None
    picture = vl_convert.vegalite_to_svg(region_chart(audits).to_dict())
    tables = "".join(_table(record) for record in records)
    verdict = "".join(
        f"<p>{html.escape(str(audit))}{'. <strong>The claim is broken.</strong>' * audit.violated}"
        "</p>"
        for audit in audits
    )
    remarks = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
    name = html.escape(audits[0].name if audits else "audit")
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'>"
        f"<title>Audit of {name}</title>"
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;"
        "padding:0 1rem}td,th{border:1px solid #d8d8de;padding:.3rem .6rem;text-align:left}"
        "table{border-collapse:collapse;margin:1rem 0}</style>"
        f"<h1>Audit of {name}</h1>{verdict}{remarks}{tables}{picture}<p>{_CAPTION}</p></html>\n"
    )


def _table(record: dict[str, object]) -> str:
    rows = "".join(
        f"<tr><th>{html.escape(name.replace('_', ' '))}</th><td>{html.escape(str(value))}</td></tr>"
        for name, value in record.items()
        if name not in ("region", "curve")
    )
    return f"<table>{rows}</table>"
