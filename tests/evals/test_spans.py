from collections.abc import Callable
from typing import Any

from evals.questions import Record
from evals.spans import gold_chunks, gold_spans

TEXT = "Alpha beta gamma delta epsilon zeta eta theta."


def _evidence(document: str, text: str, start: int) -> dict[str, Any]:
    return {"document": document, "start": start, "end": start + len(text), "text": text}


def test_gold_chunks_are_those_that_overlap(
    record_of: Callable[..., Record], corpus_of: Callable[..., Any]
) -> None:
    corpus = corpus_of({"a": TEXT, "b": TEXT}, size=10)
    record = record_of(gold_evidence=[_evidence("b", "gamma delta", 11)])
    assert gold_chunks(record, corpus) == {6, 7}


def test_shifted_evidence_is_looked_up(
    record_of: Callable[..., Record], corpus_of: Callable[..., Any]
) -> None:
    record = record_of(gold_evidence=[_evidence("a", "epsilon", 3)])
    (span,), missing = gold_spans(record, corpus_of({"a": TEXT}))
    assert (TEXT[span.start : span.end], missing) == ("epsilon", [])


def test_evidence_in_an_absent_document_cannot_be_found(
    record_of: Callable[..., Record], corpus_of: Callable[..., Any]
) -> None:
    evidence = [_evidence("a", "Alpha", 0), _evidence("gone", "x", 0), _evidence("gone", "y", 9)]
    chunks = gold_chunks(record_of(gold_evidence=evidence), corpus_of({"a": TEXT}))
    assert chunks == {0, -1, -2}
