"""Round any rule over bits to the parity that agrees with it most (BNS19 Lemma 54)."""

from __future__ import annotations

import numpy as np

from tacit.core import BadInput, Claim, Hypothesis
from tacit.problems.parities.parities import MOST_LISTED, Parities, ParityRule

CLAIM = Claim(
    paper="BNS19",
    locator="Lemma 54",
    statement="under the uniform distribution a rule with error below 1/4 for some parity is "
    "nearest to that parity: rounding makes every learner of parities proper and exact, at no "
    "cost of privacy or records",
    proof="problems/parities/nearest_parity.proof.md",
)


def nearest_parity(rule: Hypothesis, bits: int) -> ParityRule:
    """The parity of ``bits`` bits that agrees with ``rule`` on most inputs; the least mask of
    several.
    """
    parities = Parities(bits=bits)
    if parities.too_many is not None:
        raise BadInput(f"rounding takes all inputs one by one: at most {MOST_LISTED} bits")
    every = np.arange(parities.size, dtype=np.int64)
    rows = (every[:, None] >> np.arange(bits - 1, -1, -1)) & 1
    said = np.asarray(rule.predict(rows), dtype=bool)
    placed = parities.domain.coerce(rows)
    return parities.hypothesis(int(np.argmin(parities.landscape(placed, said).errors)))
