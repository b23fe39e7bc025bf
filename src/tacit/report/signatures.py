"""Sign a release with Ed25519, in a file beside it, and check such a signature."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from tacit.core import BadInput
from tacit.core.records import LARGEST

PublicKey = Ed25519PublicKey
PrivateKey = Ed25519PrivateKey
_MOST = 10_000


def signature_path(path: Path) -> Path:
    """Where the signature of a file is."""
    return path.with_name(f"{path.name}.sig")


def new_keys() -> tuple[bytes, bytes]:
    """A private and a public key, as PEM text."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return private, public


def read_private(path: Path) -> PrivateKey:
    """A private key from its file, which nobody else may read."""
    content = _read(path)
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise BadInput(f"{path.name} can be read by others: chmod 600 {path.name}")
    try:
        key = load_pem_private_key(content, password=None)
    except (TypeError, ValueError):
        raise BadInput(f"{path.name} is not a private key that `tacit keys` made") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadInput(f"{path.name} is a key of another kind: Ed25519 is needed")
    return key


def read_public(path: Path) -> PublicKey:
    """A public key from its file."""
    content = _read(path)
    try:
        key = load_pem_public_key(content)
    except (TypeError, ValueError):
        raise BadInput(f"{path.name} is not a public key that `tacit keys` made") from None
    if not isinstance(key, Ed25519PublicKey):
        raise BadInput(f"{path.name} is a key of another kind: Ed25519 is needed")
    return key


def fingerprint(key: PublicKey) -> str:
    """What tells a public key from others: compare it with what its owner says it is."""
    return f"SHA256:{hashlib.sha256(key.public_bytes_raw()).hexdigest()}"


def sign(content: bytes, key: PrivateKey) -> str:
    """The signature of a file's bytes, as text."""
    return base64.b64encode(key.sign(content)).decode("ascii") + "\n"


def check_signature(path: Path, key: PublicKey) -> None:
    """Refuse a file that was not signed with this key."""
    beside = signature_path(path)
    if not beside.exists():
        raise BadInput(f"there is no signature {beside.name}")
    signature, content = _read(beside), _read(path, most=LARGEST)
    try:
        key.verify(base64.b64decode(signature.strip(), validate=True), content)
    except (binascii.Error, InvalidSignature, ValueError):
        raise BadInput("the signature does not fit the file and the key") from None


def _read(path: Path, *, most: int = _MOST) -> bytes:
    try:
        with path.open("rb") as stream:
            content = stream.read(most + 1)
    except OSError as error:
        raise BadInput(f"{path.name} cannot be read: {error.strerror}") from None
    if len(content) > most:
        raise BadInput(f"{path.name} is too long")
    return content
