"""The part of ``tacit sanitize`` for one column of whole numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.cli.paid import Synthetic
from tacit.cli.rehearsal import rehearse_chart, rehearse_table
from tacit.core import BadInput
from tacit.report.answers import answers_chart, chart_file, save_chart
from tacit.report.release_file import release_text

if TYPE_CHECKING:
    from tacit.accounting import Ledger
    from tacit.cli.outputs import Outputs
    from tacit.core import Accuracy, Privacy, Release, Source
    from tacit.core.concept import Numbered


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnRelease(Synthetic):
    """One ``tacit sanitize --columns``: what is asked, and where it goes."""

    queries: Numbered
    name: str
    low: int
    high: int
    privacy: Privacy
    accuracy: Accuracy
    algorithm: str | None
    output: Path
    certificate: Path | None
    plot: Path | None

    def check(self) -> None:
        """Refuse, before the charge, what could not be written."""
        if self.output.suffix not in (".csv", ".parquet"):
            raise BadInput("the output file must end in .csv or .parquet")
        if self.plot is not None:
            chart_file(self.plot)

    @property
    def outputs(self) -> dict[str, Path | None]:
        """Every file that is written."""
        return {"output": self.output, "certificate": self.certificate, "plot": self.plot}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are released."""
        return (self.name,)

    @property
    def column(self) -> str:
        """The one column that is released."""
        return self.name

    def release(self, source: Source, ledger: Ledger) -> Release[Any]:
        """Charge the ledger and release the column, which knows its name and its low end."""
        from tacit.api import sanitize
        from tacit.sources.files import StreamedRecords, number_reading
        from tacit.sources.persons import SourcePersons

        exact, unit = self.high - self.low >= 1 << 53, self.privacy.unit
        how = number_reading(source, columns=self.columns, low=self.low, exact=exact)
        release = sanitize(
            StreamedRecords(source, how)
            if unit is None
            else SourcePersons(source, how, unit=unit, domain=self.queries.domain),
            self.queries,
            privacy=self.privacy,
            accuracy=self.accuracy,
            ledger=ledger,
            algorithm=self.algorithm,
        )
        table: Any = release.value
        return replace(release, value=replace(table, low=self.low, column=self.name))

    def rehearse(self) -> None:
        """Load, before the charge, what writes and draws the column."""
        rehearse_table(self.output.suffix)
        if self.plot is not None:
            rehearse_chart(self.queries, self.plot.suffix)

    def write(self, release: Release[Any], record: Any, files: Outputs) -> None:
        """The column, the release and the picture."""
        finished = ["output"]
        release.value.write(files["output"].draft)
        if self.certificate is not None:
            files["certificate"].fill(release_text(record))
            finished.append("certificate")
        if self.plot is not None:
            save_chart(answers_chart(release.value, self.queries), files["plot"].draft)
            finished.append("plot")
        files.publish(finished)


def read_queries(queries: str, *, size: int, matrix: Path | None) -> Any:
    """The class of queries over a range of ``size`` values."""
    from tacit.cli.task import read_class

    if queries == "parities":
        from tacit.classes import Parities

        if size < 2 or size & (size - 1):
            raise BadInput("parities need a range of 2, 4, 8, ... values, such as flags:0..255")
        return Parities(bits=size.bit_length() - 1)
    if queries not in ("points", "thresholds", "table"):
        raise BadInput("--queries must be points, thresholds, parities or table")
    listed = queries == "table"  # its matrix has a size of its own
    concepts = read_class(concepts=queries, size=None if listed else size, matrix=matrix)
    if concepts.domain.size != size:
        raise BadInput(
            "the matrix of --queries table needs one column for every value of the range"
        )
    return concepts


def read_range(text: str) -> tuple[str, int, int]:
    """``age:0..120`` as a name and the two ends."""
    match = re.fullmatch(r"(.+):(-?\d+)\.\.(-?\d+)", text.strip())
    if match is None:
        raise BadInput("--columns must look like age:0..120, the public range of the column")
    low, high = int(match[2]), int(match[3])
    if high < low:
        raise BadInput("--columns must give the lower end of the range first")
    return match[1], low, high
