"""Try on made-up things what a paid command does last, so that nothing is loaded after the charge.

What prints, draws and writes tables comes with large libraries. One that is missing or damaged
is found here, where nothing is lost.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tacit.cli.deliver import drawn
from tacit.cli.files import show_words

if TYPE_CHECKING:
    from tacit.core.concept import Numbered

_PAGE = "## One\n\n- **Two.** *three* `four`\n\n### Five\n\n1. six\n"


def rehearse_words() -> None:
    """Print a made-up rule and certificate, to nowhere."""
    drawn(lambda console: show_words("if age < 50: no", _PAGE, console=console, title="rule"))


def rehearse_table(suffix: str) -> None:
    """Write a made-up table in the format of this file name, to nowhere."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.feather
    import pyarrow.parquet

    table, nowhere = pa.table({"x": [1, 2]}), io.BytesIO()
    match suffix:
        case ".csv":
            pa.csv.write_csv(table, nowhere)
        case ".parquet":
            pa.parquet.write_table(table, nowhere)
        case _:
            pa.feather.write_feather(table, nowhere)


def rehearse_chart(queries: Numbered, suffix: str) -> None:
    """Draw the answers of a made-up column, to nowhere."""
    from tacit.problems.finite.synthetic import SyntheticTable
    from tacit.report.answers import answers_chart, drawn_chart

    drawn_chart(answers_chart(SyntheticTable.of(queries.domain, [0]), queries), suffix)
