"""Candidates for conditions, from what a corpus counts: fields, headings, terms.

A candidate is kept where it is satisfied, not by nearly everything, seldom in doubt, and not by the
very documents that satisfy another one.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, zip_longest
from typing import TypeVar, cast

from agent.corpus_view import FieldValue
from evals.aggbench.rules import (
    FieldRule,
    HeadingRule,
    MentionRule,
    Mined,
    Noun,
    Rule,
    YearRule,
    by_rule,
)
from evals.aggbench.sources import Source, bare_title, heading_key
from tools.corpus.fields.catalogue import catalogue

__all__ = (
    "Candidate",
    "Limits",
    "Support",
    "draft_conditions",
    "field_candidates",
    "heading_candidates",
    "in_turn",
    "is_clear",
    "kept",
    "term_candidates",
    "unlike",
)

_QUARTILES = (0.25, 0.5, 0.75)
_ALIKE = 0.8
_NAME_WORDS = 6
_BANDS = (5, 20)
"""Answers up to each of these sizes, and larger ones, are looked for in turn."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Which candidates are kept."""

    fewest: int = 3
    """Documents that satisfy a condition, at least."""
    most_share: float = 0.3
    """Share of the documents that satisfy a condition, at most."""
    most_doubt: float = 0.25
    """Documents in doubt, as a share of those that satisfy it, at most."""

    def fit(self, satisfied: int, documents: float) -> bool:
        """Tell whether so many of so many documents may satisfy a condition."""
        return self.fewest <= satisfied <= max(self.fewest, self.most_share * documents)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule before anything was decided by it."""

    rule: Rule
    subject: str
    """What it is about: the field, or the kind of rule."""
    documents: int
    """How many documents it was counted in."""

    @property
    def group(self) -> tuple[str, int]:
        """What kinds and sizes are taken in turn."""
        return self.subject, sum(self.documents > limit for limit in _BANDS)


@dataclass(frozen=True, slots=True)
class Support:
    """A condition with the documents that satisfy it."""

    condition: Mined
    satisfied: frozenset[str]
    doubted: frozenset[str]


def field_candidates(sources: Sequence[Source], limits: Limits) -> Iterator[Candidate]:
    """Yield the frequent values of each field, and three years of each field of dates."""
    named = [{each.keys[key]: value for key, value in each.fields.items()} for each in sources]
    fields, names = catalogue(named)
    for each_field in fields:
        if each_field.type == "date":
            held = [
                value
                for each in named
                for key, value in each.items()
                if names[key] == each_field.name
            ]
            yield from _years(each_field.name, held)
        elif each_field.type != "number":
            for value, documents in each_field.values:
                if limits.fit(documents, len(sources)) and _is_name(value):
                    rule = FieldRule(field=each_field.name, value=value)
                    yield Candidate(rule, each_field.name, documents)


def heading_candidates(sources: Sequence[Source], limits: Limits) -> Iterator[Candidate]:
    """Yield each heading that several documents share, the most frequent first."""
    counts: Counter[str] = Counter()
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in sources:
        titles = [bare_title(part.heading.title) for part in each.headings if part.heading]
        counts.update({heading_key(title) for title in titles})
        for title in titles:
            written[heading_key(title)][title] += 1
    for key, documents in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        if limits.fit(documents, len(sources)) and any(map(str.isalpha, key)):
            title = max(written[key].items(), key=lambda pair: (pair[1], pair[0]))[0]
            yield Candidate(HeadingRule(title=title), "heading", documents)


def in_turn(groups: Iterable[Iterable[T]]) -> Iterator[T]:
    """Yield the first of each group, then the second of each, until all are through.

    >>> list(in_turn(["abc", "x"]))
    ['a', 'x', 'b', 'c']
    """
    missing = object()
    for row in zip_longest(*groups, fillvalue=missing):
        yield from (cast("T", each) for each in row if each is not missing)


def kept(
    candidates: Iterable[Candidate], sources: Sequence[Source], noun: Noun, limits: Limits
) -> Iterator[Support]:
    """Yield the conditions that are satisfiable, clear and not like one that was yielded.

    Fields and sizes of answers come in turn.
    """
    groups: defaultdict[tuple[str, int], list[Candidate]] = defaultdict(list)
    for each in candidates:
        groups[each.group].append(each)
    turns = in_turn(groups[key] for key in sorted(groups))
    supports = (_support(each.rule, sources, noun) for each in turns)
    yield from unlike(each for each in supports if is_clear(each, len(sources), limits))


def unlike(found: Iterable[Support]) -> Iterator[Support]:
    """Yield the conditions whose documents are not nearly those of one that was yielded."""
    before: list[Support] = []
    for each in found:
        if not any(_alike(each.satisfied, other.satisfied) for other in before):
            before.append(each)
            yield each


def is_clear(found: Support, documents: int | None, limits: Limits) -> bool:
    """Tell whether a condition is satisfied often enough, not too often, and seldom in doubt.

    Without a number of documents there is no too often: of other entities nobody knows the whole.
    """
    clear = len(found.doubted) <= limits.most_doubt * len(found.satisfied)
    often = documents if documents is not None else math.inf
    return clear and limits.fit(len(found.satisfied), often)


def _support(rule: Rule, sources: Iterable[Source], noun: Noun) -> Support:
    satisfied, doubted = set(), set()
    for each in sources:
        if rule.places(each):
            satisfied.add(each.name)
        elif rule.doubted(each):
            doubted.add(each.name)
    return Support(by_rule(rule, noun), frozenset(satisfied), frozenset(doubted))


def _years(field: str, values: Sequence[FieldValue]) -> Iterator[Candidate]:
    """Yield the years that part the documents of a field in quarters."""
    years = sorted(int(each.date[:4]) for each in values if each.date)
    for at, share in enumerate(_QUARTILES if years else ()):
        year = years[int(share * (len(years) - 1))]
        rule = YearRule(field=field, comparison="since" if at else "before", year=year)
        since = sum(each >= year for each in years)
        yield Candidate(rule, field, since if at else len(years) - since)


def _is_name(value: str) -> bool:
    """Tell whether a value is short and no address."""
    return len(value.split()) <= _NAME_WORDS and "://" not in value and "@" not in value


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) > _ALIKE * len(one | other)


_WORD = re.compile(r"(?<![\w@/.\-])[^\W\d_][^\W_]*(?:-[^\W\d_]+)*(?![\w@/\-])")
_SHORTEST = 3
_ASSOCIATION = 0.4
_ONE_CASE = 0.9


@dataclass
class _Counts:
    """What is counted of a candidate."""

    times: int = 0
    chunks: int = 0
    documents: int = 0
    written: Counter[str] = field(default_factory=Counter)
    """How often it is written in which case."""


def term_candidates(sources: Sequence[Source], limits: Limits) -> Iterator[Candidate]:
    """Yield telling words and phrases, the most telling first."""
    counts, tokens = _count(sources)
    chunks = sum(len(each.chunks) for each in sources)
    fitting = {
        term: each for term, each in counts.items() if limits.fit(each.documents, len(sources))
    }
    scored = [
        (_residual(each, chunks), term)
        for term, each in fitting.items()
        if _is_content(term) and _one_case(each.written) and _is_phrase(term, counts, tokens)
    ]
    for _, term in sorted(scored, key=lambda pair: (-pair[0], pair[1])):
        rule = MentionRule(term=counts[term].written.most_common(1)[0][0])
        yield Candidate(rule, "mention", counts[term].documents)


def _count(sources: Sequence[Source]) -> tuple[dict[str, _Counts], int]:
    counts: dict[str, _Counts] = {}
    tokens = 0
    for source in sources:
        in_document: set[str] = set()
        for chunk in source.chunks:
            found = list(_candidates(source.text[chunk.start : chunk.end]))
            tokens += len(found)
            for written in found:
                each = counts.setdefault(written.lower(), _Counts())
                each.times += 1
                each.written[written] += 1
            in_chunk = {written.lower() for written in found}
            for term in in_chunk:
                counts[term].chunks += 1
            in_document |= in_chunk
        for term in in_document:
            counts[term].documents += 1
    return counts, tokens


def _candidates(text: str) -> Iterator[str]:
    """Yield the words of a text and its pairs of words with one blank between them."""
    found = list(_WORD.finditer(text))
    for each in found:
        if len(each[0]) >= _SHORTEST:
            yield each[0]
    for first, second in pairwise(found):
        if text[first.end() : second.start()] == " " and len(second[0]) >= _SHORTEST:
            yield f"{first[0]} {second[0]}"


def _residual(each: _Counts, chunks: int) -> float:
    """Return by how much the term's idf over chunks exceeds that of as many chance places."""
    return math.log2(1 - math.exp(-each.times / chunks)) - math.log2(each.chunks / chunks)


def _is_phrase(term: str, counts: dict[str, _Counts], tokens: int) -> bool:
    """Tell whether the words belong together; a single word does."""
    first, _, second = term.partition(" ")
    if not second:
        return True
    if first not in counts or second not in counts:
        return False
    joint = counts[term].times / tokens
    apart = counts[first].times / tokens * counts[second].times / tokens
    return math.log(joint / apart) / -math.log(joint) >= _ASSOCIATION


def _is_content(term: str) -> bool:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return not ENGLISH_STOP_WORDS.intersection(term.split())


def _one_case(written: Counter[str]) -> bool:
    """Tell whether it is nearly always written alike, a first capital left aside.

    A term that is also an ordinary word in other letters (IT, it) would be two things.
    """
    tails = Counter[str]()
    for each, times in written.items():
        tails[each[1:]] += times
    return max(tails.values()) >= _ONE_CASE * sum(tails.values())


def draft_conditions(
    sources: Sequence[Source], noun: Noun, limits: Limits, count: int
) -> list[Mined]:
    """Return at most so many conditions on documents; fields, headings and terms come in turn.

    Their truth is exact, for code decides it by the words they are asked in.
    """
    ways = (field_candidates, heading_candidates, term_candidates)
    found = (list(islice(kept(way(sources, limits), sources, noun, limits), count)) for way in ways)
    return [each.condition for each in islice(unlike(in_turn(found)), count)]
