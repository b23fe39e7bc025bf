"""Signatures: one changed byte, another key or a key that others can read is refused."""

import pytest

from tacit.core import BadInput
from tacit.report.signatures import (
    check_signature,
    new_keys,
    read_private,
    read_public,
    sign,
    signature_path,
)


@pytest.fixture
def signed(tmp_path):
    private, public = new_keys()
    (tmp_path / "key").write_bytes(private)
    (tmp_path / "key").chmod(0o600)
    (tmp_path / "key.pub").write_bytes(public)
    path = tmp_path / "release.json"
    path.write_text("{}\n")
    signature_path(path).write_text(sign(path.read_bytes(), read_private(tmp_path / "key")))
    return path


def test_a_signed_file_passes(signed):
    check_signature(signed, read_public(signed.with_name("key.pub")))


def test_one_changed_byte_or_another_key_does_not(signed):
    (signed.parent / "other.pub").write_bytes(new_keys()[1])
    with pytest.raises(BadInput, match="does not fit"):
        check_signature(signed, read_public(signed.with_name("other.pub")))
    signed.write_text("{ }\n")
    with pytest.raises(BadInput, match="does not fit"):
        check_signature(signed, read_public(signed.with_name("key.pub")))


@pytest.mark.parametrize("text", ["", "no base64!", "AAAA"])
def test_what_is_no_signature_is_refused(signed, text):
    signature_path(signed).write_text(text)
    with pytest.raises(BadInput, match="does not fit"):
        check_signature(signed, read_public(signed.with_name("key.pub")))
    signature_path(signed).unlink()
    with pytest.raises(BadInput, match="no signature"):
        check_signature(signed, read_public(signed.with_name("key.pub")))


def test_a_private_key_that_others_can_read_is_refused(signed):
    signed.with_name("key").chmod(0o644)
    with pytest.raises(BadInput, match="chmod 600"):
        read_private(signed.with_name("key"))


def test_what_is_no_key_is_refused(signed):
    with pytest.raises(BadInput, match="not a public key"):
        read_public(signed)


def test_a_key_or_signature_that_cannot_be_read_is_said_to_be_so(signed):
    with pytest.raises(BadInput, match=r"no\.pub cannot be read: No such file"):
        read_public(signed.with_name("no.pub"))
    signature_path(signed).write_text("A" * 20_000)
    with pytest.raises(BadInput, match="too long"):
        check_signature(signed, read_public(signed.with_name("key.pub")))
