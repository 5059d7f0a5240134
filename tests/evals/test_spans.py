from evals.spans import gold_chunks, gold_spans, recall
from tests.evals.question_files import corpus_of, record_of, stated

TEXT = "Alpha beta gamma delta epsilon zeta eta theta."


def test_gold_chunks_are_those_that_overlap() -> None:
    corpus = corpus_of({"a": TEXT, "b": TEXT}, size=10)
    record = record_of(gold_evidence=[stated("b", TEXT, "gamma delta")])
    assert [gold.chunk for gold in gold_chunks(record, corpus)] == [6, 7]


def test_evidence_without_or_with_other_offsets_is_looked_up_and_else_the_whole_document() -> None:
    shifted = stated("a", TEXT, "epsilon") | {"start": 3, "end": 10}
    evidence = [{"document": "a", "text": "gamma"}, {"document": "a"}, shifted]
    spans = gold_spans(record_of(gold_evidence=evidence), corpus_of({"a": TEXT}))
    assert [(span.start, span.end) for span in spans] == [(11, 16), (0, len(TEXT)), (23, 30)]


def test_evidence_in_an_overlap_is_found_in_either_chunk() -> None:
    corpus = corpus_of({"a": TEXT}, size=17, overlap=6)
    gold = gold_chunks(record_of(gold_evidence=[stated("a", TEXT, "gamma")]), corpus)
    assert [each.chunk for each in gold] == [0, 1]
    assert (recall(gold, {0}), recall(gold, {1}), recall(gold, {2})) == (1.0, 1.0, 0.0)
