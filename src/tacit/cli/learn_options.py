"""The options of ``tacit learn``, in groups."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.common_options import (
    MATRIX,
    Algorithm,
    CertifiedBeta,
    Concepts,
    Cost,
    Force,
    Orientation,
    ReleaseAsJson,
)
from tacit.cli.groups import Panel, given, marked
from tacit.cli.privacy_options import PrivacyOptions
from tacit.cli.spend import Spending

SHARED = "taken by models and by classes"
"""Marks an option of a model that some class takes too, or of a class that some model takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFile:
    """Where the rule goes."""

    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write rule and certificate as JSON.")
    ] = None
    force: Force = False
    as_json: ReleaseAsJson = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedPrivacy(PrivacyOptions):
    """How private a release is, and how sure its certificate."""

    beta: CertifiedBeta = "0.05"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableModel:
    """A rule over a table with a schema. Options that were left out are ``None``."""

    schema: Annotated[
        Path | None, typer.Option(help="Public schema (TOML); see tacit schema."), SHARED
    ] = None
    model: Annotated[
        str | None,
        typer.Option(
            help="tree (default), rule, rule-list, stump, set-tree (asks about sets of "
            "categories), interval, box, conjunction, score, additive (points of all columns), "
            "boosted (a sum of trees, see --rounds), alarms (with --alarms), informed (with "
            "--public), or selection for the best of several; a name that there is not lists them "
            "all."
        ),
    ] = None
    features: Annotated[
        str | None, typer.Option(help="Only these columns of the schema: age,dose.")
    ] = None
    columns: Annotated[
        str | None,
        typer.Option(
            help="box, conjunction: how many columns a rule asks, or which together: "
            "age,dose;age,ward."
        ),
        SHARED,
    ] = None
    form: Annotated[
        str | None, typer.Option(help="conjunction: conjunction, cnf or dnf."), SHARED
    ] = None
    clauses: Annotated[int | None, typer.Option(help="conjunction: clauses at most."), SHARED] = (
        None
    )
    depth: Annotated[
        str | None, typer.Option(help="tree, rule, rule-list, set-tree: auto or levels."), SHARED
    ] = None
    rounds: Annotated[
        str | None, typer.Option(help="boosted: auto, or how many trees are added up.")
    ] = None
    bins: Annotated[
        int | None, typer.Option(help="Cells of a column that declares none."), SHARED
    ] = None
    error_share: Annotated[
        str | None, typer.Option(help="Part of epsilon that counts mistakes: auto, or such as 0.1.")
    ] = None
    rate_share: Annotated[
        str | None,
        typer.Option(
            help="Part of epsilon that counts each label in each part of the rule, so that it "
            "says 12 of 100 there, and predict says chances: such as 0.2."
        ),
    ] = None
    cost: Cost = None
    alarms: Annotated[
        str | None,
        typer.Option(help="alarms: the part of the records that may be called positive: 5%."),
    ] = None
    among: Annotated[
        str | None, typer.Option(help="selection: models to choose from: tree,box.")
    ] = None
    tries: Annotated[int | None, typer.Option(help="selection: expected draws.")] = None

    def options(self) -> dict[str, object]:
        """What was said about the model, all but its schema: what only models take first."""
        told, shared = given(self), marked(TableModel, SHARED)
        told.pop("schema", None)
        return {name: told[name] for name in sorted(told, key=lambda name: name in shared)}

    def alone(self) -> list[str]:
        """The options that were given and that no class takes."""
        return [name for name in self.options() if name not in marked(TableModel, SHARED)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptOptions:
    """A concept class and its task. Options that were left out are ``None``."""

    concepts: Concepts = None
    column: Annotated[
        str | None, typer.Option(help="The column to learn from, or several: x,y.")
    ] = None
    bits: Annotated[int | None, typer.Option(help="The column holds 0..2^bits-1.")] = None
    size: Annotated[str | None, typer.Option(help="The column holds 0..size-1.")] = None
    orientation: Orientation = None
    matrix: Annotated[Path | None, MATRIX] = None
    alpha: Annotated[str | None, typer.Option(help="Error to certify; default 0.1.")] = None
    setting: Annotated[str | None, typer.Option(help="agnostic (default) or realizable.")] = None
    output_kind: Annotated[str | None, typer.Option(help="any (default), proper, improper.")] = None
    marginal: Annotated[
        str | None,
        typer.Option(
            help="The features' law: any (default), uniform, or of reals kappa=2, spike=0.01, "
            "band=0.3, caps=0.9."
        ),
    ] = None
    public: Annotated[
        Path | None,
        typer.Option(
            help="A file of public records, none of them private: for --class without labels and "
            "of the same law; for --model informed with labels, as a prior over trees."
        ),
        SHARED,
    ] = None
    algorithm: Algorithm = None

    def alone(self) -> list[str]:
        """The options that were given and that no model takes."""
        return [name for name in given(self) if name not in marked(ConceptOptions, SHARED)]

    def words(self, table: TableModel) -> dict[str, str | None]:
        """What was said about the class itself, a table's schema and shape among it."""
        told = {
            "bits": self.bits,
            "size": self.size,
            "orientation": self.orientation,
            "matrix": self.matrix,
            "schema": table.schema,
            "columns": table.columns,
            "form": table.form,
            "clauses": table.clauses,
            "depth": table.depth,
            "bins": table.bins,
        }
        return {name: None if word is None else str(word) for name, word in told.items()}


_PRIVACY = Panel("Privacy and accuracy")
PrivacyPanel = Annotated[CertifiedPrivacy, _PRIVACY]
SpendingPanel = Annotated[Spending, _PRIVACY]
TablePanel = Annotated[TableModel, Panel("A table with a schema (--schema)")]
ConceptPanel = Annotated[
    ConceptOptions, Panel("A concept class (--class NAME, with the options of that class)")
]
