"""Certificates: the evidence for one side of a bound, as plain data.

Each proves one inequality about one table (named by ``digest``); ``says`` puts it in
words. They are checked in ``tacit.dimensions.verify``, which shares no code with the
searches that make them. All numbers are whole or rational.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from tacit.core import BadInput
from tacit.core.numbers import show

Ints = tuple[int, ...]
Table = tuple[Ints, ...]
Weights = tuple[Fraction, ...]
C = TypeVar("C", bound="Certificate")
KINDS: dict[str, type[Certificate]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Evidence about the table called ``digest``. Use one of the subclasses."""

    digest: str
    side: ClassVar[str] = "lower"

    def says(self) -> str:
        """The proved inequality, in words."""
        raise TypeError("Certificate is abstract")

    def to_dict(self) -> dict[str, Any]:
        """A JSON-ready form that ``certificate_from_dict`` reads back."""
        body = {field.name: _encode(getattr(self, field.name)) for field in fields(self)}
        return {"kind": type(self).__name__, "says": self.says(), **body}


def certificate_kind(cls: type[C]) -> type[C]:
    """Class decorator: certificates of this class can be read back."""
    KINDS[cls.__name__] = cls
    return cls


def certificate_from_dict(record: Mapping[str, Any]) -> Certificate:
    """Read back what ``to_dict`` wrote; anything damaged is refused.

    Types are checked here, truth in ``tacit.dimensions.verify``. ``says`` is not read:
    what a certificate says follows from its numbers.
    """
    cls = KINDS.get(str(record.get("kind")))
    if cls is None:
        raise BadInput("this is not a certificate that this version of Tacit can read")
    try:
        values = {f.name: _decode(record[f.name], str(f.type)) for f in fields(cls)}
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        raise BadInput(f"the certificate of kind {cls.__name__} is damaged") from None
    return cls(**values)


def _encode(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [_encode(part) for part in value]
    return value


def _decode(value: Any, kind: str) -> Any:
    if kind.startswith("tuple["):
        inner = kind.removeprefix("tuple[").removesuffix(", ...]")
        return tuple(_decode(part, inner) for part in _listed(value))
    if kind in ("Ints", "Table", "Weights"):
        inner = {"Ints": "int", "Table": "Ints", "Weights": "Fraction"}[kind]
        return tuple(_decode(part, inner) for part in _listed(value))
    if kind == "int" and type(value) is int:
        return value
    if kind == "str" and isinstance(value, str):
        return value
    if kind == "Fraction" and isinstance(value, str):
        return Fraction(value)
    raise TypeError(kind)


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("list")
    return value


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ShatteredSet(Certificate):
    """Points on which every labelling occurs: ``witnesses[b]`` labels ``points[i]`` with
    bit ``i`` of ``b``.
    """

    points: Ints
    witnesses: Ints

    def says(self) -> str:
        return f"VC >= {len(self.points)}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeTree(Certificate):
    """A complete mistake tree, stored as a heap.

    Node ``v`` asks ``points[v]`` and has the children ``2v + 1`` (label 0) and ``2v + 2``
    (label 1); ``leaves`` holds, from left to right, a concept that agrees with its path.
    """

    points: Ints
    leaves: Ints

    @property
    def depth(self) -> int:
        return len(self.leaves).bit_length() - 1

    def says(self) -> str:
        return f"Littlestone >= {self.depth}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeBound(Certificate):
    """Why no learner can be forced into more than ``bound`` mistakes.

    A list of facts "these concepts (as a set, in hexadecimal) have Littlestone dimension
    at most ``limits[i]``", each of which follows from counting or from earlier ones; the
    last is about the whole class.
    """

    sets: tuple[str, ...]
    limits: Ints
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"Littlestone <= {self.limits[-1] if self.limits else 'nothing'}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedThresholds(Certificate):
    """``concepts[i]`` labels ``points[j]`` with 1 exactly if ``i <= j``."""

    points: Ints
    concepts: Ints

    def says(self) -> str:
        size = len(self.points)
        return f"{size} thresholds are embedded, so Littlestone >= {size.bit_length() - 1}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class Representation(Certificate):
    """Hypotheses (0/1 rows over the points) that ``alpha``-represent the class: under
    ``mixtures[f]`` every point is mislabelled with probability at most ``alpha``.
    """

    alpha: Fraction
    hypotheses: Table
    mixtures: tuple[Weights, ...]
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"DRDim({show(self.alpha)}) <= log2 {len(self.hypotheses)}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class NoRepresentation(Certificate):
    """Why no ``size`` hypotheses ``alpha``-represent the class.

    A way of writing ``size`` hypotheses is a column (a number below ``2**size``, bit ``i``
    is hypothesis ``i``) for each point. ``columns[r]`` under the point weights
    ``weights[r]`` is a rule: if a concept's correct-hypothesis columns contain all of
    ``columns[r]``, up to renaming hypotheses, then every hypothesis errs with probability
    above ``alpha``. Filling in columns point by point in ``order``, every way runs into a
    rule.
    """

    alpha: Fraction
    size: int
    order: Ints
    columns: Table
    weights: tuple[Weights, ...]

    def says(self) -> str:
        return f"DRDim({show(self.alpha)}) > log2 {self.size}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class RandomRepresentation(Certificate):
    """Sets of hypotheses, drawn with ``chances``, that represent the class: for every
    concept and law of points, with probability at least ``1 - beta`` some drawn hypothesis
    errs with probability at most ``alpha``.

    For each concept ``f`` and each minimal family ``families[a]`` of sets with joint
    chance above ``beta``, ``mixtures[f][a]`` over their hypotheses (concatenated in order)
    mislabels every point with probability at most ``alpha``: so no law of points defeats
    them all.
    """

    alpha: Fraction
    beta: Fraction
    sets: tuple[Table, ...]
    chances: Weights
    families: Table
    mixtures: tuple[tuple[Weights, ...], ...]
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        size = max((len(part) for part in self.sets), default=0)
        return f"PRDim({show(self.alpha)}, {show(self.beta)}) <= log2 {size}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HardPairs(Certificate):
    """A law (``chances``) on pairs of a concept and a law of points, such that every set of
    ``size`` hypotheses has an ``alpha``-good one with probability below ``1 - beta``.
    """

    alpha: Fraction
    beta: Fraction
    size: int
    concepts: Ints
    laws: tuple[Weights, ...]
    chances: Weights

    def says(self) -> str:
        return f"PRDim({show(self.alpha)}, {show(self.beta)}) > log2 {self.size}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class PublicProtocol(Certificate):
    """A one-way protocol with public coins: coin ``r`` falls with ``chances[r]``; then the
    holder of concept ``f`` sends ``alice[r][f]`` and the holder of ``x`` answers
    ``bob[r][message][x]``.
    """

    error: Fraction
    bits: int
    chances: Weights
    alice: Table
    bob: tuple[Table, ...]
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"R_public({show(self.error)}) <= {self.bits}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HardDistribution(Certificate):
    """Yao's argument: a law on (concept, point) pairs under which every deterministic
    protocol with ``messages`` messages errs with probability above ``error``.

    ``law[i][x]`` is the chance of ``(concepts[i], x)``.
    """

    error: Fraction
    messages: int
    concepts: Ints
    law: tuple[Weights, ...]

    def says(self) -> str:
        return (
            f"error {show(self.error)} with public coins needs more than {self.messages} messages"
        )


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateProtocol(Certificate):
    """A one-way protocol with private coins: the holder of ``f`` sends message ``m`` with
    chance ``alice[f][m]``; the holder of ``x`` answers 1 with chance ``bob[m][x]``.
    """

    error: Fraction
    bits: int
    alice: tuple[Weights, ...]
    bob: tuple[Weights, ...]
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"R_private({show(self.error)}) <= {self.bits}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class RadonSet(Certificate):
    """Concepts that points split in every way: ``points[b - 1]`` separates those whose bit
    is set in ``b`` from the others, for ``b`` from 1 to ``2**(k-1) - 1`` (the last concept's
    bit is never set). By Radon's theorem ``k - 1`` messages with private coins then have
    error at least 1/2.
    """

    concepts: Ints
    points: Ints

    def says(self) -> str:
        return (
            f"any error below 1/2 with private coins needs at least {len(self.concepts)} messages"
        )


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MoreThanOneBit(Certificate):
    """A few concepts that one bit with private coins cannot serve.

    With two messages a concept is a chance ``p`` of the second, and every point cuts the
    concepts at some ``p``: so they must lie in an order in which all points are monotone.
    If ``a < b`` are neighbours then ``b >= a (1 - e) / e`` for ``a >= e`` and
    ``1 - b <= (1 - a) e / (1 - e)`` otherwise (a chance of answering 1 that is linear in
    ``p`` must rise from ``e`` to ``1 - e`` between them and stay in [0, 1]). No order of
    these concepts allows both.
    """

    error: Fraction
    concepts: Ints

    def says(self) -> str:
        return f"R_private({show(self.error)}) >= 2"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class Packing(Certificate):
    """Concepts (``members``) at pairwise distance above ``radius`` under ``reference``, all
    within ``within`` of ``centre``; ``centre = -1`` means anywhere.
    """

    radius: Fraction
    reference: Weights
    members: Ints
    centre: int
    within: Fraction

    def says(self) -> str:
        where = "the class" if self.centre < 0 else f"the ball of radius {show(self.within)}"
        return f"{where} holds {len(self.members)} concepts more than {show(self.radius)} apart"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class Cover(Certificate):
    """Concepts (``centres``) such that every concept is within ``radius`` of one."""

    radius: Fraction
    reference: Weights
    centres: Ints
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"{len(self.centres)} balls of radius {show(self.radius)} cover the class"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HalfCovers(Certificate):
    """For each radius at which a ball changes and each centre, at most ``size`` balls of
    half the radius that cover the ball: ``covers[r][z]``.
    """

    reference: Weights
    size: int
    radii: Weights
    covers: tuple[Table, ...]
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"doubling dimension <= log2 {self.size}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HardBall(Certificate):
    """Weights on the ball of ``radius`` around ``centre`` such that no ball of half the
    radius holds more than 1 of them: covering it takes at least their sum.
    """

    reference: Weights
    size: int
    radius: Fraction
    centre: int
    weights: Weights

    def says(self) -> str:
        return f"doubling dimension >= log2 {self.size}"


@certificate_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MinimalRepresentation(Certificate):
    """Hypotheses of which none can be left out (BBKN13 Definition 3.5).

    They represent the class by ``mixtures``; under ``laws[i]`` every hypothesis but the
    ``i``-th errs on concept ``needed_for[i]`` with probability above ``alpha``.
    """

    alpha: Fraction
    hypotheses: Table
    mixtures: tuple[Weights, ...]
    needed_for: Ints
    laws: tuple[Weights, ...]
    side: ClassVar[str] = "minimal"

    def says(self) -> str:
        return f"these {len(self.hypotheses)} hypotheses are {show(self.alpha)}-minimal"
