"""Where records come from: arrays, frames and files.

A source knows its public shape before anything is charged; the values themselves are
read only when a mechanism asks for them.
"""

from tacit.sources.dialect import Dialect
from tacit.sources.files import FileSample, TableSample
from tacit.sources.opening import read

__all__ = ["Dialect", "FileSample", "TableSample", "read"]
