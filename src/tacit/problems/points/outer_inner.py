"""BBKN13 Example 5.7: the learner A_2 of points as an inner and an outer learner.

Definition 5.6 asks for an inner learner that answers with a concept and need not be private, and
an outer one that adds independent noise to each of its values. Here the noise carries the
privacy: the inner answer itself would show a record. ``PointTry`` with ``Flips`` is the two
together, and its proof (``constant_sample.proof.md``) is the proof of their privacy.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.core import Sampler
from tacit.domains.integers import Integers
from tacit.domains.labels import truth
from tacit.mechanisms.star_sampling import Starred
from tacit.problems.finite.listed import TableRule
from tacit.problems.points.constant_sample import (
    CONFLICT,
    Flips,
    PointTry,
    fitting_point,
)


def inner_learner(
    data: Starred, *, domain: Integers, pick: Fraction, silence: Fraction, rng: Sampler
) -> int:
    """A point that fits a random part of the records, ``NOTHING``, or ``CONFLICT``. Not private:
    call it on data that may be shown, and to see what the outer learner hides.

    With probability ``silence``, and where no point fits, the answer is ``CONFLICT``: no concept.
    """
    silent = rng.coins(silence, 1)[0]
    picked = rng.coins(pick, len(data)) & data.present
    cells = domain.coerce(data.sample.x)[picked]
    return CONFLICT if silent else fitting_point(cells, truth(data.sample)[picked])


def outer_learner(
    point: int, *, domain: Integers, rate: Fraction, rng: Sampler
) -> TableRule | None:
    """Flip the value at every point of the domain with chance ``rate``; nothing for no concept.

    On answers of ``inner_learner`` with the paper's rates this is private:
    ``tries(domain, alpha)`` states the epsilon.
    """
    return None if point == CONFLICT else Flips(rate)(domain, point, rng=rng)


def tries(domain: Integers, alpha: Fraction) -> tuple[PointTry, dict[str, Fraction]]:
    """The two as one mechanism at the paper's rates, and these rates."""
    rates = {"pick": alpha / 4, "silence": alpha / 8, "rate": alpha / 8}
    made = PointTry(
        domain=domain, blur=Flips(rates["rate"]), pick=rates["pick"], silence=rates["silence"]
    )
    return made, rates
