"""Mining conditions from what documents have in common: fields, headings and terms (AGGBench, 4).

A condition is kept where some documents satisfy it, not nearly all, few are borderline, and its
documents are not nearly those of another one.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Final

from agent.corpus_view import FieldValue
from evals.question_sets.condition_rules import (
    FieldRule,
    HeadingRule,
    MentionRule,
    Rule,
    Support,
    Truths,
    YearRule,
    annotate,
    by_rule,
)
from evals.question_sets.source_documents import Source, bare_title, heading_key, in_turn
from tools.corpus.fields.field_table import catalogue

_QUARTILES: Final = (0.25, 0.5, 0.75)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many documents may satisfy a condition."""

    fewest: int = 3
    most_share: float = 0.3
    """Of all documents."""

    def fit(self, satisfied: int, documents: int) -> bool:
        """Return whether so many of so many documents may satisfy a condition."""
        return self.fewest <= satisfied <= max(self.fewest, self.most_share * documents)


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


def mine_conditions(sources: Sequence[Source], limits: Limits, count: int) -> list[Support]:
    """Return at most so many conditions; fields, headings and terms come in turn."""
    ways = (field_candidates, heading_candidates, term_candidates)
    found = (list(islice(kept(way(sources, limits), sources, limits), count)) for way in ways)
    return list(islice(unlike(in_turn(found)), count))


def kept(
    candidates: Iterable[Candidate], sources: Sequence[Source], limits: Limits
) -> Iterator[Support]:
    """Yield the conditions that are clear and not like an earlier one, subjects in turn."""
    groups: defaultdict[tuple[str, int], list[Candidate]] = defaultdict(list)
    for each in candidates:
        groups[each.group].append(each)
    turns = in_turn(groups[key] for key in sorted(groups))
    supports = (annotate(by_rule(each.rule), sources) for each in turns)
    yield from unlike(each for each in supports if is_clear(each.truths, len(sources), limits))


def is_clear(truths: Truths, documents: int, limits: Limits) -> bool:
    """Return whether a condition holds often enough, not too often, and is seldom borderline."""
    satisfied = len(truths.satisfied)
    clear = len(truths.borderline) <= _MOST_BORDERLINE * satisfied
    return clear and limits.fit(satisfied, documents)


def unlike(found: Iterable[Support]) -> Iterator[Support]:
    """Yield the conditions whose documents are not nearly those of an earlier one."""
    before: list[frozenset[str]] = []
    for each in found:
        own = each.truths.satisfied
        if not any(len(own & other) > _ALIKE * len(own | other) for other in before):
            before.append(own)
            yield each


def field_candidates(sources: Sequence[Source], limits: Limits) -> Iterator[Candidate]:
    """Yield the frequent values of each field, and three years of each field of dates."""
    headers = [each.header for each in sources]
    fields, names = catalogue(headers)
    for each_field in fields:
        name = each_field.name
        if each_field.type == "date":
            held = [each[key] for each in headers for key in each if names[key] == name]
            yield from _years(name, held)
        elif each_field.type != "number":
            for value, documents in each_field.values:
                if limits.fit(documents, len(sources)) and _is_name(value):
                    yield Candidate(FieldRule(field=name, value=value), name, documents)


def _years(field_name: str, values: Sequence[FieldValue]) -> Iterator[Candidate]:
    """Yield the years that part the documents of a field in quarters."""
    years = sorted(int(each.date[:4]) for each in values if each.date)
    for at, share in enumerate(_QUARTILES if years else ()):
        year = years[int(share * (len(years) - 1))]
        rule = YearRule(field=field_name, comparison="since" if at else "before", year=year)
        since = sum(each >= year for each in years)
        yield Candidate(rule, field_name, since if at else len(years) - since)


def _is_name(value: str) -> bool:
    """Return whether a value is short and no address."""
    return len(value.split()) <= _NAME_WORDS and "://" not in value and "@" not in value


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


@dataclass(slots=True)
class _Counts:
    """What is counted of a term."""

    times: int = 0
    chunks: int = 0
    documents: int = 0
    written: Counter[str] = field(default_factory=Counter)
    """How often it is written in which case."""


def term_candidates(sources: Sequence[Source], limits: Limits) -> Iterator[Candidate]:
    """Yield words and phrases, first those that cluster most in few chunks (residual idf)."""
    counts, tokens = _count(sources)
    chunks = sum(len(each.chunks) for each in sources)
    scored = [
        (_residual(each, chunks), term)
        for term, each in counts.items()
        if limits.fit(each.documents, len(sources))
        and _is_content(term)
        and _has_one_case(each.written)
        and _is_phrase(term, counts, tokens)
    ]
    for _, term in sorted(scored, key=lambda pair: (-pair[0], pair[1])):
        rule = MentionRule(term=counts[term].written.most_common(1)[0][0])
        yield Candidate(rule, "mention", counts[term].documents)


def _count(sources: Sequence[Source]) -> tuple[dict[str, _Counts], int]:
    """Return the counts of each term in lower case, and how many terms stand in the texts."""
    counts: defaultdict[str, _Counts] = defaultdict(_Counts)
    tokens = 0
    for source in sources:
        in_document: set[str] = set()
        for chunk in source.chunks:
            found = list(_terms(source.text[chunk.start : chunk.end]))
            tokens += len(found)
            for written in found:
                each = counts[written.lower()]
                each.times += 1
                each.written[written] += 1
            in_chunk = {written.lower() for written in found}
            for term in in_chunk:
                counts[term].chunks += 1
            in_document |= in_chunk
        for term in in_document:
            counts[term].documents += 1
    return counts, tokens


def _terms(text: str) -> Iterator[str]:
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
    """Return whether the words belong together; a single word does."""
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


def _has_one_case(written: Counter[str]) -> bool:
    """Return whether it is nearly always written alike, a first capital left aside.

    A term that is also an ordinary word in other letters (IT, it) would be two things.
    """
    tails = Counter[str]()
    for each, times in written.items():
        tails[each[1:]] += times
    return max(tails.values()) >= _ONE_CASE * sum(tails.values())
