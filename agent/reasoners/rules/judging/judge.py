"""Judge passages: for each condition the sentence that proves it, or nothing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from agent.corpus_view import CorpusView
from agent.evidence import Passage
from agent.question import Condition, Grain, Measure
from agent.reasoners.rules.judging.attributes import entity_of, number_of, row_satisfies
from agent.reasoners.rules.judging.concept import read_concept
from agent.reasoners.rules.judging.finders import Finder, finder_of
from agent.reasoners.rules.judging.measuring import Amount, measured
from agent.reasoners.rules.judging.naming import name_after, name_before
from agent.reasoners.rules.judging.proof import Proof, quote
from agent.reasoners.rules.judging.quantity import Quantity
from agent.reasoners.rules.judging.rows import Row, rows_in
from agent.replies import ChunkReply, EvidenceReply, JudgeReply

__all__ = ("judge",)

_PASSIVE: Final = re.compile(
    r"(?:(?:is|are|was|were|be|been|being)\s+)?\w+(?:ed|en|wn|ld|de)\s+"
    r"(?:as|in|by|of|for|to|with|at|from|on|the|a|an)\b",
    re.IGNORECASE,
)
_NAMES: Final = re.compile(r"(?:names?|lists?|mentions?|identif\w+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Sought:
    """A condition with the finder that looks for it."""

    condition: Condition
    finder: Finder
    says_nothing: bool
    """Whether it only names the entity type, so that every entity satisfies it."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the prompt asks for."""

    sought: tuple[_Sought, ...]
    entity_type: str
    grain: Grain
    measure: Measure | None
    places: frozenset[str] = frozenset()
    """The conditions of which every place is wanted."""


def judge(values: Mapping[str, object]) -> JudgeReply:
    """Return a verdict on each passage, with the quotes that prove the conditions.

    Where documents are counted the strongest sentence per condition is quoted; where entities
    are, each one whose name the passage gives. What no sentence or row states is not reported.

    Args:
        values: of the prompt `judge`: conditions, entity_type, grain, measure, passages, corpus.
    """
    asked = _read(values)
    passages = cast("Sequence[Passage]", values["passages"])
    verdicts = [_verdict(number, each, asked) for number, each in enumerate(passages, start=1)]
    return JudgeReply(
        passages=[each for each in verdicts if each.evidence],
        none=[each.passage for each in verdicts if not each.evidence],
    )


def _read(values: Mapping[str, object]) -> _Asked:
    corpus = cast("CorpusView", values["corpus"])
    measure = cast("Measure | None", values["measure"])
    places = frozenset(measure.places if measure is not None else ())
    measure = None if places else measure
    entity_type = cast("str", values["entity_type"])
    conditions = cast("Sequence[Condition]", values["conditions"])
    sought = tuple(
        _Sought(
            condition,
            finder_of(condition, entity_type, measure, corpus),
            not condition.terms and read_concept(condition, entity_type, corpus).says_nothing,
        )
        for condition in conditions
    )
    return _Asked(sought, entity_type, cast("Grain", values["grain"]), measure, places)


def _verdict(number: int, passage: Passage, asked: _Asked) -> ChunkReply:
    evidence = list(_evidence(passage, asked))
    proved = sorted({each.condition for each in evidence})
    return ChunkReply(passage=number, reason=f"states {', '.join(proved)}", evidence=evidence)


def _evidence(passage: Passage, asked: _Asked) -> Iterator[EvidenceReply]:
    if asked.grain == "document":
        for sought in asked.sought:
            if sought.condition.id in asked.places:
                yield from _of_places(passage, sought)
            else:
                yield from _of_document(passage, sought, asked.measure)
        return
    rows = list(rows_in(passage.text))
    for row in rows:
        name = entity_of(row, asked.entity_type)
        if name is not None:
            yield from _of_row(passage, row, name, asked)
    if not rows:
        for sought in asked.sought:
            yield from _of_named(passage, sought, asked.measure)


def _of_document(
    passage: Passage, sought: _Sought, measure: Measure | None
) -> Iterator[EvidenceReply]:
    proofs = sought.finder.proofs(passage)
    if not proofs:
        return
    best, number = proofs[0], None
    if measure is not None:
        about = _states(sought.condition, measure)
        found = [(each, _amount(passage.text, each, measure, about=about)) for each in proofs]
        told = [(amount.rank, place) for place, (_, amount) in enumerate(found) if amount]
        if told:
            best, amount = found[min(told)[1]]
            number = amount.quantity if amount else None
    yield _reply(sought.condition, "", quote(passage.text, best), number)


def _of_places(passage: Passage, sought: _Sought) -> Iterator[EvidenceReply]:
    for proof in sought.finder.proofs(passage):
        yield _reply(sought.condition, "", quote(passage.text, proof), None)


def _states(condition: Condition, measure: Measure) -> bool:
    """Tell whether a condition only asks that the measure is stated."""
    return condition.text.casefold().endswith(f"states the {measure.text}".casefold())


def _amount(text: str, proof: Proof, measure: Measure, *, about: bool) -> Amount | None:
    return measured(text, (proof.start, proof.end), proof.anchor[0], measure, about=about)


def _of_row(passage: Passage, row: Row, name: str, asked: _Asked) -> Iterator[EvidenceReply]:
    number = number_of(row, asked.measure) if asked.measure else None
    words = quote(passage.text, Proof(row.start, row.end, (row.start, row.start)))
    for sought in asked.sought:
        if sought.says_nothing or row_satisfies(row, sought.condition):
            yield _reply(sought.condition, name, words, number)


def _of_named(
    passage: Passage, sought: _Sought, measure: Measure | None
) -> Iterator[EvidenceReply]:
    seen: set[str] = set()
    for proof in sought.finder.proofs(passage):
        span = _name_of(passage.text, proof, sought.condition)
        if span is None or passage.text[span[0] : span[1]] in seen:
            continue
        name = passage.text[span[0] : span[1]]
        seen.add(name)
        around = (min(span[0], proof.anchor[0]), max(span[1], proof.anchor[1]))
        number = None
        if measure is not None:
            amount = measured(passage.text, (proof.start, proof.end), around[0], measure)
            number = amount.quantity if amount else None
        words = quote(passage.text, Proof(proof.start, proof.end, around))
        yield _reply(sought.condition, name, words, number)


def _name_of(text: str, proof: Proof, condition: Condition) -> tuple[int, int] | None:
    """Return the span of the entity's name: what its predicate points at, or the subject."""
    if condition.terms or _PASSIVE.match(condition.text) or _NAMES.match(condition.text):
        return name_after(text, proof.anchor[1], proof.end)
    return name_before(text, proof.start, proof.anchor[0])


def _reply(condition: Condition, entity: str, words: str, number: Quantity | None) -> EvidenceReply:
    return EvidenceReply(
        condition=condition.id,
        entity=entity,
        quote=words,
        certainty="certain",
        value=None if number is None else number.value,
        unit=None if number is None else number.unit,
    )
