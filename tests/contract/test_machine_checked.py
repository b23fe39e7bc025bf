"""The Coq theorems that proof files name exist, speak of the code, and can be broken."""

import ast
import importlib
import inspect
import itertools
import re
import shutil
import subprocess
import sys
import textwrap
import time
from fractions import Fraction
from pathlib import Path

import pytest

from tacit.checks.testing import proofs
from tacit.core import BadInput, numbers

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "proofs"))
import check  # noqa: E402 - a folder of scripts, not a package
import mutations  # noqa: E402
import page  # noqa: E402
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
        "exact/rising.proof.md",
    }
    assert len(THEOREMS) >= 157


@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_a_change_says_where_it_is_false(mutation):
    assert len(mutation.because.split()) >= 3


def test_every_theorem_has_a_change_that_must_break_it():
    changed = {mutation.theorem for mutation in MUTATIONS}
    written = {label for label, theorem in THEOREMS.items() if theorem.file != source.GENERATED}
    assert len(written) >= 124
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


VALUES = [Fraction(n, 6) for n in range(-12, 25)]
"""What a parameter may be: some below 0, some between 0 and 1, some above, whole ones too."""


def text_of(thing):
    """The source of an object, or of what a property or a field belongs to."""
    if isinstance(thing, property):
        thing = thing.fget
    return inspect.getsource(thing)


def tree_of(name):
    return ast.parse(textwrap.dedent(text_of(resolve(name))))


def holds(hypothesis, names):
    """Whether a chain of inequalities is true of these numbers; None if it is about others."""
    text = hypothesis.rpartition("->")[2]
    text = re.sub(r"%\w+|[()]", " ", text)
    # In Coq ``=`` compares, and a term may have several words: ``length values``, ``prior h``.
    for term in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(term)}(?!\w)", f"({names[term]!r})", text)
    if not re.fullmatch(r"(?:[\s\d<=/,()-]|Fraction)+", text):
        return None
    return bool(eval(text, {"Fraction": Fraction}))


def checks_of(name, function, parameter):
    """What the calls ``function(parameter, ...)`` in the code of an object let through."""
    found = []
    for node in ast.walk(tree_of(name)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == function:
            first = ast.unparse(node.args[0]).removeprefix("self.") if node.args else ""
            if first == parameter:
                options = {k.arg: ast.literal_eval(k.value) for k in node.keywords}
                found.append(options)
    assert found, f"{name} does not call {function}({parameter})"

    def passes(value):
        for options in found:
            try:
                getattr(numbers, function)(value, **options)
            except BadInput:
                return False
        return True

    return passes


def leaving(name):
    """The conditions under which the code of an object refuses, or returns at once."""
    return {
        ast.unparse(node.test): isinstance(node.body[-1], ast.Raise)
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.If) and isinstance(node.body[-1], (ast.Raise, ast.Return))
    }


def condition(test, values):
    names = {node.id for node in ast.walk(ast.parse(test)) if isinstance(node, ast.Name)}
    return eval(test, dict.fromkeys(names, Fraction(0)) | values)


def follow_check(theorem, hypothesis, target):
    """``check positive(epsilon) [in an object] [for a term] [unless a condition]``.

    Whatever the check lets through has what the hypothesis says.
    """
    found = re.fullmatch(r"(\w+)\((\w+)\)(?: in ([\w.]+))?(?: for (.+?))?(?: unless (.+))?", target)
    function, parameter, place, term, unless = found.groups()
    if place:
        assert re.search(rf"\b{place.split('.')[-1]}\b", near(theorem.code))
    place = place or theorem.code
    passes = checks_of(place, function, parameter)
    if unless:
        assert unless in leaving(place)
    let_through = [
        value
        for value in VALUES
        if passes(value) and not (unless and condition(unless, {parameter: value}))
    ]
    assert let_through
    for value in let_through:
        assert holds(hypothesis, {term or parameter: value}), f"{value} is let through"


def follow_refusal(theorem, hypothesis, target):
    """``refuses a condition [in an object]``: where it does not refuse, the hypothesis holds."""
    test, _, place = target.partition(" in ")
    assert leaving(place or theorem.code).get(test) is True
    names = sorted({n.id for n in ast.walk(ast.parse(test)) if isinstance(n, ast.Name)})
    seen = 0
    for values in itertools.product(VALUES, repeat=len(names)):
        given = dict(zip(names, values, strict=True))
        if not condition(test, given):
            seen += 1
            assert holds(hypothesis, given), given
    assert seen


def near(name):
    """The sources in which an object may be used: a module, and those it takes something of."""
    module = inspect.getmodule(resolve(name))
    code = inspect.getsource(module)
    others = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tacit."):
            within = (f"{node.module}.{alias.name}" for alias in node.names)
            others |= {node.module} | {one for one in within if one in sys.modules}
    return " ".join([code, *(inspect.getsource(importlib.import_module(m)) for m in others)])


def follow_object(theorem, target):
    """``object a.name: words``: the words stand in its code, and the mechanism's code uses it."""
    name, _, words = target.partition(": ")
    assert words, "no words of the object are quoted"
    thing = resolve(name)
    assert words in source.plain(text_of(thing)), f"{name} does not say so"
    if not inspect.ismodule(thing):
        last = name.rpartition(".")[2]
        assert re.search(rf"\b{last}\b", near(theorem.code)), f"{theorem.code} has no {last}"


@pytest.mark.parametrize(
    ("path", "theorem", "tie"), TIES, ids=[f"{t.label}-{row[0]}" for _, t, row in TIES]
)
def test_a_tie_holds(path, theorem, tie):
    hypothesis, kind, target = tie
    if kind == "check":
        follow_check(theorem, hypothesis, target)
    elif kind == "refuses":
        follow_refusal(theorem, hypothesis, target)
    elif kind == "object":
        follow_object(theorem, target)
    else:
        # Every proof that leans on the theorem asks for this in words.
        assert kind == "requires"
        assert target in requires(path)


@pytest.mark.parametrize(
    ("hypothesis", "target"),
    [
        ("(3 <= length values)%nat", "whole(size) for length values"),
        ("NoDup (base :: others)", "whole(size)"),
        ("0 < delta", "probability(delta) in tacit.bounds.lower.packing.Budget.of"),
        ("0 < beta", "probability(alpha)"),
        ("alpha < 1 / 2", "probability(alpha)"),
        ("0 < n", "whole(n) in tacit.bounds.upper.occam.occam_error"),
        ("0 < rho", "positive(rho) in tacit.bounds.upper.selection.realizable"),
    ],
)
def test_a_check_that_does_not_give_the_hypothesis_is_no_tie(hypothesis, target):
    theorem = THEOREMS["RarePoint.rare_point"]
    with pytest.raises(AssertionError):
        follow_check(theorem, hypothesis, target)


def test_an_object_that_does_not_say_so_is_no_tie():
    theorem = THEOREMS["RarePoint.rare_point"]
    good = "tacit.bounds.lower.packing.packed: if alternatives < 1: return 1"
    follow_object(theorem, good)
    for wrong in (
        "tacit.bounds.lower.packing.packed",
        "tacit.bounds.lower.packing.packed: if alternatives < 2: return 1",
        "tacit.exact.rising._upper: A number that no count of the block exceeds.",
    ):
        with pytest.raises(AssertionError):
            follow_object(theorem, wrong)


def test_a_refusal_that_does_not_give_the_hypothesis_is_no_tie():
    theorem = THEOREMS["Rising.rising_law"]
    follow_refusal(theorem, "0 < rate", "rate <= 0 or top < 0")
    for hypothesis, target in (
        ("1 < rate", "rate <= 0 or top < 0"),
        ("0 < top", "rate <= 0 or top < 0"),
        ("0 < rate", "rate <= 0"),
    ):
        with pytest.raises(AssertionError):
            follow_refusal(theorem, hypothesis, target)


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
    primed = "Axioms:\nA.b' : forall x,\n  x\nC.d' : e\n"
    assert check._axioms(primed) == ("A.b'", "C.d'")
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


def test_proofs_before_a_theorem_are_left_out_and_lines_stay():
    text = "Lemma a : b.\nProof.\n  c.\nQed.\nDefinition d : e.\nProof. f. Defined.\nTheorem g"
    short = mutations.without_proofs(text, text.index("Theorem"))
    assert short == (
        "Lemma a : b.\nProof. Admitted.\n\n\nDefinition d : e.\nProof. f. Defined.\nTheorem g"
    )
    assert mutations.without_proofs(text, 0) == text


def test_a_proof_that_does_not_end_is_no_verdict(monkeypatch):
    tried = []

    def endless(path, *, seconds):
        tried.append(seconds)
        raise subprocess.TimeoutExpired("coqc", seconds)

    monkeypatch.setattr(check, "coqc", endless)
    monkeypatch.setattr(mutations, "_short", lambda label, seconds: False)
    assert mutations.verdict(MUTATIONS[0], seconds=(1, 2)).startswith("no verdict")
    assert tried == [1, 2]


def test_the_page_shows_statements_as_they_are():
    everything = " ".join(source.plain(path.read_text(encoding="utf-8")) for path in source.files())
    shown = re.findall(r"```coq\n(.*?)```", PAGE, re.DOTALL)
    assert len(shown) >= 7
    for block in shown:
        for statement in block.split("\n\n"):
            assert source.plain(statement) in everything


def test_the_page_lists_what_every_proof_file_says():
    assert page.page() == PAGE, "run python proofs/page.py"
    assert len([path for path in page.proof_files() if page.named(path)]) >= 16


def test_a_proof_file_that_names_theorems_says_what_they_leave_out(monkeypatch, tmp_path):
    path = tmp_path / "a.proof.md"
    monkeypatch.setattr(page, "CODE", tmp_path)
    path.write_text("## Machine-checked\n\nAll of it.\n\n```\ncoq: A.b\n```\n", encoding="utf-8")
    with pytest.raises(ValueError, match="says not what is in Coq"):
        page.named(path)
    path.write_text("## Proof\n\nNone.\n", encoding="utf-8")
    assert page.named(path) is None
