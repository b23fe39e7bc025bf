"""A plan in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tacit.core import ALGORITHMS, BadInput, Claim, Relation, Task
from tacit.core.concept import Averaged, ComparedWith
from tacit.core.numbers import grouped, show
from tacit.core.task_fields import BALANCED
from tacit.planner.plans import Option, Plan, Rejected

_DELTA = Fraction(1, 10**6)  # the delta that is tried where none was granted
FOLLOWS = (
    "with more epsilon a draw follows its records more closely, and less is proved of new ones"
)
"""Why a smaller epsilon may be promised a smaller error."""


def explain(plan: Plan) -> str:
    """What dominates, how far from the least possible, what would be cheaper, who was rejected."""
    lines = [f"Task: {plan.task.describe()}."]
    lines += [_best(plan.best, plan.task)] if plan.best else _no_algorithm(plan)
    lines += [*_unit(plan.task), *_to_run(plan), *_gentler(plan)]
    lines += [*_rarer(plan), *_suggested(plan)]
    lines += _gap(plan)
    lines += _relaxations(plan)
    lines += rejections(plan.rejected)
    return "\n".join(lines)


def summary(plan: Plan, *, n: int | None = None) -> str:
    """Two lines: records that suffice and by what, and records that no algorithm can avoid.

    Where some algorithm has no theorem, what its release will say, with ``n`` records.
    """
    task, measured = plan.task, without_theorem(plan, n=n)
    if plan.best is None and measured is not None:
        return measured
    if plan.best is None:
        first = "No algorithm of this package does this task; --verbose says why each does not."
    else:
        first = (
            f"{_suffice(plan.best.n, task)} for an error of "
            f"{show(task.accuracy.alpha)}"
            + kind_of_error(task)
            + f" with probability {show(1 - task.accuracy.beta)} ({plan.best.name})"
        )
        if not plan.best.runs and plan.runnable is not None:
            first += (
                ", which no computer can run at this size; to run here, "
                f"{grouped(plan.runnable.n)} ({plan.runnable.name})"
            )
        first += "." + _rows_used(task, plan.runnable or plan.best)
        if plan.runnable is None:
            first += " " + _no_computer(plan.best, task)
    others = _relaxations(plan) if plan.best is None else []
    beside = [] if measured is None else [measured]
    if plan.best is not None:
        others = _aside(task, n)
    if n is None:
        beside = [*_gentler(plan), *beside]
    unit = [] if plan.best is None else _unit(task)
    return "\n".join(
        [first, *unit, *beside, *_rarer(plan), *_suggested(plan), *_gap(plan), *others]
    )


def _aside(task: Task, n: int | None) -> list[str]:
    """Which part of epsilon counts mistakes, so that a rule is planned with the rest."""
    private = not task.privacy.relation.size_is_public
    sized = private or n is not None
    left = (task if private or n is None else task.at(n)).drawn.privacy.epsilon
    part = task.privacy.epsilon - left
    if not part:
        return []
    most = "" if sized or task.aside is not None else "up to "
    beside = "mistakes and how well the declaration fits"
    if private:
        beside = "mistakes and right answers, and the records of each label"
        if task.costs is not None:
            beside = "mistakes on each label, from which no rate is proved (leave out the costs)"
    return [
        f"Of epsilon = {show(task.privacy.epsilon)}, {most}{float(part):.3g} counts the rule's "
        f"{beside}; the rule is planned with the rest (error_share)."
    ]


def without_theorem(plan: Plan, *, n: int | None = None) -> str | None:
    """What releases will say of their own error where an algorithm has no theorem."""
    task, known = plan.task, {option.name for option in plan.options}
    said = (
        entry.certify.without_theorem(task, n=n)
        for entry in ALGORITHMS
        if entry.name not in known and entry.why_not(task) is None
    )
    return next((words for words in said if words is not None), None)


def _where(claim: Claim) -> str:
    return "proved in Tacit" if claim.paper == "own" else claim.cite


def kind_of_error(task: Task) -> str:
    """What an error is counted from, in words that follow its number."""
    if task.goal == "sanitize":
        return " in every answer"
    family = task.concept_class
    best = family.comparator if isinstance(family, ComparedWith) else "the best of the class"
    unit = " times the greatest cost" if task.costs is not None or task.label_costs else ""
    above = unit + (f" above {best}" if task.setting == "agnostic" else "")
    return f"{above} {family.averaged}" if isinstance(family, Averaged) else above


def _unit(task: Task) -> list[str]:
    """What an error is where mistakes have costs: Theorem 3 of ``costs.proof.md``."""
    one = _things(task)[:-1]
    mean = f"With costs an error is what a rule's mistakes cost a {one} on average"
    if task.label_costs:
        return [f"{mean}, divided by the greatest cost of its label."]
    if task.costs == BALANCED:
        rare = "rarer" if task.answers == 2 else "rarest"
        return [f"{mean}; a mistake on the {rare} label costs most, and counts 1."]
    if not isinstance(task.costs, tuple):
        return []
    told = [cost for _, cost in task.costs]
    most = max(told if len(told) == task.answers else [1, *told])  # labels not named cost 1
    asked = show(task.accuracy.alpha)
    return [
        f"{mean}, divided by the greatest cost, {most}: an error of {asked} is a cost of "
        f"{show(task.accuracy.alpha * most)} a {one}."
    ]


def _things(task: Task) -> str:
    """What a plan counts."""
    return "records" if task.privacy.unit is None else "persons"


def _suffice(n: int, task: Task) -> str:
    """That so many suffice: a subject and its verb."""
    return f"1 {_things(task)[:-1]} suffices" if n == 1 else f"{grouped(n)} {_things(task)} suffice"


def _rows_used(task: Task, option: Option) -> str:
    """How many rows of each person the number is about, where more than one are allowed."""
    most, used = task.privacy.rows_per_unit, option.bound.choices.get("rows")
    if most == 1 or used is None:
        return ""
    if used == 1:
        return f" One row of each person is used, though up to {most} are allowed."
    return f" Up to {used} rows of each person are used."


def _best(best: Option, task: Task) -> str:
    sentence = f"{_suffice(best.n, task)}, by {best.name} ({_where(best.claim)})."
    sentence += _rows_used(task, best)
    if best.bound.printed is not None:
        sentence += f" The paper's own constants give {best.bound.printed}."
    if best.terms:
        name, part = max(best.terms.items(), key=lambda term: term[1])
        whole = sum(best.terms.values())
        share = f" ({part / whole:.0%} of it)" if whole > 0 else ""
        sentence += f" What costs most is: {name}{share}."
    return sentence


def _to_run(plan: Plan) -> list[str]:
    if plan.best is None or plan.best.runs:
        return []
    if plan.runnable is None:
        return [_no_computer(plan.best, plan.task)]
    option = plan.runnable
    return [
        f"No computer can run that at this size; to run, {option.name} needs {grouped(option.n)}."
    ]


def _no_computer(best: Option, task: Task) -> str:
    reason = best.algorithm.too_large(best.algorithm.part(task))
    because = f": it {reason}" if reason else ""
    return f"That is a statement about records; no computer can run it at this size{because}."


def _no_algorithm(plan: Plan) -> list[str]:
    if not plan.rejected:
        return ["No algorithm is registered."]
    return ["No algorithm applies to this task; each says why below."]


def _rarer(plan: Plan) -> list[str]:
    """What is needed of the rarest label, where all count alike."""
    fewest = None if plan.best is None else plan.best.bound.choices.get("rarer")
    if fewest is None:
        return []
    every, rare = ("Both", "rarer") if plan.task.answers == 2 else ("All", "rarest")
    return [
        f"{every} labels count alike, so the {_things(plan.task)} of the {rare} one decide: with "
        f"fewer than {fewest} of them no rule is promised to do better than one label for "
        "everybody."
    ]


def _suggested(plan: Plan) -> list[str]:
    """What suffices against rules that public records suggest, where there are any."""
    few = None if plan.best is None else plan.best.bound.choices.get("suggested")
    if few is None:
        return []
    return [
        "That holds whatever the public records say. To err at most so much more than the best "
        f"rule that they suggest, {_suffice(few, plan.task)}."
    ]


def _gap(plan: Plan) -> list[str]:
    if not plan.lower_bounds:
        return ["No lower bound is known for this task."]
    needed = plan.lower_bounds[0]
    if needed.bound.impossible:
        return [
            f"No number of records suffices ({needed.name}, {_where(needed.claim)}): restrict the "
            "features' distribution (marginal=...), protect labels only, use a finite domain, or "
            "allow a delta above 0."
        ]
    least = grouped(needed.n)
    line = f"No algorithm can do with fewer than {least} ({needed.name}, {_where(needed.claim)})"
    if plan.gap is not None:
        line += f"; the gap is a factor {plan.gap:.2f}"
    return [line + "."]


def _gentler(plan: Plan) -> list[str]:
    """With which smaller epsilon fewer suffice, where that is so."""
    from tacit.planner.planning import plan as planner

    few = None if plan.runnable is None else planner.fewest(plan.task)
    if few is None or few[0] == plan.task.privacy.epsilon:
        return []
    return [f"To run with epsilon = {show(few[0])}, {_suffice(few[1], plan.task)}: {FOLLOWS}."]


def _relaxations(plan: Plan) -> list[str]:
    # Re-planning is cheap, so each suggestion is a computed fact.
    from tacit.planner.planning import plan as replan

    found = []
    for words, relaxed in _relaxed(plan.task):
        best = replan(relaxed).best
        if best is None:
            continue
        if plan.best is None:
            things = _things(plan.task)
            found.append(f"With {words}, {grouped(best.n)} {things} would do ({best.name}).")
        elif best.n < plan.best.n:
            saved = plan.best.n - best.n
            found.append(
                f"With {words}, {grouped(best.n)} would do: {grouped(saved)} fewer ({best.name})."
            )
    return found


def _relaxed(task: Task) -> list[tuple[str, Task]]:
    changes: list[tuple[str, dict[str, object]]] = []
    if task.k > 1 and task.goal == "learn":
        changes.append(_one_by_one(task))
    if task.output != "any":
        changes.append(("any kind of answer", {"output": "any"}))
    if task.privacy.delta == 0:
        changes.append((f"delta = {show(_DELTA)}", {"delta": _DELTA}))
    if task.privacy.relation is not Relation.LABEL:
        changes.append(("privacy for labels only", {"relation": Relation.LABEL}))
    if task.setting == "agnostic":
        changes.append(("a concept that makes no error", {"setting": "realizable"}))
    if task.marginal == "any":
        changes.append(("uniformly distributed records", {"marginal": "uniform"}))
    changes.append(
        (f"epsilon = {show(2 * task.privacy.epsilon)}", {"epsilon": 2 * task.privacy.epsilon})
    )
    if 2 * task.accuracy.alpha < 1:
        changes.append(
            (f"alpha = {show(2 * task.accuracy.alpha)}", {"alpha": 2 * task.accuracy.alpha})
        )
    found = []
    for words, change in changes:
        try:
            found.append((words, task.with_(**change)))
        except BadInput:
            continue
    return found


def _one_by_one(task: Task) -> tuple[str, dict[str, object]]:
    """As many releases as tasks: budgets add up, and so do the chances of a failure."""
    privacy, many = task.privacy, task.k
    shared = "epsilon, delta and beta" if privacy.delta else "epsilon and beta"
    change = {
        "k": 1,
        "epsilon": privacy.epsilon / many,
        "delta": privacy.delta / many,
        "beta": task.accuracy.beta / many,
    }
    return f"{many} releases, one task each with 1/{many} of {shared}", change


def rejections(rejected: Sequence[Rejected]) -> list[str]:
    """A sentence for each reason why algorithms are not used: many share one."""
    reasons: dict[str, list[str]] = {}
    for entry in rejected:
        reasons.setdefault(entry.reason, []).append(entry.name)
    return [f"Not used: {', '.join(names)} ({reason})." for reason, names in reasons.items()]
