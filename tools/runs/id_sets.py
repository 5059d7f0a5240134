"""Sets of chunk ids as bytes: what is stored, and the digest that names it."""

import hashlib
import sys

from pyroaring import BitMap

__all__ = ("digest_of", "packed")


def digest_of(ids: BitMap) -> str:
    """Return the name of a set: 12 hex digits of the SHA-256 of its sorted ids as uint32.

    Equal sets have equal names, whatever calls made them: the digest is of the members, since
    Roaring can serialise one set in several ways.

    >>> digest_of(BitMap([3, 1])) == digest_of(BitMap([1, 3]))
    True
    """
    members = ids.to_array()
    if sys.byteorder == "big":
        members.byteswap()
    return hashlib.sha256(members.tobytes()).hexdigest()[:12]


def packed(ids: BitMap) -> bytes:
    """Return the set in Roaring's portable format, runs compressed; the argument is unchanged."""
    compact = BitMap(ids)
    compact.run_optimize()
    serialised: bytes = compact.serialize()
    return serialised
