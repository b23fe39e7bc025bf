"""How every public class is written on a command line."""

SCHEMA = """
[columns.age]
kind = "number"
low = 0
high = 120

[columns.sex]
kind = "category"
values = ["f", "m"]
"""
OPTIONS = {
    "boxes": ["--columns", "1"],
    "conjunctions": [],
    "formulas": ["--clauses", "1"],
    "grid-balls": ["--bits", "1", "--columns", "2"],
    "grid-boxes": ["--bits", "2", "--columns", "2"],
    "grid-halfspaces": ["--bits", "2", "--columns", "2"],
    "grid-intervals": ["--bits", "7"],
    "halfspaces": ["--columns", "2", "--marginal", "uniform"],
    "intervals": [],
    "k-term-dnf": ["--columns", "3", "--terms", "1", "--setting", "realizable"],
    "lines": ["--size", "5", "--delta", "1e-6", "--setting", "realizable"],
    "one-way-sequences": ["--bits", "8", "--setting", "realizable"],
    "parities": ["--bits", "4", "--setting", "realizable", "--marginal", "uniform"],
    "paths": ["--bits", "6"],
    "points": ["--bits", "8"],
    "pseudorandom-points": ["--bits", "8", "--seed-bits", "4", "--setting", "realizable"],
    "real-boxes": ["--columns", "1", "--marginal", "uniform"],
    "real-intervals": ["--low", "0", "--high", "2", "--marginal", "uniform"],
    "real-thresholds": ["--marginal", "uniform"],
    "scores": ["--columns", "1", "--most", "1"],
    "set-trees": ["--depth", "1"],
    "stumps": [],
    "table": [],
    "thresholds": ["--size", "111"],
    "trees": ["--depth", "2"],
}
