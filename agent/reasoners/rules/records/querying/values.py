"""Values in a question: quoted, written with capitals, or simply words that a column holds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agent.english import unaccented
from agent.reasoners.rules.language.words import Token, singular
from agent.reasoners.rules.reading.question_words import asks
from agent.reasoners.rules.records.querying.phrases import alike, name_words
from agent.records.record_schema import CellValue, FoundValue, Tables

__all__ = ("ValueSpan", "capital_spans", "common_spans", "held", "quoted_spans")

_CAPITALS: Final = re.compile(
    r"(?<![\w'’\"“‘])(?:[A-Z]|\d+[A-Za-z-])[\w.&'’/+#-]*"
    r"(?:,?\s+(?:(?:of|the|and|&|for|de|la|van|von|in|on)\s+){0,2}(?:[A-Z]|\d)[\w.&'’/+#-]*)*"
)
_LONGEST: Final = 5
_LIMIT: Final = 60


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """Tokens from `start` to before `end` that columns hold as a value."""

    start: int
    end: int
    text: str
    found: tuple[FoundValue, ...]
    """Where; the value exactly so if it is held so anywhere, else values that contain it."""
    quoted: bool = False

    @property
    def exact(self) -> bool:
        """Whether some column holds exactly this."""
        return bool(self.found) and _same(self.found[0].value, self.text)


def quoted_spans(tokens: Sequence[Token], tables: Tables) -> list[ValueSpan]:
    """Return what stands in quotation marks, held or not."""
    return [
        _looked_up(at, at + 1, token.inner, tables, quoted=True)
        for at, token in enumerate(tokens)
        if token.kind == "quote"
    ]


def capital_spans(question: str, tokens: Sequence[Token], tables: Tables) -> list[ValueSpan]:
    """Return the longest stretches written with capitals that columns hold, part by part."""
    found: list[ValueSpan] = []
    for match in _CAPITALS.finditer(question):
        at = [n for n, token in enumerate(tokens) if match.start() <= token.start < match.end()]
        if at and at[0] == 0:
            at = at[1:]
        if at:
            found += _longest(question, tokens, at[0], at[-1] + 1, tables)
    return found


def _longest(
    question: str, tokens: Sequence[Token], start: int, end: int, tables: Tables
) -> Iterator[ValueSpan]:
    """Yield the longest stretch that a column holds exactly, and those on either side of it."""
    for size in range(end - start, 0, -1):
        for first in range(start, end - size + 1):
            span = _exact(question, tokens, first, first + size, tables)
            if span is not None:
                yield from _longest(question, tokens, start, first, tables)
                yield span
                yield from _longest(question, tokens, first + size, end, tables)
                return


def _exact(
    question: str, tokens: Sequence[Token], start: int, end: int, tables: Tables
) -> ValueSpan | None:
    if tokens[start].kind == "mark" or all(token.kind == "number" for token in tokens[start:end]):
        return None
    if not any(token.capital or token.kind == "number" for token in tokens[start:end]):
        return None
    text = question[tokens[start].start : tokens[end - 1].end]
    for written in dict.fromkeys((text, f"{text}.", text.rstrip(".'’"))):
        span = _looked_up(start, end, written, tables)
        if span.exact:
            return span
    return None


def common_spans(
    question: str, tokens: Sequence[Token], free: set[int], tables: Tables
) -> list[ValueSpan]:
    """Return words that name nothing and that a column holds exactly, longer stretches first.

    A word that any question may use is no value by itself, but may be part of one.
    """
    found: list[ValueSpan] = []
    at = 0
    while at < len(tokens):
        span = next(_commons(question, tokens, at, free, tables), None)
        found += [span] if span is not None else []
        at = span.end if span is not None else at + 1
    return found


def _commons(
    question: str, tokens: Sequence[Token], at: int, free: set[int], tables: Tables
) -> Iterator[ValueSpan]:
    run = 0
    while run < _LONGEST and at + run in free:
        run += 1
    for size in range(run, 0, -1):
        if all(asks(token.low) for token in tokens[at : at + size]):
            continue
        text = question[tokens[at].start : tokens[at + size - 1].end]
        for written in dict.fromkeys((text, singular(text))):
            span = _looked_up(at, at + size, written, tables)
            if span.exact:
                yield span


def _looked_up(
    start: int, end: int, text: str, tables: Tables, *, quoted: bool = False
) -> ValueSpan:
    found = tuple(tables.find(text, _LIMIT))
    exact = tuple(each for each in found if _same(each.value, text))
    return ValueSpan(start, end, text, exact or found, quoted)


def held(tables: Tables, kind: str, attribute: str, written: str) -> str | None:
    """Return the value of one column that words stand for, as the column writes it, or None.

    A word for a sex stands for its initial in a column named for it, as `female` for `F`.
    """
    facts = next((each for each in tables.facts if each.kind == kind), None)
    column = facts.column(attribute) if facts is not None else None
    values = [value for value, _ in column.values] if column is not None else []
    for value in values:
        if isinstance(value, str) and value.casefold() == written.casefold():
            return value
    if any(alike(word, "sex") >= 1 for word in name_words(attribute)):
        initial = singular(written)[:1].casefold()
        return next((v for v in values if isinstance(v, str) and v.casefold() == initial), None)
    return next(
        (
            str(each.value)
            for each in tables.find(written)
            if (each.kind, each.attribute) == (kind, attribute) and _same(each.value, written)
        ),
        None,
    )


def _same(value: CellValue, written: str) -> bool:
    """Tell whether a value is what the words say, without case and accents."""
    return unaccented(str(value).casefold()) == unaccented(written.casefold())
