"""``learn``, ``run``, ``algorithms`` and certificates."""

import numpy as np
import pandas as pd
import pytest
from tests.learn_api_cases import task

import tacit
from tacit import (
    Accuracy,
    BadInput,
    BudgetRefused,
    Ledger,
    Privacy,
    algorithms,
    learn,
    plan,
    sanitize,
)
from tacit.checks.testing import seeded
from tacit.classes import Points, Table, Thresholds
from tacit.domains import Schema
from tacit.queries import Marginals

ROW = pd.DataFrame({"a": [1.0]})


def records(n=600, cut=20000, top=2**16):
    x = np.random.default_rng(0).integers(0, top, n)
    return x, x >= cut


def test_learns_and_certifies():
    release = learn(task(), records(), rng=seeded(7))
    x, y = records(5000)
    assert np.mean(release.value.predict(x) != y) < 0.1
    record = release.certificate.to_dict()
    assert record["spent"]["epsilon"] == "1"
    assert record["n"] == 600
    assert record["certified"]["accurate"] is True
    assert record["certified"]["planned"]["claim"]["paper"]
    assert record["spent"]["relation"] == "replace-one"


def test_too_few_records_are_still_private_but_not_certified():
    release = learn(task(), records(30))
    assert release.private
    assert release.certificate.accurate is False
    assert "NOT CERTIFIED" in release.certificate.to_markdown()


def test_what_was_granted_is_spent_or_the_certificate_says_why_not():
    asked = task(Points(size=64), privacy=Privacy("0.5"), setting="agnostic")
    needed = plan(asked).runnable.n
    for n, all_of_it in ((needed, False), (needed // 4, True)):
        x = np.arange(n) % 64
        certificate = learn(asked, (x, x == 7), ledger=Ledger.memory()).certified
        words = "The error above is proved for a draw at this epsilon: the rest was not spent."
        assert (certificate.epsilon == certificate.asked.epsilon) is all_of_it
        assert (words in certificate.to_markdown()) is not all_of_it


def test_add_remove_hides_the_number_of_records():
    private = task(privacy=Privacy(1, relation="add-remove"))
    release = learn(private, records(4321))
    text = release.certificate.to_markdown() + str(release.certificate.to_dict()) + repr(release)
    assert "4321" not in text
    assert release.certificate.to_dict()["n"] is None


@pytest.mark.parametrize("shape", [(-1,), (-1, 1)])
def test_one_column_may_have_one_or_two_dimensions(shape):
    x, y = records()
    one = learn(task(), (x.reshape(shape), y), rng=seeded(1)).value
    two = learn(task(), (x, y), rng=seeded(1)).value
    assert one == two


def test_huge_domain_from_python_integers():
    big = 3 << 998
    rng = seeded(2)
    x = [rng.below(1 << 1000) for _ in range(3000)]
    y = [value >= big for value in x]
    wide = task(Thresholds(bits=1000), accuracy=Accuracy("0.3", "0.05"))
    release = learn(wide, (x, y), rng=seeded(3))
    assert np.mean(release.value.predict(x) != np.array(y)) < 0.3


def test_same_records_for_every_domain_size():
    sizes = {plan(task(Points(bits=bits))).best.n for bits in (16, 64, 1000)}
    assert len(sizes) == 1
    assert sizes.pop() <= 320


def test_proper_points_have_a_matching_lower_bound():
    p = plan(task(Points(bits=64), output="proper"))
    assert p.best.n <= 1250
    assert max(bound.n for bound in p.lower_bounds) >= 500


def test_nothing_is_uncounted():
    before = len(tacit.ledger().entries)
    learn(task(), records())
    assert len(tacit.ledger().entries) == before + 1


def test_refusal_touches_nothing():
    class Alarm:
        def __len__(self):
            return 600

        @property
        def x(self):
            raise AssertionError("touched")

        y = x

    ledger = Ledger.memory(epsilon="1/2")
    mechanism = algorithms(task())[0].built(task(), 600)
    with pytest.raises(BudgetRefused):
        tacit.run(mechanism, Alarm(), ledger=ledger)
    assert not ledger.entries


def test_an_epsilon_that_buys_only_noise_is_refused_before_the_charge():
    asked = [
        lambda **paid: sanitize([1], Thresholds(size=3), **paid, accuracy=Accuracy("0.1", "0.1")),
        lambda **paid: sanitize(ROW, Marginals(Schema.of({"a": (0, 3)}), ways=1), **paid),
    ]
    for epsilon in ("1e-400", "1e-10", "1e7", "1e400"):
        asks = task().with_(epsilon=epsilon)
        for refused in (lambda: plan(asks), lambda: learn(asks, records())):  # noqa: B023
            with pytest.raises(BadInput, match="epsilon must lie between 1e-09, below"):
                refused()
    for ask in asked:
        ledger = Ledger.memory(1)
        for epsilon, why in (("1e-18", "nothing but noise"), ("1e7", "there is no privacy")):
            with pytest.raises(BadInput, match=why):
                ask(privacy=Privacy(epsilon), ledger=ledger)
        assert not ledger.entries
        ask(privacy=Privacy("1e-9"), ledger=ledger)
        assert ledger.entries


def test_algorithm_by_name():
    release = learn(task(), records(), algorithm="exponential")
    assert release.certificate.to_dict()["algorithm"] == "exponential"
    with pytest.raises(BadInput, match="no algorithm called"):
        learn(task(), records(), algorithm="magic")
    with pytest.raises(BadInput, match="does not fit"):
        learn(task(), records(), algorithm="points")


def test_algorithms_say_when_they_apply():
    everything = algorithms()
    assert {"exponential", "permute-and-flip", "points", "thresholds", "hashed-points"} <= {
        entry.name for entry in everything
    }
    assert all(entry.when and entry.claim.locator for entry in everything)
    proper = {entry.name for entry in algorithms(task(Points(bits=8), output="proper"))}
    assert "hashed-points" not in proper
    assert "points" in proper


def test_table_class():
    table = Table(np.tri(9, 8, -1, dtype=int))
    x = np.random.default_rng(1).integers(0, 8, 900)
    release = learn(task(table), (x, x < 5), rng=seeded(2))
    assert np.mean(release.value.predict(x) != (x < 5)) <= 0.2


@pytest.mark.parametrize("labels", [[0] * 40, [1] * 40, ["yes"] * 40, [None] * 40, [np.nan] * 40])
def test_any_labels_have_an_answer(labels):
    release = learn(task(), (list(range(40)), labels))
    assert release.value.describe()


@pytest.mark.parametrize("values", [[np.nan] * 5, [np.inf, -np.inf, 1.5, -7, 1e300], [3]])
def test_any_values_have_an_answer(values):
    release = learn(task(), (np.array(values, dtype=float), np.zeros(len(values), dtype=int)))
    assert release.value.describe()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (([1, 2], [1]), "equally many"),
        ((np.zeros((2, 2, 2)), [1, 1]), "1-D or 2-D"),
        (42, "data must be"),
        ("nowhere.csv", "no such file"),
        ("table.ods", "only .csv"),
    ],
)
def test_bad_shapes_are_clear_errors_and_cost_nothing(data, words):
    ledger = Ledger.memory(epsilon=1)
    with pytest.raises(BadInput, match=words):
        learn(task(), data, ledger=ledger)
    assert not ledger.entries


def test_float_epsilon_is_its_decimal():
    assert Privacy(0.1) == Privacy("1/10")


def test_no_message_holds_a_record():
    secret = 918273645
    x = np.array([secret] * 20, dtype=object)
    x[3] = {"diagnosis": secret}
    release = learn(task(), (x, [secret] * 20))
    assert str(secret) not in repr(release) + release.certificate.to_markdown()


def test_frames(tmp_path):
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    import pyarrow as pa

    x, y = records()
    frame = pd.DataFrame({"age": x, "sick": y.astype(int), "other": 0})
    rules = [
        learn(task(), data, label="sick", column="age", rng=seeded(9)).value
        for data in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame))
    ]
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame["sick"] = frame["sick"].astype(bool)
    frame.to_parquet(tmp_path / "t.parquet")
    rules += [
        learn(task(), tmp_path / name, label="sick", column="age", rng=seeded(9)).value
        for name in ("t.csv", "t.parquet")
    ]
    assert len(set(rules)) == 1
    with pytest.raises(BadInput, match="which column"):
        learn(task(), frame, label="sick")
    with pytest.raises(BadInput, match="no column"):
        learn(task(), frame, label="sick", column="aeg")


def test_several_columns_and_labels_from_frames_and_files(tmp_path):
    pd = pytest.importorskip("pandas")
    from tacit.classes import Halfspaces
    from tacit.domains.references import uniform_sphere

    generator = np.random.default_rng(0)
    frame = pd.DataFrame(generator.normal(size=(600, 2)), columns=["a", "b"])
    frame["sick"] = (frame["a"] > 0).astype(int)
    frame.to_csv(tmp_path / "t.csv", index=False)
    job = task(Halfspaces(columns=2), marginal=uniform_sphere(columns=2))
    rules = [
        learn(job, data, label="sick", rng=seeded(1)).value
        for data in (frame, tmp_path / "t.csv", (frame[["a", "b"]].to_numpy(), frame["sick"]))
    ]
    assert [rule.rows for rule in rules] == [("a", "b"), ("a", "b"), ()]
    assert rules[0].rule == rules[1].rule == rules[2].rule
    x = generator.integers(0, 50, 3000)
    both = pd.DataFrame({"x": x, "one": x >= 10, "two": x >= 30})
    both.to_parquet(tmp_path / "t.parquet")
    several = task(Thresholds(size=50), k=2)
    for data in (both, tmp_path / "t.parquet"):
        rules = learn(several, data, label=["one", "two"], rng=seeded(2)).value
        assert np.mean(rules.predict(x) != both[["one", "two"]].to_numpy()) < 0.1
    with pytest.raises(BadInput, match="columns of labels"):
        learn(several, both, label="one", column="x")
