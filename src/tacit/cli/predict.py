"""``tacit predict``: apply a released rule; costs no privacy."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.outputs import FORCE, Outputs
from tacit.cli.reading import Data, Decimal, Delimiter, Encoding, Glob, Quote, Reading, Sheet
from tacit.core import BadInput


def predict(
    model: Annotated[Path, typer.Argument(help="What `tacit learn -o` wrote.")],
    data: Data,
    *,
    column: Annotated[str | None, typer.Option(help="The column the rule looks at.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A .csv or .parquet file to write.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=FORCE)] = False,
    delimiter: Delimiter = None,
    decimal: Decimal = ".",
    encoding: Encoding = "utf-8",
    quote: Quote = '"',
    sheet: Sheet = None,
    glob: Glob = False,
) -> None:
    """Apply a rule to every row of a table, in order; prints a CSV column by default."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    from tacit.cli.files import read_rule
    from tacit.sources.files import read_table

    rule = read_rule(model)
    if output is not None and output.suffix not in (".csv", ".parquet"):
        raise BadInput("the output file must end in .csv or .parquet")
    reading = Reading(
        delimiter=delimiter,
        decimal=decimal,
        encoding=encoding,
        quote=quote,
        sheet=sheet,
        glob=glob,
    )
    inputs = reading.inputs(data) | {"rule": model}
    with Outputs({"output": output}, inputs=inputs, force=force) as files:
        source = reading.open(data)
        schema = getattr(rule, "schema", None)
        if schema is not None:
            answers = rule.predict(read_table(source, schema.names))
        else:
            known = list(source.types)
            if column is None:
                if len(known) != 1:
                    raise BadInput(f"say which column the rule looks at: {', '.join(known)}")
                column = known[0]
            answers = rule.predict(read_table(source, (column,)).column(0))
        table = pa.table({"prediction": pa.array(answers.astype("int8"))})
        if output is None:
            typer.echo("prediction\n" + "\n".join(map(str, table.column(0).to_pylist())))
            return
        content = io.BytesIO()
        write = pyarrow.csv.write_csv if output.suffix == ".csv" else pyarrow.parquet.write_table
        write(table, content)
        files["output"].write(content.getvalue())
