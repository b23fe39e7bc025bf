"""One-way protocols with public coins, as a game solved by column generation.

A deterministic protocol with ``k`` messages is a partition of the concepts into ``k`` parts
and an answer for each part and point. By Yao's principle the best error with public coins is
the value of the game in which one side mixes protocols and the other mixes inputs. The best
protocol against a law of inputs answers the heavier label, and the best partition is found
by dynamic programming over sets of concepts.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.theory.dimensions.games import Mix, columns_within, rounded
from tacit.theory.dimensions.incidence import Bits, Incidence
from tacit.theory.dimensions.measured import Clock, OutOfTime, Progress
from tacit.theory.dimensions.witnesses import HardDistribution, PublicProtocol, Witness

CONCEPTS = 14
"""The program over sets of concepts takes ``3**CONCEPTS`` steps."""

Found = tuple[int, int, tuple[Witness, ...]]
Protocol = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
"""Messages of the concepts, and the answers at the cuts to each message."""


def search(table: Incidence, *, error: Fraction, clock: Clock, progress: Progress) -> Found:
    """Least and most bits, and the witnesses for both."""
    chosen = _representatives(table)
    part = table.restrict(concepts=chosen)
    lower: Witness | None = None
    bits = 0
    try:
        while 1 << bits < len(chosen):
            found = play(part, error=error, messages=1 << bits, clock=clock)
            if isinstance(found, list):
                if len(chosen) < len(table.distinct):
                    break
                upper = _protocol(table, part, found, error=error, bits=bits)
                return bits, bits, (upper,) if lower is None else (upper, lower)
            lower = HardDistribution(
                digest=table.digest, error=error, messages=1 << bits, concepts=chosen, law=found
            )
            bits += 1
            progress(f"R_public >= {bits}")
    except OutOfTime:
        pass
    most = (len(table.distinct) - 1).bit_length()
    whole = table.restrict(concepts=table.distinct)
    answers = tuple(tuple(row[x] for x in table.cuts) for row in whole.matrix.astype(int).tolist())
    itself = [(Fraction(1), (tuple(range(whole.concepts)), answers))]
    upper = _protocol(table, whole, itself, error=error, bits=most)
    return min(bits, most), most, (upper,) if lower is None else (upper, lower)


def _representatives(table: Incidence) -> tuple[int, ...]:
    """All different concepts, or some that are far apart if there are too many."""
    if len(table.distinct) <= CONCEPTS:
        return table.distinct
    chosen = [table.distinct[0]]

    def remoteness(f: int) -> int:
        return min((table.rows[f] ^ table.rows[g]).bit_count() for g in chosen)

    while len(chosen) < CONCEPTS:
        chosen.append(max(table.distinct, key=remoteness))
    return tuple(chosen)


def play(
    table: Incidence, *, error: Fraction, messages: int, clock: Clock
) -> list[tuple[Fraction, Protocol]] | tuple[Mix, ...]:
    """A mixture of protocols with error at most ``error``, or a law that defeats them all.

    The concepts of ``table`` are all different.
    """
    cuts = table.cuts
    labels = table.matrix[:, list(cuts)].astype(np.int64)
    known: dict[Protocol, object] = {}
    protocol = _best(labels, np.ones(labels.shape) / labels.size, messages)[1]
    while True:
        clock.check()
        known[protocol] = _errors(labels, protocol)
        p, q = columns_within(np.array(list(known.values())).T, bound=error)
        if q is not None:
            return [(w, s) for w, s in zip(q, known, strict=True) if w]
        law = rounded(p)
        weights = np.array([float(w) for w in law]).reshape(labels.shape)
        least, protocol = _best(labels, weights, messages)
        if least > float(error) + 1e-9:
            wide = [[Fraction(0)] * table.points for _ in range(table.concepts)]
            for at, w in enumerate(law):
                wide[at // len(cuts)][cuts[at % len(cuts)]] = w
            return tuple(map(tuple, wide))
        if protocol in known:
            raise OutOfTime  # value and error are too close for floats: leave it open


def _best(
    labels: NDArray[np.int64], weights: NDArray[np.float64], messages: int
) -> tuple[float, Protocol]:
    """Error and protocol of the best response to a law of inputs."""
    from tacit.theory.dimensions.public_kernel import best_partition

    count = labels.shape[0]
    member = np.arange(1 << count)[:, None] >> np.arange(count) & 1
    ones, zeros = member @ (weights * labels), member @ (weights * (1 - labels))
    least, parts = best_partition(np.minimum(ones, zeros).sum(axis=1), min(messages, count))
    sent = [0] * count
    for message, part in enumerate(parts.tolist()):
        for f in range(count):
            if part >> f & 1:
                sent[f] = message
    answers = (ones[parts] > zeros[parts]).astype(int).tolist()
    return float(least), (tuple(sent), tuple(map(tuple, answers)))


def _errors(labels: NDArray[np.int64], protocol: Protocol) -> NDArray[np.int64]:
    sent, answers = protocol
    said = np.array(answers)[list(sent)]
    return np.asarray(said != labels).astype(np.int64).ravel()


def _protocol(
    table: Incidence,
    part: Incidence,
    mixture: list[tuple[Fraction, Protocol]],
    *,
    error: Fraction,
    bits: int,
) -> PublicProtocol:
    """Write a mixture over the different concepts and cuts out for the whole table."""
    place = {row: i for i, row in enumerate(part.rows)}
    return PublicProtocol(
        digest=table.digest,
        error=error,
        bits=bits,
        chances=tuple(weight for weight, _ in mixture),
        alice=tuple(tuple(sent[place[row]] for row in table.rows) for _, (sent, _) in mixture),
        bob=tuple(
            tuple(widen(part, table, answer) for answer in answers) for _, (_, answers) in mixture
        ),
    )


def widen(part: Incidence, table: Incidence, values: tuple[int, ...]) -> tuple[int, ...]:
    """Answers at the cuts of ``part``, extended to all points of ``table``.

    Points that split the concepts alike are answered alike, opposite ones oppositely, and
    constant ones with their constant. Both tables have the same different concepts.
    """
    everything = (1 << part.concepts) - 1
    place: dict[Bits, int] = {0: 0, everything: 1}
    for x, value in zip(part.cuts, values, strict=True):
        place[part.columns[x]] = value
        place[everything ^ part.columns[x]] = 1 - value
    return tuple(place[part.columns[x]] for x in range(table.points))
