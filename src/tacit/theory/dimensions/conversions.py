"""Between representations and protocols (FX14 Theorems 7 and 8), and Newman's theorem.

Each function takes a witness and returns one; the new one is checked like any other.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tacit.bounds.formula import ln
from tacit.core import BadInput, NumericalDoubt
from tacit.core.numbers import Number, probability, whole
from tacit.exact.balls import ball, ceiling
from tacit.theory.dimensions.deterministic import mixed
from tacit.theory.dimensions.games import Mix, solve
from tacit.theory.dimensions.incidence import Incidence, read
from tacit.theory.dimensions.measured import Clock
from tacit.theory.dimensions.private_coins import from_representation
from tacit.theory.dimensions.probabilistic import undefeated
from tacit.theory.dimensions.witnesses import (
    PrivateProtocol,
    PublicProtocol,
    RandomRepresentation,
    Representation,
)


def private_from_deterministic(representation: Representation) -> PrivateProtocol:
    """FX14 Theorem 8: name a hypothesis drawn from the concept's mixture; error ``alpha``."""
    return from_representation(representation)


def deterministic_from_private(protocol: PrivateProtocol, concept_class: object) -> Representation:
    """FX14 Theorem 8: round every answer to the likelier one; at most twice the error.

    If a rounded answer is wrong, the protocol's own was wrong with probability at least 1/2.
    """
    half = Fraction(1, 2)
    if protocol.error >= half:
        raise BadInput("a protocol of error 1/2 or more says nothing about representations")
    rows = tuple(tuple(int(p >= half) for p in row) for row in protocol.bob)
    return mixed(read(concept_class), alpha=2 * protocol.error, hypotheses=rows)


def random_from_public(
    protocol: PublicProtocol, concept_class: object, *, alpha: Number, beta: Number
) -> RandomRepresentation:
    """FX14 Theorem 7: the answers to all messages, for random coins, are a random
    representation whenever ``error <= alpha * beta`` (Markov's inequality).
    """
    rho, failure = probability(alpha, name="alpha"), probability(beta, name="beta")
    if protocol.error > rho * failure:
        raise BadInput("alpha * beta must be at least the error of the protocol")
    table = read(concept_class)
    safe = [
        undefeated(table, f, protocol.bob, protocol.chances, alpha=rho, beta=failure, clock=Clock())
        for f in range(table.concepts)
    ]
    return RandomRepresentation(
        digest=table.digest,
        alpha=rho,
        beta=failure,
        sets=protocol.bob,
        chances=protocol.chances,
        families=tuple(families for families, _, _ in safe),
        mixtures=tuple(mixtures for _, mixtures, _ in safe),
    )


def public_from_random(
    representation: RandomRepresentation, concept_class: object
) -> PublicProtocol:
    """FX14 Theorem 7: public coins draw a set, the message names one of its hypotheses.

    The error is at most ``alpha + beta - alpha * beta`` (printed: ``alpha + beta``): against
    every law of points the best hypothesis of a set errs at most ``alpha`` with probability
    ``1 - beta``, and by minimax one randomised choice does for all laws. That choice is the
    solution of a game for each concept, and its coins are made public.
    """
    table = read(concept_class)
    alpha, beta = representation.alpha, representation.beta
    choices = [_choices(table, f, representation) for f in range(table.concepts)]
    chances, alice, bob = [], [], []
    for i, part in enumerate(representation.sets):
        for length, sent in _common_coins([choice[i] for choice in choices]):
            chances.append(representation.chances[i] * length)
            alice.append(sent)
            bob.append(part)
    return PublicProtocol(
        digest=table.digest,
        error=alpha + beta - alpha * beta,
        bits=max((len(part) - 1).bit_length() for part in representation.sets),
        chances=tuple(chances),
        alice=tuple(alice),
        bob=tuple(bob),
    )


def _choices(table: Incidence, f: int, representation: RandomRepresentation) -> list[Mix]:
    """For each set a mixture over its hypotheses, together best at the worst point.

    Column generation over deterministic choices: one hypothesis from each set.
    """
    sets, chances = representation.sets, representation.chances
    bound = representation.alpha + representation.beta - representation.alpha * representation.beta
    law = [Fraction(1, table.points)] * table.points
    plans: list[tuple[int, ...]] = []
    while True:
        plan = tuple(
            min(
                range(len(part)),
                key=lambda m: sum(w for x, w in enumerate(law) if part[m][x] != table.label(f, x)),
            )
            for part in sets
        )
        plans.append(plan)
        errors = [
            [
                sum(
                    c
                    for c, part, m in zip(chances, sets, one, strict=True)
                    if part[m][x] != table.label(f, x)
                )
                for one in plans
            ]
            for x in range(table.points)
        ]
        value, worst, mixture = solve(errors)
        if value <= bound:
            return [
                tuple(
                    Fraction(sum(w for w, one in zip(mixture, plans, strict=True) if one[i] == m))
                    for m in range(len(part))
                )
                for i, part in enumerate(sets)
            ]
        law = list(worst)


def _common_coins(mixtures: list[Mix]) -> list[tuple[Fraction, tuple[int, ...]]]:
    """One uniform number in [0, 1) that lets every concept draw from its own mixture: the
    pieces on which all draws are constant.
    """
    ends = sorted(
        {Fraction(sum(mix[: m + 1])) for mix in mixtures for m in range(len(mix))} | {Fraction(1)}
    )
    pieces, start = [], Fraction(0)
    for end in ends:
        if end > start:
            sent = tuple(
                next(m for m in range(len(mix)) if sum(mix[: m + 1]) > start) for mix in mixtures
            )
            pieces.append((end - start, sent))
            start = end
    return pieces


def newman(*, public_bits: int, concepts: int, points: int, slack: Number) -> int:
    """Private-coin bits that suffice for ``slack`` more error than a public-coin protocol.

    Fix ``t`` strings of coins and send which one was used. By Hoeffding's inequality ``t``
    random strings raise the error at one input by more than ``slack`` with probability at
    most ``exp(-2 t slack**2)``, so ``t > ln(concepts * points) / (2 slack**2)`` strings exist
    that do for all inputs; naming one takes ``ceil(log2 t)`` bits.

    >>> newman(public_bits=2, concepts=2**16, points=2**16, slack="2/9")
    10
    """
    extra = probability(slack, name="slack")
    bits = whole(public_bits, name="public_bits", least=0)
    inputs = whole(concepts, name="concepts", least=1) * whole(points, name="points", least=1)
    strings = 1 + ceiling(lambda: ln(inputs) / (2 * ball(extra) ** 2))
    return bits + (strings - 1).bit_length()


def newman_protocol(
    protocol: PublicProtocol, concept_class: object, *, slack: Number
) -> PrivateProtocol:
    """Newman's theorem as a protocol: a few fixed strings of coins, and which one was used.

    ``newman`` says how many suffice; they are chosen one by one so that the sum over all inputs
    of ``exp(4 slack wrong)`` grows least, as on average it does not too much for random ones
    (conditional expectations). The errors are then checked exactly.
    """
    table, extra = read(concept_class), probability(slack, name="slack")
    count = 1 + ceiling(lambda: ln(table.concepts * table.points) / (2 * ball(extra) ** 2))
    if count >= len(protocol.chances):
        return private_from_public(protocol)  # all coins are no more strings, and no worse
    wrong = np.array(
        [
            [
                [answers[sent[f]][x] != table.label(f, x) for x in range(table.points)]
                for f in range(table.concepts)
            ]
            for sent, answers in zip(protocol.alice, protocol.bob, strict=True)
        ],
        dtype=np.float64,
    ).reshape(len(protocol.chances), -1)
    grown = np.exp(4 * float(extra) * wrong)
    weights, chosen = np.ones(wrong.shape[1]), []
    for _ in range(count):
        best = int(np.argmin(grown @ weights))
        chosen.append(best)
        weights *= grown[best]
        weights /= weights.max()
    few = PublicProtocol(
        digest=protocol.digest,
        error=protocol.error + extra,
        bits=protocol.bits,
        chances=(Fraction(1, count),) * count,
        alice=tuple(protocol.alice[r] for r in chosen),
        bob=tuple(protocol.bob[r] for r in chosen),
    )
    if _worst(few, table) > few.error:
        raise NumericalDoubt("rounding spoiled the choice of coins: allow more slack")
    return private_from_public(few)


def _worst(protocol: PublicProtocol, table: Incidence) -> Fraction:
    """The largest chance of a wrong answer over all concepts and points, exactly."""
    return max(
        sum(
            (
                chance
                for chance, sent, answers in zip(
                    protocol.chances, protocol.alice, protocol.bob, strict=True
                )
                if answers[sent[f]][x] != table.label(f, x)
            ),
            Fraction(0),
        )
        for f in range(table.concepts)
        for x in range(table.points)
    )


def private_from_public(protocol: PublicProtocol) -> PrivateProtocol:
    """The plain half of Newman's theorem: send the coins too, at no loss of error."""
    width = max(len(answers) for answers in protocol.bob)
    blank = (Fraction(0),) * len(protocol.bob[0][0])
    bob = [
        tuple(map(Fraction, answers[m])) if m < len(answers) else blank
        for answers in protocol.bob
        for m in range(width)
    ]
    alice = []
    for f in range(len(protocol.alice[0])):
        row = [Fraction(0)] * len(bob)
        for r, chance in enumerate(protocol.chances):
            row[r * width + protocol.alice[r][f]] += chance
        alice.append(tuple(row))
    return PrivateProtocol(
        digest=protocol.digest,
        error=protocol.error,
        bits=(len(bob) - 1).bit_length(),
        alice=tuple(alice),
        bob=tuple(bob),
    )
