"""Boneh and Shaw's fingerprinting code, sharpened and made sound for every user."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tacit.checks.attacks.chance import permutation
from tacit.core import Rng
from tacit.core.numbers import probability, whole
from tacit.exact.balls import above, ball
from tacit.problems.several.fingerprints import boneh_shaw_length

Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class BonehShaw:
    """A codebook for ``users`` users, and the secret that traces.

    Column ``j`` is of type ``types[j]``: that many first users have a 1 in it, none in type 0
    and all in type ``users``. Every type occurs equally often, in secret order. If the word is
    feasible for the users who took part (where they all agree, it agrees), somebody is
    accused, always; a user who did not take part is accused with probability at most ``xi``,
    and that by *every* word, feasible or not.
    Proof: ``problems/several/fingerprints.proof.md``.
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
        return np.arange(self.users)[:, None] < self.types[None, :]

    def trace(self, word: Bits) -> int | None:
        """The first user whom the word accuses."""
        ones = np.bincount(self.types[np.asarray(word, dtype=bool)], minlength=self.users + 1)
        slack = above(lambda: -ball(self.xi).log())
        for user in range(self.users):
            before, both = int(ones[user]), int(ones[user] + ones[user + 1])
            short = both - 2 * before
            # before < both/2 - sqrt(both L / 2), in whole numbers
            if short > 0 and short * short > 2 * both * slack:
                return user
        return None


def length(*, users: int, xi: Fraction) -> int:
    """Columns of the code; ``xi`` is the error per user.

    >>> [length(users=n, xi=Fraction(1, 20 * n)) for n in (1, 3, 8)]
    [12, 200, 3294]
    """
    return boneh_shaw_length(users=whole(users, name="users", least=1), xi=xi)


def generate(*, users: int, xi: Fraction, rng: Rng) -> BonehShaw:
    """Draw a codebook of certified length."""
    xi = probability(xi, name="xi")
    columns = length(users=users, xi=xi)
    types = np.repeat(np.arange(users + 1), columns // (users + 1))
    return BonehShaw(users, xi, types[permutation(rng, columns)])
