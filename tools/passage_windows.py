"""Chunks as they are shown to a reasoner: no word twice, no clause without its neighbour.

`copies_of` finds chunks that say the same in the same words, so that a verdict on one holds for the
others: case, spaces, marks and articles may differ. What is merely alike is judged by itself:
names, numbers and terms part it. `form_of` tells those that by their form, not their subject,
hardly tell anything: they are read last.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from pyroaring import BitMap

from agent.evidence import Passage
from tools.corpus.chunking.token_counts import count_tokens
from tools.corpus.corpus import Corpus

_CONTEXT_TOKENS = 40
_CONTEXT = 20 * _CONTEXT_TOKENS
"""Characters that surely hold so many tokens."""
_WORD = re.compile(r"\S+")
_ENDED = re.compile(r"[.!?。！？][\"'”’)\]*_]*\Z")
_CLOSING = 40
"""Characters at a text's end in which its last sentence's marks stand."""


def passages(corpus: Corpus, chunks: Sequence[int]) -> tuple[Passage, ...]:
    """Return a passage for each chunk, in the order given.

    Chunks overlap. Where the chunk before is shown, too, the words that both hold are left to it,
    but for a chunk with no words of its own; `document_text[start : start + len(text)] == text`.
    `before` and `after` are neighbours' words around `text` where the cut is in mid-sentence, or
    between a list's items or what introduces them, about 40 tokens each.
    """
    shown = frozenset(chunks)
    return tuple(_passage(corpus, chunk, shown) for chunk in chunks)


def _passage(corpus: Corpus, chunk: int, shown: frozenset[int]) -> Passage:
    document = int(corpus.chunk_document[chunk])
    start, text = _own_text(corpus, chunk, shown)
    earlier = _text_before(corpus, chunk, start)
    later = _text_after(corpus, chunk)
    before = _WORD.findall(earlier[-_CONTEXT:])[::-1] if _is_cut(earlier, text) else []
    after = _WORD.findall(later[:_CONTEXT]) if _is_cut(text, later) else []
    return Passage(
        chunk=chunk,
        document=corpus.documents[document],
        title=corpus.titles[document],
        start=start,
        text=text,
        headings=corpus.headings(chunk),
        before=" ".join(reversed(_near(before))),
        after=" ".join(_near(after)),
    )


def _own_text(corpus: Corpus, chunk: int, shown: frozenset[int]) -> tuple[int, str]:
    """Return the text to show, with its offset in the document."""
    start, text = int(corpus.chunk_start[chunk]), corpus.chunk_text(chunk)
    if chunk - 1 in shown and _joined(corpus, chunk - 1):
        overlap = max(0, int(corpus.chunk_end[chunk - 1]) - start)
        if text[overlap:].strip():
            start, text = start + overlap, text[overlap:]
    bare = text.lstrip()
    return start + len(text) - len(bare), bare.rstrip()


def _text_before(corpus: Corpus, chunk: int, start: int) -> str:
    """Return the text of the chunk before, as far as it lies before the passage."""
    if chunk == 0 or not _joined(corpus, chunk - 1):
        return ""
    return corpus.chunk_text(chunk - 1)[: start - int(corpus.chunk_start[chunk - 1])]


def _text_after(corpus: Corpus, chunk: int) -> str:
    """Return the text of the chunk after, as far as it lies after this one."""
    if not _joined(corpus, chunk):
        return ""
    overlap = int(corpus.chunk_end[chunk]) - int(corpus.chunk_start[chunk + 1])
    return corpus.chunk_text(chunk + 1)[max(0, overlap) :]


def _joined(corpus: Corpus, chunk: int) -> bool:
    """Tell whether the next chunk is of the same document."""
    documents = corpus.chunk_document
    return chunk + 1 < len(documents) and bool(documents[chunk] == documents[chunk + 1])


def _is_cut(left: str, right: str) -> bool:
    """Tell whether a sentence runs on over the cut between two texts."""
    said = left.rstrip()
    if not said or not right.strip():
        return False
    blank = left.count("\n", len(said)) > 1 and said[-1] not in ":;,"
    return right.lstrip()[0].islower() or not (blank or _ENDED.search(said[-_CLOSING:]))


def _near(words: Sequence[str]) -> Sequence[str]:
    """Return as many of the first words as a context has tokens."""
    room = _CONTEXT_TOKENS
    for number, word in enumerate(words):
        room -= count_tokens(word)
        if room < 0:
            return words[:number]
    return words


_IDLE = frozenset(("a", "an", "the", "this", "that", "these", "those", "such", "said", "also"))
"""Words that may differ, unless a condition has them."""
_MARKS = re.compile(r"(?<!\d)[.,:;]|[.,:;](?!\d)|[\"'“”‘’()*_`|]|(?<!\w)[-–—=]+(?!\w)")
"""Marks that may differ: none within a number, and no other sign."""
_RAREST = 8
"""Words of a chunk that are looked up to find where else they stand together."""


def plain_words(text: str) -> list[str]:
    """Return the folded words of a text without marks that may differ.

    >>> plain_words("“The rent” is  $1,200.50 (monthly).")
    ['the', 'rent', 'is', '$1,200.50', 'monthly']
    """
    return _MARKS.sub(" ", text.casefold()).split()


@lru_cache(maxsize=20_000)
def copies_of(corpus: Corpus, chunk: int, telling: frozenset[str]) -> BitMap:
    """Return the other chunks that a reader is shown in the same words, headings included.

    No `telling` word, those of the conditions, may differ, not even in a document's name or title.
    """
    others = _alike(corpus, chunk)
    own = _shown(corpus, chunk, telling) if others else []
    return BitMap(each for each in others if _shown(corpus, each, telling) == own)


@lru_cache(maxsize=20_000)
def _alike(corpus: Corpus, chunk: int) -> BitMap:
    """Return the other chunks that have a chunk's rarest words."""
    index = corpus.lexical
    columns = index.rows(np.array([chunk])).indices
    rarest = columns[np.argsort(index.document_frequency[columns], kind="stable")]
    others = BitMap(range(len(corpus)))
    others.discard(chunk)
    for word in [each for each in index.forms(rarest) if each not in _IDLE][:_RAREST]:
        if not others:
            break
        others &= BitMap(index.postings(word))
    return others


@lru_cache(maxsize=20_000)
def _shown(corpus: Corpus, chunk: int, telling: frozenset[str]) -> list[list[str]]:
    (seen,) = passages(corpus, [chunk])
    idle = _IDLE - telling
    named = re.split(r"[\W_]+", f"{seen.document} {seen.title}".casefold())
    parts = (seen.before, seen.text, seen.after, *seen.headings)
    shown = [[word for word in plain_words(part) if word not in idle] for part in parts]
    return [[word for word in named if word in telling], *shown]


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
