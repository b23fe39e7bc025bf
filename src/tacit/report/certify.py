"""The certificate of a planned task, made when it is released and anew when it is verified."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.accounting import total
from tacit.bounds.upper import occam
from tacit.bounds.upper.noisy_count import NOISY_COUNT, certified_error
from tacit.core import (
    ALGORITHMS,
    Accuracy,
    Algorithm,
    BadInput,
    CountsMistakes,
    Drawer,
    Event,
    Found,
    Known,
    Measuring,
    Privacy,
    Size,
    Task,
)
from tacit.core.algorithm import SampleBound
from tacit.core.certificate import (
    Asked,
    Certificate,
    Comparator,
    Compared,
    Counted,
    Measured,
    Planned,
    Spent,
)
from tacit.core.mechanism import Mechanism
from tacit.core.numbers import show, whole
from tacit.core.recipe import rebuilds
from tacit.core.task import RECORD
from tacit.mechanisms.calibration import spread
from tacit.planner.persons import for_task
from tacit.problems.tables.best_of import Chosen
from tacit.problems.tables.checked import Checked, CheckedLearner
from tacit.problems.tables.records import OverTable
from tacit.problems.tables.rule_counts import Beside, counted
from tacit.report.class_records import (
    class_from_record,
    class_record,
    marginal_from_record,
    marginal_record,
    public_from_record,
    public_record,
)

KIND = "task"
NEW_RECORDS = "new records"


def asked_of(task: Task) -> Asked:
    """What a task asks for, as a certificate states it."""
    return Asked(
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
        relation=task.privacy.relation,
        beta=task.accuracy.beta,
        alpha=task.accuracy.alpha,
        setting=task.setting if task.goal == "learn" else None,
        marginal=_law(task),
        goal=task.goal,
        k=task.k,
        unit=task.privacy.unit or RECORD,
        rows_per_unit=task.privacy.rows_per_unit,
        rows=task.rows,
        other=task.other,
    )


def _law(task: Task) -> str:
    """What is assumed about the features' law, in words."""
    if task.public is None:
        return str(task.marginal)
    shown = f"{task.public.describe()}, whose values the rule may show"
    return shown if task.marginal == "any" else f"{task.marginal}, and {shown}"


def spent_of(event: Event, *, delta: Fraction) -> Spent:
    """What an event costs at a delta: what the ledger was charged, and nothing else."""
    spent = total([event], delta=delta)
    return Spent(event=event, epsilon=spent.epsilon, delta=spent.delta)


def certify(
    task: Task,
    algorithm: Algorithm,
    bound: SampleBound,
    mechanism: Mechanism[object, object],
    *,
    n: int | None,
    private: bool,
    value: object = None,
    about: str = NEW_RECORDS,
    declared: bool = True,
) -> Certificate:
    """What may be said about a release of ``mechanism``; ``n`` is ``None`` where private.

    ``value`` is what it released; of a rule with its noisy mistakes (``Found``) they say
    something about the error. ``about`` says which records errors speak of, ``declared``
    whether both labels were.
    """
    found = value if isinstance(value, Found) and isinstance(mechanism, Measuring) else None
    return Certificate(
        asked=asked_of(task),
        spent=spent_of(mechanism.event(), delta=task.privacy.delta),
        algorithm=algorithm.name,
        what=_what(task, mechanism, found),
        n=n,
        private=private,
        privacy_claim=mechanism.CLAIM,
        planned=Planned(needed=bound.n, claim=bound.claim),
        measured=_measured(task, mechanism, found, n=n, about=about, declared=declared),
        compared=_compared(task, mechanism, n=n),
        recipe=_recipe(task, found, about=about, declared=declared),
    )


def _what(task: Task, mechanism: Mechanism[object, object], found: Found | None) -> str:
    """The class that was drawn from, in words."""
    if found is not None and isinstance(mechanism, Measuring):
        return mechanism.drawn_from(found)
    over_table = isinstance(task.concept_class, CountsMistakes)
    if over_table and isinstance(mechanism, Drawer):
        return mechanism.drawn_from
    return task.concept_class.describe()


def _measured(
    task: Task,
    mechanism: Mechanism[object, object],
    found: Found | None,
    *,
    n: int | None,
    about: str,
    declared: bool,
) -> Measured | None:
    """The noisy mistakes, and what they say about the true error."""
    if found is None or not isinstance(mechanism, Measuring):
        return None
    count = mechanism.count(found)
    prior = error = None
    if n is not None:
        prior = Fraction(mechanism.prior_of(found))
        error = certified_error(
            noisy_mistakes=found.noisy_mistakes,
            n=n,
            prior=prior,
            epsilon=count,
            beta=task.accuracy.beta / mechanism.draws,
        )
    return Measured(
        noisy_mistakes=found.noisy_mistakes,
        epsilon=count,
        draws=mechanism.draws,
        prior=prior,
        error=error,
        claim=NOISY_COUNT,
        about=about,
        beside=_beside(task, found, n=n, declared=declared),
    )


def _beside(task: Task, found: Found, *, n: int | None, declared: bool) -> tuple[Counted, ...]:
    """The numbers beside the mistakes, and those that would have needed more records."""
    family, beta = task.concept_class, task.accuracy.beta
    if not isinstance(family, OverTable) or not isinstance(found, Checked):
        return ()
    beside, left_out = family.beside(
        n=n, epsilon=task.privacy.epsilon, beta=beta, declared=declared
    )
    missing = (Counted(what=what, needed=needed) for what, needed in left_out.items())
    return (*counted(beside, found.beside, beta=beta), *missing)


def _compared(
    task: Task, mechanism: Mechanism[object, object], *, n: int | None
) -> Compared | None:
    """What holds against the best rule of each public size, for rules over tables."""
    drawer: object = mechanism.drawer if isinstance(mechanism, Measuring) else mechanism
    over_table = isinstance(task.concept_class, CountsMistakes)
    if n is None or not over_table or not isinstance(drawer, Drawer):
        return None
    sizes = drawer.comparators()
    if not sizes:
        return None
    rate = drawer.epsilon / spread(drawer.relation)
    least = min(prior for _, prior in sizes)
    beta, among = task.accuracy.beta, []
    for what, prior in sizes:
        excess = occam.agnostic_excess(n=n, rate=rate, prior=prior, beta=beta, least_prior=least)
        among.append(
            Comparator(
                what=what,
                prior=prior,
                realizable=occam.realizable_error(n=n, rate=rate, prior=prior, beta=beta),
                excess=excess,
            )
        )
    return Compared(rate=rate, least=least, claim=occam.COMPARATOR, among=tuple(among))


def _recipe(
    task: Task, found: Found | None, *, about: str, declared: bool
) -> dict[str, Any] | None:
    concepts = class_record(task.concept_class)
    if concepts is None:
        return None
    record = {
        "kind": KIND,
        "class": concepts,
        "marginal": marginal_record(task.marginal),
        "output": task.output,
    }
    if task.public is not None:
        record["public"] = public_record(task.public)
    if task.error_share:
        record |= {"error_share": show(task.error_share), "about": about}
        record["both_labels_declared"] = declared
    if isinstance(found, Chosen):
        record["candidate"] = found.candidate
    return record


def mechanism_for(
    task: Task, algorithm: Algorithm, bound: SampleBound, size: Size, *, declared: bool
) -> Any:
    """What is run for ``task``: the algorithm, and the count of its rule's mistakes.

    ``task`` is ``task.at(...)`` these records.
    """
    learner = algorithm.build(algorithm.part(task), bound, size)
    if algorithm.counts or not task.count:
        return learner
    if not isinstance(learner, Drawer):
        raise BadInput(
            f"the rules of the algorithm {algorithm.name!r} have no public prior, so a count of "
            "their mistakes says nothing: use error_share=0"
        )
    family, privacy = task.concept_class, task.privacy
    beside: tuple[Beside, ...] = ()
    if isinstance(family, OverTable):
        beside, _ = family.beside(
            n=size.n if size.known is Known.PUBLIC else None,
            epsilon=privacy.epsilon,
            beta=task.accuracy.beta,
            declared=declared,
        )
    return CheckedLearner(learner=learner, epsilon=task.count, beside=beside)


@rebuilds(KIND)
def _rebuilt(stated: Certificate, value: object) -> Certificate:
    """Plan, build and certify the task again, from the numbers that were asked for."""
    asked, recipe = stated.asked, stated.recipe
    if recipe is None or asked.alpha is None:
        raise BadInput("the certificate does not say what was asked for")
    task = Task(
        class_from_record(recipe["class"]),
        privacy=Privacy(
            asked.epsilon,
            asked.delta,
            asked.relation,
            unit=None if asked.unit == RECORD else asked.unit,
            rows_per_unit=asked.rows_per_unit,
        ),
        accuracy=Accuracy(asked.alpha, asked.beta),
        setting="realizable" if asked.setting is None else asked.setting,
        output=recipe["output"],
        k=asked.k,
        marginal=marginal_from_record(recipe["marginal"]),
        goal=asked.goal,
        rows=asked.rows,
        other=asked.other,
        error_share=recipe.get("error_share", 0),
        public=public_from_record(recipe.get("public")),
    )
    declared = bool(recipe.get("both_labels_declared", False))
    task = task.at(stated.n, declared=declared)
    algorithm = for_task(ALGORITHMS[stated.algorithm], task)
    part = algorithm.part(task)
    if algorithm.why_not(part) is not None:
        raise BadInput("the algorithm does not do the task that was asked for")
    bound = algorithm.bound(part)
    public = asked.relation.size_is_public
    if public != (stated.n is not None):
        raise BadInput("the number of records is stated where it is private, or missing")
    size = Size(bound.n, Known.PLANNED) if stated.n is None else Size(stated.n)
    mechanism = mechanism_for(task, algorithm, bound, size, declared=declared)
    anew = certify(
        task,
        algorithm,
        bound,
        mechanism,
        n=stated.n,
        private=stated.private,
        value=_found(stated, value),
        declared=declared,
        about=str(recipe.get("about", NEW_RECORDS)),
    )
    return replace(anew, account=stated.account)


def _found(stated: Certificate, value: Any) -> Any:
    """The rule with the noisy mistakes that are stated, and who drew it."""
    if stated.measured is None or stated.recipe is None:
        return value
    mistakes, place = stated.measured.noisy_mistakes, stated.recipe.get("candidate")
    if place is None:
        numbers = (one.count for one in stated.measured.beside if one.count is not None)
        return Checked(rule=value, noisy_mistakes=mistakes, beside=tuple(numbers))
    return Chosen(
        rule=value, noisy_mistakes=mistakes, candidate=whole(place, name="candidate", least=0)
    )
