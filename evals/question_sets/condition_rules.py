"""Conditions on documents that code decides, and the annotation of documents by them.

A rule is exact for the words its condition is asked in: `mention “X”` is true where X stands as a
word of the text. What a careful reader could decide either way (X in an address, in another
inflection, in a longer heading) is borderline: neither true nor false, and scored neutrally.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from agent.corpus_view import FieldValue
from agent.english import stems
from agent.value import Value
from evals.question_sets.source_documents import PUNCTUATION, Source, heading_key
from tools.corpus.fields.field_values import fold
from tools.corpus.words.tokenizer import words

Span = tuple[int, int]
"""Character offsets, end exclusive."""
Logic = Literal["single", "AND", "OR"]
_POSSESSIVE = re.compile(r"['’]s$")
_BLANK = r"(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*)"
"""Between the words of a phrase: blanks, or one line break."""
_KEY_CHARACTERS = 60


class MentionRule(Value):
    """A word or phrase stands in the text."""

    kind: Literal["mention"] = "mention"
    term: str

    def places(self, source: Source) -> list[Span]:
        """Return where the term stands as a word of its own.

        A term in lower case counts in any case; one with capitals as it is, or all in capitals.
        """
        if max(self.term.lower().split(), key=len) not in source.lowered:
            return []
        found = (each.span() for each in _whole(self.term).finditer(source.text))
        return [
            (start, end)
            for start, end in found
            if _alone(source.text, (start, end)) and self._cased(source.text[start:end])
        ]

    def is_borderline(self, source: Source) -> bool:
        """Return whether only something like the term stands there.

        That is the term in other letters, within an identifier, an address or another word, with
        other marks between its words, or in another inflection.
        """
        if self.places(source):
            return False
        within, stemmed = _near(self.term)
        if max(words(self.term), key=len) in source.lowered and within.search(source.text):
            return True
        starts = source.stem_places.get(stemmed[0], ())
        return any(source.stems[at : at + len(stemmed)] == stemmed for at in starts)

    def _cased(self, found: str) -> bool:
        return self.term.islower() or found.isupper() or found.split() == self.term.split()


class HeadingRule(Value):
    """A section bears a heading."""

    kind: Literal["heading"] = "heading"
    title: str
    """As it is written, without its number."""

    def places(self, source: Source) -> list[Span]:
        """Return where the title stands as a heading, its number left aside."""
        key = heading_key(self.title)
        return [
            (start, start + len(bare))
            for each in source.headings
            if each.heading is not None and heading_key(each.heading.title) == key
            for start, bare in [_first_line(source.text, each.start, each.end)]
        ]

    def is_borderline(self, source: Source) -> bool:
        """Return whether a line or a longer heading has the title's words, but no heading is it."""
        if self.places(source):
            return False
        wanted = tuple(stems(words(self.title)))
        if any(_holds(title, wanted) for title in source.heading_stems):
            return True
        return heading_key(self.title) in source.line_keys


class FieldRule(Value):
    """A field of the document's header has a value, or has it among its values."""

    kind: Literal["field"] = "field"
    field: str
    value: str

    def places(self, source: Source) -> list[Span]:
        """Return the line of the field, where its value is the one."""
        held = source.fields.get(fold(self.field))
        if held is None or self.value.casefold() not in {each.casefold() for each in held.items}:
            return []
        return [_line(source.text, held)]

    def is_borderline(self, source: Source) -> bool:
        """Return whether the field has something that may be the value by another name.

        That is an item that holds all of the value's words, is made of some of them, or ends like
        it, as two names of one person do.
        """
        held = source.fields.get(fold(self.field))
        if held is None or self.places(source):
            return False
        own = words(self.value)
        others = [words(each) for each in (*held.items, held.raw)]
        return any(
            set(own) <= set(other) or set(other) <= set(own) or own[-1:] == other[-1:]
            for other in others
            if other
        )


class YearRule(Value):
    """A date in a field of the document's header lies in a year or later, or before a year."""

    kind: Literal["year"] = "year"
    field: str
    comparison: Literal["since", "before"]
    year: int

    def places(self, source: Source) -> list[Span]:
        """Return the line of the field, where its date fits."""
        held = source.fields.get(fold(self.field))
        if held is None or held.date is None:
            return []
        since = int(held.date[:4]) >= self.year
        return [_line(source.text, held)] if since == (self.comparison == "since") else []

    def is_borderline(self, source: Source) -> bool:
        """Return whether the field states no date that can be read."""
        held = source.fields.get(fold(self.field))
        return held is not None and held.date is None


Rule = Annotated[MentionRule | HeadingRule | FieldRule | YearRule, Field(discriminator="kind")]


@cache
def _whole(term: str) -> re.Pattern[str]:
    parts = _BLANK.join(map(re.escape, term.split()))
    return re.compile(rf"(?<!\w){parts}(?!\w)", re.IGNORECASE)


@cache
def _near(term: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return what the term looks like within anything else, and its words' stems."""
    found = words(term)
    return re.compile(r"[\W_]*".join(map(re.escape, found)), re.IGNORECASE), tuple(stems(found))


def _holds(whole: tuple[str, ...], part: tuple[str, ...]) -> bool:
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def _alone(text: str, span: Span) -> bool:
    """Return whether a span is all that stands between blanks, marks left aside."""
    start, end = span
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    around = _POSSESSIVE.sub("", text[start:end].strip(PUNCTUATION))
    return around == text[span[0] : span[1]].strip(PUNCTUATION)


def _first_line(text: str, start: int, end: int) -> tuple[int, str]:
    """Return the place and the words of a heading: its line that is more than a rule."""
    at = start
    for line in text[start:end].split("\n"):
        if any(map(str.isalnum, line)):
            return at + len(line) - len(line.lstrip()), line.strip()
        at += len(line) + 1
    return start, text[start:end].strip()


def _line(text: str, held: FieldValue) -> Span:
    """Return the span of a field's value with the key before it."""
    start, end = held.start or 0, held.end or 0
    key = text.rfind("\n", 0, start) + 1
    bare = text[start:end].rstrip()
    return (key if start - key <= _KEY_CHARACTERS else start), start + len(bare)


class MinedCondition(Value):
    """A condition on documents."""

    label: str
    """What evidence refers to it by."""
    text: str
    """As a predicate of the plural: `mention “mypy”`, `have the status “Final”`."""
    rule: Rule
    decided_by: str
    """How it is decided, in words."""


def by_rule(rule: Rule) -> MinedCondition:
    """Return the condition that a rule decides.

    >>> by_rule(MentionRule(term="mypy")).text
    'mention “mypy”'
    """
    match rule:
        case MentionRule(term=name):
            text, how = f"mention “{name}”", "the exact term, whole and on its own"
        case HeadingRule(title=name):
            text, how = f"have a section headed “{name}”", "the heading of a section"
        case FieldRule():
            name = f"{rule.field} {rule.value}"
            text = f"have the {_spoken(rule.field)} “{rule.value}”"
            how = "the value of a field in the document's header"
        case YearRule():
            name = f"{rule.field} {rule.comparison} {rule.year}"
            since = rule.comparison == "since"
            when = f"in {rule.year} or later" if since else f"before {rule.year}"
            text = f"have a date {when} in the field “{rule.field}”"
            how = "the date of a field in the document's header"
    return MinedCondition(
        label=f"{rule.kind}: {name}", text=text, rule=rule, decided_by=f"code: {how}"
    )


def _spoken(field: str) -> str:
    """Return a field's key as words: `Python-Version` as `Python version`, else in lower case."""
    first, *others = field.replace("_", " ").replace("-", " ").split()
    return " ".join([first if first.isupper() else first.lower(), *(map(str.lower, others))])


@dataclass(frozen=True, slots=True)
class Truths:
    """The documents that satisfy a condition or question, and the borderline ones, disjoint."""

    satisfied: frozenset[str]
    borderline: frozenset[str] = frozenset()


def combined(logic: Logic, parts: Sequence[Truths]) -> Truths:
    """Return the truth of conditions joined in one way.

    A document is borderline where its borderline conditions decide.

    >>> sorted(combined("OR", [Truths(frozenset("a")), Truths(frozenset("b"))]).satisfied)
    ['a', 'b']
    """
    join = frozenset[str].intersection if logic == "AND" else frozenset[str].union
    satisfied = join(*(each.satisfied for each in parts))
    possible = join(*(each.satisfied | each.borderline for each in parts))
    return Truths(satisfied, possible - satisfied)


@dataclass(frozen=True, slots=True)
class Support:
    """A condition with the places that prove it, and the documents that remain open."""

    condition: MinedCondition
    places: Mapping[str, Sequence[Span]]
    """By document, each that satisfies it."""
    borderline: frozenset[str] = frozenset()

    @property
    def truths(self) -> Truths:
        """The documents alone."""
        return Truths(frozenset(self.places), self.borderline)


def annotate(condition: MinedCondition, sources: Iterable[Source]) -> Support:
    """Return every place of a condition, and the documents that are borderline.

    These are the two stages of AGGBench: all places first, then what remains open without one.
    """
    places, borderline = {}, set()
    for each in sources:
        found = condition.rule.places(each)
        if found:
            places[each.name] = found
        elif condition.rule.is_borderline(each):
            borderline.add(each.name)
    return Support(condition, places, frozenset(borderline))
