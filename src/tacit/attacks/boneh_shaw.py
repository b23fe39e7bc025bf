"""Boneh and Shaw's fingerprinting code, sharpened: somebody is always accused."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tacit.attacks.chance import permutation
from tacit.bounds.lower.fingerprints import boneh_shaw_length
from tacit.core import Rng
from tacit.core.numbers import probability, whole
from tacit.exact.balls import above, ball

Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class BonehShaw:
    """A codebook for ``users`` users, and the secret that traces.

    Column ``j`` is of type ``types[j] + 1``: that many first users have a 1 in it. Every type
    occurs equally often, in secret order. If the word is feasible for the users who took
    part (where they all agree, it agrees), somebody is accused, always; each user who did
    not take part with probability at most ``xi``. For the users in the middle that holds
    for every word, feasible or not. Proof: ``bounds/lower/fingerprints.proof.md``.
    """

    users: int
    xi: Fraction
    types: npt.NDArray[np.int64]

    @property
    def length(self) -> int:
        """Columns: the number of tasks an attack needs."""
        return len(self.types)

    @property
    def words(self) -> Bits:
        """One row a user."""
        return np.arange(self.users)[:, None] <= self.types[None, :]

    def trace(self, word: Bits) -> int | None:
        """The first user whom the word accuses."""
        ones = np.bincount(self.types[np.asarray(word, dtype=bool)], minlength=self.users - 1)
        copies = self.length // (self.users - 1)
        if ones[0] > 0:
            return 0
        slack = above(lambda: -ball(self.xi).log())
        for user in range(1, self.users - 1):
            before, both = int(ones[user - 1]), int(ones[user - 1] + ones[user])
            short = both - 2 * before
            # before < both/2 - sqrt(both L / 2), in whole numbers
            if short > 0 and short * short > 2 * both * slack:
                return user
        return self.users - 1 if ones[-1] < copies else None


def length(*, users: int, xi: Fraction) -> int:
    """Columns of the code; ``xi`` is the error per user.

    >>> [length(users=n, xi=Fraction(1, 20 * n)) for n in (3, 5, 10)]
    [18, 224, 3438]
    """
    return boneh_shaw_length(users=whole(users, name="users", least=2), xi=xi)


def generate(*, users: int, xi: Fraction, rng: Rng) -> BonehShaw:
    """Draw a codebook of certified length."""
    xi = probability(xi, name="xi")
    columns = length(users=users, xi=xi)
    types = np.repeat(np.arange(users - 1), columns // (users - 1))
    return BonehShaw(users, xi, types[permutation(rng, columns)])
