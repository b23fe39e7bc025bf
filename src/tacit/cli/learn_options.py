"""The options of ``tacit learn``, one name each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.outputs import FORCE
from tacit.cli.spend import DRY_RUN, LEDGER, NO_LEDGER, PURPOSE

_PRIVACY = "Privacy and accuracy"
_TABLE = "A table with a schema (--schema)"
_CLASS = "A concept class (--class NAME, with the options of that class)"

LabelColumn = Annotated[str | None, typer.Option(help="The label column.")]
LabelColumns = Annotated[
    str | None,
    typer.Option(
        "--labels",
        help="Several label columns of a table at once: a,b,c or 'dx_*'; needs a --delta.",
    ),
]
Positive = Annotated[
    str | None,
    typer.Option(help="The label value that the rule looks for; default: 1, beside --negative 0."),
]
Negative = Annotated[
    str | None,
    typer.Option(help="The other label value; default: whatever is not --positive, missing too."),
]
Classes = Annotated[
    str | None,
    typer.Option(
        help="All label values, where there are more than two: a,b,c (trees and rule lists)."
    ),
]
Other = Annotated[
    str,
    typer.Option(
        help="What a label does that is not declared, or missing: negative (counts as that one, of "
        "several as the first), ignore (its record counts as no mistake; needs --negative), or "
        "class (all such labels together are one more label, 'other'; trees and rule lists)."
    ),
]
OutputFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write rule and certificate as JSON.")
]
Force = Annotated[bool, typer.Option("--force", help=FORCE)]
AsJson = Annotated[bool, typer.Option("--json", help="Print the release as JSON, nothing else.")]
Epsilon = Annotated[
    str, typer.Option(help="Privacy, such as 0.5 or 1/2.", rich_help_panel=_PRIVACY)
]
Delta = Annotated[str, typer.Option(help="0 for pure privacy.", rich_help_panel=_PRIVACY)]
Relation = Annotated[
    str, typer.Option(help="replace-one, add-remove or label.", rich_help_panel=_PRIVACY)
]
Beta = Annotated[
    str, typer.Option(help="Failure probability to certify.", rich_help_panel=_PRIVACY)
]
Ledger = Annotated[str | None, typer.Option(help=LEDGER, rich_help_panel=_PRIVACY)]
NoLedger = Annotated[bool, typer.Option("--no-ledger", help=NO_LEDGER, rich_help_panel=_PRIVACY)]
Purpose = Annotated[str, typer.Option(help=PURPOSE, rich_help_panel=_PRIVACY)]
DryRun = Annotated[bool, typer.Option("--dry-run", help=DRY_RUN, rich_help_panel=_PRIVACY)]
SchemaFile = Annotated[
    Path | None,
    typer.Option(help="Public schema (TOML); see tacit schema.", rich_help_panel=_TABLE),
]
Model = Annotated[
    str | None,
    typer.Option(
        help="tree (default), rule, rule-list, stump, interval, box, conjunction, score, alarms "
        "(with --alarms), informed (with --public), or selection for the best of several.",
        rich_help_panel=_TABLE,
    ),
]
Features = Annotated[
    str | None,
    typer.Option(help="Only these columns of the schema: age,dose.", rich_help_panel=_TABLE),
]
Columns = Annotated[
    str | None,
    typer.Option(
        help="box, conjunction: how many columns a rule asks, or which together: "
        "age,dose;age,ward.",
        rich_help_panel=_TABLE,
    ),
]
Form = Annotated[
    str | None,
    typer.Option(help="conjunction: conjunction, cnf or dnf.", rich_help_panel=_TABLE),
]
Clauses = Annotated[
    int | None, typer.Option(help="conjunction: clauses at most.", rich_help_panel=_TABLE)
]
Depth = Annotated[
    str | None,
    typer.Option(help="tree, rule, rule-list: auto or levels.", rich_help_panel=_TABLE),
]
Bins = Annotated[
    int | None,
    typer.Option(help="Cells of a column that declares none.", rich_help_panel=_TABLE),
]
ErrorShare = Annotated[
    str | None,
    typer.Option(
        help="Part of epsilon that counts mistakes: auto, or such as 0.1.",
        rich_help_panel=_TABLE,
    ),
]
Cost = Annotated[
    str | None,
    typer.Option(
        help="tree, rule, rule-list, stump: what a mistake on each label costs: yes=20,no=1; or "
        "balanced.",
        rich_help_panel=_TABLE,
    ),
]
Alarms = Annotated[
    str | None,
    typer.Option(
        help="alarms: the part of the records that may be called positive: 5%.",
        rich_help_panel=_TABLE,
    ),
]
Among = Annotated[
    str | None,
    typer.Option(help="selection: models to choose from: tree,box.", rich_help_panel=_TABLE),
]
Tries = Annotated[
    int | None, typer.Option(help="selection: expected draws.", rich_help_panel=_TABLE)
]
Concepts = Annotated[
    str | None,
    typer.Option(
        "--class",
        help="points, thresholds, parities, trees, ...: any public class.",
        rich_help_panel=_CLASS,
    ),
]
Column = Annotated[
    str | None,
    typer.Option(help="The column to learn from, or several: x,y.", rich_help_panel=_CLASS),
]
Bits = Annotated[
    int | None, typer.Option(help="The column holds 0..2^bits-1.", rich_help_panel=_CLASS)
]
Size = Annotated[
    str | None, typer.Option(help="The column holds 0..size-1.", rich_help_panel=_CLASS)
]
Orientation = Annotated[
    str | None,
    typer.Option(help="Of thresholds: >= (default), < or <=.", rich_help_panel=_CLASS),
]
Matrix = Annotated[
    Path | None,
    typer.Option(
        help="CSV of 0s and 1s, one rule a line, for --class table.",
        rich_help_panel=_CLASS,
    ),
]
Alpha = Annotated[
    str | None, typer.Option(help="Error to certify; default 0.1.", rich_help_panel=_CLASS)
]
Setting = Annotated[
    str | None,
    typer.Option(help="agnostic (default) or realizable.", rich_help_panel=_CLASS),
]
OutputKind = Annotated[
    str | None, typer.Option(help="any (default), proper, improper.", rich_help_panel=_CLASS)
]
Algorithm = Annotated[
    str | None, typer.Option(help="Default: the plan's best.", rich_help_panel=_CLASS)
]
Marginal = Annotated[
    str | None,
    typer.Option(
        help="The features' law: any (default), uniform, or of reals kappa=2, spike=0.01, "
        "band=0.3, caps=0.9.",
        rich_help_panel=_CLASS,
    ),
]
Public = Annotated[
    Path | None,
    typer.Option(
        help="A file of public records, none of them private: for --class without labels and of "
        "the same law; for --model informed with labels, as a prior over trees.",
        rich_help_panel=_CLASS,
    ),
]
