"""What is certified of a rule that was drawn by a public prior: its counted mistakes, and what
holds against the best rules of each size.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from tacit.bounds.upper import occam
from tacit.bounds.upper.noisy_count import NOISY_COUNT, certified_error
from tacit.bounds.upper.noisy_rights import NOISY_RIGHTS, certified_by_both
from tacit.core import BadInput, CountsMistakes, Drawer, Hypothesis, Known, Measuring, Size, Task
from tacit.core.certificate import Certificate, Comparator, Compared, Counted, Measured
from tacit.core.certify import Certifier, Facts, Outcome
from tacit.core.mechanism import SomeMechanism
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.persons import ForPersons
from tacit.problems.tables.checked import Checked, CheckedLearner
from tacit.problems.tables.records import OverTable
from tacit.problems.tables.rule_counts import Beside, counted, of_values


class Drawn(Certifier):
    """Certify one draw of a rule, and the count of its mistakes where there is one."""

    def __call__(self, task: Task, outcome: Outcome) -> Facts:
        """The draw, what it is compared with over a table, and the counted mistakes."""
        made, found = outcome.mechanism, outcome.value
        if isinstance(made, CheckedLearner):
            if not isinstance(found, Checked):
                raise BadInput("the mistakes that were paid for are not stated")
            return Facts(
                what=made.drawn_from(found),
                measured=measured(task, made, found, outcome),
                compared=compared(task, made.drawer, n=outcome.n),
            )
        if isinstance(made, Drawer) and isinstance(task.concept_class, CountsMistakes):
            return Facts(what=made.drawn_from, compared=compared(task, made, n=outcome.n))
        return Facts(what=task.concept_class.describe())

    def counting(
        self, task: Task, learner: SomeMechanism, size: Size, *, declared: bool
    ) -> CheckedLearner | None:
        """The learner, then the mistakes of its rule and what is counted beside them."""
        drawn = learner.inner if isinstance(learner, ForPersons) else learner
        if not isinstance(drawn, Drawer):
            return None
        n = size.n if size.known is Known.PUBLIC else None
        beside, _ = planned_beside(task, n=n, declared=declared)
        return CheckedLearner(
            learner=learner, epsilon=task.count, beside=beside, values=task.answers
        )

    def published(self, value: object) -> object:
        """The rule; its noisy numbers are in the certificate."""
        return value.rule if isinstance(value, Checked) else value

    def found(self, stated: Certificate, value: object) -> object:
        """The rule with the noisy numbers that are stated."""
        if stated.measured is None or not isinstance(value, Hypothesis):
            return value
        return Checked(
            rule=value,
            noisy_mistakes=stated.measured.noisy_mistakes,
            noisy_right=stated.measured.noisy_right,
            beside=tuple(stated.measured.numbers),
        )


DRAWN = Drawn()


def measured(task: Task, mechanism: Measuring, found: Checked, outcome: Outcome) -> Measured:
    """The noisy mistakes, and what they say about the true error."""
    n, count = outcome.n, mechanism.count(found)
    prior, beta = Fraction(mechanism.prior_of(found)), task.accuracy.beta / mechanism.draws
    if n is not None:
        claim, error = (
            NOISY_COUNT,
            certified_error(
                noisy_mistakes=found.noisy_mistakes, n=n, prior=prior, epsilon=count, beta=beta
            ),
        )
    elif found.noisy_right is not None:
        claim, error = (
            NOISY_RIGHTS,
            certified_by_both(
                noisy_mistakes=found.noisy_mistakes,
                noisy_right=found.noisy_right,
                prior=prior,
                epsilon=count,
                beta=beta,
            ),
        )
    else:
        raise BadInput("the right answers that were paid for are not stated")
    beside, left_out = planned_beside(task, n=n, declared=outcome.declared)
    missing = (Counted(what=what, needed=needed) for what, needed in left_out.items())
    return Measured(
        noisy_mistakes=found.noisy_mistakes,
        noisy_right=found.noisy_right,
        epsilon=count,
        draws=mechanism.draws,
        prior=prior,
        error=error,
        claim=claim,
        about=outcome.about,
        beside=(*counted(beside, found.beside, task), *missing),
        values=of_values(beside, found.beside, task),
    )


def planned_beside(
    task: Task, *, n: int | None, declared: bool
) -> tuple[tuple[Beside, ...], Mapping[str, int]]:
    """What is counted beside the mistakes, and the records that what is not would need."""
    family = task.concept_class
    if not isinstance(family, OverTable) or (n is None and task.costs is not None):
        return (), {}
    return family.beside(
        n=n,
        epsilon=task.privacy.epsilon,
        beta=task.accuracy.beta,
        declared=declared and task.other != "class",
        values=task.answers,
    )


def compared(task: Task, drawer: Drawer | None, *, n: int | None) -> Compared | None:
    """What holds against the best rule of each public size, for rules over tables."""
    over_table = isinstance(task.concept_class, CountsMistakes)
    sizes = drawer.comparators() if drawer is not None and over_table else ()
    if drawer is None or n is None or not sizes:
        return None
    rate = drawer.epsilon / spread(drawer.relation)
    return _against(sizes, n=n, rate=rate, beta=task.accuracy.beta)


@lru_cache(maxsize=256)
def _against(
    sizes: tuple[tuple[str, Fraction], ...], *, n: int, rate: Fraction, beta: Fraction
) -> Compared:
    """What holds against rules of these priors; of public numbers, so computed once."""
    least = min(prior for _, prior in sizes)
    among = tuple(
        Comparator(
            what=what,
            prior=prior,
            realizable=occam.realizable_error(n=n, rate=rate, prior=prior, beta=beta),
            excess=occam.agnostic_excess(n=n, rate=rate, prior=prior, beta=beta, least_prior=least),
        )
        for what, prior in sizes
    )
    return Compared(rate=rate, least=least, claim=occam.COMPARATOR, among=among)
