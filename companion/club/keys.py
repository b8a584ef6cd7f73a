"""A box's own key: Ed25519. PyNaCl (the extra ``club``) is imported only when a key is used."""

from __future__ import annotations

from importlib.util import find_spec

from companion.table.exc import TableError


def can_sign() -> bool:
    """True if the library for signing is installed."""
    return find_spec("nacl") is not None


def new_key() -> str:
    """A new private key, as 64 hex digits."""
    _needed()
    from nacl.signing import SigningKey

    return str(SigningKey.generate().encode().hex())


def public_key(private: str) -> str:
    """The public key that goes with it: the name by which hubs know the box."""
    _needed()
    from nacl.signing import SigningKey

    return str(SigningKey(bytes.fromhex(private)).verify_key.encode().hex())


def signature(private: str, text: bytes) -> str:
    """The signature of ``text``, as 128 hex digits."""
    _needed()
    from nacl.signing import SigningKey

    return str(SigningKey(bytes.fromhex(private)).sign(text).signature.hex())


def is_signed(public: str, text: bytes, signed: str) -> bool:
    """True if the owner of this public key signed ``text``; False also for what is no key."""
    _needed()
    from nacl.exceptions import CryptoError
    from nacl.exceptions import ValueError as NaClValueError
    from nacl.signing import VerifyKey

    try:
        VerifyKey(bytes.fromhex(public)).verify(text, bytes.fromhex(signed))
    except (CryptoError, NaClValueError, ValueError):
        return False
    return True


def sealed_for(public: str, secret: str) -> str:
    """Seal hex digits so that only the owner of this public key can open them."""
    _needed()
    from nacl.public import SealedBox
    from nacl.signing import VerifyKey

    box = SealedBox(VerifyKey(bytes.fromhex(public)).to_curve25519_public_key())
    return str(box.encrypt(bytes.fromhex(secret)).hex())


def unsealed(private: str, sealed: str) -> str | None:
    """Open what was sealed for the owner of this key; None for what was not."""
    _needed()
    from nacl.exceptions import CryptoError
    from nacl.public import SealedBox
    from nacl.signing import SigningKey

    try:
        own = SigningKey(bytes.fromhex(private)).to_curve25519_private_key()
        return str(SealedBox(own).decrypt(bytes.fromhex(sealed)).hex())
    except (CryptoError, ValueError):
        return None


def _needed() -> None:
    if not can_sign():
        raise TableError(
            "no-signing", "clubs need the library PyNaCl: install Stationmaster with the extra club"
        )
