"""The rivals and what may be tuned in each: ``FAMILIES``, name -> (choices, fit and predict).

Every family is given the declared public ranges and, tuned on the test sets, what a user could
only guess: ``top``, the share of each range that is used (values above are clipped to it), and
for the logistic regression the common centre and the norm to which records are clipped.
"""

from __future__ import annotations

import numpy as np

TOP = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)
DELTA = 1e-5


def _logistic(unit, y, learn, test, epsilon, seed, *, centre, norm, C, fit_intercept):
    """Scaled to norm 1, for which the proof of the objective perturbation is written."""
    from diffprivlib.models import LogisticRegression

    x = (unit - centre) / norm
    model = LogisticRegression(
        epsilon=epsilon,
        data_norm=1.0,
        C=C,
        fit_intercept=fit_intercept,
        max_iter=200,
        random_state=seed,
    )
    return model.fit(x[learn], y[learn]).predict(x[test])


def _box(unit, top):
    width = unit.shape[1]
    return np.minimum(unit, top), (np.zeros(width), np.full(width, top))


def _naive_bayes(unit, y, learn, test, epsilon, seed, *, top, var_smoothing):
    from diffprivlib.models import GaussianNB

    x, box = _box(unit, top)
    model = GaussianNB(epsilon=epsilon, bounds=box, var_smoothing=var_smoothing, random_state=seed)
    return model.fit(x[learn], y[learn]).predict(x[test])


def _tree(unit, y, learn, test, epsilon, seed, *, top, max_depth):
    from diffprivlib.models import DecisionTreeClassifier

    x, box = _box(unit, top)
    model = DecisionTreeClassifier(
        epsilon=epsilon, bounds=box, classes=[0, 1], max_depth=max_depth, random_state=seed
    )
    return model.fit(x[learn], y[learn]).predict(x[test])


def _forest(unit, y, learn, test, epsilon, seed, *, top, max_depth, n_estimators):
    from diffprivlib.models import RandomForestClassifier

    x, box = _box(unit, top)
    model = RandomForestClassifier(
        n_estimators=n_estimators,
        epsilon=epsilon,
        bounds=box,
        classes=[0, 1],
        max_depth=max_depth,
        random_state=seed,
    )
    return model.fit(x[learn], y[learn]).predict(x[test])


def _boosting(unit, y, learn, test, epsilon, seed, *, top, **choices):
    from interpret.privacy import DPExplainableBoostingClassifier

    x, _ = _box(unit, top)
    width = x.shape[1]
    model = DPExplainableBoostingClassifier(
        epsilon=epsilon,
        delta=DELTA,
        n_jobs=1,
        feature_types=["continuous"] * width,
        privacy_bounds=dict.fromkeys(range(width), (0.0, top)),
        random_state=seed,
        **choices,
    )
    return model.fit(x[learn], y[learn]).predict(x[test])


def _cells(unit, top, bins):
    return np.minimum((unit / top * bins).astype(int), bins - 1)


def _opendp_tree(unit, y, learn, test, epsilon, _seed, *, relation, top, bins, **choices):
    from opendp_rules import tree

    cells = _cells(unit, top, bins)
    rule = tree(cells[learn], y[learn], bins=bins, epsilon=epsilon, relation=relation, **choices)
    return rule(cells[test])


def _opendp_bayes(unit, y, learn, test, epsilon, _seed, *, relation, top, bins, **choices):
    from opendp_rules import bayes

    cells = _cells(unit, top, bins)
    rule = bayes(cells[learn], y[learn], bins=bins, epsilon=epsilon, relation=relation, **choices)
    return rule(cells[test])


_OPENDP_TREE = {
    "top": TOP,
    "bins": (4, 8, 16, 32),
    "depth": (1, 1, 2, 3, 4),
    "first": (0.2, 0.35, 0.5, 0.65),
}
_OPENDP_BAYES = {
    "top": TOP,
    "bins": (2, 3, 4, 6, 8, 12, 16),
    "columns": (1, 2, 3, 4, 6, 10, 30),
    "first": (0.2, 0.35, 0.5),
    "prior": (0.1, 1.0, 10.0, 50.0),
    "power": (0.3, 0.6, 1.0),
}

FAMILIES = {
    "diffprivlib logistic": (
        {
            "centre": (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5),
            "norm": (0.1, 0.15, 0.25, 0.4, 0.6, 0.8, 1.0, 1.4, 2.0, 2.8),
            "C": tuple(float(c) for c in np.geomspace(1e-3, 100, 16).round(4)),
            "fit_intercept": (True, False),
        },
        _logistic,
    ),
    "diffprivlib naive Bayes": (
        {"top": TOP, "var_smoothing": (1e-9, 1e-4, 1e-3, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)},
        _naive_bayes,
    ),
    "diffprivlib tree": ({"top": TOP, "max_depth": tuple(range(1, 11))}, _tree),
    "diffprivlib forest": (
        {
            "top": TOP,
            "max_depth": tuple(range(1, 11)),
            "n_estimators": (1, 2, 3, 4, 5, 7, 9, 11, 15, 20, 30),
        },
        _forest,
    ),
    "interpret DP-EBM": (
        {
            "top": TOP,
            "max_rounds": (3, 5, 10, 20, 50, 100, 200, 300, 600, 1000),
            "learning_rate": (0.01, 0.03, 0.1, 0.2, 0.5, 1.0, 2.0),
            "max_bins": (4, 8, 16, 32),
            "max_leaves": (2, 3, 4),
            "bin_budget_frac": (0.05, 0.1, 0.2),
            "composition": ("gdp", "gdp", "gdp", "classic"),
        },
        _boosting,
    ),
}
for _relation in ("replace", "add-remove"):
    for _name, _space, _run in (
        ("opendp tree", _OPENDP_TREE, _opendp_tree),
        ("opendp naive Bayes", _OPENDP_BAYES, _opendp_bayes),
    ):
        FAMILIES[f"{_name}, {_relation}"] = ({**_space, "relation": (_relation,)}, _run)


def affordable(setting: dict, width: int) -> bool:
    """What is left out, for time: forests of more than 2000 leaves in all, and DP-EBM with more
    than 1500 steps. The noise that DP-EBM gathers depends on rounds times learning rate alone,
    so many small steps buy little that fewer, larger ones do not (see the page for a check)."""
    if "n_estimators" in setting:
        return setting["n_estimators"] * 2 ** setting["max_depth"] <= 2000
    if "max_rounds" in setting:
        total = setting["max_rounds"] * setting["learning_rate"]
        return setting["max_rounds"] * width <= 1500 and 0.5 <= total <= 100
    return True


# Which neighbours a family's epsilon speaks of; ours are replacements. A mechanism that is
# epsilon-DP when one record is added or removed is 2 epsilon-DP when one is replaced.
NEIGHBOURS = {
    "diffprivlib logistic": "replace",
    "diffprivlib naive Bayes": "add-remove",
    "diffprivlib tree": "add-remove",
    "diffprivlib forest": "add-remove",
    "interpret DP-EBM": "add-remove",
    "opendp tree, replace": "replace",
    "opendp naive Bayes, replace": "replace",
    "opendp tree, add-remove": "add-remove",
    "opendp naive Bayes, add-remove": "add-remove",
}
