"""Where records come from: arrays, frames, CSV and Parquet files.

A source knows its public shape before anything is charged; the values themselves are
read only when a mechanism asks for them.
"""

from tacit.sources.files import FileSample, TableSample, open_file
from tacit.sources.read import read, read_column_of

__all__ = ["FileSample", "TableSample", "open_file", "read", "read_column_of"]
