"""A long document in parts: how large they may be, and which likely state what is wanted."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import Final

from agent.languages import stems
from agent.reasoner import Reasoner
from agent.records.record import Span
from agent.records.record_schema import Attribute, Kind
from tools.corpus.chunking.chunker import cut_text
from tools.corpus.chunking.token_counts import count_tokens

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_HEADING: Final = re.compile(r"^(#{1,6})[ \t]+(\S.*)$", re.MULTILINE)
_UNITS: Final = re.compile(
    r"^[ \t#*_(\[]*(?:[^\W\d_]+,?[ \t]+){0,4}\(?in[ \t]+"
    r"(?:[A-Z]{2,3}[ \t]+|[A-Z]{0,2}[$€£¥][ \t]*)?(?:thousand|million|billion)s?\b.{0,80}$",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that says in what its numbers are: `(in thousands of euros, except per share)`."""
_TABLE: Final = re.compile(r"^[ \t]*\|.*\|[ \t]*\n[ \t]*\|[ \t:|-]+\|[ \t]*$", re.MULTILINE)


_PIECE: Final = 200
"""Tokens of what is not parted where a larger part will do."""
_INSTRUCTIONS: Final = 700
_ATTRIBUTE: Final = 60
"""Tokens of an attribute's line in a prompt, about."""
_ESTIMATE: Final = 1.15
"""How far the count of tokens may be below the model's own."""
_LARGEST: Final = 12_000
"""Tokens of a part at most: a reader finds less in a longer one."""
_ROWS: Final = 6
"""Tokens of a reply for each token of rows read: names of attributes and quotes repeat."""
_PROSE: Final = 2
"""The same for prose, which states fewer values; a reply that is cut is asked for in halves."""
_ITEM: Final = re.compile(r"[*•–-]|\d+[.)]?[ |;,]")
_SMALLEST: Final = 200
_LIKELY: Final = 0.7
"""The share of the words for a kind's attributes that a text has where it likely has records."""
_SAMPLE: Final = 4_000
"""Tokens of a sample document at most."""


def split(text: str, tokens: int) -> tuple[Span, ...]:
    """Return spans that cover the text, each of about so many tokens, parted where it pauses."""
    if count_tokens(text) <= tokens:
        return ((0, len(text)),)
    spans: list[Span] = []
    start = size = 0
    for each in cut_text(text, size=min(tokens, _PIECE), overlap=0).chunks:
        if size and size + each.tokens > tokens:
            spans.append((start, each.start))
            start, size = each.start, 0
        size += each.tokens
    return (*spans, (start, len(text)))


def headings_above(text: str, start: int) -> Mapping[str, str]:
    """Return the headings, head of a cut table, and unit note that a part needs from above it."""
    told: dict[str, str] = {}
    open_: dict[int, str] = {}
    last = 0
    own = _HEADING.match(text, start + len(text[start:]) - len(text[start:].lstrip("\n")))
    for found in (*_HEADING.finditer(text, 0, start), *([own] if own else ())):
        open_ = {level: name for level, name in open_.items() if level < len(found[1])}
        if found is not own:
            open_[len(found[1])] = found[2].strip()
            last = found.end()
    if open_:
        told["heading above"] = " › ".join(open_[level] for level in sorted(open_))
    for found in _UNITS.finditer(text, 0, start):
        told["unit note above"] = found[0].strip(" \t#*_")
    *_, head = (None, *_TABLE.finditer(text, last, start))
    if head is not None and "\n\n" not in text[head.end() : start]:
        told["table head above"] = head[0].strip().splitlines()[0].strip()
    return told


def best_parts(texts: Sequence[str], attributes: Sequence[Attribute]) -> list[int]:
    """Return the parts, those that promise most of the attributes first.

    A part's score for an attribute is the share of the words of its name, labels and description
    that stand in the part, rare words counting more, as in inverse document frequency. The best
    part of each attribute comes first, the others by their best score; ties in the text's order.
    """
    words = [Counter(stems(_words(text))) for text in texts]
    within = Counter(word for part in words for word in part)
    rarity = {word: log(1 + len(words) / times) for word, times in within.items()}
    scores = [[_score(each, part, rarity) for part in words] for each in attributes]
    firsts = [max(range(len(texts)), key=lambda part: (row[part], -part)) for row in scores]
    best = [max((row[part] for row in scores), default=0.0) for part in range(len(texts))]
    rest = sorted(range(len(texts)), key=lambda part: (-best[part], part))
    return list(dict.fromkeys([*[part for part, _ in Counter(firsts).most_common()], *rest]))


def unlikely_kinds(text: str, kinds: Sequence[Kind]) -> frozenset[str]:
    """Return the kinds of which a text has too few words, unless none would be likely."""
    stand = set(stems(_words(text)))
    few = set()
    for kind in kinds:
        names = " ".join(word for each in kind.attributes for word in (each.name, *each.labels))
        words = set(stems(_words(names)))
        if len(words & stand) < _LIKELY * len(words):
            few.add(kind.name)
    return frozenset(few if len(few) < len(kinds) else ())


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text.replace("_", " "))]


def _score(attribute: Attribute, part: Mapping[str, int], rarity: Mapping[str, float]) -> float:
    called = set(stems(_words(" ".join((attribute.name, *attribute.labels)))))
    told = set(stems(_words(attribute.description))) - called
    weights = {word: 2 * rarity.get(word, 0.0) for word in called}
    weights |= {word: rarity.get(word, 0.0) for word in told}
    total = sum(weights.values())
    return sum(w for word, w in weights.items() if word in part) / total if total else 0.0


def in_rows(text: str) -> bool:
    """Tell whether much of a text are rows, of which each may be a record."""
    lines = [line.strip() for line in text.split("\n")]
    rows = sum("|" in line or "\t" in line or _ITEM.match(line) is not None for line in lines)
    return 3 * rows > len(lines)


def part_tokens(reasoner: Reasoner, kinds: Sequence[Kind], *, rows: bool) -> int:
    """Return how many tokens of a document may be read at once; fewer where they are in `rows`."""
    told = _INSTRUCTIONS + sum(_ATTRIBUTE * len(kind.attributes) for kind in kinds)
    room = (reasoner.context_tokens - reasoner.reply_tokens - told) / _ESTIMATE
    if any(kind.grain == "row" for kind in kinds):
        room = min(room, reasoner.reply_tokens / (_ROWS if rows else _PROSE))
    return int(max(_SMALLEST, min(room, _LARGEST)))


def sample_tokens(reasoner: Reasoner, documents: int, questions: Sequence[str]) -> int:
    """Return how many tokens of each sample document may be shown."""
    told = 2 * _INSTRUCTIONS + count_tokens("\n".join(questions)) + reasoner.reply_tokens
    room = (reasoner.context_tokens - reasoner.reply_tokens - told) / _ESTIMATE
    return int(max(_SMALLEST, min(_SAMPLE, room / max(1, documents))))
