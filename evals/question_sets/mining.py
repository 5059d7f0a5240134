"""Mining conditions from what documents have in common: fields, headings and terms (AGGBench, 4).

A condition is kept where some documents satisfy it, not nearly all, few are borderline, and its
documents are not nearly those of another one. A rule is exact for the words its condition is asked
in: `mention “X”` is true where X stands as a word of the text. What a careful reader could decide
either way (X in an address, in another inflection, in a longer heading) is borderline: neither true
nor false, and scored neutrally.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise
from operator import itemgetter
from typing import Annotated, Final, Literal

import polars as pl
from pydantic import Field

from agent.corpus_view import FieldValue
from agent.languages import stems
from agent.value import Value
from evals.question_sets.source_documents import PUNCTUATION, Source, bare_title, heading_key
from tools.corpus.fields.field_table import join_fields
from tools.corpus.fields.field_values import fold, value_rows
from tools.corpus.words.lexicon import words
from tools.retrieval import alternating

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
        if held is None:
            return False
        own = words(self.value)
        others = [words(each) for each in (*held.items, held.raw)]
        return any(
            set(own) <= set(other) or set(other) <= set(own) or own[-1:] == other[-1:]
            for other in others
            if other
        )


Rule = Annotated[MentionRule | HeadingRule | FieldRule, Field(discriminator="kind")]


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


def by_rule(rule: Rule) -> MinedCondition:
    """Return the condition that a rule decides."""
    match rule:
        case MentionRule(term=name):
            text, how = f"mention “{name}”", "the exact term, whole and on its own"
        case HeadingRule(title=name):
            text, how = f"have a section headed “{name}”", "the heading of a section"
        case FieldRule():
            name = f"{rule.field} {rule.value}"
            text = f"have the {_spoken(rule.field)} “{rule.value}”"
            how = "the value of a field in the document's header"
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
    """Return every place of a condition, and the documents that are borderline without one."""
    places, borderline = {}, set()
    for each in sources:
        found = condition.rule.places(each)
        if found:
            places[each.name] = found
        elif condition.rule.is_borderline(each):
            borderline.add(each.name)
    return Support(condition, places, frozenset(borderline))


_MOST_BORDERLINE: Final = 0.25
"""Borderline documents as a share of those that satisfy a condition, at most."""
_ALIKE: Final = 0.8
_NAME_WORDS: Final = 6
_SIZES: Final = (5, 20)
"""Answers up to each of these sizes, and larger ones, are looked for in turn."""
_WORD: Final = re.compile(r"(?<![\w@/.\-])[^\W\d_][^\W_]*(?:-[^\W\d_]+)*(?![\w@/\-])")
_SHORTEST: Final = 3
_ASSOCIATION: Final = 0.4
_ONE_CASE: Final = 0.9
_FEWEST: Final = 3
"""Documents that satisfy a condition, at least."""
_MOST_SHARE: Final = 0.3
"""Of all documents, at most."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule that is counted, but not applied yet."""

    rule: Rule
    subject: str
    """What it is about: the field, or the kind of rule."""
    documents: int
    """How many documents it was counted in."""

    @property
    def group(self) -> tuple[str, int]:
        """The subject and size that it is taken in turn by."""
        return self.subject, sum(self.documents > limit for limit in _SIZES)


def is_frequent(satisfied: int, documents: int) -> bool:
    """Return whether so many of so many documents may satisfy a condition."""
    return _FEWEST <= satisfied <= max(_FEWEST, _MOST_SHARE * documents)


def mine_conditions(sources: Sequence[Source], count: int) -> list[Support]:
    """Return at most so many conditions; fields, headings and terms come in turn."""
    ways = (field_candidates, heading_candidates, term_candidates)
    found = (list(islice(kept(way(sources), sources), count)) for way in ways)
    return list(islice(unlike(alternating(found)), count))


def kept(candidates: Iterable[Candidate], sources: Sequence[Source]) -> Iterator[Support]:
    """Yield the conditions that are clear and not like an earlier one, subjects in turn."""
    groups: defaultdict[tuple[str, int], list[Candidate]] = defaultdict(list)
    for each in candidates:
        groups[each.group].append(each)
    turns = alternating(groups[key] for key in sorted(groups))
    supports = (annotate(by_rule(each.rule), sources) for each in turns)
    yield from unlike(each for each in supports if is_clear(each.truths, len(sources)))


def is_clear(truths: Truths, documents: int) -> bool:
    """Return whether a condition holds often enough, not too often, and is seldom borderline."""
    satisfied = len(truths.satisfied)
    clear = len(truths.borderline) <= _MOST_BORDERLINE * satisfied
    return clear and is_frequent(satisfied, documents)


def unlike(found: Iterable[Support]) -> Iterator[Support]:
    """Yield the conditions whose documents are not nearly those of an earlier one."""
    before: list[frozenset[str]] = []
    for each in found:
        own = each.truths.satisfied
        if not any(len(own & other) > _ALIKE * len(own | other) for other in before):
            before.append(own)
            yield each


def field_candidates(sources: Sequence[Source]) -> Iterator[Candidate]:
    """Yield the frequent values of each field that is no date or number."""
    for each_field in join_fields(value_rows([each.header for each in sources]))[0]:
        name = each_field.name
        for value, documents in each_field.values:
            if (
                each_field.type not in {"date", "number"}
                and is_frequent(documents, len(sources))
                and len(value.split()) <= _NAME_WORDS
                and not re.search("://|@", value)
            ):
                yield Candidate(FieldRule(field=name, value=value), name, documents)


def heading_candidates(sources: Sequence[Source]) -> Iterator[Candidate]:
    """Yield each heading that several documents share, the most frequent first."""
    counts: Counter[str] = Counter()
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in sources:
        titles = [bare_title(part.heading.title) for part in each.headings if part.heading]
        counts.update({heading_key(title) for title in titles})
        for title in titles:
            written[heading_key(title)][title] += 1
    for key, documents in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        if is_frequent(documents, len(sources)) and any(map(str.isalpha, key)):
            title = max(written[key].items(), key=lambda pair: (pair[1], pair[0]))[0]
            yield Candidate(HeadingRule(title=title), "heading", documents)


def term_candidates(sources: Sequence[Source]) -> Iterator[Candidate]:
    """Yield words and phrases, first those that cluster most in few chunks (residual idf)."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    places = pl.concat(map(_places, sources))
    counts = places.group_by(term=pl.col("written").str.to_lowercase()).agg(
        times=pl.len(),
        chunks=pl.struct("document", "chunk").n_unique(),
        documents=pl.col("document").n_unique(),
        written=pl.col("written").mode().max(),
        alike=pl.col("written").str.slice(1).unique_counts().max() / pl.len(),
    )
    times = dict(counts.select("term", "times").iter_rows())
    chunks = sum(len(each.chunks) for each in sources)
    found = [
        (-_residual(each["times"], each["chunks"], chunks), each["term"], each)
        for each in counts.iter_rows(named=True)
        if is_frequent(each["documents"], len(sources))
        and not ENGLISH_STOP_WORDS.intersection(each["term"].split())
        # a term that is an ordinary word in other letters (IT, it) would be two things
        and each["alike"] >= _ONE_CASE
        and _is_phrase(each["term"], times, len(places))
    ]
    for *_, each in sorted(found, key=itemgetter(0, 1)):
        yield Candidate(MentionRule(term=each["written"]), "mention", each["documents"])


def _places(source: Source) -> pl.DataFrame:
    """Return a row for each word of a text, and for each pair with one blank between.

    Words and pairs are those within a chunk, which the row names by its start.
    """
    found = [
        (source.name, chunk.start, term)
        for chunk in source.chunks
        for term in _terms(source.text[chunk.start : chunk.end])
    ]
    kinds = {"document": pl.String, "chunk": pl.Int64, "written": pl.String}
    return pl.DataFrame(found, kinds, orient="row")


def _terms(text: str) -> Iterator[str]:
    found = list(_WORD.finditer(text))
    for each in found:
        if len(each[0]) >= _SHORTEST:
            yield each[0]
    for first, second in pairwise(found):
        if text[first.end() : second.start()] == " " and len(second[0]) >= _SHORTEST:
            yield f"{first[0]} {second[0]}"


def _residual(times: int, within: int, chunks: int) -> float:
    """Return by how much the term's idf over chunks exceeds that of as many chance places."""
    return math.log2(1 - math.exp(-times / chunks)) - math.log2(within / chunks)


def _is_phrase(term: str, times: Mapping[str, int], tokens: int) -> bool:
    """Return whether the words belong together; a single word does."""
    first, _, second = term.partition(" ")
    if not second:
        return True
    if first not in times or second not in times:
        return False
    joint = times[term] / tokens
    apart = times[first] / tokens * times[second] / tokens
    return math.log(joint / apart) / -math.log(joint) >= _ASSOCIATION
