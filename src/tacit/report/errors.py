"""Compute the bound on a rule's error again, from the noisy numbers of its certificate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from tacit.bounds.upper import occam
from tacit.bounds.upper.noisy_count import NOISY_COUNT, certified_error
from tacit.bounds.upper.noisy_rights import NOISY_RIGHTS, certified_by_both
from tacit.core import Claim, Pure, leaves
from tacit.core.certificate import Certificate, Measured
from tacit.core.words import things
from tacit.problems.tables.alarms import new_rate
from tacit.problems.tables.cost_bounds import balanced_error, label_rates, mean_cost
from tacit.report.paid import may_be_counted
from tacit.report.release_file import same_theorem
from tacit.report.verdict import Wrong

MOST_RECORDS = 10**15
MOST_LINES = 2000
"""Comparisons or labels of one certificate: each takes milliseconds, and a stranger wrote them."""
_MOST_PARTS = 10
"""Parts of epsilon that may have paid for the records of each label: ours are three."""
_ERRORS = (NOISY_COUNT, NOISY_RIGHTS, occam.OCCAM)
"""The theorems by which an error can be certified, those of earlier versions too."""


def checked_error(of: Certificate, proofs: Mapping[str, str]) -> str:
    """What holds of the bound on the error from counted mistakes; ``Wrong`` if it does not."""
    found = of.measured
    assert found is not None
    known = next((c for c in _ERRORS if same_theorem(found.claim, c, proofs)), None)
    if known is None:
        raise Wrong("the error rests on another theorem than this version knows")
    if not may_be_counted(of.event, found.epsilon):
        raise Wrong("its mistakes are said to have been counted with less noise than was paid for")
    if of.n is None:
        return _of_private(of, found, known)
    if known == NOISY_RIGHTS:
        raise Wrong("the error rests on a noisy number of records, and a public one is stated")
    if found.prior is None or found.prior > 1 or found.draws < 1 or of.n > MOST_RECORDS:
        raise Wrong("the numbers behind the error are missing")
    if found.labels:
        return _of_labels(of, found, n=of.n, prior=found.prior)
    error = _error(known, found, n=of.n, prior=found.prior, beta=of.beta)
    if error != found.error:
        raise Wrong("the error bound is not what the mistakes say")
    for one in found.beside:
        rate = new_rate(one, n=of.n, prior=found.prior, beta=of.beta)
        if one.rate not in (None, rate):
            raise Wrong("a bound on new records is not what its noisy number says")
    return f"the bound on the error follows from the noisy mistakes on {things(of, n=of.n)}"


def _of_private(of: Certificate, found: Measured, known: Claim) -> str:
    """The bound where the number of records is private; none with costs."""
    every = things(of)
    if found.labels or found.noisy_right is None:
        if found.error is not None:
            raise Wrong(f"an error is stated although the number of {every} is private")
        return f"an error and what to compare it with: the number of {every} is private"
    if of.event.relation.size_is_public:
        raise Wrong(f"the number of {every} is public, and not stated")
    stated = abs(found.noisy_mistakes) + abs(found.noisy_right) <= MOST_RECORDS
    if known != NOISY_RIGHTS or found.prior is None or found.draws < 1 or not stated:
        raise Wrong("the numbers behind the error are missing")
    error = certified_by_both(
        noisy_mistakes=found.noisy_mistakes,
        noisy_right=found.noisy_right,
        prior=found.prior,
        epsilon=found.epsilon,
        beta=of.beta / found.draws,
    )
    if error != found.error:
        raise Wrong("the error bound is not what the mistakes and right answers say")
    return f"the bound on the error follows from the noisy mistakes and right answers of {every}"


def _of_labels(of: Certificate, found: Measured, *, n: int, prior: Fraction) -> str:
    """The bounds that follow from the mistakes on each label."""
    if len(found.labels) > MOST_LINES:
        raise Wrong(f"there are more than {MOST_LINES} labels")
    each = [one.noisy_mistakes for one in found.labels]
    statements = len(each) * (1 if found.balanced is None else 2)
    rates = label_rates(
        each,
        n=n,
        prior=prior,
        epsilon=found.epsilon,
        relation=of.event.relation,
        beta=of.beta / statements,
    )
    stated = [one.rate for one in found.labels]
    costs = [one.cost for one in found.labels]
    bounds = (mean_cost([1] * len(each), rates), mean_cost(costs, rates))
    if sum(each) != found.noisy_mistakes or stated != rates or bounds != (found.error, found.cost):
        raise Wrong("the error bound is not what the mistakes say")
    if found.balanced is not None and found.balanced not in _may_be_balanced(
        of, found, rates, n=n, beta=of.beta / statements
    ):
        raise Wrong("the mean of the labels' errors is not what the numbers of their records say")
    return f"the bounds on error and cost follow from the noisy mistakes on {things(of, n=n)}"


def _may_be_balanced(
    of: Certificate, found: Measured, rates: Sequence[Fraction], *, n: int, beta: Fraction
) -> Iterator[Fraction]:
    """The bounds on the mean of the labels' errors, for what may have paid for their numbers.

    No file says which part that is; there are few.
    """
    sizes = [one.size for one in found.labels if one.size is not None]
    two = len(found.labels) == 2
    if len(sizes) != len(found.labels) or (two and sum(sizes) != n):
        raise Wrong("the numbers of records of the labels are missing, or not all records")
    paid = {part.epsilon for part in leaves(of.event) if isinstance(part, Pure)}
    for spent in sorted(paid)[:_MOST_PARTS]:
        yield balanced_error(sizes, rates, n=n, spent=spent, relation=of.event.relation, beta=beta)


def _error(by: Claim, found: Measured, *, n: int, prior: Fraction, beta: Fraction) -> Fraction:
    """The bound on the error by the theorem that the certificate names."""
    if by == NOISY_COUNT:
        return certified_error(
            noisy_mistakes=found.noisy_mistakes,
            n=n,
            prior=prior,
            epsilon=found.epsilon,
            beta=beta / found.draws,
        )
    # Files of earlier versions: Occam's bound, and half of beta for the noise.
    margin = occam.noise_margin(epsilon=found.epsilon, beta=beta / 2 / found.draws)
    mistakes = found.noisy_mistakes + margin - 1
    return occam.occam_error(mistakes=mistakes, n=n, prior=prior, beta=beta / 2)
