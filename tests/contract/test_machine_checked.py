"""The Coq theorems that proof files name exist, speak of the code, and can be broken."""

import importlib
import inspect
import re
import shutil
import sys
import time
from pathlib import Path

import pytest

from tacit.checks.testing import proofs

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "proofs"))
import check  # noqa: E402 - a folder of scripts, not a package
import mutations  # noqa: E402
import source  # noqa: E402

THEOREMS = source.every_theorem()
MUTATIONS = mutations.listed()
PAGE = (ROOT / "docs" / "machine_checked.md").read_text(encoding="utf-8")


def named(body):
    return re.findall(r"^coq: (\S+)$", body, re.MULTILINE)


CITED = {(path, label) for path in proofs.proof_files() for label in named(proofs.read(path)[2])}
TIES = [
    (path, THEOREMS[label], tie)
    for path, label in sorted(CITED)
    if label in THEOREMS
    for tie in THEOREMS[label].ties
]


def requires(path):
    _, _, body = proofs.read(path)
    found = re.search(r"^## Requires\n(.*?)(?=^## )", body, re.DOTALL | re.MULTILINE)
    return source.plain(found.group(1))


def resolve(name):
    module, rest = name, []
    while True:
        try:
            thing = importlib.import_module(module)
            break
        except ImportError:
            module, _, last = module.rpartition(".")
            rest.insert(0, last)
    for attribute in rest:
        thing = getattr(thing, attribute)
    return thing


def test_the_mechanisms_of_the_list_are_machine_checked():
    files = {str(path.relative_to(proofs.ROOT)) for path, _ in CITED}
    assert files >= {
        "mechanisms/selection.proof.md",
        "exact/levels.proof.md",
        "exact/geometric.proof.md",
        "mechanisms/noise.proof.md",
        "mechanisms/stability.proof.md",
        "mechanisms/gap_test.proof.md",
        "accounting/composition.proof.md",
        "mechanisms/amplification.proof.md",
        "bounds/upper/selection.proof.md",
        "bounds/upper/occam.proof.md",
        "bounds/lower/packing.proof.md",
        "problems/finite/finite_class.proof.md",
        "exact/stages.proof.md",
        "tallies/ordered.proof.md",
        "mechanisms/persons.proof.md",
    }
    assert len(THEOREMS) >= 140


def test_every_theorem_has_a_change_that_must_break_it():
    changed = {mutation.theorem for mutation in MUTATIONS}
    written = {label for label, theorem in THEOREMS.items() if theorem.file != source.GENERATED}
    assert len(written) >= 115
    assert written - changed == set()


@pytest.mark.parametrize(
    ("path", "label"), sorted(CITED), ids=lambda v: v if isinstance(v, str) else v.stem
)
def test_a_named_theorem_exists_and_its_hypotheses_are_tied_to_the_code(path, label):
    assert label in THEOREMS, "no such theorem in proofs/"
    theorem = THEOREMS[label]
    assert theorem.code, "no table of hypotheses before the theorem"
    assert resolve(theorem.code) is not None
    assert sorted(row[0] for row in theorem.ties) == sorted(theorem.hypotheses)


@pytest.mark.parametrize(
    ("path", "theorem", "tie"), TIES, ids=[f"{t.label}-{row[0]}" for _, t, row in TIES]
)
def test_a_tie_holds(path, theorem, tie):
    _, kind, target = tie
    if kind == "check":
        # `positive(epsilon)`: the code of the mechanism calls that check on that parameter.
        function, parameter = re.fullmatch(r"(\w+)\((\w+)\)", target).groups()
        code = inspect.getsource(inspect.getmodule(resolve(theorem.code)))
        assert re.search(rf"\b{function}\((self\.)?{parameter}\b", code)
    elif kind == "object":
        assert resolve(target) is not None
    else:
        # Every proof that leans on the theorem asks for this in words.
        assert kind == "requires"
        assert target in requires(path)


def test_a_row_that_is_missing_or_wrong_is_seen():
    text = (
        "(* code: tacit.core.event.Pure\n   0 < x <- check positive(x)\n"
        "   P x y <- requires two\n   words *)\n"
        "Theorem t x : forall y, 0 < x -> (P x -> Q) -> Z y. Proof. trivial. Qed.\n"
    )
    code, ties = source._table(text, text.index("Theorem"))
    assert code == "tacit.core.event.Pure"
    assert ties == (("0 < x", "check", "positive(x)"), ("P x y", "requires", "two words"))
    statement = text[text.index("Theorem") : text.index(". Proof")]
    assert source.hypotheses_of(statement) == ("0 < x", "(P x -> Q)")
    assert source._table("Lemma a : b. " + text, 13) == ("", ())


def test_the_files_name_code_that_exists():
    texts = [path.read_text(encoding="utf-8") for path in source.files()] + [PAGE]
    names = set(re.findall(r"\btacit(?:\.\w+)+", " ".join(texts)))
    assert len(names) >= 40
    for name in sorted(names):
        assert resolve(name) is not None


def test_hypotheses_of_open_sections_count():
    text = (
        "Section A.\n  Hypothesis h : 0 < a.\n  Section B.\n    Hypothesis k : 0 < b.\n"
        "  End B.\n  Theorem t : c -> d.\n"
    )
    assert source._sections(text, text.index("Theorem")) == ("0 < a",)


def test_where_coq_is_missing_nothing_is_called_checked(monkeypatch, capsys):
    monkeypatch.setattr(check.shutil, "which", lambda name: None)
    assert check.main([]) == check.SKIPPED
    assert mutations.main([]) == check.SKIPPED
    assert capsys.readouterr().out.count("SKIPPED") == 2


def test_the_files_stay_short():
    assert len(source.files()) >= 30
    for path in source.files():
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path.name


def test_nothing_is_left_unproved():
    check.forbidden_words()


@pytest.mark.parametrize("word", ["Admitted.", "  admit.", "Axiom a : False.", "Unset Guard Check"])
def test_a_word_that_leaves_something_unproved_is_found(word):
    assert check.FORBIDDEN.search(f"Lemma a : b.\nProof.\n{word}\n")
    assert not check.FORBIDDEN.search(source.without_comments(f"(* {word} (* a *) {word} *)"))


def test_an_axiom_that_is_not_listed_is_refused():
    check.judge({"Selection.a": tuple(check.CLASSICAL)})
    check.judge({"Numbers.a": ("PrimFloat.add", "FloatAxioms.add_spec")})
    for label, axiom in (("Selection.a", "PrimFloat.add"), ("Numbers.a", "Epsilon.choice")):
        with pytest.raises(check.Failed, match=axiom):
            check.judge({label: (axiom,)})
    assert check._axioms("Axioms:\nA.b : forall x,\n  x\nC.d\n  : e\n") == ("A.b", "C.d")
    assert check._axioms("Closed under the global context\n") == ()
    with pytest.raises(check.Failed):
        check._axioms("")


@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_a_change_changes_its_statement_only(mutation):
    theorem = THEOREMS[mutation.theorem]
    before = (ROOT / "proofs" / f"{theorem.file}.v").read_text(encoding="utf-8")
    after = mutations.changed(mutation)
    assert after != before
    assert after.startswith(before[: theorem.start])
    assert after.endswith(before[theorem.end :])


def test_a_change_that_changes_nothing_is_not_taken_for_noticed():
    if shutil.which("coqc") is None:
        pytest.skip("Coq is not installed: `make proofs` installs it as root on Debian")
    same = mutations.Mutation("Geometric.reach_enough", "0 < delta", "0 < delta")
    if check.compile_all(again=False, deadline=time.monotonic() + 300, wanted={"Geometric"}):
        pytest.fail("the proofs do not compile")
    assert mutations.verdict(same) == "the proof does not notice"
    wrong = mutations.Mutation("Geometric.reach_enough", "0 < delta", "0 < no_such_name")
    assert mutations.verdict(wrong).startswith("it breaks elsewhere")
    dropped = mutations.Mutation("Geometric.reach_enough", "0 < delta", "True")
    assert mutations.verdict(dropped) == ""


def test_the_page_shows_statements_as_they_are():
    everything = " ".join(source.plain(path.read_text(encoding="utf-8")) for path in source.files())
    shown = re.findall(r"```coq\n(.*?)```", PAGE, re.DOTALL)
    assert len(shown) >= 7
    for block in shown:
        for statement in block.split("\n\n"):
            assert source.plain(statement) in everything
