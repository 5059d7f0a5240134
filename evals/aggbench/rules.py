"""Rules that decide a condition by code: where a document states it, and where that is in doubt.

A rule is exact for the words its condition is asked in: `mention “X”` is true where X stands as a
word of the text. Whatever a careful reader could count the other way (X in an address, in another
inflection, in a longer heading) is neither true nor false but in doubt, and scored neutrally.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from agent.corpus_view import FieldValue
from agent.english import stems
from agent.value import Value
from evals.aggbench.sources import OUTER, Source, heading_key
from tools.corpus.fields.field_values import fold
from tools.corpus.words.tokenizer import words

__all__ = (
    "Annotation",
    "ConditionKind",
    "FieldRule",
    "HeadingRule",
    "Logic",
    "MentionRule",
    "Mined",
    "Noun",
    "Rule",
    "Span",
    "Truths",
    "YearRule",
    "annotate_by_rule",
    "by_rule",
    "combined",
    "truths_of",
)

Span = tuple[int, int]
"""Character offsets, end exclusive."""
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

    def doubted(self, source: Source) -> bool:
        """Tell whether only something like the term stands there.

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

    def doubted(self, source: Source) -> bool:
        """Tell whether a line or a longer heading has the title's words, but no heading is it."""
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

    def doubted(self, source: Source) -> bool:
        """Tell whether the field has something that may be the value by another name.

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

    def doubted(self, source: Source) -> bool:
        """Tell whether the field states no date that can be read."""
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
    """Tell whether the words between blanks around a span are the span, marks left aside."""
    start, end = span
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    around = _POSSESSIVE.sub("", text[start:end].strip(OUTER))
    return around == text[span[0] : span[1]].strip(OUTER)


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


ConditionKind = Literal["field", "year", "heading", "mention", "claim"]
_DECIDED = {
    "field": "code: the value of a field in the document's header",
    "year": "code: the date of a field in the document's header",
    "heading": "code: the heading of a section",
    "mention": "code: the exact term, whole and on its own",
}


class Noun(Value):
    """What entities of one type are called."""

    one: str = "document"
    many: str = "documents"


class Mined(Value):
    """A condition on one type of entity."""

    id: str
    """The label by which evidence and answers of people refer to it."""
    entity_type: str
    """What it is a condition on, one noun in the singular."""
    plural: str
    """The same in the plural."""
    kind: ConditionKind
    """`claim` where a model or a person decides, else the rule's own kind."""
    phrase: str
    """As a predicate of the plural: `mention “mypy”`, `have the status “Final”`."""
    documents: bool = True
    """Whether documents are the entities, not things they name."""
    counts: str = ""
    """Of a claim: what counts as satisfying it under other words."""
    excludes: str = ""
    """Of a claim: what looks alike but does not count."""
    rule: Rule | None = None
    """What decides it by code; None where a model decides and people review."""
    decided_by: str
    """How its truth came about, in words."""


def by_rule(rule: Rule, noun: Noun) -> Mined:
    """Return the condition that a rule decides of whole documents.

    >>> by_rule(MentionRule(term="mypy"), Noun()).phrase
    'mention “mypy”'
    """
    return Mined(
        id=_id(rule),
        entity_type=noun.one,
        plural=noun.many,
        kind=rule.kind,
        phrase=_phrase(rule),
        rule=rule,
        decided_by=_DECIDED[rule.kind],
    )


def _id(rule: Rule) -> str:
    told: Sequence[str]
    match rule:
        case MentionRule():
            told = (rule.term,)
        case HeadingRule():
            told = (rule.title,)
        case FieldRule():
            told = (rule.field, rule.value)
        case YearRule():
            told = (rule.field, rule.comparison, str(rule.year))
    return f"{rule.kind}: {' '.join(told)}"


def _phrase(rule: Rule) -> str:
    match rule:
        case MentionRule():
            return f"mention “{rule.term}”"
        case HeadingRule():
            return f"have a section headed “{rule.title}”"
        case FieldRule():
            return f"have the {_spoken(rule.field)} “{rule.value}”"
        case YearRule():
            since = rule.comparison == "since"
            when = f"in {rule.year} or later" if since else f"before {rule.year}"
            return f"have a date {when} in the field “{rule.field}”"


def _spoken(field: str) -> str:
    """Return a field's key as words: `Python-Version` as `Python version`, else in lower case."""
    first, *others = field.replace("_", " ").replace("-", " ").split()
    return " ".join([first if first.isupper() else first.lower(), *(map(str.lower, others))])


Logic = Literal["single", "AND", "OR"]


@dataclass(frozen=True, slots=True)
class Truths:
    """The entities that satisfy a condition or a question, and those in doubt; all others do not.

    No entity is in both.
    """

    satisfied: frozenset[str]
    doubted: frozenset[str] = frozenset()

    @property
    def possible(self) -> frozenset[str]:
        """Those that satisfy it or may."""
        return self.satisfied | self.doubted


def combined(logic: Logic, parts: Sequence[Truths]) -> Truths:
    """Return the truth of conditions joined in one way.

    An entity is in doubt where the conditions in doubt decide.

    >>> sorted(combined("OR", [Truths(frozenset("a")), Truths(frozenset("b"))]).satisfied)
    ['a', 'b']
    """
    first, *others = parts
    satisfied, possible = first.satisfied, first.possible
    for each in others:
        if logic == "AND":
            satisfied, possible = satisfied & each.satisfied, possible & each.possible
        else:
            satisfied, possible = satisfied | each.satisfied, possible | each.possible
    return Truths(satisfied, possible - satisfied)


class Annotation(Value):
    """One place of one condition."""

    condition: str
    """Its id."""
    document: str
    entity: str
    """Whose condition it is; the document's name where documents are the entities."""
    start: int | None = None
    """Character offset into the document's text; None where only a doubt is noted."""
    end: int | None = None
    """Exclusive; `text[start:end] == quote`."""
    quote: str = ""
    doubted: bool = False
    """Whether careful readers may decide it either way: such entities are scored neutrally."""
    by: str
    """`code`, the name of a model, or `person`."""


def annotate_by_rule(condition: Mined, sources: Iterable[Source]) -> list[Annotation]:
    """Return every place of a condition that code decides, and each document in doubt once.

    Raises:
        ValueError: no rule decides the condition.
    """
    rule = condition.rule
    if rule is None:
        raise ValueError(f"no rule decides the condition {condition.id!r}")
    found = []
    for source in sources:
        told = {"condition": condition.id, "document": source.name, "entity": source.name}
        places = rule.places(source)
        found += [
            Annotation(**told, start=start, end=end, quote=source.text[start:end], by="code")
            for start, end in places
        ]
        if not places and rule.doubted(source):
            found.append(Annotation(**told, doubted=True, by="code"))
    return found


def truths_of(
    conditions: Sequence[Mined], annotations: Iterable[Annotation]
) -> Mapping[str, Truths]:
    """Return by a condition's id which entities satisfy it; a proof outweighs a doubt."""
    satisfied: defaultdict[str, set[str]] = defaultdict(set)
    doubted: defaultdict[str, set[str]] = defaultdict(set)
    for each in annotations:
        (doubted if each.doubted else satisfied)[each.condition].add(each.entity)
    return {
        each.id: Truths(
            frozenset(satisfied[each.id]), frozenset(doubted[each.id] - satisfied[each.id])
        )
        for each in conditions
    }
