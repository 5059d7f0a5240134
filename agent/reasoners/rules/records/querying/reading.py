"""A question while it is read: its tokens, what they name or state, and what has been used."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from agent.reasoners.rules.language.words import Token, tokenize
from agent.reasoners.rules.records.querying.adopting import adopted
from agent.reasoners.rules.records.querying.lexicon import Lexicon, Target
from agent.reasoners.rules.records.querying.mentions import Mention, find_mentions, says
from agent.reasoners.rules.records.querying.numbers import numbered
from agent.reasoners.rules.records.querying.paths import Paths
from agent.reasoners.rules.records.querying.spread_names import said_twice, widened
from agent.reasoners.rules.records.querying.values import (
    ValueSpan,
    capital_spans,
    common_spans,
    quoted_spans,
)
from agent.records.query_plan import Column
from agent.records.record_schema import AttributeType, ColumnFacts, Tables

__all__ = ("Reading", "read_words")

_SURE: Final = 0.6
_INTRODUCTION: Final = re.compile(
    r"^\s*(?:based on|according to|given|using)\b[^,?]*,\s*", re.IGNORECASE
)
_ASIDE: Final = re.compile(
    r",?\s+(?:in|from|within|of)\s+(?:our|your|the|this|these)\s+(?:\w+\s+)?"
    r"(?:records?|databases?|data ?sets?|collections?|data|corpus|bases?|documents?)"
    r"(?=\s*(?:[?.,]|$))|\s+each\s+time\b",
    re.IGNORECASE,
)
_ANAPHOR: Final = re.compile(
    r"\s+(?:in|by|on|for)\s+(?:this|that|these)\s+"
    r"(?:metrics?|measures?|figures?|indicators?|respects?)\b",
    re.IGNORECASE,
)
_PARENTHESIS: Final = re.compile(r"\s*\(([^()]*)\)")
_YEAR: Final = re.compile(r"\b(before|after|since|until|by|from|to)\s+(?:the\s+)?year\s+(?:of\s+)?"
                          r"(?=\d{4}\b)", re.IGNORECASE)  # fmt: skip
_CLITIC: Final = re.compile(r"(?<=\w)n['’]t\b")


@dataclass(slots=True)
class Reading:
    """What is known of a question so far; `used`, `notes` and `missing` grow while it is read."""

    question: str
    tokens: list[Token]
    tables: Tables
    paths: Paths
    mentions: list[Mention]
    values: list[ValueSpan]
    used: set[int] = field(default_factory=set)
    """Indices of tokens that are accounted for."""
    notes: list[str] = field(default_factory=list)
    """Assumptions, in sentences' parts."""
    missing: list[str] = field(default_factory=list)
    """Words that the question needs and the tables lack."""

    def low(self, at: int) -> str:
        """Return the word at an index without case; empty beyond the ends."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def words(self, start: int, end: int) -> str:
        """Return the question's words from one token to before another."""
        return self.question[self.tokens[start].start : self.tokens[end - 1].end]

    def use(self, start: int, end: int) -> None:
        """Mark tokens as accounted for."""
        self.used.update(range(start, end))

    def mention_at(self, at: int) -> Mention | None:
        """Return the mention that begins at a token."""
        return next((each for each in self.mentions if each.start == at), None)

    def value_at(self, at: int) -> ValueSpan | None:
        """Return the value that begins at a token."""
        return next((each for each in self.values if each.start == at), None)

    def type_of(self, column: Column) -> AttributeType:
        """Return the type of a column."""
        kind = self.tables.schema.kind(column.kind)
        attribute = kind.attribute(column.attribute) if kind is not None else None
        return attribute.type if attribute is not None else "text"

    def facts_of(self, column: Column) -> ColumnFacts | None:
        """Return the statistics of a column."""
        table = next((each for each in self.tables.facts if each.kind == column.kind), None)
        return table.column(column.attribute) if table is not None else None

    def named_kinds(self) -> dict[str, float]:
        """Return the kinds that the question names, with how surely it does."""
        found: dict[str, float] = {}
        for mention in self.mentions:
            for target in mention.kinds:
                if target.strength >= _SURE and target.strength >= mention.strength - 0.3:
                    found[target.kind] = max(found.get(target.kind, 0.0), target.strength)
        return found

    def kind_among(self, mention: Mention, base: str | None = None) -> str | None:
        """Return the kind that a mention means; of kinds with one name, the best connected.

        Connected to the kind asked for where that is known, else to all else that is named.
        """
        best = max((each.strength for each in mention.kinds), default=0.0)
        kinds = [each.kind for each in mention.kinds if each.strength >= best - 0.01]
        if len(kinds) < 2:
            return kinds[0] if kinds else None
        scores = {kind: self._connected(kind, mention, base) for kind in kinds}
        chosen = max(kinds, key=lambda kind: scores[kind])
        if list(scores.values()).count(scores[chosen]) > 1:
            said = self.words(mention.start, mention.end)
            self.notes.append(f"of {len(kinds)} tables called “{said}”, {chosen} is taken")
        return chosen

    def _connected(self, kind: str, mention: Mention, base: str | None) -> float:
        """Return how near all other names and values of the question are to a kind."""
        others = [{each.kind for each in other.targets[:8] if each.strength >= _SURE}
                  for other in self.mentions if other is not mention]  # fmt: skip
        others += [{each.kind for each in value.found} for value in self.values]
        groups = [{base}] if base is not None else others
        return sum(max((self._closeness(kind, each) for each in group), default=0.0)
                   for group in groups)  # fmt: skip

    def _closeness(self, kind: str, other: str) -> float:
        distance = self.paths.distance(kind, other)
        return 0.0 if distance is None else 1 / (1 + distance)

    def choose(
        self,
        targets: Iterable[Target],
        *,
        near: Sequence[str | None] = (),
        types: Sequence[AttributeType] = (),
    ) -> Column | None:
        """Return the column meant, by how sure the words are and how near its kind is.

        Args:
            targets: what the words may name.
            near: kinds that stand by, the nearest first.
            types: the types that fit; empty for any.
        """
        ranked = [
            (self._nearness(each, [kind for kind in near if kind]), each)
            for each in targets
            if each.attribute is not None
        ]
        fitting = [
            (score, each)
            for score, each in ranked
            if not types or self.type_of(_column(each)) in types
        ]
        best = max(fitting, key=lambda pair: pair[0], default=None)
        return _column(best[1]) if best is not None else None

    def _nearness(self, target: Target, near: Sequence[str]) -> float:
        score = target.strength
        if target.kind in near:
            score += 0.3 / (1 + list(near).index(target.kind))
        score += 0.1 if target.kind in self.named_kinds() else 0.0
        if near:
            distance = self.paths.distance(near[-1], target.kind)
            score -= 0.7 if distance is None else 0.06 * distance
        return score


def _column(target: Target) -> Column:
    return Column(kind=target.kind, attribute=target.attribute or "")


def read_words(question: str, tables: Tables) -> Reading:
    """Look up what the words of a question name and state.

    An introduction that only names the source (`Based on the reports, …`) and an aside such as
    `in our database` are left out: they do not restrict what is asked.
    """
    text = _ANAPHOR.sub("", _ASIDE.sub("", _INTRODUCTION.sub("", question)))
    text = _CLITIC.sub(" not", _YEAR.sub(r"\1 ", text))
    text = _PARENTHESIS.sub(lambda found: _unwrapped(found[1], tables), text)
    tokens = tokenize(text)
    lexicon = Lexicon(tables.schema, [token.low for token in tokens if token.kind == "word"])
    values = quoted_spans(tokens, tables) + capital_spans(text, tokens, tables)
    taken = {at for each in values for at in range(each.start, each.end)}
    mentions = find_mentions(tokens, lexicon, taken)
    named = {at for each in mentions if each.strength >= _SURE for at in _range(each)}
    free = {at for at in range(len(tokens)) if says(tokens[at])}
    values += common_spans(text, tokens, free - taken - named, tables)
    held = {at for each in values for at in range(each.start, each.end)}
    kept = [each for each in mentions if not held & set(_range(each))]
    kept = numbered(tokens, widened(tokens, kept, tables.schema))
    again = said_twice(tokens, kept, tables.schema)
    reading = Reading(text, tokens, tables, Paths(tables.schema), kept, values)
    reading.mentions = [each for each in kept if each not in again]
    for each in again:
        reading.use(each.start, each.end)
    _adopt(reading, held)
    return reading


def _adopt(reading: Reading, held: set[int]) -> None:
    """Link the noun that stands for what the documents are about."""
    linked = held | reading.used | {at for each in reading.mentions for at in _range(each)}
    found = adopted(reading.tokens, linked, reading.tables)
    named = reading.named_kinds()
    if found is not None and found.mentions[0].targets[0].kind not in named:
        reading.mentions = sorted([*reading.mentions, *found.mentions], key=lambda m: m.start)
        reading.notes.append(found.note)


def _unwrapped(aside: str, tables: Tables) -> str:
    """Return what stands in parentheses as part of the sentence if it names a column, else nothing.

    What names nothing only explains the words before it: `stock symbols (tickers)`.
    """
    tokens = tokenize(aside)
    lexicon = Lexicon(tables.schema, [token.low for token in tokens if token.kind == "word"])
    named = any(each.strength >= _SURE for each in find_mentions(tokens, lexicon, set()))
    stated = any(token.kind in {"number", "quote"} for token in tokens)
    return f" {aside}" if named or stated else ""


def _range(mention: Mention) -> range:
    return range(mention.start, mention.end)
