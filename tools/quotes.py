"""Finding a model's quote in the text it claims to come from, or refusing it.

Three attempts: the exact words; the same words with other spacing, case, quote marks, dashes or an
ellipsis; and words that only slips of copying part. Numbers and negations never differ.
"""

import html
import re
from collections.abc import Iterable, Iterator

from rapidfuzz import fuzz

from agent.evidence import Passage
from agent.languages import UNSPACED, gap_pattern, has_unspaced
from tools.corpus.corpus import Corpus

_MARGIN = 600
"""Characters around a passage in which a quote may stand."""
_SHORTEST = 12
_LEAST_LIKE = 90
"""Twice the common characters over both lengths, in percent."""
_SHORTEST_PART = 4
_MOST_PARTS = 5

_QUOTE_MARKS = "'\"`´‘’‚‛“”„‟«»‹›′″"
_DASHES = "‐‑‒–—―−-"
_EMPHASIS = "*_"
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,10}|#\d{2,6}|#x[0-9A-Fa-f]{2,5});")
_ELLIPSIS = re.compile(r"\s*[\[(]?(?:…|\.{3,}|\.(?: \.){2,})[\])]?\s*")
_TOKEN = re.compile(rf"[{_QUOTE_MARKS}]|\s*[{_DASHES}]\s*|[^\s{_QUOTE_MARKS}{_DASHES}]+|\s+")
_PLAIN = str.maketrans({**dict.fromkeys(_QUOTE_MARKS, "'"), **dict.fromkeys(_DASHES, "-")})
_TELLING = re.compile(
    r"\d+|\b(?:no|not|nor|never|none|without|cannot|nicht|kein\w*|nie|ohne|ne|pas|jamais|sans|aucune?"
    r"|sin|nunca|ning[uú]n\w*|não|sem|non|senza|niet|geen|не|нет|без)\b|n't\b"
)


def locate(quote: str, text: str) -> tuple[int, int] | None:
    r"""Return the span of the text that the quote quotes, the first one, or None.

    A quote with an ellipsis spans from its first part to its last, at most five of them. A quote
    under 12 characters must be exact, in a script such as Chinese under 12 bytes. The `>` before
    lines of a quoted mail may be left out. Where the text writes characters as HTML entities, the
    quote may have the characters themselves.

    >>> text = "The Lessee shall pay\n  “the Deposit” – in full."
    >>> locate('shall pay "the deposit" - in full', text)
    (11, 46)
    >>> locate("on the wall of the cellar", "seen on the wall\n> of the cellar")
    (5, 32)
    """
    bare = quote.strip()
    if not bare:
        return None
    start = text.find(bare)
    if start >= 0:
        return start, start + len(bare)
    if _ENTITY.search(text) and (span := _located_decoded(bare, text)):
        return span
    return _located(bare, text)


def _located(bare: str, text: str) -> tuple[int, int] | None:
    """Return the span of a quote under other spacing, marks, gaps or slips of copying."""
    parts = _parts(bare)
    if sum(map(_size, parts)) + len(parts) - 1 < _SHORTEST:
        return None
    if len(parts) == 1:
        found = re.search(_pattern(parts[0]), text, re.IGNORECASE)
        return found.span() if found else _nearly(parts[0], text)
    if len(parts) > _MOST_PARTS or min(map(_size, parts)) < _SHORTEST_PART:
        return None
    spans = list(_spans(parts, text))
    return (spans[0][0], spans[-1][1]) if len(spans) == len(parts) else None


def _located_decoded(quote: str, text: str) -> tuple[int, int] | None:
    """Return the span of a quote in a text whose HTML entities are decoded, in the text itself."""
    decoded: list[str] = []
    origins: list[int] = []
    at = 0
    for found in (*_ENTITY.finditer(text), None):
        end = found.start() if found else len(text)
        decoded.append(text[at:end])
        origins.extend(range(at, end))
        if found:
            character = html.unescape(found[0])
            decoded.append(character)
            origins.extend([found.start()] * len(character))
            at = found.end()
    span = _located(html.unescape(quote), "".join(decoded))
    if span is None:
        return None
    end = origins[span[1]] if span[1] < len(origins) else len(text)
    return origins[span[0]], end


def locate_around(quote: str, passage: Passage, corpus: Corpus) -> tuple[int, int] | None:
    """Return a quote's span in its document, near a passage: a neighbour's words are shown too."""
    text = corpus.document_text(corpus.document_index(passage.document))
    first = max(0, passage.start - _MARGIN)
    span = locate(quote, text[first : passage.start + len(passage.text) + _MARGIN])
    return None if span is None else (first + span[0], first + span[1])


def _spans(parts: Iterable[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield the span of each part behind the one before, without cut words, as far as they are."""
    at = 0
    for part in parts:
        edge = rf"(?![{UNSPACED}])\w"
        whole = rf"(?!\B{edge}){_pattern(part)}(?!(?<=\w){edge})"
        found = re.compile(whole, re.IGNORECASE).search(text, at) if part else None
        if found is None:
            return
        yield found.span()
        at = found.end()


def missing_part(quote: str, text: str) -> str:
    """Return the first part of a refused quote that the text lacks where it should stand.

    >>> missing_part("the lessee … shall move", "The lessee of it shall pay.")
    'shall move'
    """
    parts = _parts(quote.strip())
    found = len(list(_spans(parts, text)))
    return "".join(parts[found : found + 1]) or quote


def _size(part: str) -> int:
    """Return the letters of a part of a quote; of those that no spaces part the bytes."""
    return len(part.encode()) if has_unspaced(part) else len(part)


def _parts(quote: str) -> list[str]:
    return _ELLIPSIS.sub("…", quote).strip(f"… {_QUOTE_MARKS}").split("…")


def _pattern(part: str) -> str:
    """Return a pattern of the same words under any spacing, marks and dashes."""
    return "".join(_token_pattern(token) for token in _TOKEN.findall(part))


def _token_pattern(token: str) -> str:
    if token.isspace():
        return rf"[{_EMPHASIS}]{{0,3}}\s+(?:(?<=\n)>[>\s]*)?[{_EMPHASIS}]{{0,3}}"
    if token in _QUOTE_MARKS:
        return rf"[{_QUOTE_MARKS}]{{1,2}}"
    if token.strip() in _DASHES:
        return rf"\s{{0,9}}[{_DASHES}]{{1,3}}\s{{0,9}}"
    if not has_unspaced(token):
        return re.escape(token)
    return "".join(f"{gap_pattern(s) if at else ''}{re.escape(s)}" for at, s in enumerate(token))


def _normal(text: str) -> tuple[str, list[int]]:
    """Return a text in lower case with single spaces and plain marks, and where its signs stood."""
    words: list[str] = []
    origins: list[int] = []
    for match in re.finditer(r"\S+", text):
        words.append(_lower(match[0].translate(_PLAIN)))
        origins += range(match.start(), match.end() + 1)
    return " ".join(words), origins


def _lower(word: str) -> str:
    """Lower the case without changing the length: `İ` would become two characters."""
    lowered = word.lower()
    if len(lowered) == len(word):
        return lowered
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in word)


def _nearly(quote: str, text: str) -> tuple[int, int] | None:
    """Return the word-wise span that is like enough to the quote, where spaces part words."""
    if has_unspaced(quote):
        return None
    (wanted, _), (normal, origins) = _normal(quote), _normal(text)
    if len(normal) < len(wanted) * _LEAST_LIKE / 100:
        return None
    best = fuzz.partial_ratio_alignment(wanted, normal, score_cutoff=_LEAST_LIKE)
    if best is None or best.dest_end <= best.dest_start:
        return None
    start, end = _whole_words(text, origins[best.dest_start], origins[best.dest_end - 1] + 1)
    shown, _ = _normal(text[start:end])
    same = _TELLING.findall(shown) == _TELLING.findall(wanted)
    return (start, end) if same and fuzz.ratio(wanted, shown) >= _LEAST_LIKE else None


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span to the words it cuts, then leave off spaces at its ends."""
    while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def proven(corpus: Corpus, quotes: Iterable[tuple[int, int, int]]) -> frozenset[int]:
    """Return the chunks in which a quote (document, start, end) lies whole: they overlap."""
    return frozenset(
        chunk
        for document, start, end in quotes
        for chunk in corpus.chunks_at(document, start, end)
        if corpus.chunk_start[chunk] <= start and end <= corpus.chunk_end[chunk]
    )
