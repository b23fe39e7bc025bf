"""The fit of mbi 1.1.0 that SmartNoise's AIM and MST ask for, with numpy and numba.

``estimation.mirror_descent`` of mbi compiles its step anew at every call, and AIM calls it in every
round: nearly all of its hours are the compiler's. ``install()`` puts the ``mirror_descent`` of this
file in its place. It minimizes the same loss (half the squares of what is off, in standard
deviations, summed over measurements) over potentials on the same cliques, from zeros at every call
as there, for the same number of steps, with the same first step (two over total times the Lipschitz
constant, found by the same 50 power iterations) and the same rule: a step that decreases the loss
by half of what the slope promises is taken and the next is 1.01 times as long; otherwise the next
is half as long. A fit of the same measurements as the one before, which AIM asks for at its end, is
not made twice.

Rows are made as mbi's ``synthetic_data`` makes them, a column after another given those before it
that were measured together with it, but only for what the rows hold: mbi lists all cells of these
columns, several times (9.8 GB, not done after 130 s, in a run on visits at 5). From the same law
and random state all rows were mbi's own, written and drawn, on randhie at 0.1 and 1 and COMPAS at 1
with AIM and on COMPAS at 1 with MST.

What differs is the arithmetic alone, in doubles. Each step needs marginals once, not twice (those
of a step that was taken are those of the next one's start). mbi passes messages over a junction
tree, a cell of every clique at a time; here they come from ``elimination.py``, which takes columns
away one after another in the cheapest order that it finds, by products of matrices, and never makes
a clique of it. A fit of a thousand steps whose tree had 650,000 cells (Adult at 1) took 1.8 s
of a processor, where steps over the tree, which stood here before, took 9 s for 590,000; one whose
tree had 37 million cells (Adult at 5) took 34 s and its arrays 32 MB. The loss is a sparse matrix.
Pairs of columns in no common clique are what is left when all others have been taken away.

Potentials that were fitted long enough can leave the range of doubles (breast cancer at 1 with MST,
after 3,977 of 5,000 steps). Then that fit is mbi's own, and a line says so.

``python quick_mbi.py FOLDER TABLE EPSILON METHOD SEED`` checks it: two whole runs of ``METHOD``,
with mbi's fit and with this one, from the same seed (also for the noise, which SmartNoise takes
from the operating system otherwise), and prints whether they measured the same marginals and how
far apart their laws are; then, on the last measurements, how far apart after 20, 50 and all steps,
and how far mbi's own law moves when its measurements move by 1e-13 of themselves.

On COMPAS at epsilon 1 with AIM and seed 0 both measured the same marginals, and the laws of pairs
were 2.7e-5 apart (total variation, worst pair). 20 and 50 steps of the last fit leave them 2e-15
apart; in a thousand the step rule comes to decisions that rounding makes, and mbi's own law moves
by 1e-5 there (1.1e-4 in another run) when its measurements move by 1e-13. So no other arithmetic
can come closer, and figures of three digits do not show it. Beside the steps over the tree, which
had been checked against mbi in the same way, the same marginals were measured in each of six runs,
and laws were apart by 2e-14 on breast cancer with AIM at 1 and 1.4e-6 with MST at 5, by 1.9e-4 on
randhie with AIM at 1 (two seeds) and 5.4e-6 with MST at 5, and by 2.8e-4 on COMPAS with AIM at 1.
"""

from __future__ import annotations

import math
import operator
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
from elimination import Law
from mbi import Dataset, Factor, LinearMeasurement, estimation, junction_tree, marginal_oracles
from scipy import sparse

THEIRS = estimation.mirror_descent
_LAST = []  # what the last fit was asked for, and its model: AIM ends by asking for it once more


def install():
    """From now on mbi's ``estimation.mirror_descent`` is this one."""
    estimation.mirror_descent = mirror_descent


def mirror_descent(
    domain,
    loss_fn,
    *,
    known_total=None,
    iters=1000,
    marginal_oracle=marginal_oracles.message_passing_stable,
):
    """The model that mbi fits to a list of measurements (any exact oracle is the same one here)."""
    asked = [domain, known_total, iters, *loss_fn]
    if _LAST and len(asked) == len(_LAST[0]) and all(map(operator.is_, asked, _LAST[0])):
        return _LAST[1]
    try:
        with np.errstate(all="ignore"):
            model = _fit(domain, loss_fn, known_total, iters)
    except FloatingPointError as error:
        print(f"{error}: fitted by mbi itself", flush=True)
        how = {"known_total": known_total, "iters": iters}
        model = THEIRS(domain, loss_fn, **how, marginal_oracle=marginal_oracle)
    _LAST[:] = asked, model
    return model


def _fit(domain, loss_fn, known_total, iters):
    total = float(_total(loss_fn) if known_total is None else known_total)
    cliques = _maximal([tuple(one.clique) for one in loss_fn])
    law = Law(cliques, dict(zip(domain.attributes, map(int, domain.shape), strict=True)))
    missed = Loss(loss_fn, law)
    alpha = 2.0 / (missed.lipschitz() * total)
    theta = np.zeros(law.length)
    mu = law.marginals(theta, total)
    loss, slope = missed(mu)
    for _ in range(iters):
        theta2 = theta - alpha * slope
        mu2 = law.marginals(theta2, total)
        loss2, slope2 = missed(mu2)
        if not math.isfinite(loss2):
            raise FloatingPointError("the marginals left the range of doubles")
        if loss - loss2 >= 0.5 * alpha * (slope @ (mu - mu2)):
            theta, mu, loss, slope = theta2, mu2, loss2, slope2
            alpha *= 1.01
        else:
            alpha *= 0.5
    law.check(theta, total)
    return Model(domain, law, theta, mu, total)


def _total(measurements):
    """The total that the measurements say: their sums, weighted by how exact these are."""
    sums = np.array([np.sum(one.noisy_measurement) for one in measurements])
    weights = np.array([1 / (one.stddev**2 * len(one.noisy_measurement)) for one in measurements])
    return max(1.0, np.sum(sums * weights) / np.sum(weights))


def _maximal(cliques):
    """The cliques that lie in no other, longest first (mbi's order; the first of equal sets)."""
    kept = []
    for one in sorted(cliques, key=len, reverse=True):
        if not any(set(one) <= set(other) for other in kept):
            kept.append(one)
    return kept


class Loss:
    """Half the squares of what is off, over all cells that were measured (up to a constant).

    Several measurements of one marginal are one, of their mean.
    """

    def __init__(self, measurements, law):
        known = {}
        for one in measurements:
            place = next(i for i, own in enumerate(law.cliques) if set(one.clique) <= set(own))
            axes = tuple(a for a in law.cliques[place] if a in one.clique)
            values = np.reshape(one.noisy_measurement, [law.sizes[a] for a in one.clique])
            values = values.transpose([one.clique.index(a) for a in axes]).ravel()
            weight = 1 / max(one.stddev, 1e-12) ** 2
            before, sums = known.get((place, axes), (0.0, 0.0))
            known[place, axes] = (before + weight, sums + weight * values)
        places, weights, means, done = [], [], [], 0
        for (place, axes), (weight, sums) in known.items():
            shape = [law.sizes[a] for a in law.cliques[place]]
            inner = [n if a in axes else 1 for a, n in zip(law.cliques[place], shape, strict=True)]
            rows = np.broadcast_to(done + np.arange(sums.size).reshape(inner), shape).ravel()
            places.append((rows, law.starts[place] + np.arange(rows.size)))
            weights.append(np.full(sums.size, weight))
            means.append(sums / weight)
            done += sums.size
        rows, columns = (np.concatenate(some) for some in zip(*places, strict=True))
        shape = (done, law.length)
        self.sums = sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=shape)
        self.back = sparse.csr_array(self.sums.T)
        self.weights, self.means = np.concatenate(weights), np.concatenate(means)

    def __call__(self, mu):
        """The loss and its slope."""
        off = self.sums @ mu - self.means
        by = self.weights * off
        return 0.5 * (by @ off), self.back @ by

    def lipschitz(self):
        """The largest eigenvalue of the second derivative, as far as 50 powers find it."""
        v = np.ones(self.sums.shape[1])
        estimate = np.linalg.norm(v)
        v /= estimate
        for _ in range(50):
            v = self.back @ (self.weights * (self.sums @ v))
            estimate = np.linalg.norm(v)
            v /= estimate + 1e-12
        return estimate


# The model.


class Model:
    """What SmartNoise asks of mbi's ``MarkovRandomField``."""

    def __init__(self, domain, law, theta, mu, total):
        self.domain, self.cliques, self.total = domain, law.cliques, total
        self._sizes, self._theta, self._pairs = law.sizes, theta, {}
        places = list(zip(law.cliques, law.starts, law.lengths, strict=True))
        self._marginals = {
            one: mu[i : i + n].reshape([law.sizes[a] for a in one]) for one, i, n in places
        }

    def project(self, attributes):
        """The marginal of one column or two, or of a part of a clique."""
        attributes = tuple(attributes)
        for clique, mu in self._marginals.items():
            if set(attributes) <= set(clique):
                return self._factor(mu, clique, attributes)
        ordered = self.domain.canonical(attributes)
        if ordered not in self._pairs:
            law, theta = self._beside(ordered)
            law.forward(theta)
            self._pairs[ordered] = law.joint(ordered) * self.total
        return self._factor(self._pairs[ordered], ordered, attributes)

    def _factor(self, values, axes, attributes):
        names = {a: place for place, a in enumerate(self.domain.attributes)}
        ordered = np.einsum(values, [names[a] for a in axes], [names[a] for a in attributes])
        return Factor(self.domain.project(attributes), np.array(ordered))

    def synthetic_data(self, rows=None, method="round"):
        """Rows as mbi makes them, from the same draws, without its tables of all that may be.

        A column after another is made from those before it that were measured together with it.
        """
        count = max(1, int(rows or self.total))
        cliques = [set(one) for one in self.cliques]
        order = junction_tree.make_junction_tree(self.domain, cliques)[1][::-1]
        made = {}
        for column in order:
            near = set().union(*(one for one in cliques if column in one))
            given = tuple(near.intersection(made))
            if given:
                cells = np.stack([made[a] for a in given], -1)
                made[column] = self._given(column, given, cells, method)
            else:
                made[column] = _alone(self.project((column,)).values, count, method)
        return Dataset(made, self.domain)

    def _given(self, column, given, cells, method):
        """Cells of a column, by its law given those of other columns."""
        some, place, many = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
        law, theta = self._beside((*given, column))
        law.forward(theta)
        shares = law.rows(given, some, column)
        sums = shares.sum(axis=1, keepdims=True)
        below = np.divide(shares, sums, out=np.zeros_like(shares), where=sums > 0).cumsum(axis=1)
        at = np.random.rand(len(cells))
        if method == "round":
            rank = np.empty(len(cells), dtype=np.int64)
            rank[np.argsort(place, kind="stable")] = np.arange(len(cells))
            at = (rank - (many.cumsum() - many)[place] + at) / many[place]
        return np.minimum((below[place] <= at[:, None]).sum(axis=1), shares.shape[1] - 1)

    def _beside(self, kept):
        """The law with some columns kept, and its potentials."""
        alone = [(a,) for a in kept]  # so that some array has each of them
        law = Law([*self.cliques, *alone], self._sizes, kept=kept)
        return law, np.append(self._theta, np.zeros(sum(self._sizes[a] for a in kept)))


def _alone(counts, total, method):
    """Cells of the first column, or of one that was measured with none before it."""
    cells = np.arange(counts.size)
    if method == "sample":
        return np.random.choice(cells, total, p=counts / counts.sum())
    counts = counts * (total / counts.sum())
    rest, whole = np.modf(counts)
    whole = whole.astype(np.int64)
    if total > whole.sum():
        more = np.random.choice(cells, total - whole.sum(), replace=False, p=rest / rest.sum())
        whole[more] += 1
    made = np.repeat(cells, whole)
    np.random.shuffle(made)
    return made


# The check.


def _whole_run(fit, method, cells, sizes, epsilon, seed):
    """What the last fit of a run with seeded noise was asked for, and its law of every pair."""
    import rivals
    import snsynth.aim.aim
    import snsynth.mst.mst

    asked = []

    def noise(sigma, size):
        return list(np.random.normal(0, sigma, size))

    def listening(domain, measurements, **how):
        asked[:] = [domain, list(measurements), how]
        return fit(domain, measurements, **how)

    snsynth.aim.aim.gaussian_noise = snsynth.mst.mst.gaussian_noise = noise
    estimation.mirror_descent = listening
    model, names, _, _ = rivals.fitted(method, cells, sizes, epsilon, seed)
    return asked, _laws(model, names)


def _laws(model, names):
    laws = [np.asarray(model.project(pair).datavector()) for pair in combinations(names, 2)]
    return [law / law.sum() for law in laws]


def _apart(laws, others):
    return max(0.5 * np.abs(a - b).sum() for a, b in zip(laws, others, strict=True))


def main(folder, table, epsilon, method, seed):
    """Both fits, side by side, in a whole run and on the measurements at its end."""
    held = np.load(Path(folder) / f"{table}.npz")
    asked = (method, held["cells"], held["sizes"], float(epsilon), int(seed))
    whole, measured, laws = {}, {}, {}
    for name, fit in (("mbi", THEIRS), ("numpy", mirror_descent)):
        measured[name], laws[name] = _whole_run(fit, *asked)
        whole[name] = [one.clique for one in measured[name][1]]
    same = "the same" if whole["mbi"] == whole["numpy"] else "not the same"
    print(f"{method} {table} {epsilon} {seed}: {len(whole['mbi'])} measurements, {same};", end=" ")
    print(f"laws of pairs apart by {_apart(laws['mbi'], laws['numpy']):.1e} at most", flush=True)
    domain, exact, how = measured["mbi"]
    moved = [
        LinearMeasurement(m.noisy_measurement * (1 + 1e-13), m.clique, m.stddev) for m in exact
    ]
    for steps in (20, 50, how["iters"]):
        laws = [
            _laws(fit(domain, list(some), **how | {"iters": steps}), domain.attributes)
            for fit, some in ((THEIRS, exact), (mirror_descent, exact), (THEIRS, moved))
        ]
        print(
            f"{steps} steps on them: {_apart(laws[0], laws[1]):.1e} apart; mbi's from its own with"
            f" the measurements moved by 1e-13 of themselves: {_apart(laws[0], laws[2]):.1e}",
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
