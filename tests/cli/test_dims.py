"""The command, the pictures, and the conversions between representations and protocols."""

import json
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest

from tacit.cli import main
from tacit.core import BadInput
from tacit.theory.dimensions import (
    communication,
    littlestone,
    named,
    net,
    representation,
    thresholds_within,
    vc,
    verify,
)
from tacit.theory.dimensions.conversions import (
    deterministic_from_private,
    newman,
    private_from_deterministic,
    private_from_public,
    public_from_random,
    random_from_public,
)
from tacit.theory.dimensions.draw import svg
from tacit.theory.dimensions.embedded import tree_of


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "thresholds.csv"
    np.savetxt(path, named.thresholds(7).astype(int), fmt="%d", delimiter=",")
    return path


def test_dims_saves_witnesses_that_verify(table, tmp_path, capsys):
    proof = tmp_path / "proof.json"
    assert main(["dims", str(table), "--all", "--time-limit", "2", "--save", str(proof)]) == 0
    printed = capsys.readouterr().out
    assert "DRDim(1/3)" in printed
    assert "needed with pure privacy" in printed
    assert main(["dims", "--verify", str(proof), str(table)]) == 0
    checked = capsys.readouterr().out
    assert "Littlestone >= 3: proved" in checked
    assert "REFUSED" not in checked
    records = json.loads(proof.read_text())
    tree = next(record for record in records if record["kind"] == "MistakeTree")
    tree["points"][0] = 0
    proof.write_text(json.dumps(records))
    assert main(["dims", "--verify", str(proof), str(table)]) == 2
    assert "REFUSED: a concept contradicts" in capsys.readouterr().out


def test_dims_prints_json_and_draws(table, tmp_path, capsys):
    assert main(["dims", str(table), "--json", "--draw", str(tmp_path / "pictures")]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["dimensions"]["littlestone"]["lower"] == 3
    assert [row["what"] for row in record["records"]][-1] == "needed with pure privacy"
    for name in ("mistake_tree", "shattered_set"):
        root = ElementTree.parse(tmp_path / "pictures" / f"{name}.svg").getroot()
        assert root.tag.endswith("svg")


@pytest.mark.parametrize(
    "arguments", [["--only", "nothing"], ["--alpha", "2", "--all"], ["--verify", "missing.json"]]
)
def test_dims_refuses_bad_input(table, arguments, capsys):
    assert main(["dims", str(table), *arguments]) == 2
    assert capsys.readouterr().err.startswith("error:")


def test_a_drawn_tree_has_every_node(table):
    tree = littlestone(table).witness
    assert svg(tree, table).count("<ellipse") == 15
    shattered = vc(named.parities(3)).witness
    assert svg(shattered, named.parities(3)).count("<rect") == 24
    with pytest.raises(BadInput, match="only mistake trees"):
        svg(net(table, radius="1/2")[0], table)


def test_theorem_8_both_ways():
    for table in (named.points(5), named.thresholds(5)):
        fixed = representation(table, alpha="1/5").witness
        protocol = private_from_deterministic(fixed)
        assert verify(protocol, table)
        assert protocol.error == fixed.alpha
        back = deterministic_from_private(protocol, table)
        assert verify(back, table)
        assert back.alpha == 2 * protocol.error
        assert len(back.hypotheses) == len(fixed.hypotheses)


def test_theorem_7_both_ways():
    table = named.points(4)
    protocol = communication(table, error="1/9").witness
    drawn = random_from_public(protocol, table, alpha="1/3", beta="1/3")
    assert verify(drawn, table)
    with pytest.raises(BadInput, match="alpha \\* beta"):
        random_from_public(protocol, table, alpha="1/4", beta="1/4")
    for source, a_table in (
        (representation(named.thresholds(4), alpha="1/4", beta="1/4"), named.thresholds(4)),
        (representation(table, alpha="1/4", beta="1/4"), table),
    ):
        public = public_from_random(source.witness, a_table)
        assert public.error == Fraction(7, 16)
        assert 2**public.bits >= source.least
        assert verify(public, a_table)


def test_newmans_theorem():
    table = named.points(4)
    public = communication(table, error="1/3").witness
    private = private_from_public(public)
    assert verify(private, table)
    assert private.error == public.error
    bound = newman(public_bits=1, concepts=4, points=4, slack="1/9")
    assert bound == 1 + 7  # t > 81 ln 16 / 2 = 112.3: 114 strings are named by 7 bits
    assert newman(public_bits=1, concepts=2**64, points=2**64, slack="1/9") <= bound + 5


def test_thresholds_carry_a_mistake_tree():
    for table in (named.thresholds(9), named.intervals(9), named.boxes(3)):
        found = thresholds_within(table)
        tree = tree_of(found.witness)
        assert tree.depth == int(found.value).bit_length() - 1
        assert verify(tree, table)


def test_progress_is_told():
    told = []
    littlestone(named.thresholds(7), progress=told.append)
    assert told[-1] == "Littlestone >= 3"
