"""Passages that by their form, not their subject, hardly tell anything: they are read last."""

import re
from functools import lru_cache

from tools.corpus.corpus import Corpus

_SIGNED = re.compile(r"_{4,}|/s/|(?<!\S)By:")
_SIGNER = re.compile(r"(?<!\S)(?:Name|Title|Date|Its|Signature):")
_PAGE = re.compile(r"(?:(?:[.…·] ?){3,}[ \t]*|(?<=\S)[ \t]{2,})(\d{1,4})(?!\S)")
_RIGHTS = re.compile(r"(?:©|\(c\)|\bcopyright\b)[^\n]{0,40}\b(?:19|20)\d\d\b", re.IGNORECASE)
_CODE = re.compile(r"(?<!\S)(?=[^\s:]*\d)(?=[^\s:]*[A-Za-z])[A-Za-z0-9+/=_-]{40,}(?!\S)")
_EACH = 80
"""Characters that a mark of a signature, or an entry of a table of contents, accounts for."""
_NOTICE = 400
"""Characters that a copyright notice has at most."""


def boilerplate(text: str) -> str:
    r"""Return what a passage is by its form, or nothing.

    >>> boilerplate("1. Term ........ 2\n2. Rent ....... 3\n3. Costs ...... 5\n4. Law ..... 9")
    'table of contents'
    >>> boilerplate("© 2019 Hartwell Ltd. All rights reserved.")
    'copyright notice'
    >>> boilerplate("By: ______________\nName: J. Hart\nTitle: Director")
    'signature block'
    >>> boilerplate("Each party bears its own costs.")
    ''
    """
    letters = sum(map(len, text.split()))
    if 2 * sum(map(len, _CODE.findall(text))) > letters:
        return "encoded data"
    if len(text) <= _NOTICE and _RIGHTS.search(text):
        return "copyright notice"
    pages = [int(page) for page in _PAGE.findall(text)]
    rising = pages == sorted(pages) and len({*pages}) > 3
    if rising and _EACH * len(pages) > letters:
        return "table of contents"
    signed, signer = (len(each.findall(text)) for each in (_SIGNED, _SIGNER))
    block = signed and signed + signer > 2 and _EACH * (signed + signer) > letters
    return "signature block" if block else ""


@lru_cache(maxsize=20_000)
def form_of(corpus: Corpus, chunk: int) -> str:
    """Return what a chunk is by its form, or nothing."""
    return boilerplate(corpus.chunk_text(chunk))
