from collections.abc import Callable
from typing import Any

from evals.baseline import GRID, curves, means
from evals.questions import Record

TEXTS = {
    "a": "red red red red     nothing nothing     ",
    "b": "red red             red red red         ",
    "c": "nothing here at all ",
}


def _curves(record: Record, corpus: Any) -> Any:
    found = curves(record, corpus)
    assert found is not None
    return found


def test_the_documents_of_the_best_chunks_are_the_answer(
    record_of: Callable[..., Record], corpus_of: Callable[..., Any]
) -> None:
    record = record_of(question="red", answer=["b"], gold_documents=["b"])
    found = _curves(record, corpus_of(TEXTS))
    assert (found.chunks[1], found.chunks[2], found.chunks[3]) == (0.0, 2 / 3, 2 / 3)


def test_documents_are_ranked_by_their_best_chunk(
    record_of: Callable[..., Record], corpus_of: Callable[..., Any]
) -> None:
    record = record_of(question="red", answer=["a", "b"], gold_documents=["a", "b"])
    found = _curves(record, corpus_of(TEXTS))
    assert (found.documents[1], found.documents[2], found.documents[3]) == (2 / 3, 1.0, 0.8)


def test_borderline_documents_cost_the_baseline_nothing(
    record_of: Callable[..., Record], corpus_of: Callable[..., Any]
) -> None:
    record = record_of(
        question="red", answer=["b"], gold_documents=["b"], borderline_documents=["a"]
    )
    assert _curves(record, corpus_of(TEXTS)).documents[2] == 1.0


def test_answers_that_are_no_documents_have_no_baseline(
    record_of: Callable[..., Record], corpus_of: Callable[..., Any]
) -> None:
    assert curves(record_of(answer_count=3), corpus_of(TEXTS)) is None


def test_a_mean_curve_is_taken_cut_by_cut() -> None:
    low, high = dict.fromkeys(GRID, 0.0), dict.fromkeys(GRID, 1.0)
    assert set(means([low, high]).values()) == {0.5}
