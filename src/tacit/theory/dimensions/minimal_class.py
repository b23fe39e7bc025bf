"""Minimal representations (BBKN13 Definition 3.5): none of the hypotheses can be left out.

Their size enters the lower bound of BBKN13 Theorem 3.6 for learners that answer with them.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.core.numbers import Number, probability
from tacit.theory.dimensions.deterministic import error_game, mixed
from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.witnesses import MinimalRepresentation


def minimal(
    hypotheses: object, concept_class: object, *, alpha: Number
) -> MinimalRepresentation | None:
    """The proof that ``hypotheses`` is ``alpha``-minimal for the class, or ``None`` if it
    is not (it does not represent the class, or some hypothesis can be left out).

    >>> from tacit.theory.dimensions.named import points
    >>> minimal(points(3), points(3), alpha="1/3").says()
    'these 3 hypotheses are 1/3-minimal'
    """
    error = probability(alpha, name="alpha")
    table = read(concept_class)
    rows = tuple(tuple(int(cell) for cell in row) for row in read(hypotheses).matrix)
    games = [error_game(table, concept=f, hypotheses=rows) for f in table.distinct]
    if any(value > error for value, _, _ in games):
        return None
    needed, laws = [], []
    for i in range(len(rows)):
        rest = rows[:i] + rows[i + 1 :]
        for f in table.distinct:
            if rest:
                value, law, _ = error_game(table, concept=f, hypotheses=rest)
            else:
                value, law = Fraction(1), (Fraction(1), *[Fraction(0)] * (table.points - 1))
            if value > error:
                needed.append(f)
                laws.append(law)
                break
        else:
            return None
    whole = mixed(table, alpha=error, hypotheses=rows)
    return MinimalRepresentation(
        digest=table.digest,
        alpha=error,
        hypotheses=rows,
        mixtures=whole.mixtures,
        needed_for=tuple(needed),
        laws=tuple(laws),
    )
