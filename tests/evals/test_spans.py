from typing import Any

from evals.spans import gold_chunks, gold_spans, recall
from tests.evals.question_files import corpus_of, record_of

TEXT = "Alpha beta gamma delta epsilon zeta eta theta."


def _evidence(document: str, text: str, start: int) -> dict[str, Any]:
    return {"document": document, "start": start, "end": start + len(text), "text": text}


def test_gold_chunks_are_those_that_overlap() -> None:
    corpus = corpus_of({"a": TEXT, "b": TEXT}, size=10)
    record = record_of(gold_evidence=[_evidence("b", "gamma delta", 11)])
    assert [gold.chunk for gold in gold_chunks(record, corpus)] == [6, 7]


def test_shifted_evidence_is_looked_up() -> None:
    record = record_of(gold_evidence=[_evidence("a", "epsilon", 3)])
    (span,) = gold_spans(record, corpus_of({"a": TEXT}))
    assert TEXT[span.start : span.end] == "epsilon"


def test_evidence_without_offsets_is_looked_up_and_else_the_whole_document() -> None:
    evidence = [{"document": "a", "text": "gamma"}, {"document": "a"}]
    spans = gold_spans(record_of(gold_evidence=evidence), corpus_of({"a": TEXT}))
    assert [(span.start, span.end) for span in spans] == [(11, 16), (0, len(TEXT))]


def test_evidence_in_an_overlap_is_found_in_either_chunk() -> None:
    corpus = corpus_of({"a": TEXT}, size=17, overlap=6)
    gold = gold_chunks(record_of(gold_evidence=[_evidence("a", "gamma", 11)]), corpus)
    assert [each.chunk for each in gold] == [0, 1]
    assert (recall(gold, {0}), recall(gold, {1}), recall(gold, {2})) == (1.0, 1.0, 0.0)
