"""What people's judgements change: annotations, and the agreement between annotators."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from agent.errors import SettingsError
from evals.aggbench.agreement import Agreement, Verdict, agreement
from evals.aggbench.annotation import Annotation
from evals.aggbench.review import Row
from evals.aggbench.source import Source
from tools.quotes import locate

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Revised", "agreements", "revise")

Key = tuple[str, str, int, str]
_BY: Final = "person"


@dataclass(frozen=True, slots=True)
class Revised:
    """Annotations after people went through them."""

    annotations: tuple[Annotation, ...]
    corrected: frozenset[str]
    """Conditions of which a judgement was changed: code does not decide them any more."""


def revise(
    annotations: Iterable[Annotation], reviews: Sequence[Sequence[Row]], sources: Sequence[Source]
) -> Revised:
    """Apply what people decided; of several the majority counts, and a tie is a doubt.

    Raises:
        SettingsError: a row names an unknown document or chunk, or a yes has no words of the
            document.
    """
    texts = {each.name: each for each in sources}
    held: defaultdict[Key, list[Annotation]] = defaultdict(list)
    for each in annotations:
        held[_key(each, texts[each.document])].append(each)
    corrected = set()
    for key, rows in _by_key(reviews).items():
        judged = [each for each in rows if each.person is not None]
        if not judged:
            continue
        verdict = _majority([each.person for each in judged if each.person])
        told = next((each for each in judged if each.person == verdict), judged[0])
        before = held[key]
        held[key] = _judged(told, verdict, before, texts)
        if [_truth(each) for each in before] != [_truth(each) for each in held[key]]:
            corrected.add(told.condition)
    changed = tuple(each for found in held.values() for each in found)
    return Revised(_renamed(changed, reviews), frozenset(corrected))


def agreements(reviews: Sequence[Sequence[Row]]) -> dict[str, "JsonValue"]:
    """Return the agreement of machine and person, by condition and in all, and between people.

    Machine and person are compared on the rows that were filled in. Rows of which the machine found
    nothing are a sample, so the figures describe this file and not the corpus.
    """
    every = [row for rows in reviews for row in rows]
    conditions = sorted({row.condition for row in every})
    people = [
        {"first": one, "second": other, **asdict(_between(reviews[one], reviews[other]))}
        for one, other in combinations(range(len(reviews)), 2)
    ]
    told: dict[str, JsonValue] = {
        "machine_and_person": _told(every),
        "by_condition": {
            name: _told([row for row in every if row.condition == name]) for name in conditions
        },
        "between_people": [*people],
    }
    return told


def _told(rows: Sequence[Row]) -> dict[str, "JsonValue"]:
    judged = [(row.machine, row.person) for row in rows if row.person is not None]
    revised = sum(machine != person for machine, person in judged)
    return {"rows": len(rows), **asdict(agreement(judged)), "revised": revised}


def _between(first: Sequence[Row], second: Sequence[Row]) -> Agreement:
    other = {row.key: row.person for row in second}
    pairs: list[tuple[Verdict, Verdict]] = []
    for row in first:
        verdict = other.get(row.key)
        if row.person is not None and verdict is not None:
            pairs.append((row.person, verdict))
    return agreement(pairs)


def _by_key(reviews: Iterable[Iterable[Row]]) -> Mapping[Key, list[Row]]:
    found: defaultdict[Key, list[Row]] = defaultdict(list)
    for rows in reviews:
        for row in rows:
            found[row.key].append(row)
    return found


def _majority(verdicts: Sequence[Verdict]) -> Verdict:
    """Return what most say, `unsure` where as many say something else."""
    ranked = Counter(verdicts).most_common(2)
    tied = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return "unsure" if tied else ranked[0][0]


def _key(each: Annotation, source: Source) -> Key:
    return each.condition, each.document, source.chunk_at(each.start or 0), each.entity


def _truth(each: Annotation) -> tuple[str, bool]:
    return each.entity, each.doubted


def _judged(
    row: Row, verdict: Verdict, before: Sequence[Annotation], texts: Mapping[str, Source]
) -> list[Annotation]:
    """Return the annotations of a chunk after a verdict."""
    if verdict == "no":
        return []
    proofs = [each for each in before if not each.doubted]
    if verdict == "yes" and proofs:
        return proofs
    entity = row.entity or row.name.strip()
    told = {"condition": row.condition, "document": row.document, "entity": entity}
    if verdict == "unsure":
        return [Annotation(**told, doubted=True, by=_BY)]
    start, end = _found(row, texts)
    quote = texts[row.document].text[start:end]
    return [Annotation(**told, start=start, end=end, quote=quote, by=_BY)]


def _found(row: Row, texts: Mapping[str, Source]) -> tuple[int, int]:
    """Return where the words of a yes stand: in its chunk, else in its document."""
    source = texts.get(row.document)
    where = f"the review of {row.condition!r} in {row.document!r}"
    if source is None or not 0 <= row.chunk < len(source.chunks):
        raise SettingsError(f"{where} names a document or a chunk that is not there")
    if not row.entity and not row.name.strip():
        raise SettingsError(f"{where} says yes; put what it is called in `name`")
    chunk = source.chunks[row.chunk]
    span = locate(row.quote, source.text[chunk.start : chunk.end])
    if span is not None:
        return span[0] + chunk.start, span[1] + chunk.start
    span = locate(row.quote, source.text)
    if span is None:
        raise SettingsError(f"{where} says yes; put the document's own words in `quote`")
    return span


def _renamed(
    annotations: Iterable[Annotation], reviews: Iterable[Iterable[Row]]
) -> tuple[Annotation, ...]:
    given = (row for rows in reviews for row in rows if row.entity and row.name.strip())
    names = {row.entity: row.name.strip() for row in given}
    return tuple(
        each.model_copy(update={"entity": names.get(each.entity, each.entity)})
        for each in annotations
    )
