"""The fit of mbi 1.1.0 that SmartNoise's AIM and MST ask for, in numpy.

``estimation.mirror_descent`` of mbi compiles its step anew at every call, and AIM calls it in every
round: nearly all of its hours are the compiler's. ``install()`` puts the ``mirror_descent`` of this
file in its place. It minimizes the same loss (half the squares of what is off, in standard
deviations, summed over measurements) over potentials on the same cliques, from zeros at every call
as there, for the same number of steps, with the same first step (two over total times the Lipschitz
constant, found by the same 50 power iterations) and the same rule: a step that decreases the loss
by half of what the slope promises is taken and the next is 1.01 times as long; otherwise the next
is half as long. Marginals come from belief propagation over the junction tree that mbi itself
makes, in doubles. Rows are drawn by mbi's own ``synthetic_data``.

What differs is the arithmetic alone. Each step needs marginals once, not twice (those of a step
that was taken are those of the next one's start). A message is the log of a sum of exponentials,
with the largest exponent of each cell of the separator taken out; those exponentials, divided by
their sum, are the law given the separator, and the way back multiplies them instead of taking
exponentials again. Pairs of columns in no common clique are multiplied together along the tree,
all at once, where mbi eliminates variables for one pair after another.

``python quick_mbi.py FOLDER TABLE EPSILON METHOD SEED`` checks it: two whole runs of ``METHOD``,
with mbi's fit and with this one, from the same seed (also for the noise, which SmartNoise takes
from the operating system otherwise), and prints whether they measured the same marginals and how
far apart their laws are; then, on the last measurements, how far apart after 20, 50 and all steps,
and how far mbi's own law moves when its measurements move by 1e-13 of themselves.

At epsilon 1 and seed 0 all measured the same marginals, and the laws of pairs were apart by (total
variation, worst pair) 3e-13 on breast cancer with MST and 4e-11 with AIM, 7e-7 on COMPAS with MST,
and 1.2e-4 there with AIM. On COMPAS 10 and 50 steps of AIM's last fit leave them 2e-15 apart; after
a hundred the step rule has come to decisions that rounding makes, and mbi's own law moves by 1.1e-4
when its measurements move by 1e-13. So no other arithmetic can come closer, and figures of three
digits do not show it.
"""

from __future__ import annotations

import functools
import sys
from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
from mbi import (
    CliqueVector,
    Factor,
    LinearMeasurement,
    MarkovRandomField,
    estimation,
    junction_tree,
)

THEIRS = estimation.mirror_descent


def install():
    """From now on mbi's ``estimation.mirror_descent`` is this one."""
    estimation.mirror_descent = mirror_descent


def mirror_descent(domain, loss_fn, *, known_total=None, iters=1000, marginal_oracle=None):  # noqa: ARG001
    """The model that mbi fits to a list of measurements (any exact oracle is the same one here)."""
    total = float(_total(loss_fn) if known_total is None else known_total)
    cliques = _maximal([one.clique for one in loss_fn])
    tree = Tree(domain, cliques)
    parts = _parts(loss_fn, tree)
    alpha = 2.0 / (_lipschitz(parts) * total)
    theta = [np.zeros(part.shape) for part in parts]
    mu = tree.marginals(theta, total)
    loss, slope = _loss(parts, mu)
    for _ in range(iters):
        theta2 = [old - alpha * by for old, by in zip(theta, slope, strict=True)]
        mu2 = tree.marginals(theta2, total)
        loss2, slope2 = _loss(parts, mu2)
        promised = sum(
            by.ravel() @ (old - new).ravel() for by, old, new in zip(slope, mu, mu2, strict=True)
        )
        if loss - loss2 >= 0.5 * alpha * promised:
            theta, mu, loss, slope = theta2, mu2, loss2, slope2
            alpha *= 1.01
        else:
            alpha *= 0.5
    return Model(domain, cliques, tree, theta, total)


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


# The loss.


class Part:
    """What was measured inside one maximal clique, as an array with axes in the tree's order."""

    def __init__(self, attributes, shape):
        self.attributes, self.shape = attributes, shape
        self.weight, self.weighted, self.squares = 0.0, np.zeros(shape), 0.0
        self.inner = {}  # kept axes: weight, weighted sum of the measured values

    def add(self, measurement, sizes):
        clique, weight = measurement.clique, 1 / max(measurement.stddev, 1e-12) ** 2
        values = np.asarray(measurement.noisy_measurement, dtype=float)
        axes = [a for a in self.attributes if a in clique]
        values = values.reshape([sizes[a] for a in clique])
        values = values.transpose([clique.index(a) for a in axes])
        self.squares += weight * np.sum(values**2)
        if len(clique) == len(self.attributes):
            self.weight += weight
            self.weighted += weight * values
        else:
            dropped = tuple(i for i, a in enumerate(self.attributes) if a not in clique)
            known, sums = self.inner.get(dropped, (0.0, 0.0))
            shape = [1 if i in dropped else n for i, n in enumerate(self.shape)]
            self.inner[dropped] = (known + weight, sums + weight * values.reshape(shape))

    def ready(self):
        """Means of several measurements of the same marginal, and what their spread costs."""
        if self.weight:
            self.weighted /= self.weight
            self.squares -= self.weight * np.sum(self.weighted**2)
        self.inner = [(axes, w, sums / w) for axes, (w, sums) in self.inner.items()]
        self.squares -= sum(w * np.sum(mean**2) for _, w, mean in self.inner)

    def loss(self, mu):
        """Half the squares that are off, and their slope."""
        off = mu - self.weighted
        loss = self.squares + self.weight * (off.ravel() @ off.ravel())
        off *= self.weight
        for axes, weight, mean in self.inner:
            inner = mu.sum(axis=axes, keepdims=True) - mean
            loss += weight * (inner.ravel() @ inner.ravel())
            off += weight * inner
        return 0.5 * loss, off

    def hessian(self, v):
        """The second derivative, times ``v``."""
        sums = (w * v.sum(axis=axes, keepdims=True) for axes, w, _ in self.inner)
        return sum(sums, self.weight * v)


def _parts(measurements, tree):
    sizes = tree.sizes
    parts = [Part(one, tuple(sizes[a] for a in one)) for one in tree.kept]
    for one in measurements:
        within = (part for part in parts if set(one.clique) <= set(part.attributes))
        next(within).add(one, sizes)
    for part in parts:
        part.ready()
    return parts


def _loss(parts, mu):
    found = [part.loss(one) for part, one in zip(parts, mu, strict=True)]
    return sum(loss for loss, _ in found), [slope for _, slope in found]


def _lipschitz(parts):
    """The largest eigenvalue of the loss's second derivative, as far as 50 powers find it."""

    def norm(arrays):
        return np.sqrt(sum(one.ravel() @ one.ravel() for one in arrays))

    v = [np.ones(part.shape) for part in parts]
    estimate = norm(v)
    v = [one / estimate for one in v]
    for _ in range(50):
        v = [part.hessian(one) for part, one in zip(parts, v, strict=True)]
        estimate = norm(v)
        v = [one / (estimate + 1e-12) for one in v]
    return estimate


# The tree.


class Node:
    """A clique of the junction tree; its axes are its separator's and the rest, or the reverse.

    ``axis`` is the one of the rest when all axes are merged into two, the longer of which comes
    last, so that sums run along memory.
    """

    def __init__(self, clique, parent, sizes):
        self.parent, self.children, self.terms, self.reads = parent, [], [], {}
        inside = parent.attributes if parent else ()
        self.separator = tuple(a for a in inside if a in clique)
        rest = tuple(a for a in clique if a not in self.separator)
        count, others = (_cells(some, sizes) for some in (self.separator, rest))
        self.axis = 0 if 1 < others <= count else 1
        self.attributes = rest + self.separator if self.axis == 0 else self.separator + rest
        self.shape = tuple(sizes[a] for a in self.attributes)
        self.held = np.empty(self.shape)
        self.flat = self.held.reshape((others, count) if self.axis == 0 else (count, others))
        self.ones = np.ones(others)
        if parent:
            parent.children.append(self)
            parent.read(self.separator)
            self.upward = parent.spread(self.separator)

    def read(self, attributes):
        """From now on the sums of the node's law over all but these are taken at every pass."""
        if attributes not in self.reads:
            self.reads[attributes] = _summing(self.attributes, self.shape, attributes)

    def spread(self, attributes):
        """The shape in which an array over these is added to the node's."""
        return tuple(
            n if a in attributes else 1 for a, n in zip(self.attributes, self.shape, strict=True)
        )

    def collect(self, terms):
        """Adds potentials and messages, and sends the message to the parent."""
        terms = sorted([*terms, *(child.message for child in self.children)], key=np.size)
        if len(terms) < 2:
            np.copyto(self.held, terms[0] if terms else 0.0)
        else:
            np.add(functools.reduce(np.add, terms[:-1]), terms[-1], out=self.held)
        flat = self.flat
        top = flat.max(axis=self.axis, keepdims=True)
        flat -= top
        np.exp(flat, out=flat)
        self.sums = self.ones @ flat if self.axis == 0 else flat @ self.ones
        if self.parent:
            self.message = (np.log(self.sums) + top.ravel()).reshape(self.upward)

    def distribute(self, total):
        """Turns what ``collect`` left into the node's law, and takes the sums it is asked for."""
        outer = self.parent.sums_of[self.separator].ravel() if self.parent else total
        by = outer / self.sums
        self.flat *= by if self.axis == 0 else by[:, None]
        self.sums_of = {some: summing(self.held) for some, summing in self.reads.items()}


class Tree:
    """mbi's junction tree of some cliques, rooted in a largest clique of each component."""

    def __init__(self, domain, cliques):
        self.sizes = dict(zip(domain.attributes, domain.shape, strict=True))
        graph, _ = junction_tree.make_junction_tree(domain, cliques)
        self.nodes, self.component = [], {}
        for place, component in enumerate(nx.connected_components(graph)):
            root = max(sorted(component), key=domain.size)
            made = {root: Node(root, None, self.sizes)}
            for parent, child in nx.bfs_edges(graph, root):
                made[child] = Node(child, made[parent], self.sizes)
            self.nodes += made.values()
            self.component |= {a: place for clique in component for a in clique}
        self.home, self.kept = [], []
        for one in cliques:
            within = [node for node in self.nodes if set(one) <= set(node.attributes)]
            node = min(within, key=lambda node: node.held.size)
            kept = tuple(a for a in node.attributes if a in one)
            node.read(kept)
            node.terms.append((len(self.home), node.spread(kept)))
            self.home.append(node)
            self.kept.append(kept)

    def marginals(self, theta, total):
        """Of every clique, in its place; each sums to the total."""
        for node in reversed(self.nodes):
            node.collect([theta[place].reshape(shape) for place, shape in node.terms])
        for node in self.nodes:
            node.distribute(total)
        return [node.sums_of[kept] for node, kept in zip(self.home, self.kept, strict=True)]

    def pairs(self):
        """Marginals of all pairs of columns that lie in one component, by what ``held`` is now."""
        found, sums = {}, {}
        place = {a: i for i, a in enumerate(self.sizes)}

        def marginal(node, attributes):
            some = tuple(a for a in node.attributes if a in attributes)
            if (node, some) not in sums:
                sums[node, some] = _summing(node.attributes, node.shape, some)(node.held)
            return sums[node, some], [place[a] for a in some]

        def outward(source, node, came, given, separator):
            """Joint marginals of ``source`` with the node's columns, and then with those beyond."""

            def joint(others):
                axes = [place[source], *(place[a] for a in others)]
                if given is None:
                    return np.einsum(*marginal(node, {source, *others}), axes)
                inner = [place[source], *(place[a] for a in separator)]
                law = marginal(node, {*separator, *others})
                return np.einsum(given, inner, *law, axes, optimize=law[0].size > 2**13)

            for other in node.attributes:
                if place[other] > place[source] and (source, other) not in found:
                    found[source, other] = joint((other,))
            for beside in [*node.children, *([node.parent] if node.parent else [])]:
                if beside is came:
                    continue
                between = node.separator if beside is node.parent else beside.separator
                if source in beside.attributes:
                    outward(source, beside, node, None, ())
                else:
                    law, _ = marginal(node, between)
                    shared = tuple(a for a in node.attributes if a in between)
                    both = joint(shared)
                    share = np.divide(both, law, out=np.zeros_like(both), where=law > 0)
                    outward(source, beside, node, share, shared)

        for source in self.sizes:
            start = next((node for node in self.nodes if source in node.attributes), None)
            if start:
                outward(source, start, None, None, ())
        return found


def _cells(attributes, sizes):
    return int(np.prod([sizes[a] for a in attributes], dtype=np.int64))


def _summing(attributes, shape, kept):
    """A function that sums an array over the axes that are not kept, ends first (by products)."""
    away = [a not in kept for a in attributes]
    if not any(away):
        return np.copy
    if all(away):
        return lambda array: array.sum()
    first, last = away.index(False), len(away) - away[::-1].index(False)
    before, after = (np.ones(int(np.prod(some))) for some in (shape[:first], shape[last:]))
    middle = shape[first:last]
    axes = tuple(i for i, gone in enumerate(away[first:last]) if gone)

    def summed(array):
        if len(before) > 1:
            array = before @ array.reshape(len(before), -1)
        if len(after) > 1:
            array = array.reshape(-1, len(after)) @ after
        array = array.reshape(middle)
        return array.sum(axis=axes) if axes else array

    return summed


# The model.


class Model:
    """What SmartNoise asks of mbi's ``MarkovRandomField``."""

    def __init__(self, domain, cliques, tree, theta, total):
        self.domain, self.cliques, self.total = domain, cliques, total
        self._tree, self._pairs = tree, None
        self._marginals = tree.marginals(theta, total)
        self._theta = theta

    def project(self, attributes):
        """The marginal of one column or two, or of a part of a clique."""
        attributes = tuple(attributes)
        for kept, mu in zip(self._tree.kept, self._marginals, strict=True):
            if set(attributes) <= set(kept):
                return self._factor(mu, kept, attributes)
        if self._pairs is None:
            self._pairs = self._tree.pairs()
        ordered = self.domain.canonical(attributes)
        if ordered not in self._pairs:
            first, second = (self.project((a,)).values for a in ordered)
            self._pairs[ordered] = np.outer(first, second) / self.total
        return self._factor(self._pairs[ordered], ordered, attributes)

    def _factor(self, values, axes, attributes):
        names = {a: place for place, a in enumerate(self.domain.attributes)}
        ordered = np.einsum(values, [names[a] for a in axes], [names[a] for a in attributes])
        return Factor(self.domain.project(attributes), np.array(ordered))

    def synthetic_data(self, **how):
        """Rows by mbi's own code."""
        arrays = {
            clique: self._factor(theta, kept, clique)
            for clique, kept, theta in zip(self.cliques, self._tree.kept, self._theta, strict=True)
        }
        potentials = CliqueVector(self.domain, self.cliques, arrays)
        model = MarkovRandomField(potentials=potentials, marginals=potentials, total=self.total)
        return model.synthetic_data(**how)


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
