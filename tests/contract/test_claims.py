"""No number without its theorem: every claim is cited, located and stated."""

import re
from pathlib import Path

import pytest

from tacit.checks.testing.proofs import ROOT
from tacit.core import ALGORITHMS, LOWER_BOUNDS, PAPERS, Claim, Status, claims, theorems

REFERENCES = Path(__file__).resolve().parents[2] / "docs" / "references.bib"
KEYS = set(re.findall(r"^@\w+\{(\w+),", REFERENCES.read_text(), re.MULTILINE))
CLAIMS = claims()


def _name(claim):
    return claim.cite.replace(" ", "-")


def test_the_bibliography_holds_the_five_papers_once_each():
    text = REFERENCES.read_text()
    listed = re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(PAPERS) - {"own"} <= set(listed)
    for key in listed:
        entry = text.split(f"{{{key},", 1)[1].split("\n}", 1)[0]
        assert all(f"{field} " in entry for field in ("author", "title", "year")), key


@pytest.mark.parametrize("claim", CLAIMS, ids=_name)
def test_the_claim_cites_a_known_paper_and_a_place_in_it(claim):
    assert claim.paper in PAPERS or claim.paper in KEYS
    assert claim.locator.strip()
    assert len(claim.statement.split()) >= 4
    if claim.paper != "own":
        assert re.match(
            r"(?:Theorem|Lemma|Claim|Proposition|Corollary|Definition|Section|Algorithm|Example|Observation|"
            r"Remark|Fact|Appendix)s? \d",
            claim.locator,
        ), claim.locator


@pytest.mark.parametrize("claim", CLAIMS, ids=_name)
def test_a_proved_claim_has_its_proof_file(claim):
    if claim.status is Status.PROVED:
        assert claim.proof, "say where it is proved, or mark it as cited"
    if claim.proof:
        assert (ROOT / claim.proof).exists(), claim.proof
        assert claim.proof.endswith(".proof.md")


def test_claims_are_listed_once_and_in_order():
    assert len(set(CLAIMS)) == len(CLAIMS)
    assert [claim.cite for claim in CLAIMS] == sorted(claim.cite for claim in CLAIMS)


def test_every_algorithm_and_bound_has_its_claim_listed():
    for entry in (*ALGORITHMS, *LOWER_BOUNDS):
        assert entry.claim in CLAIMS
    for entry in theorems():
        assert entry.claim in CLAIMS
        assert entry.kind in ("upper", "lower", "fact")
        assert entry.formula.strip()


def test_all_five_papers_are_cited():
    assert {claim.paper for claim in CLAIMS} >= set(PAPERS) - {"own"}


def test_a_claim_reads_as_text():
    claim = Claim(paper="BBKN13", locator="Theorem 3.2", statement="a b c d")
    assert claim.cite == "BBKN13 Theorem 3.2"
    assert claim.to_dict() == {
        "paper": "BBKN13",
        "locator": "Theorem 3.2",
        "statement": "a b c d",
        "status": "proved",
        "proof": None,
    }
