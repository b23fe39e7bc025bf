"""The part of ``tacit sanitize`` for tables with a schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.cli.paid import Synthetic
from tacit.cli.rehearsal import rehearse_table
from tacit.core import BadInput
from tacit.core.certificate import Certificate
from tacit.report.croissant import croissant
from tacit.report.error_svg import error_svg
from tacit.report.release_file import release_text

if TYPE_CHECKING:
    from tacit.accounting import Ledger
    from tacit.cli.outputs import Outputs
    from tacit.core import Accuracy, Privacy, Release, Source
    from tacit.problems.marginals.queries import TableQueries

KINDS = ("marginals", "conditions", "ranges", "prefix-sums")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRelease(Synthetic):
    """One ``tacit sanitize --schema``: what is asked, and where it goes."""

    queries: TableQueries
    privacy: Privacy
    accuracy: Accuracy
    algorithm: str | None
    rows: int | None
    output: Path
    certificate: Path | None
    plot: Path | None
    croissant: Path | None

    def check(self) -> None:
        """Refuse, before the charge, what could not be written."""
        from tacit.problems.marginals.table import SUFFIXES

        if self.output.suffix not in SUFFIXES:
            raise BadInput(f"the output file must end in one of {', '.join(SUFFIXES)}")
        if self.plot is not None and self.plot.suffix != ".svg":
            raise BadInput("the errors of a table are drawn as .svg")

    @property
    def outputs(self) -> dict[str, Path | None]:
        """Every file that is written."""
        return {
            "output": self.output,
            "certificate": self.certificate,
            "plot": self.plot,
            "croissant": self.croissant,
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are released."""
        return self.queries.schema.names

    def release(self, source: Source, ledger: Ledger) -> Release[Any]:
        """Charge the ledger and release the table."""
        from tacit.api import sanitize

        return sanitize(
            source,
            self.queries,
            privacy=self.privacy,
            accuracy=self.accuracy,
            ledger=ledger,
            algorithm=self.algorithm,
            rows=self.rows,
            errors=self.plot is not None,
        )

    def rehearse(self) -> None:
        """Load, before the charge, what writes the table."""
        rehearse_table(self.output.suffix)

    def write(self, release: Release[Any], record: Any, files: Outputs) -> None:
        """The table, the release, the picture and the metadata."""
        stated = release.certificate
        assert isinstance(stated, Certificate)
        draft, finished = files["output"].draft, ["output"]
        release.value.write(draft)
        if self.certificate is not None:
            files["certificate"].fill(release_text(record))
            finished.append("certificate")
        if self.plot is not None and stated.answered is not None:
            files["plot"].fill(error_svg(stated.answered))
            finished.append("plot")
        if self.croissant is not None:
            name = self.output.stem
            about = croissant(release.value, stated, self.output, name=name, draft=draft)
            files["croissant"].fill(json.dumps(about, indent=2) + "\n")
            finished.append("croissant")
        files.publish(finished)


def read_queries(
    schema: Path, *, kind: str | None, ways: int | None, about: str | None
) -> TableQueries:
    """The queries over the schema of a TOML file, which may declare impossible combinations."""
    from tacit.domains.schema import Schema
    from tacit.domains.schema_text import read_toml
    from tacit.queries import Conditions, Marginals, PrefixSums, Ranges

    declared = dict(read_toml(schema))
    impossible = declared.pop("impossible", [])
    if not isinstance(impossible, list):
        raise BadInput('impossible must be a list of tables: [[impossible]], sex = "male", ...')
    columns = Schema.of(declared)
    kinds: dict[str, Callable[..., TableQueries]] = {
        "marginals": Marginals,
        "conditions": Conditions,
        "ranges": Ranges,
        "prefix-sums": PrefixSums,
    }
    made = kinds.get(kind or "marginals")
    if made is None:
        raise BadInput(f"--queries must be one of {', '.join(KINDS)} with --schema")
    usual = 1 if kind in ("ranges", "prefix-sums") else min(2, columns.width)
    number = usual if ways is None else ways
    return made(columns, ways=number, about=about, impossible=tuple(impossible))
