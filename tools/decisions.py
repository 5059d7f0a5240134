"""Conditions that code decides, by a field or by literal words, with the words as evidence."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from pyroaring import BitMap
from rapidfuzz.distance import OSA

from agent.corpus_view import FieldValue
from agent.evidence import Finding
from agent.interpretation import rebuilt
from agent.predicates import (
    FILE_FACTS,
    PSEUDO_FIELDS,
    TITLE_FIELD,
    could_state,
    decide,
    field_values,
    satisfies,
    satisfying,
    stated_fields,
)
from agent.question import (
    Condition,
    Interpretation,
    Node,
    Predicate,
    alternatives,
    atoms,
    deciding,
    verdict,
)
from tools.corpus.corpus import Corpus
from tools.filters.searchable import ids
from tools.mentions import Mentions, Place, in_context

_OF_FILES = {*FILE_FACTS, *PSEUDO_FIELDS, "file folder"}
"""What is known of every document; one in no folder has none."""
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_WITH_UNIT = re.compile(r"([^\d.,+-]*)([-+]?\d[\d,]*(?:\.\d+)?)([^\d.,]*)")
_SHOWN = 3
"""Places of a literal mention that are quoted of a document at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One condition decided for the whole corpus."""

    condition: str
    yes: BitMap
    """Chunks that bear the field or words, in documents that satisfy the condition."""
    no: BitMap
    findings: tuple[Finding, ...]
    """What bears the field or words in the text of documents that satisfy it."""


def decide_by_field(corpus: Corpus, condition: Condition) -> Decision:
    """Decide a condition by its predicate for every document; raises ValueError without one."""
    if condition.predicate is None:
        raise ValueError(f"condition {condition.id!r} has no predicate")
    values = field_values(corpus, condition.predicate.field)
    yes, no = BitMap(), BitMap()
    findings: list[Finding] = []
    for document, value in values.items():
        true = satisfies(value, condition.predicate)
        span = field_quote(corpus.document_text(document), value)
        unsaid = condition.read_if_missing and decide(value, condition.predicate) is None
        if span is None or unsaid:
            continue
        bearing = BitMap(corpus.chunks_at(document, *span))
        (yes if true else no).update(bearing)
        if true:
            findings.append(_finding(corpus, document, condition.id, span, min(bearing)))
    return Decision(condition=condition.id, yes=yes - no, no=no - yes, findings=tuple(findings))


def decide_by_words(corpus: Corpus, condition: Condition) -> Decision:
    """Decide a literal mention for every document: it holds where one of the terms stands.

    At most three places of a document are kept as findings, each with the words around it. A place
    that may be a mention, in a document without any, is a borderline finding.
    """
    found: dict[int, list[Place]] = defaultdict(list)
    mentions = Mentions(corpus)
    for place in mentions.places(condition.terms):
        found[place.document].append(place)
    yes = BitMap(place.chunk for places in found.values() for place in places)
    findings: list[Finding] = []
    for document, places in sorted(found.items()):
        shown = places[:_SHOWN]
        text = corpus.document_text(document)
        quotes = in_context(text, [(each.start, each.end) for each in shown])
        findings += [
            _finding(corpus, document, condition.id, span, place.chunk, by="words")
            for place, span in zip(shown, quotes, strict=True)
        ]
    for place in mentions.perhaps(condition.terms, found):
        span = (place.start, place.end)
        finding = _finding(corpus, place.document, condition.id, span, place.chunk, by="words")
        findings.append(finding.model_copy(update={"certainty": "borderline"}))
    return Decision(condition=condition.id, yes=yes, no=BitMap(), findings=tuple(findings))


def possible(
    corpus: Corpus,
    node: Node | None,
    holding: Mapping[str, BitMap] | None = None,
    decided: Mapping[str, frozenset[int] | None] | None = None,
) -> list[int]:
    """Return the documents that may still match when only the fields are known, in order.

    By condition, `holding` has the chunks of which one has to satisfy it, `decided` the documents
    that do, or None where that is open.
    """
    open_ = {each: documents_of(corpus, chunks) for each, chunks in (holding or {}).items()}
    tests = [(atom, atom.predicate) for atom in atoms(node) if atom.predicate is not None]
    known = {atom.id: satisfying(corpus, test) for atom, test in tests} | dict(decided or {})
    read = {atom.id: untold(corpus, test) for atom, test in tests if atom.read_if_missing}

    def truth(document: int, condition: Condition) -> bool | None:
        if document in read.get(condition.id, ()):
            return None
        if condition.id in open_:
            return None if document in open_[condition.id] else False
        documents = known.get(condition.id)
        return None if documents is None else document in documents

    every = range(len(corpus.documents))
    return [each for each in every if verdict(node, partial(truth, each)) is not False]


def mattering_in(corpus: Corpus, trees: Sequence[Node | None]) -> dict[str, list[int]]:
    """Return by condition the documents in which, given the fields, it can still change a tree."""
    every = {atom for tree in trees for atom in atoms(tree)}
    tests = {each: each.predicate for each in every if each.predicate is not None}
    known = [(satisfying(corpus, test), untold(corpus, test)) for test in tests.values()]
    alike: dict[tuple[bool | None, ...], list[int]] = defaultdict(list)
    for number in range(len(corpus.documents)):
        told = (None if number in without else number in holds for holds, without in known)
        alike[tuple(told)].append(number)
    found: dict[str, list[int]] = {each.id: [] for each in every}
    for values, documents in alike.items():
        truth = dict(zip(tests, values, strict=True))
        for each in {atom.id for tree in trees for atom in deciding(tree, truth.get)}:
            found[each] += documents
    return found


def untold(corpus: Corpus, predicate: Predicate) -> frozenset[int]:
    """Return the documents that could state the predicate's field and do not, or unusably.

    One of prose alone, which states no other field, tells nothing of it.
    """
    if predicate.field in _OF_FILES:
        return _untitled(corpus, predicate)
    values = field_values(corpus, predicate.field)
    if predicate.comparison == "exists":
        written = (corpus.field_values(each.name) for each in stated_fields(corpus))
        prose = set(range(len(corpus.documents))).difference(*written)
        return could_state(corpus, predicate.field, prose) if prose else frozenset()
    told = {number for number, value in values.items() if decide(value, predicate) is not None}
    for name in predicate.beside:
        test = predicate.model_copy(update={"field": name})
        others = field_values(corpus, name).items()
        told |= {number for number, value in others if decide(value, test) is not None}
    lacking = set(range(len(corpus.documents))) - told
    alike = could_state(corpus, predicate.field, lacking) if lacking else frozenset[int]()
    return alike | _misspelt(values, predicate)


def _misspelt(values: Mapping[int, FieldValue], predicate: Predicate) -> frozenset[int]:
    """Return the documents whose value no other has, one letter off what is asked for."""
    said = {each.casefold() for each in predicate.values}
    asked = [each for each in said if all(map(_LONG_WORD.fullmatch, each.split()))]
    if predicate.comparison != "is" or not asked:
        return frozenset()
    raws = {number: value.raw.strip().casefold() for number, value in values.items()}
    counts = Counter(raws.values())
    return frozenset(
        number
        for number, raw in raws.items()
        if counts[raw] == 1
        and raw not in said
        and any(raw[:1] == each[:1] and OSA.distance(raw, each) == 1 for each in asked)
    )


def with_bare_limits(corpus: Corpus, reading: Interpretation) -> Interpretation:
    """Return a reading whose limits on fields of numbers have no unit that the field's values have.

    A field's number is compared without its unit: `40 h` is 40 where documents state `86 h`.
    """
    numbers = {each.name for each in corpus.fields if each.type == "number"}

    def bare(value: str, field: str) -> str:
        found = _WITH_UNIT.fullmatch(value.strip())
        if found is None:
            return value
        raws = (each.raw.strip() for each in field_values(corpus, field).values())
        before, number, after = (part.strip() for part in found.groups())
        alike = any(raw.startswith(before) and raw.endswith(after) for raw in raws)
        return number if alike else value

    def limited(condition: Condition) -> Condition:
        test = condition.predicate
        if test is None or test.field not in numbers or test.of == "length":
            return condition
        values = tuple(bare(each, test.field) for each in test.values)
        told = test.model_copy(update={"values": values})
        return condition.model_copy(update={"predicate": told})

    return rebuilt(reading, limited)


def reading_the_untold(corpus: Corpus, reading: Interpretation) -> Interpretation:
    """Let a reader decide conditions of fields in the few documents that could state the field.

    Few are no more than those that state it; only where documents are counted and values compared.
    """
    reading = _with_other_names(corpus, reading)
    places = reading.measure is not None and reading.measure.places
    if reading.grain != "document" or reading.entity_field or places:
        return reading

    def read(condition: Condition) -> Condition:
        test = condition.predicate
        if test is None or test.comparison == "exists" or test.of == "length":
            return condition
        few = 0 < len(untold(corpus, test)) <= len(field_values(corpus, test.field))
        return condition.model_copy(update={"read_if_missing": few})

    return rebuilt(reading, read)


def _with_other_names(corpus: Corpus, reading: Interpretation) -> Interpretation:
    """Tell each field by which other names documents have it.

    Such fields are compared in the same way, joined by `or`, and no document states two of them.
    """
    beside: dict[str, tuple[str, ...]] = {}
    for tests in alternatives(reading.conditions):
        stating = {each.field: {*field_values(corpus, each.field)} for _, each in tests}
        names = sum(map(len, stating.values())) == len(set().union(*stating.values()))
        for atom, test in tests if names else ():
            beside[atom] = tuple(name for name in stating if name != test.field)

    def named(condition: Condition) -> Condition:
        test = condition.predicate
        if test is None or not beside.get(condition.id):
            return condition
        told = test.model_copy(update={"beside": beside[condition.id]})
        return condition.model_copy(update={"predicate": told})

    return rebuilt(reading, named)


def _untitled(corpus: Corpus, predicate: Predicate) -> frozenset[int]:
    """Return the documents of prose alone, where a title tells a kind whose others state fields."""
    if predicate.field != TITLE_FIELD:
        return frozenset()
    stating = set[int]().union(*(corpus.field_values(e.name) for e in stated_fields(corpus)))
    chosen = satisfying(corpus, predicate)
    if 2 * len(stating & chosen) < len(chosen) or not chosen:
        return frozenset()
    return frozenset(range(len(corpus.documents))) - stating - chosen


def chunks_of(corpus: Corpus, documents: Iterable[int]) -> BitMap:
    """Return all chunks of the documents."""
    kept = BitMap()
    for document in documents:
        chunks = corpus.chunks_of(document)
        kept.add_range(chunks.start, chunks.stop)
    return kept


def documents_of(corpus: Corpus, chunks: BitMap) -> BitMap:
    """Return the documents that have some of the chunks."""
    return BitMap(np.unique(corpus.chunk_document[ids(chunks)]))


def field_quote(text: str, value: FieldValue) -> tuple[int, int] | None:
    """Return the span of the field's line, its name included; None for file facts."""
    if value.start is None or value.end is None:
        return None
    start = text.rfind("\n", 0, value.start) + 1
    return start, value.end


def _finding(
    corpus: Corpus,
    document: int,
    condition: str,
    span: tuple[int, int],
    chunk: int,
    *,
    by: str = "metadata",
) -> Finding:
    name, (start, end) = corpus.documents[document], span
    return Finding(
        chunk=chunk,
        document=name,
        condition=condition,
        entity=name,
        start=start,
        end=end,
        quote=corpus.document_text(document)[start:end],
        by=by,
    )
