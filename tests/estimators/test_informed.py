"""The classifier with a public labelled table as a prior."""

import numpy as np
import pandas as pd
import pytest

from tacit import Ledger, load, verify
from tacit.cli import main
from tacit.core import BadInput
from tacit.estimators import InformedTreeClassifier, TreeClassifier
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
