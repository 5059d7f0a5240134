"""C1 and C2: what is one item, and when two items are one."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from agent.predicates import NAME_FIELD, name_value, satisfies
from agent.question import Condition, holds
from agent.reasoners.rules.ambiguity.doubt import Doubt, found, reading
from agent.reasoners.rules.language.variants import spelling_variants, variant_pairs
from agent.reasoners.rules.language.words import akin, singular, tokenize
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.places import places_asked
from agent.reasoners.rules.reading.roles import plays
from agent.replies import FoundAmbiguity, ReadingReply

__all__ = ("duplicates", "kinds", "levels")

_HAVING: Final = re.compile(
    r"^how many (?P<unit>[\w-]+) (?:did|do|does|have|has) (?P<owners>.+?) "
    r"(?P<verb>receive|have|get|had|contain|received|gotten)\s*\??$",
    re.IGNORECASE,
)


def levels(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield units that exist at several levels: mentions and documents, parts and wholes."""
    one = _mentions(doubt) or _units(doubt)
    if one is not None:
        yield one


def _mentions(doubt: Doubt) -> FoundAmbiguity | None:
    """Find `how many times is X mentioned`, which leaves open what counts as once."""
    asked = places_asked(doubt.question)
    if asked is None or not asked.span or not any(each.terms for each in doubt.conditions):
        return None
    return found("C1", asked.span, "Each mention can count, or each document that has one.", [
        reading("every single mention", asked.mentions),
        reading("each document once", asked.documents),
    ])  # fmt: skip


def _units(doubt: Doubt) -> FoundAmbiguity | None:
    """Find a noun of doing or happening that is asked of documents: `repairs did … have`."""
    having = _HAVING.match(doubt.question)
    if having is None or not _documents(doubt, having["owners"]):
        return None
    unit = having["unit"]
    bare = re.sub(r"^(?:the|all|these|those)\s+", "", having["owners"])
    named = doubt.scene.labels.cue(tokenize(unit), 0)
    lists = [each for each in (named.fields if named else ()) if each.field.type == "list"]
    makers = [each for each in doubt.scene.labels.fields if plays(each, "maker")]
    makers = [each for each in makers if each.field.type == "list" and named is None]
    readings = [
        *(_listed(unit, each, bare) for each in lists[:1]),
        *(_paired(each, bare) for each in makers[:1]),
    ]
    if not readings:
        text = f"How many single {unit} are named in the {bare}?"
        readings = [reading(f"single {unit}", text)]
    whole = f"How many {bare} have at least one of the {unit}?"
    if makers:
        whole = f"How many {bare} are there?"
    return found("C1", unit, f"One of the {unit} can be a document, an entry or an event.", [
        *readings, reading("documents" if makers else "documents that have any", whole),
    ])  # fmt: skip


def _listed(unit: str, facts: Facts, documents: str) -> ReadingReply:
    text = f"How many {unit} are listed in the {facts.name} fields of the {documents}?"
    return reading(f"every entry under {facts.name}", text)


def _paired(facts: Facts, documents: str) -> ReadingReply:
    noun = singular(documents.rpartition(" ")[2])
    text = f"How many ({facts.name}, {noun}) pairs are there among the {documents}?"
    return reading(f"every {facts.name} of every {noun}", text)


def kinds(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield a word that covers several fields which the same documents keep apart."""
    tokens = doubt.asked
    if doubt.opener is None:
        return
    for at, token in enumerate(tokens):
        cue = doubt.scene.labels.cue(tokens, at) if token.kind == "word" else None
        if cue is None or cue.strength > 2 or _part_of_value(doubt, at):
            continue
        fields = [facts for facts in cue.fields if not facts.fact and not facts.unique]
        apart = [each for each in fields if _together(doubt, fields[0].name, each.name)]
        word = doubt.between(at, at + cue.size)
        if len(apart) < 2 or len({each.field.type for each in apart}) > 1:
            continue
        if _told_apart(doubt, apart, word):
            continue
        named = " and ".join(each.name for each in apart)
        yield found("C1", word, f"“{word}” covers {named}, which differ.", [
            reading(each.name, doubt.put(word, each.name)) for each in apart[:3]
        ])  # fmt: skip
        return


def _told_apart(doubt: Doubt, fields: Sequence[Facts], word: str) -> bool:
    """Tell whether the question has a word that belongs to one of the fields only."""
    own = set(re.findall(r"[^\W_]+", word.casefold()))
    said = [token.low for token in doubt.tokens if token.low not in own and len(token.low) > 2]
    if any(token.kind == "number" for token in doubt.asked):
        return True
    return any(
        akin(part, each) or part.startswith(each) or each.startswith(part)
        for facts in fields
        for part in facts.words
        if not all(part in other.words for other in fields)
        for each in said
    )


def _part_of_value(doubt: Doubt, at: int) -> bool:
    tokens = doubt.asked
    return any(
        hit.whole and start + hit.size > at
        for start in range(max(0, at - 3), at + 1)
        for hit in doubt.scene.labels.hits(tokens, start)
    )


def _together(doubt: Doubt, one: str, other: str) -> bool:
    """Tell whether the same documents have both fields; else one may stand for the other."""
    first, second = doubt.corpus.field_values(one), doubt.corpus.field_values(other)
    return 2 * len(first.keys() & second.keys()) >= min(len(first), len(second)) > 0


def _documents(doubt: Doubt, owners: str) -> bool:
    words = re.findall(r"[^\W_]+", owners)
    return bool(words) and doubt.scene.names_documents(words[-1])


def duplicates(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield names that the corpus writes in several ways, or that only its texts have."""
    if doubt.opener is None:
        return
    one = _told_apart_names(doubt) if doubt.frame.noun.distinct else None
    one = one or next(_named(doubt), None)
    if one is not None:
        yield one


def _told_apart_names(doubt: Doubt) -> FoundAmbiguity | None:
    """Find `how many different …` where a field lists them and writes some alike."""
    field = doubt.interpretation.entity_field
    pairs = variant_pairs(_items(doubt, field)) if field is not None else []
    return _merged(doubt, field, pairs) if field is not None and pairs else None


def _named(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield names in the question that a field also writes otherwise."""
    for each in doubt.conditions:
        predicate = each.predicate
        if predicate is None or predicate.comparison not in {"is", "contains"}:
            continue
        if predicate.field != NAME_FIELD and len(predicate.values) == 1:
            yield from _one_name(doubt, predicate.field, predicate.values[0])
    tokens = doubt.asked
    for at, token in enumerate(tokens):
        hits = doubt.scene.labels.hits(tokens, at) if token.capital else []
        for hit in hits:
            if hit.whole and hit.size > 1 and not hit.facts.fact:
                yield from _one_name(doubt, hit.facts.name, hit.item)


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
    why = f"{field} writes some alike: {examples}."
    noun = doubt.frame.noun.head.text if doubt.frame.noun.head is not None else "names"
    word = re.search(r"\b(?:distinct|different|unique|separate)\b", doubt.question, re.IGNORECASE)
    span = word.group() if word else noun
    plain = re.sub(rf"\b{span}\b", "distinct", doubt.question.rstrip("?"))
    return found("C2", span, why, [
        reading("variants are one", f"{plain}, spelling variants merged?"),
        reading("each spelling counts", f"{plain}, each spelling by itself?"),
    ])  # fmt: skip


def _one_name(doubt: Doubt, field: str, name: str) -> Iterator[FoundAmbiguity]:
    values = doubt.corpus.field_values(field).values()
    names = [item for value in values for item in value.items]
    others = spelling_variants(name, names) if len(name.split()) > 1 else []
    if others and name.casefold() in doubt.question.casefold():
        alike = " or ".join([name, *others])
        question = re.sub(re.escape(name), alike, doubt.question, count=1, flags=re.IGNORECASE)
        exact = re.sub(re.escape(name), f"“{name}”", doubt.question, count=1, flags=re.IGNORECASE)
        yield found("C2", name, f"{field} also has {', '.join(others)}.", [
            reading("all spellings", question),
            reading("exactly this spelling", exact),
        ])  # fmt: skip
