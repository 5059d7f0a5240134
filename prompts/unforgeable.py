"""Marker codes that the texts shown cannot contain."""

import hashlib
from collections.abc import Iterable
from itertools import count

__all__ = ("unforgeable",)


def unforgeable(texts: Iterable[str]) -> str:
    """Return a code of eight digits that stands in none of the texts: a digest of all."""
    shown = "\n".join(texts).casefold()
    first = hashlib.sha256(shown.encode("utf-8", "replace")).digest()
    digests = (hashlib.sha256(first + str(n).encode()) for n in count())
    return next(code for each in digests if (code := each.hexdigest()[:8]) not in shown)
