"""The classifier with a public labelled table as a prior."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from tacit import Ledger, load, verify
from tacit.cli import main
from tacit.core import ALGORITHMS, Accuracy, BadInput, Privacy, Sample, Task
from tacit.domains.schema import Schema
from tacit.estimators import InformedTreeClassifier, TreeClassifier
from tacit.problems.tables.informed import InformedTrees, suggested
from tacit.testing import seeded


def records(n, seed):
    x = np.random.default_rng(seed).random((n, 8))
    return x, np.where((x[:, 0] > 0.5) & (x[:, 1] > 0.3), "yes", "no")


def fitted(make, **more):
    x, y = records(150, 1)
    right = []
    for seed in range(12):
        model = make(
            domain=(0, 1), classes=("no", "yes"), epsilon="0.5", ledger=Ledger.memory(),
            rng=seeded(f"informed {seed}"), **more,
        ).fit(x, y)  # fmt: skip
        fresh, truth = records(500, 2)
        right.append((model.predict(fresh) == truth).mean())
    return np.mean(right), model


def test_public_records_help_where_private_ones_are_few():
    helped, model = fitted(InformedTreeClassifier, public=records(300, 3))
    alone, _ = fitted(TreeClassifier, depth=2)
    assert helped > 0.9 > alone
    assert "rules from public records" in model.certificate_.to_markdown()


def test_what_is_wrong_with_public_records_is_said_before_the_charge():
    x, y = records(50, 1)
    book = Ledger.memory()
    for public, why in (
        (None, "public must be"),
        ((x, y), "other records"),
        ((x[:0], y[:0]), "0 rows"),
        ((x[:9].copy(), y[:8]), "one label per row"),
    ):
        with pytest.raises(BadInput, match=why):
            InformedTreeClassifier(domain=(0, 1), public=public, ledger=book).fit(x, y)
    assert not book.entries


def test_the_command_line_takes_a_public_file_and_the_release_verifies(tmp_path):
    for name, n, seed in (("private", 200, 1), ("public", 300, 3)):
        x, y = records(n, seed)
        frame = pd.DataFrame(x[:, :3], columns=list("abc")).assign(sick=y)
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    schema = "".join(f"[columns.{name}]\nkind = 'number'\nlow = 0\nhigh = 1\n" for name in "abc")
    (tmp_path / "schema.toml").write_text(schema)
    out = tmp_path / "rule.json"
    words = ["learn", str(tmp_path / "private.csv"), "--schema", str(tmp_path / "schema.toml")]
    words += ["--label", "sick", "--positive", "yes", "--negative", "no", "--model", "informed"]
    words += ["--epsilon", "1", "--no-ledger", "-o", str(out)]
    assert main(words) == 2
    assert main([*words, "--public", str(tmp_path / "private.csv")]) == 2
    assert main([*words, "--public", str(tmp_path / "public.csv")]) == 0
    assert verify(out)
    assert load(out).predict(pd.DataFrame([[0.9, 0.9, 0.1]], columns=list("abc"))).shape == (1,)


def _public_file(folder):
    x, y = records(300, 3)
    frame = pd.DataFrame(x[:, :5], columns=list("abcde")).assign(sick=y)
    frame.to_csv(folder / "public.csv", index=False)
    schema = "".join(f"[columns.{name}]\nkind = 'number'\nlow = 0\nhigh = 1\n" for name in "abcde")
    (folder / "schema.toml").write_text(schema)
    words = ["plan", "--schema", str(folder / "schema.toml"), "--model", "informed"]
    return [*words, "--epsilon", "1", "--label", "sick", "--positive", "yes", "--negative", "no"]


def test_a_plan_says_what_suffices_with_the_public_prior(tmp_path, capsys):
    words = _public_file(tmp_path)
    assert main([*words, "--public", str(tmp_path / "public.csv")]) == 0
    told = capsys.readouterr().out
    every, few = (
        int(re.search(pattern, told)[1].replace(",", ""))
        for pattern in (r"([\d,]+) records suffice for", r"suggest, ([\d,]+) records suffice")
    )
    assert few < every
    assert main([*words, "--public", str(tmp_path / "public.csv"), "--json"]) == 0
    (option, *_) = json.loads(capsys.readouterr().out)["options"]
    assert option["choices"]["suggested"] == few
    for wrong in ([], ["--public", "300"], ["--public", "none.csv"]):
        assert main([*words, *wrong]) == 2
    file = ["--public", str(tmp_path / "public.csv")]
    assert main([*words, *file, "--depth", "2"]) == 2
    assert main(["plan", "--schema", words[2], "--epsilon", "1", *file]) == 2
    assert "a file is for --model informed" in capsys.readouterr().err


@pytest.mark.statistical
def test_the_number_against_suggested_rules_suffices_and_far_fewer_do_not():
    """Public records suggest the right rule among wrong ones; no label is noisy."""
    schema = Schema.of([(0, 1)] * 3, bins=4).declared_complete()
    rng = np.random.default_rng(5)
    x = rng.random((400, 3))
    said = suggested(schema, schema.coerce(x), (x[:, 0] >= 0.5) & (x[:, 1] >= 0.25))
    asked = Task(
        InformedTrees(schema, said), privacy=Privacy("1"), accuracy=Accuracy("0.2", "0.1"),
        setting="agnostic", error_share=0,
    )  # fmt: skip
    entry = ALGORITHMS["informed trees"]
    bound = entry.bound(asked)
    few = bound.choices["suggested"]
    assert few < bound.n

    def failures(n, runs):
        mechanism, bad = entry.built(asked.drawn, n), 0
        fresh = rng.random((3000, 3))
        truth = (fresh[:, 0] >= 0.5) & (fresh[:, 1] >= 0.25)
        best = min((rule.predict(fresh) != truth).mean() for rule in said)
        for seed in range(runs):
            x = rng.random((n, 3))
            y = (x[:, 0] >= 0.5) & (x[:, 1] >= 0.25)
            rule = mechanism._release(Sample(x, y), rng=seeded(f"suggested {n} {seed}"))
            bad += (rule.predict(fresh) != truth).mean() > best + 0.2
        return bad

    assert failures(few, 60) <= 60 * 0.1
    assert failures(few // 100, 40) > 40 * 0.1
