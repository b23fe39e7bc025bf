"""Every statement of the papers has its line, every line leads somewhere, no claim is left out."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from tacit.core import claims

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))
import paper_items

ITEMS = paper_items.items()
PAPERS = ("BBKN13", "B20", "FX14", "CH11", "BNS19")


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.paper} {item.name}")
def test_it_leads_somewhere(item):
    assert item.paper in PAPERS
    assert item.how_far in paper_items.HOW_FAR
    assert all(paper_items.shown(where) for where in item.where)


def test_a_place_that_is_not_there_is_noticed():
    for where in ("learner no-such", "bound no such", "erratum A99", "tacit.core.NoSuch"):
        with pytest.raises((KeyError, ImportError, LookupError, ValueError)):
            paper_items.shown(where)


def test_no_claim_of_the_papers_is_left_out():
    listed = {(item.paper, item.name) for item in ITEMS}
    missing = {(claim.paper, claim.locator) for claim in claims() if claim.paper in PAPERS} - listed
    assert not missing
    assert max(Counter(listed).values()) == 1
    assert len(ITEMS) == len(listed) > 150


def test_the_pages_have_them():
    for paper in PAPERS:
        text = "\n".join(paper_items.section(paper))
        assert text.count("\n| **") == sum(item.paper == paper for item in ITEMS)
