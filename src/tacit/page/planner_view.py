"""The planner to play with: how many records a task needs, as its numbers change."""

from __future__ import annotations

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tacit.cli.classes import public_classes
from tacit.core import TacitError
from tacit.page import planning
from tacit.page.charts import band_chart
from tacit.page.desk import Desk, Form, read_query
from tacit.page.planning import CHOICES, DEFAULTS, Words

WORDS = {
    "epsilon": ("Privacy, epsilon", "Smaller is more private; 1 is usual, 0.1 is strict."),
    "delta": ("Privacy, delta", "0 for the pure promise; else far below one over the records."),
    "alpha": ("Error, alpha", "How wrong the rule may be: 0.1, 10% or 1/10."),
    "beta": ("Chance of missing it, beta", "How often the error may be larger than that."),
    "k": ("Rules at once, k", "How many rules are learned from the same records."),
}
"""What the numbers of a plan are called, and how to choose them."""

CHOICE_WORDS = {
    "relation": "What one person can change",
    "setting": "Is some rule of the class perfect?",
    "output": "May the rule lie outside the class?",
    "goal": "What is released",
    "marginal": "How the records are spread",
    "rows": "Rows of one person",
}
VALUE_WORDS = {
    "replace-one": "a whole record (replace-one)",
    "add-remove": "whether a record is there (add-remove)",
    "label": "a label only (label)",
    "agnostic": "no, not necessarily (agnostic)",
    "realizable": "yes (realizable)",
    "learn": "a rule (learn)",
    "sanitize": "a synthetic column (sanitize)",
    "output.any": "either will do (any)",
    "marginal.any": "in any way (any)",
    "rows.any": "may be alike (any)",
    "proper": "no (proper)",
    "improper": "yes (improper)",
    "uniform": "uniformly",
    "independent": "are drawn independently",
}


def words_of(desk: Desk, form: Form) -> Words:
    """The fields that decide a plan, with the state of the files that they name."""
    known = {
        name: word for name, word in form.items() if name in DEFAULTS or name in ("n", "along")
    }
    for one in planning.wanted(form.get("class") or DEFAULTS["class"]):
        word = form.get(f"o.{one.name}", one.start if "class" not in form else "")
        if word:
            known[f"o.{one.name}"] = word
            if one.file:
                state = desk.files.file(word, kinds=one.file).stat()
                known[f"state.{one.name}"] = f"{state.st_mtime_ns} {state.st_size}"
    return tuple(sorted(known.items()))


def _root(desk: Desk) -> str | None:
    return None if desk.folder is None else str(desk.folder.root)


async def plan(desk: Desk, request: Request) -> Response:
    """The form with the answer to what it says."""
    form = read_query(request)
    chosen = form.get("class") or DEFAULTS["class"]
    fields = planning.wanted(chosen)
    starting = not any(form.get(f"o.{one.name}") for one in fields)
    if starting:  # a class that was just chosen starts with numbers that work
        form |= {f"o.{one.name}": one.start for one in fields}
    listed = {
        one.name: desk.folder.listing(one.file) if desk.folder else [] for one in fields if one.file
    }
    found = await _found(desk, form)
    longer = None
    if form.get("full") and not isinstance(found, str):
        longer = await desk.computed(planning.more, words_of(desk, form), _root(desk))
    return desk.page(
        "plan.html",
        here="plan",
        title="Plan",
        form=DEFAULTS | form,
        classes=list(public_classes()),
        fields=fields,
        listed=listed,
        numbers=WORDS,
        choices=CHOICES,
        choice_words=CHOICE_WORDS,
        value_words=VALUE_WORDS,
        found=found,
        more=longer,
        chart=_chart(longer),
    )


def _chart(found: planning.More | None) -> Markup | None:
    if found is None or not found.bands:
        return None
    return band_chart(found.bands, axis=found.axis, at=found.at)


async def _found(desk: Desk, form: Form) -> planning.Answer | str:
    try:
        return await desk.computed(planning.answer, words_of(desk, form), _root(desk))
    except TacitError as refused:
        return str(refused)


async def answer(desk: Desk, request: Request) -> Response:
    """Only the answer, for a form that changes as it is typed in."""
    form = read_query(request)
    return desk.page("plan_answer.html", found=await _found(desk, form))


async def more(desk: Desk, request: Request) -> Response:
    """The explanation and the chart, which take several plans."""
    found = await desk.computed(planning.more, words_of(desk, read_query(request)), _root(desk))
    return desk.page("plan_more.html", more=found, chart=_chart(found))
