"""C1, C2 and C3: what is one item, when two items are one, and labels nobody defines."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from agent.predicates import NAME_FIELD, name_value, satisfies
from agent.question import Condition, holds
from agent.reasoners.rules.doubt import Doubt, found, reading
from agent.reasoners.rules.nouns import PERSONS
from agent.reasoners.rules.variants import spelling_variants, variant_pairs
from agent.replies import FoundAmbiguity

__all__ = ("duplicates", "levels", "unknown_labels")

_TIMES: Final = re.compile(r"\bhow many times\b", re.IGNORECASE)
_HAVING: Final = re.compile(
    r"^how many (?P<unit>[\w-]+) (?:did|do|does|have|has) (?P<owners>.+?) "
    r"(?P<verb>receive|have|get|had|contain|received|gotten)\s*\??$",
    re.IGNORECASE,
)


def levels(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield units that exist at several levels: mentions and documents, parts and wholes."""
    question = doubt.question
    match = _TIMES.search(question)
    if match is not None and any(each.terms for each in doubt.conditions):
        why = "Each mention can count, or each document that has one."
        yield found("C1", match.group(), why, [
            reading("each document once", _TIMES.sub("In how many documents", question)),
            reading("every single mention", _TIMES.sub("How many single mentions", question)),
        ])  # fmt: skip
        return
    having = _HAVING.match(question)
    if having is None or not _documents(doubt, having["owners"]):
        return
    unit, owners = having["unit"], having["owners"]
    bare = re.sub(r"^(?:the|all|these|those)\s+", "", owners)
    yield found("C1", unit, f"One of the {unit} can be a document, an entry or an event.", [
        reading(f"single {unit}", f"How many single {unit} are named in the {bare}?"),
        reading("documents that have any", f"How many {bare} have at least one of the {unit}?"),
    ])  # fmt: skip


def _documents(doubt: Doubt, owners: str) -> bool:
    words = re.findall(r"[^\W_]+", owners)
    return bool(words) and doubt.scene.names_documents(words[-1])


def duplicates(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield names that the corpus writes in several ways."""
    field = doubt.interpretation.entity_field
    if field is not None and (doubt.frame.noun.distinct or _persons(doubt)):
        pairs = variant_pairs(_items(doubt, field))
        if pairs and doubt.frame.noun.distinct:
            yield _merged(doubt, field, pairs)
            return
    for each in doubt.conditions:
        yield from _one_name(doubt, each)


def _persons(doubt: Doubt) -> bool:
    return doubt.interpretation.entity_type in PERSONS


def _items(doubt: Doubt, field: str) -> list[str]:
    """Return the field's items in the documents that metadata leaves."""
    kept: list[str] = []
    for index, value in doubt.corpus.field_values(field).items():
        if holds(doubt.interpretation.conditions, partial(_true, doubt, index)):
            kept.extend(value.items)
    return kept


def _true(doubt: Doubt, index: int, atom: Condition) -> bool:
    if atom.predicate is None:
        return True
    if atom.predicate.field == NAME_FIELD:
        return satisfies(name_value(doubt.corpus.documents[index]), atom.predicate)
    values = doubt.corpus.field_values(atom.predicate.field)
    return satisfies(values.get(index), atom.predicate)


def _merged(doubt: Doubt, field: str, pairs: list[tuple[str, str]]) -> FoundAmbiguity:
    examples = "; ".join(f"{one} / {other}" for one, other in pairs[:3])
    noun = doubt.frame.noun.head.text if doubt.frame.noun.head is not None else "names"
    word = re.search(r"\b(?:distinct|different|unique|separate)\b", doubt.question, re.IGNORECASE)
    span = word.group() if word else noun
    plain = re.sub(rf"\b{span}\b", "distinct", doubt.question.rstrip("?"))
    return found("C2", span, f"{field} writes some alike: {examples}.", [
        reading("variants are one", f"{plain}, spelling variants merged?"),
        reading("each spelling counts", f"{plain}, each spelling by itself?"),
    ])  # fmt: skip


def _one_name(doubt: Doubt, condition: Condition) -> Iterator[FoundAmbiguity]:
    predicate = condition.predicate
    if predicate is None or predicate.comparison not in {"is", "contains"}:
        return
    if predicate.field == NAME_FIELD or len(predicate.values) != 1:
        return
    name = predicate.values[0]
    names = [
        item
        for value in doubt.corpus.field_values(predicate.field).values()
        for item in value.items
    ]
    others = spelling_variants(name, names) if len(name.split()) > 1 else []
    if others and name.casefold() in doubt.question.casefold():
        alike = " or ".join([name, *others])
        question = re.sub(re.escape(name), alike, doubt.question, count=1, flags=re.IGNORECASE)
        exact = re.sub(re.escape(name), f"“{name}”", doubt.question, count=1, flags=re.IGNORECASE)
        yield found("C2", name, f"{predicate.field} also has {', '.join(others)}.", [
            reading("all spellings", question),
            reading("exactly this spelling", exact),
        ])  # fmt: skip


def unknown_labels(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield names that metadata is asked for but has not, where it has similar ones."""
    from rapidfuzz import process

    for each in doubt.conditions:
        predicate = each.predicate
        if predicate is None or predicate.comparison != "contains" or len(predicate.values) != 1:
            continue
        label = predicate.values[0]
        values = doubt.corpus.field_values(predicate.field)
        if any(satisfies(value, predicate) for value in values.values()):
            continue
        items = sorted({item for value in values.values() for item in value.items})
        near = process.extract(label, items, limit=2, score_cutoff=70)
        if near and label in doubt.question:
            options = [reading(item, doubt.question.replace(label, item, 1)) for item, _, _ in near]
            yield found("C3", label, f"No {predicate.field} of the corpus is “{label}”.", [
                *options, reading("exactly as written", doubt.question),
            ])  # fmt: skip
