"""What a part of a stated cost may have paid for: less noise than that is a forgery.

Every answer errs towards the file: a part counts as one that paid if some count or draw of ours
with so much noise could cost no more.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.upper.weights import concentrated
from tacit.core import ZCDP, Approximate, Event, Pure, Selection, leaves
from tacit.mechanisms.calibration import several_counts_variance


def may_be_counted(event: Event, epsilon: Fraction) -> bool:
    """Whether some part of what was paid may be a count of this epsilon."""
    return any(_pays(part, epsilon) for part in leaves(event))


def _pays(part: Event, epsilon: Fraction) -> bool:
    if isinstance(part, ZCDP):
        # With geometric noise, counts of neighbours diverge by epsilon tanh(epsilon / 2), and
        # tanh(x / 2) >= x / (2 + x), which says that exp(x) >= 1 + x.
        return epsilon**2 / (2 + epsilon) <= part.rho
    return isinstance(part, (Approximate, Pure, Selection)) and part.epsilon >= epsilon


def may_be_drawn(event: Event, epsilon: Fraction) -> bool:
    """Whether some part of what was paid may be a draw of this bounded range."""
    paid = (part.rho for part in leaves(event) if isinstance(part, ZCDP))
    return may_be_counted(event, epsilon) or any(epsilon**2 <= 8 * rho for rho in paid)


def may_cost(event: Event, cost: Event) -> bool:
    """Whether a count of this cost, pure or zCDP, may be a part of what was paid."""
    if isinstance(cost, ZCDP):
        most = most_rho(event)
        return most is not None and cost.rho <= most
    return isinstance(cost, Pure) and may_be_counted(event, cost.epsilon)


def least_variance(event: Event, *, counts: int) -> Fraction | None:
    """The least Gaussian noise on so many counts that may be a part of what was paid, if any."""
    most = most_rho(event)
    return None if most is None else several_counts_variance(counts=counts, rho=most)


def most_rho(event: Event) -> Fraction | None:
    """The most that a part may have spent on Gaussian noise; ``None`` if none can have."""
    rhos = [part.rho for part in leaves(event) if isinstance(part, ZCDP)]
    if told := [part for part in leaves(event) if isinstance(part, Approximate)]:
        # One for all of them: a stranger can write very many.
        epsilon, delta = max(part.epsilon for part in told), max(part.delta for part in told)
        rhos.append(concentrated(epsilon=epsilon, delta=delta))
    return max(rhos, default=None)
