"""A task's class and marginal in public numbers, so that a reader can compute with them anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tacit.classes import (
    Boxes,
    Conjunctions,
    Formulas,
    GridBalls,
    GridBoxes,
    GridHalfspaces,
    GridIntervals,
    Halfspaces,
    Intervals,
    KTermDnf,
    Lines,
    OneWaySequences,
    Parities,
    Paths,
    Points,
    PseudorandomPoints,
    RealBoxes,
    RealIntervals,
    RealThresholds,
    Scores,
    SetTrees,
    Stumps,
    Table,
    Thresholds,
    Trees,
)
from tacit.core import BadInput, ConceptClass, PublicRecords
from tacit.core.numbers import show, whole
from tacit.core.records import Stored
from tacit.core.respelled import earlier_names
from tacit.domains.references import Reference
from tacit.domains.schema import Schema
from tacit.problems.marginals.queries import Conditions, Marginals, PrefixSums, Ranges
from tacit.problems.protocols.found import Represented
from tacit.problems.tables.additive_rules import AdditivePoints
from tacit.problems.tables.alarms import AlarmRules
from tacit.problems.tables.best_of import AnyOf
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.boosted_rules import BoostedTrees
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.grown_formulas import GrownFormulas
from tacit.problems.tables.grown_trees import GrownTrees
from tacit.problems.tables.informed import InformedTrees
from tacit.problems.tables.shared_trees import EitherTrees, SharedTrees
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.trees import RuleLists, TreeRule
from tacit.theory.dimensions.witnesses import witness_from_dict

_MOST_DIGITS = 20_000
"""Of the size of a domain: more than 2^65536 has."""
_SHORT = 4000
_LARGEST = 1 << 20
"""Of any other whole number: bits, columns, levels."""
_MOST_CANDIDATES = 1000


def _one_range(of: RealIntervals | RealThresholds) -> dict[str, object]:
    ((low, high),) = of.domain.bounds
    return {"low": show(low), "high": show(high)}


def _digits(size: int) -> str:
    """Decimal where Python prints it at once, else hexadecimal."""
    return str(size) if size.bit_length() <= _SHORT else hex(size)


def _columns(of: Boxes | Conjunctions | Intervals | Formulas | GrownFormulas) -> dict[str, object]:
    chosen = None if of.chosen is None else [list(one) for one in of.chosen]
    return {"schema": of.schema.to_dict(), "columns": of.columns, "chosen": chosen}


def _beside_schema(of: AlarmRules | InformedTrees) -> dict[str, object]:
    if isinstance(of, AlarmRules):
        return {"alarms": show(of.alarms), "columns": of.columns}
    return {"rules": [rule.to_dict() for rule in of.rules]}


def _options(of: ConceptClass) -> dict[str, Any] | None:
    """What the class is made with again, in JSON's own types."""
    match of:
        case Points() | GridIntervals():
            return {"size": _digits(of.domain.size)}
        case Thresholds():
            return {"size": _digits(of.domain.size), "orientation": of.orientation}
        case Table():
            return {"matrix": ["".join("01"[int(bit)] for bit in row) for row in of.matrix]}
        case Represented():
            return {"base": class_record(of.base), "found": of.found.to_dict()}
        case Parities():
            return {"bits": of.domain.columns}
        case GridBalls() | GridBoxes() | GridHalfspaces():
            return {"bits": of.bits, "columns": of.columns}
        case Paths():
            return {"bits": of.bits}
        case Lines():
            return {"p": of.domain.p}
        case OneWaySequences():
            return {"index_bits": of.tree.index_bits, "seed_bits": of.tree.seed_bits}
        case PseudorandomPoints():
            return {"bits": of.bits, "seed_bits": of.seed_bits}
        case KTermDnf():
            return {"variables": of.domain.columns, "terms": of.terms}
        case Halfspaces():
            return {"dimension": of.columns}
        case RealBoxes():
            return {"bounds": [[show(low), show(high)] for low, high in of.domain.bounds]}
        case RealIntervals() | RealThresholds():
            return _one_range(of)
        case Boxes() | Conjunctions() | Intervals():
            return _columns(of)
        case Formulas() | GrownFormulas():
            return _columns(of) | {"form": of.form, "clauses": of.clauses}
        case Scores():
            named = {"columns": of.columns, "most": of.most, "fewest": of.fewest}
            return {"schema": of.schema.to_dict()} | named
        case FittingTrees():
            return {"schema": of.schema.to_dict(), "lists": int(of.lists)}
        case BestRules():
            return {"schema": of.schema.to_dict(), "own_grid": int(of.own_grid)}
        case BoostedTrees():
            return {"schema": of.schema.to_dict(), "rounds": of.rounds}
        case GrownTrees() | SharedTrees():
            return {"schema": of.schema.to_dict(), "depth": of.depth}
        case AlarmRules() | InformedTrees():
            return {"schema": of.schema.to_dict()} | _beside_schema(of)
        case AdditivePoints() | FewCuts() | Totals():
            return {"schema": of.schema.to_dict()}
        case AnyOf():
            return {"classes": [class_record(one) for one in of.classes], "tries": of.tries}
        case Stumps() | Trees() | SetTrees():
            return {"schema": of.schema.to_dict(), "depth": of.depth, "leaf": show(of.leaf)}
        case Marginals() | Conditions() | Ranges() | PrefixSums():
            impossible = [[[name, list(some)] for name, some in one] for one in of.impossible]
            asked = {} if of.about is None else {"about": of.about}
            known = {"ways": of.ways, "impossible": impossible}
            return {"schema": of.schema.to_dict()} | known | asked
    return None


_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        Boxes, Conjunctions, Formulas, Halfspaces, Intervals, KTermDnf, Lines, OneWaySequences,
        Parities, Paths, Points, PseudorandomPoints, RealBoxes, RealIntervals, RealThresholds,
        GridBalls, GridBoxes, GridHalfspaces, GridIntervals, Scores, Conditions, Marginals,
        PrefixSums, Ranges, Stumps, Table, Thresholds, Trees, AnyOf, BestRules, BoostedTrees,
        FewCuts, FittingTrees, GrownFormulas, GrownTrees, Represented, RuleLists, Totals,
        AdditivePoints, AlarmRules, EitherTrees, InformedTrees, SetTrees, SharedTrees,
    )
}  # fmt: skip


def class_record(concepts: ConceptClass) -> dict[str, object] | None:
    """The class as names and exact numbers; ``None`` where no reader knows it."""
    kind = type(concepts).__name__
    if _KINDS.get(kind) is not type(concepts):
        return None
    options = _options(concepts)
    return None if options is None else {"kind": kind, **options}


def class_from_record(record: Stored) -> ConceptClass:
    """Read back what ``class_record`` wrote, or refuse."""
    try:
        kind = _KINDS[record["kind"]]
        now = earlier_names(kind)  # files keep the names that numbers had at first
        options = {
            now.get(name, name): _read(name, record[name]) for name in record if name != "kind"
        }
        made: ConceptClass = kind(**options)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise BadInput(
            "the certificate describes a class that this version does not know"
        ) from None
    return made


def _read(name: str, value: Any) -> Any:
    """One option, as the class takes it."""
    match name:
        case "size":
            if not isinstance(value, str) or len(value) > _MOST_DIGITS:
                raise ValueError
            return int(value, 0)
        case "schema":
            return schema_from_record(value)
        case "base":
            return class_from_record(value)
        case "found":
            return witness_from_dict(value)
        case "matrix":
            return [[int(bit) for bit in row] for row in value]
        case "chosen":
            return None if value is None else tuple(tuple(map(_small, one)) for one in value)
        case "impossible":
            return tuple(tuple((name, tuple(some)) for name, some in one) for one in value)
        case "lists" | "own_grid":
            return bool(_small(value))
        case "classes":
            if not isinstance(value, list) or len(value) > _MOST_CANDIDATES:
                raise ValueError
            return tuple(class_from_record(one) for one in value)
        case "rules":
            if not isinstance(value, list) or len(value) > _MOST_CANDIDATES:
                raise ValueError
            return tuple(TreeRule.from_dict(one) for one in value)
        case "bounds":
            return [(str(low), str(high)) for low, high in value]
    return value if isinstance(value, str) else _small(value)


def _small(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        raise ValueError
    return value


def schema_from_record(record: object) -> Schema:
    """Read back what ``Schema.to_dict`` wrote, or refuse."""
    if not isinstance(record, Mapping) or not {"columns"} <= set(record) <= {"columns", "public"}:
        raise ValueError
    return Schema.of(record)


def marginal_record(marginal: object) -> object:
    """A task's marginal in JSON's own types."""
    if isinstance(marginal, Reference):
        kappa = None if marginal.kappa is None else show(marginal.kappa)
        named = {"shape": marginal.shape, "dimension": marginal.columns, "name": marginal.name}
        return named | {"kappa": kappa}
    return str(marginal)


def marginal_from_record(record: object) -> object:
    """Read back what ``marginal_record`` wrote."""
    if not isinstance(record, Mapping):
        return str(record)
    return Reference(
        shape=str(record["shape"]),
        columns=_small(record["dimension"]),
        kappa=record["kappa"],
        name=str(record["name"]),
    )


def public_record(public: PublicRecords) -> dict[str, object]:
    """Which public records there were: how many, which, and how near their law is."""
    return {"count": public.count, "digest": public.digest, "kappa": show(public.kappa)}


def public_from_record(record: Stored | None) -> PublicRecords | None:
    """Read back what ``public_record`` wrote: without the values, which a plan does not need."""
    if record is None:
        return None
    count, digest, kappa = record["count"], record["digest"], record["kappa"]
    if not isinstance(digest, str) or not isinstance(kappa, str) or len(digest + kappa) > _SHORT:
        raise BadInput("the certificate describes public records that cannot be read")
    return PublicRecords(whole(count, name="count", least=1), kappa=kappa, digest=digest)
