"""One question's scores: what was answered against what is true."""

import dataclasses
from collections import defaultdict
from collections.abc import Sequence

from agent.answer import Answer
from agent.cost import Cost
from evals.facts import final_accuracy
from evals.metrics import Match, absolute_error, is_exact, match, normalised_error, relative_error
from evals.names import DocumentNames, normal_name
from evals.outcome import Outcome
from evals.questions import Record
from evals.spans import GoldChunk, Span, recall

__all__ = ("Score", "predicted_documents", "score")

_NOTHING_FOUND = Match(None, 0.0, 0.0)
_UNDEFINED = Match(None, None, None)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One question's figures; None where a figure is undefined for it."""

    id: str
    value: float | None
    """The number that was answered; None for none, and for numbers by group."""
    gold: float | None
    precision: float | None
    """Of documents, or of names where the answer is names; with recall and f1."""
    recall: float | None
    f1: float | None
    chunk_recall_filtered: float | None
    """Share of the gold chunks that filtering kept, or that were judged all the same.

    A gold chunk counts where its evidence is in kept chunks; see `evals.spans.GoldChunk`.
    """
    chunk_recall_judged: float | None
    """Share of the gold chunks that were judged yes on some condition."""
    judged_share: float | None
    """Share of the corpus's chunks that were judged."""
    calls: int
    """Requests to a reasoner, those included that its cache answered."""
    input_tokens: int
    seconds: float
    status: str
    exact: bool | None
    """Whether the number is right; see `evals.metrics.is_exact`."""
    absolute_error: float | None
    """ACE, for counts."""
    normalised_error: float | None
    """NACE, for counts."""
    relative_error: float | None
    """For measured numbers."""
    bounds_held: bool | None
    """Whether the count lies within the bounds that the answer states."""
    evidence_recall: float | None
    """Share of the true evidence that a quote of the answer overlaps; for answers by records, of
    which each row behind the number is quoted."""
    process: float | None
    """Share of the intermediate facts that records hold; see `evals.facts`."""
    final: bool | None
    """Whether items and values are right; see `evals.facts`."""
    full: bool | None
    """Whether the final answer is right and every fact behind it was extracted."""


def score(
    record: Record,
    outcome: Outcome,
    names: DocumentNames,
    gold: Sequence[GoldChunk],
    spans: Sequence[Span] = (),
) -> Score:
    """Score one question.

    Args:
        record: the question with its truth.
        outcome: the answer; none, or a question back, counts as nothing found.
        names: the documents it was asked over.
        gold: the chunks that overlap the true evidence.
        spans: the true evidence.
    """
    answer = outcome.answered
    value = _number(answer)
    measured = record.answer_value is not None
    found = _match(record, answer, names)
    cost = outcome.answer.cost if outcome.answer else Cost()
    true = record.gold
    counted = None if measured else true
    final = final_accuracy(record, answer) if record.intermediate_facts else None
    return Score(
        id=record.id,
        value=value,
        gold=true,
        precision=found.precision,
        recall=found.recall,
        f1=found.f1,
        chunk_recall_filtered=recall(gold, outcome.kept),
        chunk_recall_judged=recall(gold, outcome.matched),
        judged_share=_judged_share(answer),
        calls=cost.model_calls + cost.cached_calls,
        input_tokens=cost.input_tokens,
        seconds=outcome.seconds,
        status=outcome.status,
        exact=None if true is None else is_exact(value, true, measured=measured),
        absolute_error=None if counted is None else absolute_error(value, counted),
        normalised_error=None if counted is None else normalised_error(value, counted),
        relative_error=relative_error(value, true) if measured and true is not None else None,
        bounds_held=_within(answer, counted),
        evidence_recall=_quoted(spans, answer, names),
        process=outcome.process,
        final=final,
        full=None if final is None else final and outcome.process == 1.0,
    )


def predicted_documents(answer: Answer) -> set[str]:
    """Return the documents of all entities of an answer."""
    return {document for entity in answer.entities for document in entity.documents}


def _match(record: Record, answer: Answer | None, names: DocumentNames) -> Match:
    if record.target == "number":
        return _UNDEFINED
    if answer is None:
        return _NOTHING_FOUND
    if record.target == "documents":
        return match(
            names.keys(predicted_documents(answer)),
            names.keys(record.answer or ()),
            names.keys(record.borderline_documents),
        )
    return match(_named(record, answer), {normal_name(name) for name in record.answer or ()})


def _named(record: Record, answer: Answer) -> set[str]:
    """Return the entities' names; an entity known by a true name goes under that one."""
    true = {normal_name(name) for name in record.answer or ()}
    named: set[str] = set()
    for entity in answer.entities:
        known = [normal_name(name) for name in (entity.name, *entity.aliases)]
        named.add(next((name for name in known if name in true), known[0]))
    return named


def _number(answer: Answer | None) -> float | None:
    if answer is None or isinstance(answer.value, dict):
        return None
    return answer.value


def _quoted(spans: Sequence[Span], answer: Answer | None, names: DocumentNames) -> float | None:
    """Return the share of the spans that a quote overlaps; None without any."""
    if not spans:
        return None
    quotes = defaultdict(list)
    for entity in answer.entities if answer else ():
        for each in entity.evidence:
            quotes[names.find(each.document)].append((each.start, each.end))
    hits = sum(
        any(start < span.end and span.start < end for start, end in quotes[span.document])
        for span in spans
    )
    return hits / len(spans)


def _judged_share(answer: Answer | None) -> float | None:
    if answer is None or not answer.coverage.chunks:
        return None
    return answer.coverage.judged / answer.coverage.chunks


def _within(answer: Answer | None, count: float | None) -> bool | None:
    if answer is None or answer.bounds is None or count is None:
        return None
    return answer.bounds[0] <= count <= answer.bounds[1]
